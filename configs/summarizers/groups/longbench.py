"""LongBench: the means over its six kinds of tasks, and their mean as reported by the authors."""

_kinds = {
    "single-document-qa": ["narrativeqa", "qasper", "multifieldqa_en", "multifieldqa_zh"],
    "multi-document-qa": ["hotpotqa", "2wikimqa", "musique", "dureader"],
    "summarization": ["gov_report", "qmsum", "multi_news", "vcsum"],
    "few-shot-learning": ["trec", "triviaqa", "samsum", "lsht"],
    "synthetic-tasks": ["passage_count", "passage_retrieval_en", "passage_retrieval_zh"],
    "code-completion": ["lcc", "repobench-p"],
}

longbench_summary_groups = [
    dict(name=f"longbench_{kind}", subsets=[[f"LongBench_{task}", "score"] for task in tasks])
    for kind, tasks in _kinds.items()
]
longbench_summary_groups += [
    dict(name="longbench", subsets=[[f"longbench_{kind}", "naive_average"] for kind in _kinds]),
]

"""Benchmarks of long contexts, and what answers to them look like."""

from typing import Any

from support.benchmark_runs import Benchmark, fixed

from tasks.data.interface import Row

LONGBENCH = {
    "narrativeqa": ["the old man"], "qasper": ["unanswerable"], "multifieldqa_en": ["in 1911"],
    "multifieldqa_zh": ["北京大学"], "hotpotqa": ["Ann Lee"], "2wikimqa": ["Ann Lee", "Lee"], "musique": ["yes"],
    "dureader": ["每天早上喝水"], "gov_report": ["The report says that costs rose."], "qmsum": ["They agreed."],
    "multi_news": ["A storm hit the coast."], "vcsum": ["会议讨论了预算"], "trec": ["Food"], "triviaqa": ["Ann"],
    "samsum": ["Ann will call Bob."], "lsht": ["体育"], "passage_count": ["7"],
    "passage_retrieval_en": ["Paragraph 12"], "passage_retrieval_zh": ["段落12"], "lcc": ["    return total"],
    "repobench-p": ["import os"],
}  # fmt: skip
CLASSES = {"trec": ["Food", "Date", "Food drink"], "lsht": ["体育", "经济"]}


def _rows(task: str, answers: list[str]) -> list[dict[str, Any]]:
    return [
        {"input": f"q{n}", "context": f"{task} {n}", "answers": answers, "all_classes": CLASSES.get(task), "length": 1}
        for n in range(3)
    ]


def all_of(gold: Any, row: Row) -> str:
    """Every text that is to be named, or the accepted answer."""
    if isinstance(gold, dict):
        return gold["answers"][0]
    return ", ".join(gold) if "prompt" in row else gold[0]


WRONG = fixed("zzz")

LONG_CONTEXT = (
    Benchmark("ruler_4k_gen", all_of, WRONG, metric="score", unparsed=False, abbrs=(
        "ruler_niah_single_1_4k", "ruler_niah_multiquery_4k", "ruler_vt_4k", "ruler_cwe_4k", "ruler_fwe_4k",
        "ruler_qa_2_4k",
    )),
    Benchmark("ruler_4k_rawprompt_gen", all_of, WRONG, metric="score", unparsed=False, abbrs=("ruler_vt_4k",)),
    Benchmark("needlebench_4k_gen", all_of, WRONG, metric="score", unparsed=False, abbrs=(
        "Length1000Depth0_origin_en_4k", "Length4000_parallel_zh_4k", "Length4000Depth50_3needle_en_4k",
    )),
    Benchmark(
        "needlebench_4k_rawprompt_gen", all_of, WRONG, metric="score", unparsed=False,
        abbrs=("Length4000_parallel_en_4k",),
    ),
    *(
        Benchmark(
            config, all_of, WRONG, WRONG, metric="score", unparsed=False,
            abbrs=tuple(f"LongBench_{task}" for task in LONGBENCH),
            files={f"Longbench/{task}.jsonl": _rows(task, answers) for task, answers in LONGBENCH.items()},
        )
        for config in ("longbench_gen", "longbench_rawprompt_gen")
    ),
)  # fmt: skip

"""OpenCompass's overview of chat models: the average, then each benchmark, then the fields of the exams."""

from tasks.spec import read_base

with read_base():
    from .example import summarizer

_members = [
    ["mmlu", "naive_average"],
    ["cmmlu", "naive_average"],
    ["ceval", "naive_average"],
    ["GaokaoBench", "weighted_average"],
    ["triviaqa_wiki_1shot", "score"],
    ["nq_open_1shot", "score"],
    ["race-high", "accuracy"],
    ["winogrande", "accuracy"],
    ["hellaswag", "accuracy"],
    ["bbh", "naive_average"],
    ["gsm8k", "accuracy"],
    ["math", "accuracy"],
    ["TheoremQA", "score"],
    ["openai_humaneval", "humaneval_pass@1"],
    ["sanitized_mbpp", "score"],
    ["GPQA_diamond", "accuracy"],
    ["IFEval", "Prompt-level-strict-accuracy"],
]
_fields = ["stem", "social-science", "humanities", "other"]

summarizer = dict(
    dataset_abbrs=[
        ["average", "naive_average"],
        *_members,
        "",
        *(
            [f"{exam}{field}", "naive_average"]
            for exam, more in (("mmlu", []), ("cmmlu", ["china-specific"]), ("ceval", ["hard"]))
            for field in ("", *(f"-{name}" for name in (*_fields, *more)))
        ),
    ],
    summary_groups=[*summarizer["summary_groups"], dict(name="average", subsets=_members)],
)

"""NeedleBench in texts of 128,000 tokens, English and Chinese: one fact, five at once, chains of two to five."""

from tasks.data.generated.needlebench import (
    NeedleBenchMultiDataset,
    NeedleBenchOriginDataset,
    NeedleBenchParallelDataset,
)
from tasks.infer.inferencers import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.recall_evaluators import (
    NeedleBenchMultiEvaluator,
    NeedleBenchOriginEvaluator,
    NeedleBenchParallelEvaluator,
)

needlebench_languages = {"en": "English", "zh": "Chinese"}

needlebench_kinds = [
    ("origin", dict(type=NeedleBenchOriginDataset), NeedleBenchOriginEvaluator),
    ("parallel", dict(type=NeedleBenchParallelDataset, num_needles=5), NeedleBenchParallelEvaluator),
] + [
    (f"multi_{count}needle", dict(type=NeedleBenchMultiDataset, num_needles=count), NeedleBenchMultiEvaluator)
    for count in (2, 3, 4, 5)
]

needlebench_reader_cfg = dict(input_columns=["prompt"], output_column="answer")

needlebench_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=100),
)

needlebench_datasets = [
    dict(
        arguments,
        abbr=f"needlebench_{kind}_{code}_128k",
        length=128000,
        language=language,
        reader_cfg=needlebench_reader_cfg,
        infer_cfg=needlebench_infer_cfg,
        eval_cfg=dict(evaluator=dict(type=evaluator), pred_role="BOT"),
    )
    for kind, arguments, evaluator in needlebench_kinds
    for code, language in needlebench_languages.items()
]

"""NeedleBench in texts of up to 8,000 tokens, English and Chinese: one fact, five at once, chains of two to five."""

from tasks.data.generated.needlebench import (
    NeedleBenchMultiDataset,
    NeedleBenchOriginDataset,
    NeedleBenchParallelDataset,
)
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.recall import (
    NeedleBenchMultiEvaluator,
    NeedleBenchOriginEvaluator,
    NeedleBenchParallelEvaluator,
)

needlebench_length = 8000
needlebench_lengths = [2000, 4000, 6000, 8000]
needlebench_depths = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
needlebench_languages = {"en": "English", "zh": "Chinese"}

needlebench_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=100),
)

# Name, loader with its arguments, and evaluator.
needlebench_tasks = (
    [
        (
            f"Length{length}Depth{depth}_origin",
            dict(type=NeedleBenchOriginDataset, length=length, depth=depth),
            NeedleBenchOriginEvaluator,
        )
        for length in needlebench_lengths
        for depth in needlebench_depths
    ]
    + [
        (
            f"Length{length}_parallel",
            dict(type=NeedleBenchParallelDataset, length=length, num_needles=5),
            NeedleBenchParallelEvaluator,
        )
        for length in needlebench_lengths
    ]
    + [
        (
            f"Length{needlebench_length}Depth{depth}_{count}needle",
            dict(type=NeedleBenchMultiDataset, length=needlebench_length, depth=depth, num_needles=count),
            NeedleBenchMultiEvaluator,
        )
        for count in (2, 3, 4, 5)
        for depth in needlebench_depths
    ]
)

needlebench_datasets = [
    dict(
        arguments,
        abbr=f"{name}_{code}_8k",
        language=language,
        reader_cfg=dict(input_columns=["prompt"], output_column="answer"),
        infer_cfg=needlebench_infer_cfg,
        eval_cfg=dict(evaluator=dict(type=evaluator), pred_role="BOT"),
    )
    for name, arguments, evaluator in needlebench_tasks
    for code, language in needlebench_languages.items()
]

"""RULER, needles in 4,096 tokens: values of keys are hidden in a text, in noise, or among other values."""

from tasks.data.generated.ruler import RulerNiahDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.recall import RulerNiahEvaluator

niah_reader_cfg = dict(input_columns=["prompt"], output_column="answer")

niah_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=128),
)

niah_eval_cfg = dict(evaluator=dict(type=RulerNiahEvaluator), pred_role="BOT")

niah_subsets = {
    "niah_single_1": dict(type_haystack="repeat"),
    "niah_single_2": dict(type_haystack="essay"),
    "niah_single_3": dict(type_haystack="essay", type_needle_v="uuids"),
    "niah_multikey_1": dict(num_needle_k=4),
    "niah_multikey_2": dict(type_haystack="needle"),
    "niah_multikey_3": dict(type_haystack="needle", type_needle_k="uuids", type_needle_v="uuids"),
    "niah_multivalue": dict(num_needle_v=4),
    "niah_multiquery": dict(num_needle_q=4),
}

niah_datasets = [
    dict(
        abbr=f"ruler_{subset}",
        type=RulerNiahDataset,
        tokens_to_generate=128,
        reader_cfg=niah_reader_cfg,
        infer_cfg=niah_infer_cfg,
        eval_cfg=niah_eval_cfg,
        **arguments,
    )
    for subset, arguments in niah_subsets.items()
]

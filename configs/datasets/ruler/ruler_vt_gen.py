"""RULER, variables in 4,096 tokens: which of them have a value, directly or through others?"""

from tasks.data.generated.ruler import RulerVtDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.recall import RulerVtEvaluator

vt_reader_cfg = dict(input_columns=["prompt"], output_column="answer")

vt_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=30),
)

vt_eval_cfg = dict(evaluator=dict(type=RulerVtEvaluator), pred_role="BOT")

vt_subsets = {
    "vt": dict(num_chains=1, num_hops=4),
}

vt_datasets = [
    dict(
        abbr=f"ruler_{subset}",
        type=RulerVtDataset,
        tokens_to_generate=30,
        reader_cfg=vt_reader_cfg,
        infer_cfg=vt_infer_cfg,
        eval_cfg=vt_eval_cfg,
        **arguments,
    )
    for subset, arguments in vt_subsets.items()
]

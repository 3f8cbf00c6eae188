"""RULER, common words in 4,096 tokens: which ten occur far more often than the others?"""

from tasks.data.generated.ruler import RulerCweDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.recall import RulerCweEvaluator

cwe_reader_cfg = dict(input_columns=["prompt"], output_column="answer")

cwe_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=120),
)

cwe_eval_cfg = dict(evaluator=dict(type=RulerCweEvaluator), pred_role="BOT")

cwe_subsets = {
    "cwe": dict(num_cw=10),
}

cwe_datasets = [
    dict(
        abbr=f"ruler_{subset}",
        type=RulerCweDataset,
        tokens_to_generate=120,
        reader_cfg=cwe_reader_cfg,
        infer_cfg=cwe_infer_cfg,
        eval_cfg=cwe_eval_cfg,
        **arguments,
    )
    for subset, arguments in cwe_subsets.items()
]

"""RULER, questions in 4,096 tokens: one or two of many documents contain the answer."""

from tasks.data.generated.ruler import RulerQaDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.recall import RulerQaEvaluator

qa_reader_cfg = dict(input_columns=["prompt"], output_column="answer")

qa_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=50),
)

qa_eval_cfg = dict(evaluator=dict(type=RulerQaEvaluator), pred_role="BOT")

qa_subsets = {
    "qa_1": dict(hops=1),
    "qa_2": dict(hops=2),
}

qa_datasets = [
    dict(
        abbr=f"ruler_{subset}",
        type=RulerQaDataset,
        tokens_to_generate=50,
        reader_cfg=qa_reader_cfg,
        infer_cfg=qa_infer_cfg,
        eval_cfg=qa_eval_cfg,
        **arguments,
    )
    for subset, arguments in qa_subsets.items()
]

"""RULER, frequent words in 4,096 tokens: which three coded words occur most often?"""

from tasks.data.generated.ruler import RulerFweDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.recall import RulerFweEvaluator

fwe_reader_cfg = dict(input_columns=["prompt"], output_column="answer")

fwe_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=50),
)

fwe_eval_cfg = dict(evaluator=dict(type=RulerFweEvaluator), pred_role="BOT")

fwe_subsets = {
    "fwe": dict(alpha=2.0),
}

fwe_datasets = [
    dict(
        abbr=f"ruler_{subset}",
        type=RulerFweDataset,
        tokens_to_generate=50,
        reader_cfg=fwe_reader_cfg,
        infer_cfg=fwe_infer_cfg,
        eval_cfg=fwe_eval_cfg,
        **arguments,
    )
    for subset, arguments in fwe_subsets.items()
]

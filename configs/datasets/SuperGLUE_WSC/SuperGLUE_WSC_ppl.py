"""WSC by perplexity: is the text less surprising with the pronoun, or with the phrase in its place?"""

from tasks.data.benchmarks.superglue import WSCDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

wsc_reader_cfg = dict(input_columns=["text", "new_text"], output_column="answer")

wsc_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template={0: "{text}", 1: "{new_text}"}),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

wsc_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

WSC_datasets = [
    dict(
        abbr="WSC",
        type=WSCDataset,
        path="opencompass/wsc",
        reader_cfg=wsc_reader_cfg,
        infer_cfg=wsc_infer_cfg,
        eval_cfg=wsc_eval_cfg,
    )
]

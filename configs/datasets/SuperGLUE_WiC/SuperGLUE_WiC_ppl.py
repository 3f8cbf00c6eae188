"""WiC by perplexity: is it less surprising that the senses agree, or that they differ?"""

from tasks.data.benchmarks.superglue import WiCDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

wic_reader_cfg = dict(input_columns=["word", "sentence1", "sentence2"], output_column="answer")

wic_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={
            label: dict(
                round=[
                    dict(
                        role="HUMAN",
                        prompt="{sentence1}\n{sentence2}\nIs '{word}' meant in the same sense in both sentences?",
                    ),
                    dict(role="BOT", prompt=word),
                ]
            )
            for label, word in ((0, "No"), (1, "Yes"))
        },
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

wic_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

WiC_datasets = [
    dict(
        abbr="WiC",
        type=WiCDataset,
        path="opencompass/wic",
        reader_cfg=wic_reader_cfg,
        infer_cfg=wic_infer_cfg,
        eval_cfg=wic_eval_cfg,
    )
]

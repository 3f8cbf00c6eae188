"""OCNLI by perplexity: chooses the likeliest of three labels."""

from tasks.data.benchmarks.clue import OCNLIDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

ocnli_reader_cfg = dict(input_columns=["sentence1", "sentence2"], output_column="label")

ocnli_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={
            "contradiction": "已知：{sentence1}那么“{sentence2}”这句话一定是错的。",
            "entailment": "已知：{sentence1}那么“{sentence2}”这句话一定是对的。",
            "neutral": "已知：{sentence1}那么“{sentence2}”这句话不一定对。",
        },
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

ocnli_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

ocnli_datasets = [
    dict(
        abbr="ocnli",
        type=OCNLIDataset,
        path="opencompass/OCNLI-dev",
        reader_cfg=ocnli_reader_cfg,
        infer_cfg=ocnli_infer_cfg,
        eval_cfg=ocnli_eval_cfg,
    )
]

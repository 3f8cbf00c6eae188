"""OCNLI as FewCLUE divides it, by perplexity: chooses the likeliest of three labels."""

from tasks.data.benchmarks.clue import OCNLIDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

ocnli_fc_files = {"dev": "dev_few_all.jsonl", "test": "test_public.jsonl"}

ocnli_fc_reader_cfg = dict(input_columns=["sentence1", "sentence2"], output_column="label")

ocnli_fc_infer_cfg = dict(
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

ocnli_fc_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

ocnli_fc_datasets = [
    dict(
        abbr=f"ocnli_fc-{split}",
        type=OCNLIDataset,
        path=f"data/FewCLUE/ocnli/{file}",
        reader_cfg=ocnli_fc_reader_cfg,
        infer_cfg=ocnli_fc_infer_cfg,
        eval_cfg=ocnli_fc_eval_cfg,
    )
    for split, file in ocnli_fc_files.items()
]

"""CommonsenseQA by perplexity: chooses the likeliest answer."""

from tasks.data.benchmarks.commonsenseqa import commonsenseqaDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

commonsenseqa_reader_cfg = dict(
    input_columns=["question", "A", "B", "C", "D", "E"], output_column="answerKey", test_split="validation"
)

commonsenseqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={letter: f"Question: {{question}}\nAnswer: {{{letter}}}" for letter in "ABCDE"},
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

commonsenseqa_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

commonsenseqa_datasets = [
    dict(
        abbr="commonsense_qa",
        type=commonsenseqaDataset,
        path="opencompass/commonsense_qa",
        reader_cfg=commonsenseqa_reader_cfg,
        infer_cfg=commonsenseqa_infer_cfg,
        eval_cfg=commonsenseqa_eval_cfg,
    )
]

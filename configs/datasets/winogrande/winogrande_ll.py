"""WinoGrande by likelihood: chooses the name with the likeliest rest of the sentence."""

from tasks.data.benchmarks.winogrande import WinograndeDataset
from tasks.infer.inferencers.names import LLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

winogrande_reader_cfg = dict(input_columns=["opt1", "opt2", "cont"], output_column="answer")

winogrande_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={1: "{opt1}", 2: "{opt2}"},
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=LLInferencer),
)

winogrande_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

winogrande_datasets = [
    dict(
        abbr="winogrande",
        type=WinograndeDataset,
        path="opencompass/winogrande",
        reader_cfg=winogrande_reader_cfg,
        infer_cfg=winogrande_infer_cfg,
        eval_cfg=winogrande_eval_cfg,
    )
]

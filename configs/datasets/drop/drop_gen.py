"""DROP: questions about a passage that take counting, sorting and arithmetic; three examples stand in the data."""

from tasks.data.benchmarks.open_questions import DropOpenAIDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.open_answers import DropOpenAIEvaluator

drop_reader_cfg = dict(
    input_columns=["prompt"], output_column="answers", train_split="validation", test_split="validation"
)

drop_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Read the passage and answer the question about it. Think first; end with a line "
                    "'Answer: …' that holds the answer alone.\n\n{prompt}",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

drop_eval_cfg = dict(
    evaluator=dict(type=DropOpenAIEvaluator),
    pred_role="BOT",
)

drop_datasets = [
    dict(
        abbr="drop",
        type=DropOpenAIDataset,
        path="data/drop_simple_eval/dev.jsonl",
        reader_cfg=drop_reader_cfg,
        infer_cfg=drop_infer_cfg,
        eval_cfg=drop_eval_cfg,
    )
]

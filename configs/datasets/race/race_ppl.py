"""RACE, middle and high school, by perplexity: chooses the likeliest letter."""

from tasks.data.benchmarks.race import RaceDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

race_reader_cfg = dict(
    input_columns=["article", "question", "A", "B", "C", "D"],
    output_column="answer",
    train_split="validation",
    test_split="test",
)

race_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={
            letter: dict(
                round=[
                    dict(
                        role="HUMAN",
                        prompt="Text: {article}\nQuestion: {question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}",
                    ),
                    dict(role="BOT", prompt=f"Answer: {letter}"),
                ]
            )
            for letter in "ABCD"
        },
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

race_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

race_datasets = [
    dict(
        abbr=f"race-{school}",
        type=RaceDataset,
        path="opencompass/race",
        name=school,
        reader_cfg=race_reader_cfg,
        infer_cfg=race_infer_cfg,
        eval_cfg=race_eval_cfg,
    )
    for school in ("middle", "high")
]

"""RACE, middle and high school: answered by the letter of an option."""

from tasks.data.benchmarks.race import RaceDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccwithDetailsEvaluator

race_reader_cfg = dict(
    input_columns=["article", "question", "A", "B", "C", "D"],
    output_column="answer",
    train_split="validation",
    test_split="test",
)

race_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Read the text and choose the option that answers the question or fills the "
                    "gap.\n\n{article}\n\n"
                    "{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n\nReply with the letter of the option.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

race_eval_cfg = dict(
    evaluator=dict(type=AccwithDetailsEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
)

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

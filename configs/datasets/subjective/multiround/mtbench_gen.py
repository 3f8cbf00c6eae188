"""MT-Bench: 80 conversations of two turns; a judge rates each turn from 1 to 10."""

from tasks.data.benchmarks.mtbench import MTBenchDataset
from tasks.infer.inferencers.names import ChatInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.report.summary.subjective import MTBenchSummarizer
from tasks.score.subjective.lm_evaluator import LMEvaluator
from tasks.score.subjective.postprocessors import mtbench_postprocess

_TASK = (
    "You rate answers of AI assistants. Ask yourself whether the answer does what the user wanted, whether it is "
    "correct, complete and deep enough, and how well it reads. Its length alone is no merit."
)
_CLOSE = (
    "First write two or three sentences with your reasons. Then close with one line that holds nothing but your rating "
    "from 1 (useless) to 10 (could not be better) in double square brackets, like this: [[6]]"
)

mtbench_reader_cfg = dict(input_columns=["dialogue", "capability"], output_column=None)

mtbench_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template="{dialogue}"),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=ChatInferencer, infer_mode="every", max_out_len=2048),
)

_first_turn = dict(
    type=PromptTemplate,
    template=dict(
        begin=[dict(role="SYSTEM", fallback_role="HUMAN", prompt=_TASK)],
        round=[
            dict(
                role="HUMAN",
                prompt="<question>\n{question_1}\n</question>\n\n"
                "A correct answer to compare with; empty where there is none:\n"
                "<reference>\n{reference_1}\n</reference>\n\n"
                "The answer to rate:\n<answer>\n{prediction_r1}\n</answer>\n\n" + _CLOSE,
            )
        ],
    ),
)

_second_turn = dict(
    type=PromptTemplate,
    template=dict(
        begin=[dict(role="SYSTEM", fallback_role="HUMAN", prompt=_TASK)],
        round=[
            dict(
                role="HUMAN",
                prompt="A conversation of two turns. Rate only the second answer; the first turn is there so that you "
                "understand it.\n\n"
                "<first_question>\n{question_1}\n</first_question>\n\n"
                "<first_answer>\n{prediction_r1}\n</first_answer>\n\n"
                "<second_question>\n{question_2}\n</second_question>\n\n"
                "Correct answers to both to compare with; empty where there are none:\n"
                "<first_reference>\n{reference_1}\n</first_reference>\n"
                "<second_reference>\n{reference_2}\n</second_reference>\n\n"
                "The answer to rate:\n<second_answer>\n{prediction_r2}\n</second_answer>\n\n" + _CLOSE,
            )
        ],
    ),
)

mtbench_eval_cfg = dict(
    evaluator=dict(
        type=LMEvaluator,
        judge_cfg=dict(),
        prompt_template=[_first_turn, _second_turn],
        dict_postprocessor=dict(type=mtbench_postprocess),
    )
)

mtbench_datasets = [
    dict(
        abbr="mtbench",
        type=MTBenchDataset,
        path="data/subjective/mtbench",
        name="mtbench",
        reader_cfg=mtbench_reader_cfg,
        infer_cfg=mtbench_infer_cfg,
        eval_cfg=mtbench_eval_cfg,
        mode="singlescore",
        summarizer=dict(type=MTBenchSummarizer),
    )
]

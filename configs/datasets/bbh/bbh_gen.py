"""BIG-Bench Hard with the benchmark's own worked examples: 17 tasks answered by an option, 10 by a short text."""

from tasks.data.benchmarks.bbh import BBHDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.bbh import bbh_freeform_postprocess, bbh_mcq_postprocess
from tasks.score.benchmarks.bbh import BBHEvaluator, BBHEvaluator_mcq

bbh_multiple_choice_sets = [
    "temporal_sequences",
    "disambiguation_qa",
    "date_understanding",
    "tracking_shuffled_objects_three_objects",
    "penguins_in_a_table",
    "geometric_shapes",
    "snarks",
    "ruin_names",
    "tracking_shuffled_objects_seven_objects",
    "tracking_shuffled_objects_five_objects",
    "logical_deduction_three_objects",
    "hyperbaton",
    "logical_deduction_five_objects",
    "logical_deduction_seven_objects",
    "movie_recommendation",
    "salient_translation_error_detection",
    "reasoning_about_colored_objects",
]
bbh_free_form_sets = [
    "multistep_arithmetic_two",
    "navigate",
    "dyck_languages",
    "word_sorting",
    "sports_understanding",
    "boolean_expressions",
    "object_counting",
    "formal_fallacies",
    "causal_judgement",
    "web_of_lies",
]

bbh_reader_cfg = dict(input_columns=["examples", "input"], output_column="target")

bbh_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Solve the last question the way the questions before it are solved.\n\n"
                    "{examples}\n\nQ: {input}\nA: Let's think step by step.",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024, stopping_criteria=["\nQ:"]),
)

bbh_mcq_eval_cfg = dict(
    evaluator=dict(type=BBHEvaluator_mcq),
    pred_role="BOT",
    pred_postprocessor=dict(type=bbh_mcq_postprocess),
    dataset_postprocessor=dict(type=bbh_mcq_postprocess),
)
bbh_freeform_eval_cfg = dict(
    evaluator=dict(type=BBHEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=bbh_freeform_postprocess),
    dataset_postprocessor=dict(type=bbh_freeform_postprocess),
)

bbh_datasets = [
    dict(
        abbr=f"bbh-{name}",
        type=BBHDataset,
        path="opencompass/bbh",
        name=name,
        with_examples=True,
        reader_cfg=bbh_reader_cfg,
        infer_cfg=bbh_infer_cfg,
        eval_cfg=eval_cfg,
    )
    for names, eval_cfg in (
        (bbh_multiple_choice_sets, bbh_mcq_eval_cfg),
        (bbh_free_form_sets, bbh_freeform_eval_cfg),
    )
    for name in names
]

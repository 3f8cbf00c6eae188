"""MMLU for chat models: reason, then name an option."""

from tasks.data.benchmarks.mmlu import MMLUDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

mmlu_fields = {
    "humanities": "formal_logic high_school_european_history high_school_us_history high_school_world_history "
    "international_law jurisprudence logical_fallacies moral_disputes moral_scenarios philosophy prehistory "
    "professional_law world_religions",
    "stem": "abstract_algebra anatomy astronomy college_biology college_chemistry college_computer_science "
    "college_mathematics college_physics computer_security conceptual_physics electrical_engineering "
    "elementary_mathematics high_school_biology high_school_chemistry high_school_computer_science "
    "high_school_mathematics high_school_physics high_school_statistics machine_learning",
    "social-science": "econometrics high_school_geography high_school_government_and_politics "
    "high_school_macroeconomics high_school_microeconomics high_school_psychology human_sexuality "
    "professional_psychology public_relations security_studies sociology us_foreign_policy",
    "other": "business_ethics clinical_knowledge college_medicine global_facts human_aging management marketing "
    "medical_genetics miscellaneous nutrition professional_accounting professional_medicine virology",
}
mmlu_all_sets = sorted(name for names in mmlu_fields.values() for name in names.split())

mmlu_reader_cfg = dict(input_columns=["input", "A", "B", "C", "D"], output_column="target", train_split="dev")

mmlu_datasets = [
    dict(
        abbr=f"lukaemon_mmlu_{name}",
        type=MMLUDataset,
        path="opencompass/mmlu",
        name=name,
        reader_cfg=mmlu_reader_cfg,
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(
                    round=[
                        dict(
                            role="HUMAN",
                            prompt=f"A question about {name.replace('_', ' ')} with one right option. Reason step by "
                            "step, and end with a line of the form 'ANSWER: X', where X is the option's "
                            "letter.\n\n"
                            "{input}\n\nA) {A}\nB) {B}\nC) {C}\nD) {D}",
                        )
                    ]
                ),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator),
            pred_role="BOT",
            pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
        ),
    )
    for name in mmlu_all_sets
]

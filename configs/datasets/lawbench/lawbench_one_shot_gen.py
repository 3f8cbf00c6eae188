"""LawBench, with one example each: 19 of its 20 tasks (2-1 needs a separate annotation tool)."""

from tasks.data.benchmarks.lawbench import LawBenchDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate

lawbench_tasks = {
    "1-1": "article_recitation",
    "1-2": "knowledge_question_answering",
    "2-2": "dispute_focus_identification",
    "2-3": "marital_disputes_identification",
    "2-4": "issue_topic_identification",
    "2-5": "reading_comprehension",
    "2-6": "named_entity_recognition",
    "2-7": "opinion_summarization",
    "2-8": "argument_mining",
    "2-9": "event_detection",
    "2-10": "trigger_word_extraction",
    "3-1": "fact_based_article_prediction",
    "3-2": "scene_based_article_prediction",
    "3-3": "charge_prediction",
    "3-4": "prison_term_prediction_wo_article",
    "3-5": "prison_term_prediction_w_article",
    "3-6": "case_analysis",
    "3-7": "criminal_damages_calculation",
    "3-8": "consultation",
}

lawbench_datasets = [
    dict(
        abbr=f"lawbench-{index}-{name}-1-shot",
        type=LawBenchDataset,
        path="data/lawbench/one_shot",
        index=index,
        reader_cfg=dict(input_columns=["instruction", "question"], output_column="answer"),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(round=[dict(role="HUMAN", prompt="{instruction}\n{question}")]),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=dict(evaluator=dict(type="LawBenchEvaluator_" + index.replace("-", "_")), pred_role="BOT"),
    )
    for index, name in lawbench_tasks.items()
]

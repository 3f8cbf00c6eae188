"""LongBench: 21 tasks in English, Chinese and code, with contexts of about 5,000 to 15,000 words."""

from tasks.data.benchmarks.longbench import LongBenchDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.dataset_postprocessors import first_line_postprocess
from tasks.score.benchmarks.longbench import (
    LongBenchClassificationEvaluator,
    LongBenchCodeSimEvaluator,
    LongBenchCountEvaluator,
    LongBenchF1Evaluator,
    LongBenchRetrievalEvaluator,
    LongBenchRougeEvaluator,
)

longbench_f1 = dict(type=LongBenchF1Evaluator)
longbench_f1_zh = dict(type=LongBenchF1Evaluator, language="zh")
longbench_rouge = dict(type=LongBenchRougeEvaluator)
longbench_rouge_zh = dict(type=LongBenchRougeEvaluator, language="zh")
longbench_class = dict(type=LongBenchClassificationEvaluator)
longbench_code = dict(type=LongBenchCodeSimEvaluator)

longbench_passages = (
    "Answer the question from the passages below. Reply with the answer only.\n\n{context}\n\n"
    "Question: {input}\nAnswer:"
)
longbench_examples = "{context}\n{input}"

# Task: what is asked, how many tokens the answer may have, and how it is scored.
longbench_tasks = {
    "narrativeqa": (
        (
            "Here is a story, and a question about it. Reply with as few words as you can.\n\n{context}\n\n"
            "Question: {input}\nAnswer:"
        ),
        128,
        longbench_f1,
    ),
    "qasper": (
        (
            "Here is a scientific article, and a question about it. Reply with a short phrase, with yes or no, or with "
            "'unanswerable' if the article does not tell.\n\n{context}\n\nQuestion: {input}\nAnswer:"
        ),
        128,
        longbench_f1,
    ),
    "multifieldqa_en": (
        "Read this text and answer the question about it briefly.\n\n{context}\n\nQuestion: {input}\nAnswer:",
        64,
        longbench_f1,
    ),
    "multifieldqa_zh": ("阅读下面的文字，简短地回答问题。\n\n{context}\n\n问题：{input}\n回答：", 64, longbench_f1_zh),
    "hotpotqa": (longbench_passages, 32, longbench_f1),
    "2wikimqa": (longbench_passages, 32, longbench_f1),
    "musique": (longbench_passages, 32, longbench_f1),
    "dureader": ("根据下面的文章回答问题。\n\n{context}\n\n问题：{input}\n回答：", 128, longbench_rouge_zh),
    "gov_report": ("Summarize this government report on one page.\n\n{context}\n\nSummary:", 512, longbench_rouge),
    "qmsum": (
        (
            "Here is the transcript of a meeting, and a request about it. Reply in a few sentences.\n\n{context}\n\n"
            "Request: {input}\nReply:"
        ),
        512,
        longbench_rouge,
    ),
    "multi_news": ("Summarize these news articles on one page.\n\n{context}\n\nSummary:", 512, longbench_rouge),
    "vcsum": ("下面是一份会议记录，请写出它的总结。\n\n{context}\n\n总结：", 512, longbench_rouge_zh),
    "trec": (
        "Which type is the last question of? The examples show the types.\n\n{context}\n{input}",
        64,
        longbench_class,
    ),
    "triviaqa": (
        "Answer the last question from its passage, as the examples do.\n\n{context}\n\n{input}",
        32,
        longbench_f1,
    ),
    "samsum": ("Summarize the last dialogue, as the examples do.\n\n{context}\n\n{input}", 128, longbench_rouge),
    "lsht": ("最后一条新闻属于哪个类别？例子里给出了各个类别。\n\n{context}\n{input}", 64, longbench_class),
    "passage_count": (
        (
            "Some of the paragraphs below are copies of others. How many different ones are there? Reply with the "
            "number only.\n\n{context}\n\nNumber:"
        ),
        32,
        dict(type=LongBenchCountEvaluator),
    ),
    "passage_retrieval_en": (
        (
            "Which of these paragraphs does the summary belong to? Reply in the form 'Paragraph 1'.\n\n{context}\n\n"
            "Summary: {input}\nParagraph:"
        ),
        32,
        dict(type=LongBenchRetrievalEvaluator),
    ),
    "passage_retrieval_zh": (
        "下面的摘要是哪个段落的？请按“段落1”的格式回答。\n\n{context}\n\n摘要：{input}\n段落：",
        32,
        dict(type=LongBenchRetrievalEvaluator, language="zh"),
    ),
    "lcc": ("Write the next line of this code, nothing else.\n{context}", 64, longbench_code),
    "repobench-p": ("Write the next line of this code, nothing else.\n{context}{input}", 64, longbench_code),
}
longbench_first_line = ("trec", "triviaqa", "samsum", "lsht")

longbench_datasets = [
    dict(
        abbr=f"LongBench_{task}",
        type=LongBenchDataset,
        path="opencompass/Longbench",
        name=task,
        reader_cfg=dict(
            input_columns=["context", "input"],
            output_column="all_labels" if evaluator is longbench_class else "answers",
        ),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt=prompt)])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=max_out_len),
        ),
        eval_cfg=dict(
            evaluator=evaluator,
            pred_role="BOT",
            **(dict(pred_postprocessor=dict(type=first_line_postprocess)) if task in longbench_first_line else {}),
        ),
    )
    for task, (prompt, max_out_len, evaluator) in longbench_tasks.items()
]

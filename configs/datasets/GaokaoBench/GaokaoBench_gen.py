"""GAOKAO-Bench, questions with options: one right option, several, several questions about a text, gaps to fill."""

from tasks.data.benchmarks.gaokao_bench import GaokaoBenchDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate

GaokaoBench_question_types = {
    "single_choice": [
        "2010-2022_Math_II_MCQs",
        "2010-2022_Math_I_MCQs",
        "2010-2022_History_MCQs",
        "2010-2022_Biology_MCQs",
        "2010-2022_Political_Science_MCQs",
        "2010-2022_Chemistry_MCQs",
        "2010-2013_English_MCQs",
    ],
    "multi_choice": ["2010-2022_Physics_MCQs"],
    "multi_question_choice": [
        "2010-2022_Chinese_Modern_Lit",
        "2010-2022_English_Fill_in_Blanks",
        "2010-2022_Geography_MCQs",
        "2010-2022_English_Reading_Comp",
        "2010-2022_Chinese_Lang_and_Usage_MCQs",
    ],
    "five_out_of_seven": ["2012-2022_English_Cloze_Test"],
}
_tasks = {
    "single_choice": "请先分析下面这道高考单项选择题，最后另起一行写“【答案】X”，其中 X 是正确选项的字母。",
    "multi_choice": "下面这道高考选择题的正确选项可能不止一个。请先分析，"
    "最后另起一行写“【答案】”和所有正确选项的字母，例如“【答案】AC”。",
    "multi_question_choice": "请先分析下面材料后的各道高考选择题，最后另起一行写“【答案】”，"
    "并按题目顺序写出每道题正确选项的字母，例如“【答案】B D A”。",
    "five_out_of_seven": "请从短文后的七个选项中为五个空各选一个。先分析，最后另起一行写“【答案】”，"
    "并按空的顺序写出五个字母，例如“【答案】B D A G C”。",
}

GaokaoBench_datasets = [
    dict(
        abbr=f"GaokaoBench_{name}",
        type=GaokaoBenchDataset,
        path=f"data/GAOKAO-BENCH/data/Multiple-choice_Questions/{name}.json",
        name=name,
        reader_cfg=dict(input_columns=["question"], output_column="answer"),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(round=[dict(role="HUMAN", prompt=f"{_tasks[question_type]}\n\n{{question}}")]),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=dict(evaluator=dict(type="GaokaoBenchEvaluator_" + question_type), pred_role="BOT"),
    )
    for question_type, names in GaokaoBench_question_types.items()
    for name in names
]

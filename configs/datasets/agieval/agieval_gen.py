"""AGIEval without examples: Chinese and English exams, with one right option, several, or a result in a box."""

from tasks.data.benchmarks.agieval import AGIEvalDataset_v2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.answers.text_postprocessors import multiple_select_postprocess
from tasks.score.evaluators.exact import AccEvaluator
from tasks.score.evaluators.mathematics import MATHVerifyEvaluator

agieval_chinese_choice_sets = [
    "gaokao-chinese",
    "gaokao-english",
    "gaokao-geography",
    "gaokao-history",
    "gaokao-biology",
    "gaokao-chemistry",
    "logiqa-zh",
]
agieval_several_options_sets = ["gaokao-physics", "gaokao-mathqa", "jec-qa-kd", "jec-qa-ca"]
agieval_english_choice_sets = [
    "lsat-ar",
    "lsat-lr",
    "lsat-rc",
    "logiqa-en",
    "sat-math",
    "sat-en",
    "sat-en-without-passage",
    "aqua-rat",
]
agieval_chinese_result_sets = ["gaokao-mathcloze"]
agieval_english_result_sets = ["math"]

_one_option = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCDE"),
)
_several_options = dict(
    evaluator=dict(type=AccEvaluator), pred_role="BOT", pred_postprocessor=dict(type=multiple_select_postprocess)
)
_result = dict(evaluator=dict(type=MATHVerifyEvaluator), pred_role="BOT")

agieval_datasets = [
    dict(
        abbr=f"agieval-{name}",
        type=AGIEvalDataset_v2,
        path="opencompass/agieval",
        name=name,
        reader_cfg=dict(input_columns=["question", "options"], output_column="label"),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(round=[dict(role="HUMAN", prompt=prompt)]),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=eval_cfg,
    )
    for names, eval_cfg, prompt in (
        (
            agieval_chinese_choice_sets,
            _one_option,
            "{question}\n{options}\n\n请先分析，最后另起一行写“答案: X”，其中 X 是正确选项的字母。",
        ),
        (
            agieval_several_options_sets,
            _several_options,
            "{question}\n{options}\n\n正确选项可能不止一个。请先分析，最后另起一行写出所有正确选项，例如“答案: AC”。",
        ),
        (
            agieval_english_choice_sets,
            _one_option,
            "{question}\n{options}\n\nReason first, then end with a line 'ANSWER: X', where X is the right letter.",
        ),
        (agieval_chinese_result_sets, _result, "{question}\n\n请逐步解答，并把最后结果写在 \\boxed{} 里。"),
        (
            agieval_english_result_sets,
            _result,
            "{question}\n\nSolve it step by step and put the result inside \\boxed{} at the end.",
        ),
    )
    for name in names
]

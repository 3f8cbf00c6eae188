"""CRUXEval, input prediction: one worked example, then the function and its output."""

from tasks.data.benchmarks.cruxeval import CRUXEvalDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.code_postprocessors import cruxeval_postprocess
from tasks.score.benchmarks.cruxeval import CRUXEvalEvaluator

_ask = (
    "Find a call of this function that returns the value below; any that does so counts. Think it through, then write "
    "the whole call, f(…), between [ANSWER] and [/ANSWER].\n\n```python\n{code}\n```\n\nValue: {output}"
)
_example = 'def f(words, n):\n    kept = [w for w in words if len(w) > n]\n    return "-".join(reversed(kept))'

cruxeval_i_reader_cfg = dict(input_columns=["code", "output"], output_column="input")

cruxeval_i_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt=_ask.replace("{code}", _example).replace("{output}", "'plum-pear'"),
                ),
                dict(
                    role="BOT",
                    prompt="The words come out in reverse order, so 'pear' stands before 'plum' in the list. Both have "
                    "4 letters, which has to be more than n; n = 3 will do.\n"
                    "[ANSWER]f(['pear', 'plum'], 3)[/ANSWER]",
                ),
                dict(role="HUMAN", prompt=_ask),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

cruxeval_i_eval_cfg = dict(
    evaluator=dict(type=CRUXEvalEvaluator, mode="input"),
    pred_role="BOT",
    pred_postprocessor=dict(type=cruxeval_postprocess),
)

cruxeval_i_datasets = [
    dict(
        abbr="cruxeval_i",
        type=CRUXEvalDataset,
        path="opencompass/cruxeval",
        reader_cfg=cruxeval_i_reader_cfg,
        infer_cfg=cruxeval_i_infer_cfg,
        eval_cfg=cruxeval_i_eval_cfg,
    )
]

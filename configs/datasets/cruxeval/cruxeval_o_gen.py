"""CRUXEval, output prediction: one worked example, then the function and its arguments."""

from tasks.data.benchmarks.cruxeval import CRUXEvalDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.code_postprocessors import cruxeval_postprocess
from tasks.score.benchmarks.cruxeval import CRUXEvalEvaluator

_ask = (
    "What does this call return? Follow the code step by step, then write the value as a Python literal between "
    "[ANSWER] and [/ANSWER].\n\n```python\n{code}\n\nf({input})\n```"
)
_example = 'def f(words, n):\n    kept = [w for w in words if len(w) > n]\n    return "-".join(reversed(kept))'

cruxeval_o_reader_cfg = dict(input_columns=["code", "input"], output_column="output")

cruxeval_o_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt=_ask.replace("{code}", _example).replace("{input}", "['pear', 'fig', 'plum'], 3"),
                ),
                dict(
                    role="BOT",
                    prompt="Longer than 3 letters are 'pear' and 'plum'; 'fig' has exactly 3 and is left out.\n"
                    "Reversed they are 'plum', 'pear', and joined by a dash 'plum-pear'.\n[ANSWER]'plum-pear'[/ANSWER]",
                ),
                dict(role="HUMAN", prompt=_ask),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

cruxeval_o_eval_cfg = dict(
    evaluator=dict(type=CRUXEvalEvaluator, mode="output"),
    pred_role="BOT",
    pred_postprocessor=dict(type=cruxeval_postprocess),
)

cruxeval_o_datasets = [
    dict(
        abbr="cruxeval_o",
        type=CRUXEvalDataset,
        path="opencompass/cruxeval",
        reader_cfg=cruxeval_o_reader_cfg,
        infer_cfg=cruxeval_o_infer_cfg,
        eval_cfg=cruxeval_o_eval_cfg,
    )
]

"""Every reader of answers knows every form in which a text states one."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tasks.score.answers.bbh import bbh_freeform_postprocess, bbh_mcq_postprocess
from tasks.score.answers.dataset_postprocessors import (
    cmrc_postprocess,
    strategyqa_pred_postprocess,
    triviaqa_postprocess,
)
from tasks.score.answers.math_postprocessors import math_postprocess, math_postprocess_v2
from tasks.score.answers.mmlu_pro import mmlu_pro_postprocess
from tasks.score.answers.postprocessors import first_option_postprocess, gsm8k_postprocess
from tasks.score.answers.text_postprocessors import (
    first_capital_postprocess,
    first_capital_postprocess_multi,
    last_capital_postprocess,
    last_option_postprocess,
    multiple_select_postprocess,
)
from tasks.score.benchmarks.mgsm import mgsm_postprocess
from tasks.score.benchmarks.theoremqa import TheoremQA_postprocess_v3
from tasks.score.interface import Extraction, ExtractionStatus

FORMS = {
    "answer is": "We think it over.\nThe answer is X.",
    "answer is, bold": "So the correct answer is **X**.",
    "answer is, below": "The final answer is:\n\nX",
    "answer is, formula": "The answer is $X$.",
    "label": "We think it over.\nAnswer: X",
    "bold label": "**Final Answer:** X",
    "heading": "## Reasoning\nWe think it over.\n\n### Answer\nX",
    "bold heading": "**Answer**\n\nX",
    "box": r"Hence \boxed{X} is what we get.",
    "box, text": r"Hence $\boxed{\text{X}}$.",
    "box, announced": r"The answer is $\boxed{X}$.",
    "tag": "We think it over.\n<answer>X</answer>",
    "hashes": "We think it over.\n#### X",
    "Chinese is": "经过分析，答案是X。",
    "Chinese should be": "所以，最终答案应该为：X",
    "Chinese label": "分析如下。\n答案：X",
    "Chinese brackets": "分析如下。\n【答案】X",
    "special token": "The answer is X<|im_end|>",
    "special tokens": "<|start_header_id|>assistant<|end_header_id|>\n\nThe answer is X.<|eot_id|>",
    "token of InternLM": "【答案】X<eoa>",
    "another turn": "The answer is X.<|im_end|>\n<|im_start|>user\nWhy?",
    "another channel": "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant"
    "<|channel|>final<|message|>The answer is X.",
    "reasoning": "<think>Hm, the answer is hard.</think>\nThe answer is X.",
}  # fmt: skip
READERS: dict[str, tuple[Callable[[str], Extraction], str, Any]] = {
    "first-option": (partial(first_option_postprocess, options="ABCD"), "C", "C"),
    "first-option, small": (partial(first_option_postprocess, options="ABCD"), "(c)", "C"),
    "last-option": (partial(last_option_postprocess, options="ABCD"), "C", "C"),
    "first-capital": (first_capital_postprocess, "C", "C"),
    "last-capital": (last_capital_postprocess, "C", "C"),
    "mmlu_pro": (mmlu_pro_postprocess, "(C)", "C"),
    "bbh-mcq": (bbh_mcq_postprocess, "(C)", "C"),
    "first-capital-multi": (first_capital_postprocess_multi, "A, C", "AC"),
    "multiple-select": (multiple_select_postprocess, "AC", "AC"),
    "multiple-select, small": (multiple_select_postprocess, "(a), (c)", "AC"),
    "gsm8k": (gsm8k_postprocess, "1,800", "1800"),
    "gsm8k, scientific": (gsm8k_postprocess, "1.5e3", "1500"),
    "mgsm": (partial(mgsm_postprocess, lang="de"), "18", "18"),
    "math_v2": (math_postprocess_v2, "18", "18"),
    "math": (math_postprocess, r"\frac12", r"\frac{1}{2}"),
    "TheoremQA": (TheoremQA_postprocess_v3, "18", "18"),
    "strategyqa": (strategyqa_pred_postprocess, "No", "no"),
    "aliases": (partial(first_option_postprocess, options="AB", aliases={"A": ["yes"], "B": ["no"]}), "no", "B"),
    "bbh-freeform": (bbh_freeform_postprocess, "no", "No"),
    "bbh-freeform, words": (bbh_freeform_postprocess, "apple pear", "apple pear"),
    "triviaqa": (triviaqa_postprocess, "Paris", "Paris"),
    "cmrc": (cmrc_postprocess, "北京", "北京"),
}
_SHORT_TEXTS = ("triviaqa", "cmrc", "TheoremQA")
"""What ends their answers belongs to them: they are compared as words."""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("form", FORMS)
def test_every_reader_knows_every_form(form: str, reader: str) -> None:
    read, written, expected = READERS[reader]
    found = read(FORMS[form].replace("X", written))
    assert found.status is ExtractionStatus.FOUND
    answer = found.answer.strip("$ 。.*") if reader in _SHORT_TEXTS else found.answer
    assert answer == expected
    assert not str(found.rule).startswith("fallback:")


@pytest.mark.parametrize("reader", [name for name in READERS if name not in ("triviaqa", "cmrc", "gsm8k", "mgsm")])
def test_a_text_without_a_statement_is_unparsed(reader: str) -> None:
    read, _, _ = READERS[reader]
    assert read("We cannot tell from what is given.\nA lot is missing here.").status is ExtractionStatus.UNPARSED


_LINES = {
    "first-option": "C", "mmlu_pro": "(C)", "bbh-mcq": "(C)", "multiple-select": "AC", "strategyqa": "No",
    "aliases": "no", "bbh-freeform": "no",
}  # fmt: skip


@pytest.mark.parametrize("reader", _LINES)
@pytest.mark.parametrize(
    "form", ["X", "**X**", "X.", "We think it over.\nIt is hard.\n\nX", "We think it over.\n\n**X**"]
)
def test_a_line_that_is_the_answer(form: str, reader: str) -> None:
    read, _, expected = READERS[reader]
    assert read(form.replace("X", _LINES[reader])).answer == expected

"""What models say is read in time that grows with its length: no pattern goes back again and again.

Nobody needs that much time for these texts; a pattern that grows with the square of the length needs many times the
limit.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from support.anything import TIMES
from support.cpu_limit import within_cpu_seconds

from tasks.score.benchmarks.ifbench.instructions import CHECKS as IFBENCH
from tasks.score.benchmarks.ifeval.instructions import CHECKS as IFEVAL
from tasks.score.benchmarks.ifeval.instructions import Instruction
from tasks.score.benchmarks.theoremqa import TheoremQAEvaluatorV3
from tasks.score.interface import Extraction
from tasks.score.judging.verdict_text import grade_of
from tasks.score.subjective import postprocessors
from tasks.score.subjective.postprocessors import VerdictPostprocessor
from tasks.spec.names.type_loading import import_type
from tasks.spec.names.type_table import TABLE

LENGTH = 30_000
"""Characters; a model that repeats itself writes as many."""
LIMIT = 8
"""Seconds for all texts together, of which one or two should do."""
SLOW = ("general_cn_postprocess", "flores_postprocess_chinese")
"""jieba takes a tenth of a millisecond per character."""
PIECES = (
    "(", ")", " ", "\n", " \n", "A", "1", "1,", "\\", "\\boxed{", "$", "```", "<think>", "[[ ", "答案是", "**",
    "answer is ", " A and", "((1+", "-", '"', "A. ", "<at", "#", "Question 1", "A:",
)  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    "first_option_postprocess": {"options": "ABCD"},
    "last_option_postprocess": {"options": "ABCD"},
    "match_answer_pattern": {"answer_pattern": r"(?i)answer\s*:\s*([A-D])"},
    "think_pred_postprocess": {"re_pattern": "</think>(.*)"},
    "xml_tag_postprocessor": {"tag": "<x>"},
    "general_eval_wrapper_postprocess": {"postprocess": "first-capital"},
}
OF_JUDGES = ("tasks.score.judging.", "tasks.score.subjective.")
NAMES = sorted(
    {entry.ours for entry in TABLE if entry.kind == "postprocessor" and not entry.ours.startswith(OF_JUDGES)}
)
SCALES = [value for value in vars(postprocessors).values() if isinstance(value, VerdictPostprocessor)]
ARGUMENTS: dict[Any, Any] = {int: 2, float: 2.0, str: "a"}


def texts(length: int) -> Iterator[str]:
    for piece in PIECES:
        run = piece * (length // len(piece))
        yield from (run, f"The answer is \\boxed{{[[{run}")


def assert_reads_at_once(read: Callable[[str], object], length: int = LENGTH * min(TIMES, 3)) -> None:
    read("Two words, 两个词.")  # what has to be loaded is loaded here, not in every child

    def read_all() -> None:
        for text in texts(length):
            read(text)

    within_cpu_seconds(LIMIT, read_all)


@pytest.mark.parametrize("path", NAMES, ids=lambda path: path.rpartition(".")[2])
def test_postprocessors(path: str) -> None:
    name = path.rpartition(".")[2]
    postprocess = partial(import_type(path), **OPTIONS.get(name, {}))

    def read(text: str) -> None:
        assert isinstance(postprocess(text), Extraction)

    assert_reads_at_once(read, LENGTH // 15 if name in SLOW else LENGTH)


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.main)
def test_verdicts_of_judges(scale: VerdictPostprocessor) -> None:
    assert_reads_at_once(scale.scale.read)


def test_grades_of_judges() -> None:
    assert_reads_at_once(lambda text: grade_of(text, "ABC"))


def test_lists_of_theoremqa() -> None:
    row = [{"Answer_type": "list of integer"}]
    assert_reads_at_once(lambda text: TheoremQAEvaluatorV3().score([text], ["[1, 2]"], row))


@pytest.mark.slow
@pytest.mark.parametrize(("checks", "name"), [(each, name) for each in (IFEVAL, IFBENCH) for name in each])
def test_instructions(checks: dict[str, Callable[..., bool]], name: str) -> None:
    parameters = list(inspect.signature(checks[name], eval_str=True).parameters.values())[1:]
    given = {
        parameter.name: "at least" if "relation" in parameter.name else ARGUMENTS.get(parameter.annotation, ["a", "b"])
        for parameter in parameters
        if parameter.default is parameter.empty
    }
    assert_reads_at_once(Instruction(name, given, checks).is_followed)

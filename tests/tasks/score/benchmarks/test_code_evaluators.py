"""Evaluators of programs, in the sandbox of this machine."""

from pathlib import Path
from typing import Any

import pytest
from support.predictions import Case
from support.shared_data import shared_data

from tasks.data.benchmarks.cruxeval import CRUXEvalDataset
from tasks.data.benchmarks.humaneval import HumanevalDataset
from tasks.data.benchmarks.humanevalx import HumanevalXDataset
from tasks.data.benchmarks.mbpp import MBPPDataset, SanitizedMBPPDataset
from tasks.score.benchmarks.cruxeval import CRUXEvalEvaluator
from tasks.score.benchmarks.humaneval import HumanEvalEvaluator, HumanevalXEvaluator
from tasks.score.benchmarks.mbpp import MBPPEvaluator, MBPPPassKEvaluator
from tasks.score.sandbox.runner import CodeRunner, code_runner
from tasks.score.scoring import ScoreError

ADD = {
    "task_id": "t/0",
    "prompt": 'def add(a, b):\n    """Adds."""\n',
    "entry_point": "add",
    "test": "def check(f):\n    assert f(1, 2) == 3\n    assert f(2, 2) == 4",
}
TESTS = "assert add(1, 2) == 3\nassert add(2, 2) == 4"
CRUX = {"id": "s/0", "code": "def f(x, n):\n    return x[:n]", "input": "'abc', 2", "output": "'ab'"}


@pytest.fixture(scope="module")
def runner() -> CodeRunner:
    return code_runner()


@pytest.mark.parametrize(
    ("completion", "result", "error"),
    [
        ("    return a + b", "passed", ""),
        ("return a + b", "passed", ""),
        ("c = a + b\n    return c", "passed", ""),
        ("c = a + b\nreturn c", "passed", ""),
        ("def add(a, b):\n    return a + b", "passed", ""),
        ("from __future__ import annotations\ndef add(a: X, b) -> Y:\n    return a + b", "passed", ""),
        ("    return 3", "wrong_answer", "AssertionError"),
        ("    return a + c", "failed", "NameError: name 'c' is not defined"),
        ("    return a +", "failed", "SyntaxError: invalid syntax (<program>, line 3)"),
        ("    while True: pass", "timeout", "it took too much time"),
        ("", "refused", "there is no program in the answer"),
    ],
)
def test_humaneval(runner: CodeRunner, completion: str, result: str, error: str) -> None:
    scored = HumanEvalEvaluator(timeout=1).score([completion], [ADD], runner)
    (detail,) = scored.pop("details")
    assert scored == {"humaneval_pass@1": 100.0 * (result == "passed"), "sandbox": runner.sandbox.name}
    assert (detail["result"], detail["error"], detail["is_correct"]) == (result, error, result == "passed")
    assert detail["origin"] == completion
    assert completion.strip().split("\n")[-1] in detail["programs"]


def test_pass_at_k_of_repeated_rows_and_of_several_answers(runner: CodeRunner) -> None:
    right, wrong = "    return a + b", "    return a"
    repeated = HumanEvalEvaluator(k=[1, 2, 4, 10]).score([right, wrong, wrong, wrong], [ADD] * 4, runner)
    several = HumanEvalEvaluator(k=[1, 2, 4, 10]).score([[right, wrong, wrong, wrong]], [ADD], runner)
    for scored in (repeated, several):
        metrics = {name: value for name, value in scored.items() if name.startswith("humaneval")}
        assert metrics == {"humaneval_pass@1": 25.0, "humaneval_pass@2": 50.0, "humaneval_pass@4": 100.0}
    assert several["details"][0]["is_correct"] == [True, False, False, False]


def test_a_missing_column_is_named(runner: CodeRunner) -> None:
    with pytest.raises(ValueError, match="no column 'test'; this evaluator reads task_id, prompt, test, entry_point"):
        HumanEvalEvaluator().score(["x"], [{"task_id": 1, "prompt": ""}], runner)


def test_other_languages_than_python_are_refused() -> None:
    with pytest.raises(ValueError, match="'cpp' cannot be run here"):
        HumanevalXEvaluator(language="cpp")


@pytest.mark.parametrize(
    ("answer", "result", "metric"),
    [
        ("def add(a, b):\n    return a + b", "passed", "pass"),
        ("[BEGIN]\ndef add(a, b):\n    return a + b\n[DONE]\nAnd another task", "passed", "pass"),
        ("```python\ndef add_\\_(): pass\n```", "failed", "failed"),
        ("def add(a\\_b, b):\n    return a\\_b + b", "passed", "pass"),
        ("def add(a, b):\n    return 3", "wrong_answer", "wrong_answer"),
        ("def add(a, b):\n    while True: pass", "timeout", "timeout"),
        ("", "refused", "failed"),
        ("I cannot do that.", "failed", "failed"),
    ],
)
def test_mbpp(runner: CodeRunner, answer: str, result: str, metric: str) -> None:
    scored = MBPPEvaluator(timeout=1).score([answer], [TESTS], runner)
    assert scored["details"][0]["result"] == result
    assert scored["score"] == 100.0 * (result == "passed")
    assert {name: scored[name] for name in ("pass", "timeout", "failed", "wrong_answer")} == {
        "pass": 0, "timeout": 0, "failed": 0, "wrong_answer": 0, metric: 1,
    }  # fmt: skip


def test_mbpp_takes_tests_in_every_form(runner: CodeRunner) -> None:
    for reference in (TESTS.split("\n"), {"test_list_2": TESTS, "task_id": 1}):
        answers = ["def add(a, b): return a + b", "def add(a, b): return 3"]
        assert MBPPEvaluator().score(answers, [reference] * 2, runner)["score"] == 50.0


def test_mbpp_says_which_test_failed(runner: CodeRunner) -> None:
    scored = MBPPEvaluator().score(["def add(a, b): return 3"], [TESTS], runner)
    assert scored["details"][0]["error"] == "AssertionError (test 2 of 2)"


def test_mbpp_pass_at_k(runner: CodeRunner) -> None:
    answers = ["def add(a, b): return a + b", "def add(a, b): return a"]
    for references in ([TESTS] * 2, [{"test_list_2": TESTS, "task_id": 1}] * 2):
        scored = MBPPPassKEvaluator(k=[1, 2]).score(answers, references, runner)
        assert (scored["pass@1"], scored["pass@2"]) == (50.0, 100.0)


@pytest.mark.parametrize(
    ("mode", "answer", "result"),
    [
        ("output", "'ab'", "passed"),
        ("output", '"ab"', "passed"),
        ("output", "'a' + 'b'", "passed"),
        ("output", "assert f('abc', 2) == 'ab'", "passed"),
        ("output", "f('abc', 2) == 'ab'", "passed"),
        ("output", "'abc'", "wrong_answer"),
        ("output", "ab", "failed"),
        ("output", "f('abc', 2)", "failed"),
        ("output", "type('X', (), {'__eq__': lambda *_: True})()", "failed"),
        ("output", "type('X', (), {'__eq__': lambda *_: True, '__repr__': lambda _: '1'})()", "failed"),
        ("output", "It is ab.", "failed"),
        ("output", "", "refused"),
        ("input", "f('abc', 2)", "passed"),
        ("input", "f('abx', 2)", "passed"),
        ("input", "assert f('abc', 2) == 'ab'", "passed"),
        ("input", "f('abc', 2) == 'ab'", "passed"),
        ("input", "'abc', 2", "passed"),
        ("input", "'abc', n=2", "passed"),
        ("input", "x='abc', n=2", "passed"),
        ("input", "f('abc', 1)", "wrong_answer"),
        ("input", "'ab'", "failed"),
        ("input", "", "refused"),
    ],
)
def test_cruxeval(runner: CodeRunner, mode: Any, answer: str, result: str) -> None:
    scored = CRUXEvalEvaluator(mode=mode).score([answer], [CRUX], runner)
    assert scored["details"][0]["result"] == result
    assert scored["pass@1"] == 100.0 * (result == "passed")


def test_an_input_of_cruxeval_may_be_a_function_but_no_object_that_answers_for_itself(runner: CodeRunner) -> None:
    row = {"id": "s/1", "code": "def f(x, g):\n    return g(x.upper())", "input": "", "output": "'A!'"}
    told = "type('X', (), {'upper': lambda self: 'A'})()"
    answers = ["f('a', lambda t: t + '!')", f"f({told}, lambda t: t + '!')", "f('a', type('G', (), {})())"]
    details = CRUXEvalEvaluator(mode="input").score(answers, [row] * 3, runner)["details"]
    assert [detail["result"] for detail in details] == ["passed", "failed", "failed"]


def test_what_is_stored_of_a_sample(tmp_path: Path) -> None:
    eval_cfg = {"evaluator": {"type": "tasks.score.benchmarks.mbpp.MBPPEvaluator"}}
    case = Case(tmp_path, [TESTS] * 3, eval_cfg=eval_cfg)
    case.predict("def add(a, b): return a + b", "def add(a, b): return a", {"prediction": "no", "status": "refused"})
    score = case.score()
    assert score.metrics == {"score": pytest.approx(100 / 3), "pass": 1, "timeout": 0, "failed": 1, "wrong_answer": 1}
    assert score.stderr["score"] == pytest.approx(100 / 3)
    first, _, last = case.results["details"]
    assert first["result"] == ["passed"]
    assert first["programs"] == first["origin"] == ["def add(a, b): return a + b"]
    assert (first["correct"], first["is_correct"]) == ([True], [True])
    assert (last["result"], last["correct"], last["status"]) == (["refused"], [False], ["refused"])


def test_without_a_sandbox_there_is_no_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks.score.sandbox import runner as module

    def nothing_works() -> None:
        raise module.NoSandbox("bubblewrap: not installed")

    monkeypatch.setattr(module, "find_sandbox", nothing_works)
    case = Case(tmp_path, [TESTS], eval_cfg={"evaluator": {"type": "tasks.score.benchmarks.mbpp.MBPPEvaluator"}})
    case.predict("def add(a, b): return a + b")
    with pytest.raises(ScoreError, match=r"only in a sandbox.*bubblewrap: not installed.*--unsafe-code-execution"):
        case.score()
    assert case.score(unsafe_code_execution=True).metrics["score"] == 100.0
    assert case.results["sandbox"] == ["none"]


def _every(rows: list[dict[str, Any]], step: int) -> list[dict[str, Any]]:
    return rows[::step]


@pytest.mark.slow
def test_published_solutions_are_right_and_broken_ones_are_not(runner: CodeRunner) -> None:
    humaneval = HumanevalDataset.load(str(shared_data("humaneval")))
    solutions = [row["canonical_solution"] for row in humaneval]
    assert HumanEvalEvaluator().score(solutions, humaneval, runner)["humaneval_pass@1"] == 100.0
    some = _every(humaneval, 4)
    stripped = [row["canonical_solution"].strip() for row in some]
    assert HumanEvalEvaluator().score(stripped, some, runner)["humaneval_pass@1"] == 100.0
    assert HumanEvalEvaluator().score(["    return ..."] * len(some), some, runner)["humaneval_pass@1"] == 0.0
    translated = _every(HumanevalXDataset.load(str(shared_data("humanevalx"))), 4)
    solutions = [row["canonical_solution"] for row in translated]
    assert HumanevalXEvaluator().score(solutions, translated, runner)["humanevalx_pass@1"] == 100.0
    broken = ["    return ..."] * len(translated)
    assert HumanevalXEvaluator().score(broken, translated, runner)["humanevalx_pass@1"] == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("dataset", "step"), [(MBPPDataset, 5), (SanitizedMBPPDataset, 3)])
def test_published_solutions_of_mbpp_are_right(runner: CodeRunner, dataset: Any, step: int) -> None:
    rows = _every(dataset.load(str(shared_data("mbpp")))["test"], step)
    references = [row["test_column"] for row in rows]
    assert MBPPEvaluator().score([row["code"] for row in rows], references, runner)["score"] == 100.0
    broken = [row["code"].replace("return", "return None and") for row in rows]
    assert MBPPEvaluator().score(broken, references, runner)["score"] < 2.0


@pytest.mark.slow
def test_published_answers_of_cruxeval_are_right(runner: CodeRunner) -> None:
    rows = _every(CRUXEvalDataset.load(str(shared_data("cruxeval"))), 10)
    for mode, answers in {
        "output": [row["output"] for row in rows],
        "input": [f"f({row['input']})" for row in rows],
    }.items():
        assert CRUXEvalEvaluator(mode=mode).score(answers, rows, runner)["pass@1"] == 100.0  # pyright: ignore[reportArgumentType]
        shifted = [*answers[1:], answers[0]]
        assert CRUXEvalEvaluator(mode=mode).score(shifted, rows, runner)["pass@1"] < 10.0  # pyright: ignore[reportArgumentType]

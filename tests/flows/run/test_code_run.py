"""A whole evaluation of programs that a model writes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.specs import write_rows
from support.workspace import Workspace, make_workspace

from flows.terminal.cli import main
from tasks.score.sandbox import runner

DATASETS = """
from opencompass.datasets import HumanevalDataset, HumanEvalEvaluator, humaneval_postprocess_v2

datasets = [
    dict(
        abbr='humaneval',
        type=HumanevalDataset,
        path={path!r},
        reader_cfg=dict(input_columns=['prompt'], output_column='task_id', train_split='test'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{prompt}}')])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer),
        ),
        eval_cfg=dict(evaluator=dict(type=HumanEvalEvaluator), pred_postprocessor=dict(type=humaneval_postprocess_v2)),
        n={n}, k={n},
    )
]
"""


def rows() -> list[dict[str, str]]:
    tests = "def check(f):\n    assert f(2) == {}"
    return [
        {"task_id": f"t/{n}", "prompt": f"def f{n}(x):\n", "entry_point": f"f{n}", "test": tests.format(2 + n)}
        for n in (1, 2)
    ]


@pytest.fixture
def coder(tmp_path: Path) -> Iterator[Workspace]:
    """A model that adds 1 whatever it is asked, in a fence that it never closes."""
    workspace = make_workspace(tmp_path, lambda prompt: f"Here it is:\n```python\n{prompt}    return x + 1")
    with workspace.server:
        yield workspace


def write(workspace: Workspace, extra: str = "", n: int = 1) -> str:
    path = write_rows(workspace.folder / "human.jsonl", rows())
    return str(workspace.write(extra=DATASETS.format(path=str(path), n=n) + extra))


def nothing_works() -> None:
    raise runner.NoSandbox("bubblewrap: not installed; namespaces: not permitted")


def test_programs_are_scored_in_the_sandbox(coder: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(coder), "--inline"]) == 0
    results = coder.read("results/adder/humaneval.json")
    assert results["humaneval_pass@1"] == 50.0
    assert results["sandbox"] == [runner.find_sandbox().name]
    assert [detail["result"] for detail in results["details"]] == [["passed"], ["wrong_answer"]]
    assert results["compass"]["rules"] == {"open-fence": 2}
    assert "humaneval_pass@1" in capsys.readouterr().out


def test_repeats_give_pass_at_k(coder: Workspace) -> None:
    assert main([write(coder, n=2), "--inline"]) == 0
    results = coder.read("results/adder/humaneval.json")
    assert results["humaneval_pass@1 (2 runs average)"] == 50.0
    assert results["G-Pass@2_0.0"] == 50.0


def test_without_a_sandbox_nothing_is_asked(
    coder: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "find_sandbox", nothing_works)
    assert main([write(coder), "--inline"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "humaneval: programs that models write run only in a sandbox, and none works here" in said
    assert "bubblewrap: not installed" in said and "--unsafe-code-execution" in said
    assert coder.server.requests == 0
    assert main([write(coder), "--inline", "--mode", "infer"]) == 0
    assert coder.server.requests == 2
    assert main([write(coder), "--dry-run"]) == 0


@pytest.mark.parametrize(
    ("extra", "flags"), [("", ["--unsafe-code-execution"]), ("eval = dict(unsafe_code_execution=True)", [])]
)
def test_who_asks_for_it_runs_them_without(
    coder: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], extra: str, flags: list[str]
) -> None:
    monkeypatch.setattr(runner, "find_sandbox", nothing_works)
    assert main([write(coder, extra), "--inline", *flags]) == 0
    assert "with your own rights" in " ".join(capsys.readouterr().err.split())
    results = coder.read("results/adder/humaneval.json")
    assert (results["humaneval_pass@1"], results["sandbox"]) == (50.0, ["none"])


def test_the_key_is_true_or_false(coder: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main([write(coder, "eval = dict(unsafe_code_execution='no')\ninfer = dict(unsafe_code_execution=True)")]) == 2
    )
    said = " ".join(capsys.readouterr().err.split())
    assert "unsafe_code_execution is True or False, not 'no'" in said
    assert "infer has no option 'unsafe_code_execution'" in said


def test_stored_predictions_of_opencompass_are_scored(coder: Workspace) -> None:
    config = write(coder)
    assert main([config, "--inline", "--mode", "infer"]) == 0
    predictions = coder.run_folder / "predictions/adder/humaneval.json"
    stored = {str(n): {"origin_prompt": "", "prediction": f"    return x + {n + 1}"} for n in range(2)}
    predictions.write_text(json.dumps(stored))
    assert main([config, "--inline", "--mode", "eval", "--reuse"]) == 1, "the file is not the one that the run wrote"
    assert main([config, "--inline", "--mode", "eval", "--reuse", "--rescore-changed"]) == 0
    assert coder.read("results/adder/humaneval.json")["humaneval_pass@1"] == 100.0

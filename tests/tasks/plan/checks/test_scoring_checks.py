"""What planning finds about scoring before anything is asked."""

from pathlib import Path
from typing import Any

import pytest
from support.specs import write_rows

from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.spec.findings import Finding, FindingKind, UserError

CONFIG = """
match = 'match_answer_pattern'
models = [dict(type='OpenAISDK', abbr='m', path='m', key='EMPTY')]
datasets = [
    dict(
        abbr='d', type='CustomDataset', path={path!r},
        reader_cfg=dict(input_columns=['question'], output_column={output!r}),
        infer_cfg=dict(
            prompt_template=dict(type='PromptTemplate', template='{{question}}'),
            retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer'),
        ),
        eval_cfg={eval_cfg},
    ),
]
"""


def _findings(
    folder: Path, eval_cfg: str, *, golds: tuple[Any, ...] = ("1", "2"), output: str | None = "answer", **request: Any
) -> list[Finding]:
    rows = [{"question": f"q{index}", "answer": gold} for index, gold in enumerate(golds)]
    path = write_rows(folder / "rows.jsonl", rows)
    config = folder / "my.py"
    config.write_text(CONFIG.format(path=str(path), eval_cfg=eval_cfg, output=output))
    try:
        return [
            finding
            for finding in make_plan(RunRequest(config=str(config), **request)).findings
            if finding.place.file == str(config)
        ]
    except UserError as error:
        return list(error.findings)


def test_nothing_is_found_where_all_is_well(tmp_path: Path) -> None:
    processors = "pred_postprocessor=dict(type='gsm8k'), dataset_postprocessor=dict(type='gsm8k_dataset')"
    assert _findings(tmp_path, f"dict(evaluator=dict(type='Gsm8kEvaluator'), {processors})") == []


@pytest.mark.parametrize(
    ("eval_cfg", "message"),
    [
        (
            "dict(evaluator=dict(type='AccEvaluator'), model_postprocessor=dict(type='first-capital'))",
            "model_postprocessor is not supported",
        ),
        ("dict(evaluator=dict(type='AccEvaluator', tolerance=1))", "AccEvaluator has no option 'tolerance'"),
        ("dict(evaluator=dict(type='OptionSimAccEvaluator'))", "needs 'options'"),
        ("dict(evaluator=dict(type='MATHEvaluator', version='v3'))", "'version' is 'v1' or 'v2'"),
        ("dict(evaluator=dict(type='BPCEvaluatr'))", "did you mean 'BPCEvaluator'"),
        (
            "dict(evaluator=dict(type='AccEvaluator'), pred_postprocessor=dict(type='first-option'))",
            "needs 'options'",
        ),
        (
            "dict(evaluator=dict(type='AccEvaluator'), pred_postprocessor=dict(type=match, answer_pattern='('))",
            "the pattern '(' cannot be read: missing )",
        ),
    ],
)
def test_what_cannot_be_scored_is_found_with_its_place(tmp_path: Path, eval_cfg: str, message: str) -> None:
    findings = _findings(tmp_path, eval_cfg)
    told = "\n".join(map(str, findings))
    assert message in told
    assert f"{tmp_path / 'my.py'}:" in told
    assert [finding.kind for finding in findings] == [FindingKind.CONFIG]


def test_an_evaluator_of_the_users_own_that_asks_for_what_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "own_scores.py").write_text(
        "class Asks:\n    def score(self, predictons): return {}\nclass Bare:\n    pass\n"
    )
    [finding] = _findings(tmp_path, "dict(evaluator=dict(type='own_scores.Asks'))")
    assert "Asks.score asks for 'predictons'" in finding.message
    assert "did you mean 'prediction" in finding.remedy
    [finding] = _findings(tmp_path, "dict(evaluator=dict(type='own_scores.Bare'))")
    assert "Bare has no method score()" in finding.message


def test_references_are_looked_at(tmp_path: Path) -> None:
    processor = "dict(evaluator=dict(type='Gsm8kEvaluator'), dataset_postprocessor=dict(type='gsm8k_dataset'))"
    [finding] = _findings(tmp_path, "dict(evaluator=dict(type='AccEvaluator'))", golds=("1", None))
    assert f"row 1 of {tmp_path}/rows.jsonl has no reference: column 'answer' is None" in finding.message
    [finding] = _findings(tmp_path, processor, golds=("#### 1", "#### eighteen"))
    assert "no reference can be read from column 'answer' of row 1: '#### eighteen'" in finding.message
    [finding] = _findings(tmp_path, "dict(evaluator=dict(type='AccEvaluator'))", output=None)
    assert "AccEvaluator compares with references, and there are none" in finding.message


@pytest.mark.parametrize("gold", [None, float("nan"), "", " \n", [], ["", None]])
@pytest.mark.parametrize("evaluator", ["AccEvaluator", "EMEvaluator", "BleuEvaluator", "MATHEvaluator"])
def test_every_evaluator_refuses_the_same_missing_references(tmp_path: Path, gold: Any, evaluator: str) -> None:
    golds = ("1", "2", gold, "4")
    found = [f for f in _findings(tmp_path, f"dict(evaluator=dict(type={evaluator!r}))", golds=golds) if f.place.key]
    assert [f"row 2 of {tmp_path}/rows.jsonl has no reference" in finding.message for finding in found][-1:] == [True]


def test_rows_that_are_not_asked_may_lack_references(tmp_path: Path) -> None:
    assert _findings(tmp_path, "dict(evaluator=dict(type='AccEvaluator'))", golds=("1", "2", None), limit=2) == []


def test_zero_and_false_are_references(tmp_path: Path) -> None:
    assert _findings(tmp_path, "dict(evaluator=dict(type='AccEvaluator'))", golds=(0, False)) == []


@pytest.mark.parametrize("question", [None, float("nan"), "", "  "])
def test_a_missing_question_is_not_asked(tmp_path: Path, question: Any) -> None:
    rows = [{"question": "q", "answer": "1"}, {"question": question, "answer": "2"}]
    path, config = write_rows(tmp_path / "rows.jsonl", rows), tmp_path / "my.py"
    scored = "dict(evaluator=dict(type='AccEvaluator'))"
    config.write_text(CONFIG.format(path=str(path), eval_cfg=scored, output="answer"))
    with pytest.raises(UserError, match=rf"d: row 1 of {path} has no question: "):
        make_plan(RunRequest(config=str(config), mode="infer"))
    make_plan(RunRequest(config=str(config), limit=1))


def test_only_asking_needs_no_references(tmp_path: Path) -> None:
    assert _findings(tmp_path, "dict(evaluator=dict(type='AccEvaluator'))", golds=("1", None), mode="infer") == []


def test_a_missing_package_is_told_with_the_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.score.evaluators.overlap.BleuEvaluator.libraries", ("no-such-package",))
    [finding] = _findings(tmp_path, "dict(evaluator=dict(type='BleuEvaluator'))")
    assert finding.kind is FindingKind.MACHINE
    assert "BleuEvaluator needs the package no-such-package" in finding.message
    assert finding.remedy == "pip install 'compass-llm-eval[score]'"


def test_a_missing_model_of_a_metric_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", "/nowhere")
    monkeypatch.setattr("tasks.score.evaluators.overlap.BleuFloresEvaluator.libraries", ("sacrebleu",))
    [finding] = _findings(tmp_path, "dict(evaluator=dict(type='BleuFloresEvaluator'))")
    assert "compass prepare" in finding.message
    assert finding.kind is FindingKind.MACHINE


def test_a_dataset_without_an_evaluator_is_warned_about(tmp_path: Path) -> None:
    [finding] = _findings(tmp_path, "dict()")
    assert (finding.kind, "has no evaluator" in finding.message) == (FindingKind.WARNING, True)

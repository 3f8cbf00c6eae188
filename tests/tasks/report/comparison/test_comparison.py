"""Comparisons of models and runs, from their folders to what people read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from flows.tools.runs.compare import main
from tasks.report.comparison.comparison import compare_contestants, contestants, mean_scores, wins
from tasks.report.comparison.comparison_text import as_json, as_markdown, as_text
from tasks.report.sample_values import NoSampleValues, read_values
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json, write_json


def _write(
    root: Path, model: str, dataset: str, right: Sequence[Any], answers: Sequence[str] = (), **more: Any
) -> None:
    """A results file as this system writes it; None is a sample that does not count."""
    details = [
        {
            "example_abbr": f"{dataset}_{row}",
            "pred": ["x"],
            "answer": [answers[row] if answers else "y"],
            "correct": [verdict],
            "status": ["error" if verdict is None else "ok"],
            "rule": [None],
        }
        for row, verdict in enumerate(right)
    ]
    counted = [bool(verdict) for verdict in right if verdict is not None]
    accuracy = 100 * sum(counted) / len(counted)
    write_json(RunFolder(root).results(Pair(model, dataset)), {"accuracy": accuracy, **more, "details": details})


def _compare(*roots: Path, **options: Any) -> Any:
    return compare_contestants(contestants(roots), **options)


def test_two_models_of_a_run(tmp_path: Path) -> None:
    _write(tmp_path, "good", "a", [True] * 18 + [False] * 2)
    _write(tmp_path, "weak", "a", [True] * 6 + [False] * 14)
    comparison = _compare(tmp_path)
    (difference,) = comparison.differences
    assert (difference.contestant, difference.comparison.n, difference.comparison.only_first) == ("weak", 20, 12)
    assert difference.scale * difference.comparison.difference == pytest.approx(-60)
    assert difference.comparison.p_value == pytest.approx(2 * 0.5**12)
    assert [(name, rank.rank) for name, rank in comparison.datasets[0].ranks.items()] == [("good", 1), ("weak", 2)]
    assert wins(comparison) == {"good": (1, 1), "weak": (0, 0)}
    assert "90.00 (1)*" in as_text(comparison)
    assert "30.00 (2)" in as_markdown(comparison)
    assert as_json(comparison)["differences"][0]["worse_on"] == 12


def test_ties_are_not_called_a_difference(tmp_path: Path) -> None:
    _write(tmp_path, "one", "a", [True] * 11 + [False] * 9)
    _write(tmp_path, "two", "a", [True] * 12 + [False] * 8)
    text = as_text(_compare(tmp_path))
    assert "55.00 (1)*" in text and "60.00 (1)*" in text


def test_one_model_in_two_runs_is_named_by_them(tmp_path: Path) -> None:
    for run in ("20260101_000000", "20260102_000000"):
        _write(tmp_path / run, "m", "a", [True, False])
    comparison = _compare(tmp_path / "20260101_000000", tmp_path / "20260102_000000")
    assert comparison.contestants == ("20260101_000000", "20260102_000000")


def test_several_models_in_two_runs(tmp_path: Path) -> None:
    for run, models in {"r1": ["m", "n"], "r2": ["m"]}.items():
        for model in models:
            _write(tmp_path / run, model, "a", [True, False])
    assert _compare(tmp_path / "r1", tmp_path / "r2").contestants == ("m @ r1", "n", "m @ r2")


def test_rows_of_changed_data_and_samples_with_errors_are_left_out(tmp_path: Path) -> None:
    _write(tmp_path, "one", "a", [True, True, None, True], "pqrs")
    _write(tmp_path, "two", "a", [True, False, True, True], "pqrX")
    comparison = _compare(tmp_path)
    assert comparison.differences[0].comparison.n == 2
    assert "one, two: 1 rows have other references and are left out" in as_text(comparison)


def test_the_mean_over_datasets_of_one_metric(tmp_path: Path) -> None:
    for dataset, one, two in [("a_1", 5, 6), ("a_2", 9, 10), ("b", 2, 4)]:
        _write(tmp_path, "one", dataset, [True] * one + [False] * (10 - one))
        _write(tmp_path, "two", dataset, [True] * two + [False] * (10 - two))
    write_json(RunFolder(tmp_path).results(Pair("one", "c")), {"bleu": 1.0})
    write_json(RunFolder(tmp_path).results(Pair("two", "c")), {"bleu": 2.0})
    comparison = _compare(tmp_path, groups=["a_*"])
    assert [(m.dataset, m.metric, round(m.scale * m.comparison.difference, 2)) for m in comparison.means] == [
        ("mean of 3 (all)", "accuracy", 13.33),
        ("mean of 2 (a_*)", "accuracy", 10.0),
    ]
    assert mean_scores(comparison, "a_*") == {"accuracy": {"one": 70.0, "two": 80.0}}
    text = as_text(comparison, ["a_*"])
    assert "c: the results of one / c keep no details" in text and "mean (a_*)" in text


def test_p_values_are_corrected_for_the_number_of_datasets(tmp_path: Path) -> None:
    for dataset in "abcd":
        _write(tmp_path, "one", dataset, [True] * 10 + [False] * 10)
        _write(tmp_path, "two", dataset, [True] * 16 + [False] * 4)
    differences = _compare(tmp_path).differences
    assert [round(d.comparison.p_value, 5) for d in differences] == [0.03125] * 4
    assert [d.adjusted for d in differences] == [0.125] * 4


def test_another_metric_and_another_baseline(tmp_path: Path) -> None:
    for model, f1 in (("one", 0.5), ("two", 1.0)):
        details = [{"f1": [f1], "correct": [True]}] * 4
        content = {"accuracy": 100.0, "f1": f1, "details": details}
        write_json(RunFolder(tmp_path).results(Pair(model, "a")), content)
    comparison = _compare(tmp_path, metric="f1", baseline="two")
    (difference,) = comparison.differences
    assert (difference.contestant, difference.scale * difference.comparison.difference) == ("one", -0.5)
    assert difference.comparison.method == "paired bootstrap"
    with pytest.raises(ValueError, match="no 'three'; there are one, two"):
        _compare(tmp_path, baseline="three")


def test_files_of_opencompass(tmp_path: Path) -> None:
    details = {"0": {"pred": "a", "answer": "b", "correct": False}, "1": {"pred": "c", "answer": "c", "correct": True}}
    write_json(RunFolder(tmp_path).results(Pair("m", "d")), {"accuracy": 50.0, "details": details})
    values = read_values(RunFolder(tmp_path), Pair("m", "d"))
    assert (values.scale, values.rows) == (100.0, {"d_0": 0.0, "d_1": 1.0})


def test_repeats_are_averaged_row_by_row(tmp_path: Path) -> None:
    details = [{"example_abbr": "d_0", "correct": [True, False]}, {"example_abbr": "d_1", "correct": [True, True]}]
    content = {"accuracy (2 runs average)": 75.0, "details": details}
    write_json(RunFolder(tmp_path).results(Pair("m", "d")), content)
    values = read_values(RunFolder(tmp_path), Pair("m", "d"))
    assert values.rows == {"d_0": 0.5, "d_1": 1.0}
    assert values.clusters == ["d_0", "d_0", "d_1", "d_1"]


def test_a_metric_that_is_no_mean_over_samples(tmp_path: Path) -> None:
    details = [{"example_abbr": "d_0", "correct": [True]}]
    write_json(RunFolder(tmp_path).results(Pair("m", "d")), {"bleu": 12.5, "details": details})
    with pytest.raises(NoSampleValues, match="any of bleu is no mean over samples"):
        read_values(RunFolder(tmp_path), Pair("m", "d"))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path, "one", "a", [True, False])
    _write(tmp_path, "two", "a", [True, True])
    assert main([str(tmp_path), "-o", str(tmp_path / "c.json")]) == 0
    assert read_json(tmp_path / "c.json")["datasets"][0]["scores"] == {"one": 50.0, "two": 100.0}
    assert main([str(tmp_path), "-o", str(tmp_path / "c.csv")]) == 0
    assert (tmp_path / "c.csv").read_text() == "dataset,metric,one,two\na,accuracy,50.00 (1)*,100.00 (1)*\n"
    assert main(["--work-dirs", str(tmp_path), "--cfg-paths", "x.py"]) == 0
    assert "Differences from one" in capsys.readouterr().out
    with pytest.raises(UserError, match=r"two models with results are needed; found: one"):
        main([str(tmp_path), "--model", "one"])
    with pytest.raises(UserError, match="no two of these models"):
        main([str(tmp_path), "--dataset", "z"])

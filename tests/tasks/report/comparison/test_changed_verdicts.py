"""Samples that two runs judge differently."""

from pathlib import Path

import pytest
from support.scored_runs import ScoredRun, scored_run, without_seal

from tasks.report.comparison.changed_verdicts import diff_pairs, pair_diff
from tasks.spec.storage.run_folder import Pair, write_json

GOLDS = {"d": ["0", "1", "2", "3", "4", "5"]}


def two_runs(root: Path, first: str, second: str) -> tuple[ScoredRun, ScoredRun]:
    """Runs of one model each; `r` is a right answer, `w` a wrong one."""
    runs = [
        scored_run(root / name, {name: lambda n, v=verdicts: str(n) if v[n] == "r" else "no"}, GOLDS)
        for name, verdicts in (("a", first), ("b", second))
    ]
    return runs[0], runs[1]


def test_flips_in_both_directions_and_mcnemars_p(tmp_path: Path):
    first, second = two_runs(tmp_path, "rrrrrw", "wwwwrr")
    [(pair, counterpart)] = diff_pairs(first.folder, second.folder)
    assert (pair, counterpart) == (Pair("a", "d"), Pair("b", "d"))
    diff = pair_diff(first.folder, second.folder, pair, counterpart)
    assert [(flip.key.row, flip.became_right) for flip in diff.flips] == [
        *((f"d_{n}", False) for n in range(4)),
        ("d_5", True),
    ]
    assert diff.flips[0].first["pred"] == "0" and diff.flips[0].second["pred"] == "no"
    assert diff.comparison is not None and diff.comparison.method == "mcnemar exact"
    assert diff.comparison.p_value == pytest.approx(2 * (1 + 5) / 2**5)  # of 5 flips at most 1 in one direction
    assert diff.comparison.difference * diff.scale == pytest.approx(-50)


def test_rows_whose_references_changed_are_left_out(tmp_path: Path):
    first, second = two_runs(tmp_path, "rrrrrr", "rrrrrw")
    path = second.folder.results(Pair("b", "d"))
    results = without_seal(path)
    results["details"][5]["answer"] = ["another"]
    write_json(path, results)
    diff = pair_diff(first.folder, second.folder, Pair("a", "d"), Pair("b", "d"))
    assert diff.flips == () and diff.changed == 1


def test_results_without_details_say_why_nothing_is_compared(tmp_path: Path):
    first, second = two_runs(tmp_path, "rrrrrr", "wwwwww")
    path = second.folder.results(Pair("b", "d"))
    write_json(path, {key: value for key, value in without_seal(path).items() if key != "details"})
    diff = pair_diff(first.folder, second.folder, Pair("a", "d"), Pair("b", "d"))
    assert diff.comparison is None and "details" in diff.reason and diff.flips == ()


def test_models_of_other_names_are_paired_when_they_are_named(tmp_path: Path):
    run = scored_run(tmp_path / "x", {"a": str, "b": str}, GOLDS)
    other = scored_run(tmp_path / "y", {"b": str, "c": str}, GOLDS)
    assert list(diff_pairs(run.folder, other.folder)) == [(Pair("b", "d"), Pair("b", "d"))]
    assert list(diff_pairs(run.folder, other.folder, ("a", "c"))) == [(Pair("a", "d"), Pair("c", "d"))]


def test_results_that_are_not_what_was_written_are_compared_with_nothing(tmp_path: Path):
    first, second = two_runs(tmp_path, "rrrrrr", "wwwwww")
    path = second.folder.results(Pair("b", "d"))
    path.write_bytes(path.read_bytes().replace(b'"accuracy": 0.0', b'"accuracy": 9.0', 1))
    diff = pair_diff(first.folder, second.folder, Pair("a", "d"), Pair("b", "d"))
    assert diff.comparison is None and "damaged" in diff.reason and diff.flips == ()

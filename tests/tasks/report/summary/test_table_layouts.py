"""Summarizers with columns, sections and groups of their own."""

from pathlib import Path

import pytest
from support.specs import dataset_spec, model_spec, write_rows

from tasks.report.summarize import summarize
from tasks.report.summary.summary import Summary
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import Pair, RunFolder, write_json


def _summary(folder: Path, results: dict[tuple[str, str], dict[str, float]], type: str, **options: object) -> Summary:
    run = RunFolder(folder / "run")
    rows = write_rows(folder / "rows.jsonl", [{"question": "q", "answer": "a"}])
    models = [model_spec(name) for name in dict.fromkeys(model for model, _ in results)]
    datasets = [dataset_spec(rows, name, version="123456") for name in dict.fromkeys(name for _, name in results)]
    for pair, metrics in results.items():
        write_json(run.results(Pair(*pair)), metrics)
    return summarize(models, datasets, run, {"type": type, **options}, time="t")


CIRCULAR = "tasks.report.summary.column_summarizers.CircularSummarizer"


def test_circular_metrics_stand_side_by_side(tmp_path: Path) -> None:
    results = {
        ("m1", "a"): {"acc_origin": 80.0, "perf_circular": 60.0, "acc_circular": 70.0},
        ("m1", "b"): {"acc_origin": 40.0, "perf_circular": 20.0},
        ("m2", "a"): {"acc_origin": 50.0},
    }
    groups = [{"name": "avg", "subsets": ["a", "b"]}]
    summary = _summary(tmp_path, results, CIRCULAR, dataset_abbrs=["a", "All", ["avg", "x"]], summary_groups=groups)
    assert summary.paths.csv.read_text().splitlines() == [
        "dataset,version,metric,mode,m1,m1,m2,m2",
        "-,-,-,-,acc_origin,perf_circular,acc_origin,perf_circular",
        "a,123456,-,gen,80.00,60.00,50.00,-",
        "All,-,-,-,-,-,-,-",
        "avg,-,-,gen,60.00,40.00,-,-",
    ]
    assert summary.table[0]["m1 perf_circular"] == "60.00"
    assert "m2 / a: there is no metric 'perf_circular'; there are acc_origin" in summary.text
    assert [row[:4] for row in summary.samples.rows[:2]] == [
        ["m1", "a", "acc_origin", "80.00"],
        ["m1", "a", "perf_circular", "60.00"],
    ]


def test_facets_have_sections_and_files(tmp_path: Path) -> None:
    results = {("m", "a"): {"accuracy": 1.0}, ("m", "b"): {"accuracy": 2.0}}
    facets = [{"name": "easy", "dataset_abbrs": ["a"]}, {"name": "../hard", "dataset_abbrs": ["b", "avg"]}]
    summary = _summary(
        tmp_path,
        results,
        "tasks.report.summary.column_summarizers.MultiFacetedSummarizer",
        dataset_abbrs_list=facets,
        summary_groups=[{"name": "avg", "subsets": ["a", "b"]}],
    )
    assert [row.dataset for row in summary.rows] == ["--- easy ---", "a", "--- ../hard ---", "b", "avg"]
    easy, hard = summary.more
    assert easy == tmp_path / "run/summary/summary_t/easy.csv" and hard.parent == easy.parent
    assert hard.read_text() == (
        "dataset,version,metric,mode,m\nb,123456,accuracy,gen,2.00\navg,-,naive_average,gen,1.50\n"
    )


def test_a_facet_without_a_name(tmp_path: Path) -> None:
    facets = "tasks.report.summary.column_summarizers.MultiFacetedSummarizer"
    with pytest.raises(UserError, match=r"dataset_abbrs_list\[0\].*needs 'name'"):
        _summary(tmp_path, {("m", "a"): {}}, facets, dataset_abbrs_list=[{"dataset_abbrs": []}])


def test_needles_by_length_and_depth(tmp_path: Path) -> None:
    results = {
        ("m", f"Length{length}Depth{depth}_en"): {"score": float(length / 100 + depth)}
        for length in (1000, 4000)
        for depth in (0, 50)
    } | {("m", "Length1000_parallel"): {"score": 3.0}, ("m", "other"): {"accuracy": 7.0}}
    summary = _summary(tmp_path, results, "tasks.report.summary.needlebench.NeedleBenchSummarizer")
    assert [(row.dataset, row.cells[0].text) for row in summary.rows] == [
        ("en", "50.00"),
        ("parallel", "3.00"),
        ("en at 1000", "35.00"),
        ("en at 4000", "65.00"),
        ("parallel at 1000", "3.00"),
        ("other", "7.00"),
    ]
    assert summary.more[0].read_text() == "depth %,1000,4000\n0,10.00,40.00\n50,60.00,90.00\n"
    assert summary.more[1].read_text() == "depth %,1000\n-,3.00\n"

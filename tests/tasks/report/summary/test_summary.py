"""The summary: rows, reasons of empty cells, and the files."""

import csv
import os
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.specs import dataset_spec, model_spec, write_rows

from tasks.infer.pair_state import PairState, write_state
from tasks.report.summarize import summarize
from tasks.report.summary.summary import Summary
from tasks.score.files.results import OWN_KEY
from tasks.spec.findings import UserError
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json, write_json


class Run:
    """A run folder with results of any content."""

    def __init__(self, folder: Path, models: str = "m", datasets: str = "a b") -> None:
        self.folder = RunFolder(folder / "run")
        self.models: list[ModelSpec] = [model_spec(name) for name in models.split()]
        rows = write_rows(folder / "rows.jsonl", [{"question": "q", "answer": "a"}])
        self.datasets: list[DatasetSpec] = [
            dataset_spec(rows, name, version=f"12{name}e45") for name in datasets.split()
        ]

    def result(self, model: str, dataset: str, **content: Any) -> "Run":
        write_json(self.folder.results(Pair(model, dataset)), content)
        return self

    def state(self, stage: Any, model: str, dataset: str, **fields: Any) -> "Run":
        write_state(self.folder, stage, Pair(model, dataset), PairState(**fields))
        return self

    def summary(self, **summarizer: Any) -> Summary:
        return summarize(self.models, self.datasets, self.folder, summarizer or None, time="20261129_120000")


def _texts(summary: Summary) -> list[list[str]]:
    return [row.texts for row in summary.rows]


def test_all_metrics_in_order_then_the_groups(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", f1=1, bp=3, accuracy=62.5, details=[], note="x").result("m", "b", accuracy=50)
    assert _texts(run.summary(summary_groups=[{"name": "avg", "subsets": ["a", "b"]}])) == [
        ["a", "12ae45", "accuracy", "gen", "62.50"],
        ["a", "12ae45", "f1", "gen", "1.00"],
        ["b", "12be45", "accuracy", "gen", "50.00"],
        ["avg", "-", "naive_average", "gen", "56.25"],
        ["avg", "-", "accuracy", "gen", "56.25"],
    ]


def test_rows_as_listed(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=62.5, f1=1)
    groups = [{"name": "avg", "subsets": ["a"]}, {"name": "best", "subsets": [["avg", "naive_average"]], "sum": True}]
    summary = run.summary(dataset_abbrs=["All Results", ["a", "f1"], "a", "avg", "best", ""], summary_groups=groups)
    assert _texts(summary) == [
        ["All Results", "-", "-", "-", "-"],
        ["a", "12ae45", "f1", "gen", "1.00"],
        ["a", "12ae45", "accuracy", "gen", "62.50"],
        ["avg", "-", "naive_average", "gen", "62.50"],
        ["best", "-", "sum", "gen", "62.50"],
        ["", "-", "-", "-", "-"],
    ]
    assert all(cell.dataset == "b" for cell in summary.empty)


def test_models_may_have_different_metrics(tmp_path: Path) -> None:
    run = Run(tmp_path, models="m1 m2", datasets="a").result("m1", "a", accuracy=1).result("m2", "a", score=2)
    summary = run.summary()
    assert _texts(summary) == [
        ["a", "12ae45", "accuracy", "gen", "1.00", "-"],
        ["a", "12ae45", "score", "gen", "-", "2.00"],
    ]
    assert [str(cell) for cell in summary.empty] == [
        "m2 / a: there is no metric 'accuracy'; there are score",
        "m1 / a: there is no metric 'score'; there are accuracy",
    ]


def test_models_of_one_summarizer_abbr_share_a_column(tmp_path: Path) -> None:
    run = Run(tmp_path, models="m1 m2").result("m1", "a", accuracy=1).result("m2", "b", accuracy=2)
    run.models = [model.model_copy(update={"summarizer_abbr": "both"}) for model in run.models]
    summary = run.summary()
    assert tuple(column.model for column in summary.columns) == ("both",)
    assert [row.texts[-1] for row in summary.rows] == ["1.00", "2.00"]


def test_the_average_of_repeats_is_found_by_the_plain_name(tmp_path: Path) -> None:
    run = Run(tmp_path, datasets="a").result("m", "a", **{"accuracy (4 runs average)": 5})
    run.datasets = [run.datasets[0].model_copy(update={"n": 4})]
    assert _texts(run.summary(dataset_abbrs=[["a", "accuracy"]])) == [
        ["a", "12ae45", "accuracy (4 runs average)", "gen", "5.00"]
    ]


@pytest.mark.parametrize(
    ("states", "reason", "failed"),
    [
        ({}, "nothing has been asked yet", False),
        ({"infer": {"status": "pending"}}, "inference has not started", False),
        ({"infer": {"status": "running"}}, "inference is running", False),
        ({"infer": {"status": "running", "total": 64, "completed": 12}}, "partial: 12 of 64", False),
        ({"infer": {"status": "done"}}, "not scored yet", False),
        ({"infer": {"status": "done"}, "eval": {"status": "running"}}, "scoring is running", False),
        (
            {"infer": {"status": "fail", "reason": "40 of 64 requests failed: connection refused"}},
            "inference failed: 40 of 64 requests failed: connection refused", True,
        ),
        (
            {"infer": {"status": "done"}, "eval": {"status": "fail", "reason": "no luck"}},
            "scoring failed: no luck", True,
        ),
    ],
)  # fmt: skip
def test_every_empty_cell_says_why(tmp_path: Path, states: dict[Any, Any], reason: str, failed: bool) -> None:
    run = Run(tmp_path, datasets="a")
    for stage, fields in states.items():
        run.state(stage, "m", "a", **fields)
    summary = run.summary()
    assert [(cell.reason, cell.failed) for cell in summary.empty] == [(reason, failed)]
    assert _texts(summary) == [["a", "12ae45", "-", "gen", "-"]]
    assert summary.partial is not failed
    assert f"m / a: {reason}" in summary.text
    assert f"m / a: {reason}" in summary.paths.text.read_text()
    assert f"m / a: {reason}" in summary.paths.markdown.read_text()


def test_a_failed_inference_hides_the_score_of_an_earlier_one(tmp_path: Path) -> None:
    run = Run(tmp_path, datasets="a").result("m", "a", accuracy=100).state("infer", "m", "a", status="fail", reason="x")
    assert [cell.reason for cell in run.summary().failed] == ["inference failed: x"]


def test_a_failure_is_told_even_if_no_row_shows_it(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=1).state("infer", "m", "b", status="fail", reason="x")
    assert [str(cell) for cell in run.summary(dataset_abbrs=["a"]).failed] == ["m / b: inference failed: x"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [({"error": "no pairs"}, "scoring failed: no pairs"), ({"x": "y"}, "the results hold no number")],
)
def test_results_without_a_number(tmp_path: Path, content: dict[str, Any], reason: str) -> None:
    assert [cell.reason for cell in Run(tmp_path, datasets="a").result("m", "a", **content).summary().failed] == [
        reason
    ]


def test_a_metric_that_is_no_number_fails(tmp_path: Path) -> None:
    run = Run(tmp_path, datasets="a").result("m", "a", accuracy=float("nan"))
    assert [cell.reason for cell in run.summary().failed] == ["accuracy is nan"]


def test_pairs_outside_the_run_are_neither_missing_nor_failed(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=1)
    summary = summarize(run.models, run.datasets, run.folder, None, time="t", pairs={Pair("m", "a")})
    assert ([str(cell) for cell in summary.empty], summary.partial) == (["m / b: not part of this run"], False)


def test_a_running_inference_marks_the_summary_partial(tmp_path: Path) -> None:
    run = Run(tmp_path, datasets="a").result("m", "a", accuracy=1)
    assert not run.summary().partial
    run.state("infer", "m", "a", status="running", total=2, completed=1)
    summary = run.summary()
    assert summary.partial
    assert "PARTIAL" in summary.text
    assert "(partial" in summary.paths.text.read_text().splitlines()[0]


def test_counts_and_standard_errors_stand_beside_the_table(tmp_path: Path) -> None:
    own = {
        "samples": {"n": 64, "errors": 2, "truncated": 1, "unparsed": 3, "fallback": 4}, "stderr": {"accuracy": 6.1},
        "strict": {"accuracy": 50.0}, "tokens": {"prompt_tokens": 100, "completion_tokens": 7}, "latency_median": 0.5,
        "error_reasons": {"timeout": 2}, "notes": {"prompt cut": 5},
    }  # fmt: skip
    summary = Run(tmp_path, datasets="a").result("m", "a", accuracy=62.5, compass=own).summary()
    with summary.paths.samples.open(newline="") as file:
        row = next(csv.DictReader(file))
    assert (row["score"], row["stderr"], row["strict"], row["n"]) == ("62.50", "6.10", "50.00", "64")
    assert (row["errors"], row["truncated"], row["unparsed"], row["guessed"]) == ("2", "1", "3", "4")
    assert (row["tokens in"], row["tokens out"], row["median latency (s)"]) == ("100", "7", "0.50")
    assert "62.50 ± 6.10" in summary.text
    assert "62.50 ± 6.10" in summary.markdown
    assert summary.remarks == (
        "m / a: 2 of 64 samples have no answer and do not count: timeout",
        "m / a: 5 x prompt cut",
    )


def test_a_score_older_than_the_predictions_is_remarked(tmp_path: Path) -> None:
    run = Run(tmp_path, datasets="a").result("m", "a", accuracy=1, compass={"samples": {}})
    write_json(run.folder.predictions(Pair("m", "a")), {})
    os.utime(run.folder.results(Pair("m", "a")), (1, 1))
    assert "changed after they were scored" in run.summary().text


def test_the_text_file_has_the_frames_of_opencompass(tmp_path: Path) -> None:
    summary = Run(tmp_path, datasets="a").result("m", "a", accuracy=62.5).summary(dataset_abbrs=["All, Results", "a"])
    lines = summary.paths.text.read_text().splitlines()
    assert lines[:6] == [
        "20261129_120000",
        "tabulate format",
        "^" * 128,
        "dataset       version    metric    mode        m",
        "------------  ---------  --------  ------  -----",
        "All, Results  -          -         -           -",
    ]
    assert lines[6:9] == ["a             12ae45     accuracy  gen     62.50", "$" * 128, ""]
    titles = [line for line, following in pairwise(lines) if following == "^" * 128]
    assert titles == ["tabulate format", "csv format", "markdown format", "raw format", "sample counts"]
    assert (
        summary.paths.csv.read_text()
        == "dataset,version,metric,mode,m\nAll  Results,-,-,-,-\na,12ae45,accuracy,gen,62.50\n"
    )
    assert summary.paths.text.name == "summary_20261129_120000.txt"


def test_markdown_cells_cannot_break_the_table(tmp_path: Path) -> None:
    summary = Run(tmp_path, datasets="a").result("m", "a", accuracy=1).summary(dataset_abbrs=["a|b"])
    assert "a\\|b" in summary.markdown


def test_the_table_for_an_artifact(tmp_path: Path) -> None:
    summary = Run(tmp_path, datasets="a").result("m", "a", accuracy=62.5).summary()
    assert summary.table == [{"dataset": "a", "version": "12ae45", "metric": "accuracy", "mode": "gen", "m": "62.50"}]


def test_an_own_summarizer(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=1).result("m", "b", accuracy=2)
    (tmp_path / "my_summary.py").write_text(
        "from tasks.report.summary.summarizer import DefaultSummarizer\n"
        "class Reversed(DefaultSummarizer):\n"
        "    def rows(self, scores):\n"
        "        return super().rows(scores)[::-1]\n"
    )
    config = {"type": "my_summary.Reversed"}
    summary = summarize(run.models, run.datasets, run.folder, config, time="t", search_path=[str(tmp_path)])
    assert [row.dataset for row in summary.rows] == ["b", "a"]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"dataset_abbrs": [["a", "b", "c"]]}, r"dataset_abbrs\[0\]"),
        ({"type": "collections.OrderedDict"}, "makes no rows"),
    ],
)
def test_bad_summarizers(tmp_path: Path, config: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Run(tmp_path).summary(**config)


def test_an_empty_run_has_a_summary(tmp_path: Path) -> None:
    summary = Run(tmp_path, datasets="").summary()
    assert (summary.rows, summary.empty) == ((), ())
    assert summary.paths.markdown.exists()


def test_tokens_and_cost_of_each_pair_of_each_model_and_of_all(tmp_path: Path) -> None:
    run = Run(tmp_path, models="free dear", datasets="a b")
    run.models[1] = run.models[1].model_copy(update={"prices": {"input": 3.0, "output": 15.0}})
    tokens = {"tokens": {"prompt_tokens": 1_000_000, "completion_tokens": 200_000}}
    for model in ("free", "dear"):
        for dataset in ("a", "b"):
            run.result(model, dataset, accuracy=50, **{OWN_KEY: tokens})
    summary = run.summary()
    assert summary.spent == (
        "free: 2,000,000 tokens in, 400,000 out",
        "dear: 2,000,000 tokens in, 400,000 out, $12.00",
        "all models: 4,000,000 tokens in, 800,000 out, $12.00",
    )
    rows = list(csv.DictReader(summary.paths.samples.read_text().splitlines()))
    assert [row["cost ($)"] for row in rows] == ["-", "-", "6.00", "6.00"]
    assert summary.spent[1] in summary.text
    assert summary.spent[1] in summary.paths.text.read_text()


def test_nothing_is_told_of_tokens_that_nobody_counted(tmp_path: Path) -> None:
    assert Run(tmp_path).result("m", "a", accuracy=50).summary().spent == ()


def _scored(run: Run, model: str, dataset: str, accuracy: float, n: int = 100, **own: Any) -> None:
    share = accuracy / 100
    stderr = 100 * (share * (1 - share) / (n - 1)) ** 0.5
    section = {
        "samples": {"n": n, "counted": n, "errors": 0},
        "stderr": {"accuracy": stderr},
        "shares": {"accuracy": 100},
    }
    run.result(model, dataset, accuracy=accuracy, **{OWN_KEY: section | own})


def test_every_number_has_its_interval_samples_and_failures(tmp_path: Path) -> None:
    run = Run(tmp_path)
    _scored(run, "m", "a", 50.0)
    _scored(run, "m", "b", 0.0, n=50, samples={"n": 52, "counted": 50, "errors": 2})
    summary = run.summary(summary_groups=[{"name": "avg", "subsets": ["a", "b"]}])
    with summary.paths.samples.open(newline="") as file:
        rows = {(row["dataset"], row["metric"]): row for row in csv.DictReader(file)}
    assert (rows["a", "accuracy"]["low"], rows["a", "accuracy"]["high"]) == ("40.38", "59.62")
    assert (rows["b", "accuracy"]["low"], rows["b", "accuracy"]["high"]) == ("0.00", "7.13")
    group = rows["avg", "naive_average"]
    assert (group["score"], group["stderr"], group["n"], group["errors"]) == ("25.00", "2.51", "152", "2")
    assert (group["low"], group["high"], group["detectable"]) == ("20.18", "29.82", "11.58")
    assert "40.38 to 59.62" in summary.text


def test_all_of_it_as_json(tmp_path: Path) -> None:
    run = Run(tmp_path, models="m1 m2", datasets="a")
    _scored(run, "m1", "a", 100 / 3)
    content = read_json(run.summary().paths.json)
    first, second = content["rows"][0]["cells"]
    assert content["columns"] == [{"model": "m1", "label": ""}, {"model": "m2", "label": ""}]
    assert (first["value"], first["method"], first["samples"]["n"]) == (100 / 3, "wilson", 100)
    assert second == {"text": "-", "reason": "nothing has been asked yet"}


def test_different_metrics_do_not_mix(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=80.0).result("m", "b", rouge1=0.3)
    group = {"name": "avg", "subsets": ["a", "b"]}
    row = run.summary(summary_groups=[group]).rows[-1]
    said = "these metrics do not mix: accuracy of a; rouge1 of b (mixed=True in the group computes it all the same)"
    assert (row.dataset, row.metric, row.cells[0].text, row.cells[0].reason) == ("avg", "naive_average", "-", said)
    assert said in run.summary(summary_groups=[group]).text


@pytest.mark.parametrize("where", ["group", "summarizer"])
def test_a_configuration_may_want_a_mixture(tmp_path: Path, where: str) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=1).result("m", "b", score=2)
    group = {"name": "avg", "subsets": ["a", "b"]} | ({"mixed": True} if where == "group" else {})
    summary = run.summary(summary_groups=[group], **({"mixed": True} if where == "summarizer" else {}))
    assert summary.rows[-1].cells[0].text == "1.50"
    assert summary.remarks == ("avg averages different metrics: accuracy of a; score of b",)


def test_metrics_that_are_named_are_meant(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=1).result("m", "b", score=2)
    summary = run.summary(summary_groups=[{"name": "avg", "subsets": [["a", "accuracy"], ["b", "score"]]}])
    assert (summary.rows[-1].cells[0].text, summary.remarks) == ("1.50", ())


def test_a_group_has_an_interval_at_the_ends_of_the_scale(tmp_path: Path) -> None:
    run = Run(tmp_path)
    _scored(run, "m", "a", 100.0, n=10)
    _scored(run, "m", "b", 100 * 29 / 30, n=30)
    high = run.summary(summary_groups=[{"name": "avg", "subsets": ["a", "b"]}]).rows[-1].cells[0].number
    _scored(run, "m", "a", 0.0, n=5)
    _scored(run, "m", "b", 0.0, n=5)
    none = run.summary(summary_groups=[{"name": "avg", "subsets": ["a", "b"]}]).rows[-1].cells[0].number
    assert high and high.interval and none and none.interval and none.detectable
    assert 80 < high.interval.low < high.value < high.interval.high < 100
    assert none.interval.low == 0
    assert 20 < none.interval.high < 40
    assert none.detectable > 30


def test_further_formats(tmp_path: Path) -> None:
    run = Run(tmp_path, models="m_1", datasets="a")
    _scored(run, "m_1", "a", 62.5)
    summary = run.summary(formats=["latex", "xlsx"], dataset_abbrs=["=1+1", "a"])
    tex, xlsx = summary.more
    source = tex.read_text()
    assert r"\toprule" in source and r"m\_1" in source and "62.50" in source
    with zipfile.ZipFile(xlsx) as book:
        sheet, texts = book.read("xl/worksheets/sheet1.xml").decode(), book.read("xl/sharedStrings.xml").decode()
    assert "<v>62.5</v>" in sheet and "<f>" not in sheet and "=1+1" in texts


def test_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"(?s)summarizer\.formats.*'latexx'.*did you mean 'latex'"):
        Run(tmp_path).summary(formats=["latexx"])


def test_a_function_of_ones_own_chooses_the_rows(tmp_path: Path) -> None:
    run = Run(tmp_path).result("m", "a", accuracy=1).result("m", "b", accuracy=2)
    (tmp_path / "my_rows.py").write_text(
        "def best(rows, scores):\n    return [row for row in rows if row.dataset == 'b']\n"
    )
    config = {"function": "my_rows.best"}
    summary = summarize(run.models, run.datasets, run.folder, config, time="t", search_path=[str(tmp_path)])
    assert [row.dataset for row in summary.rows] == ["b"]


def test_a_misspelt_row_is_remarked(tmp_path: Path) -> None:
    run = Run(tmp_path, datasets="gsm8k").result("m", "gsm8k", accuracy=1)
    summary = run.summary(dataset_abbrs=["All Results", "gsm_8k", "gsm8k"])
    assert summary.remarks == ("the row 'gsm_8k' is taken for a text; did you mean 'gsm8k'?",)


def test_scores_of_opencompass_have_intervals_too(tmp_path: Path) -> None:
    details = {str(row): {"pred": "x", "answer": "x", "correct": row < 50} for row in range(100)}
    run = Run(tmp_path, datasets="a b").result("m", "a", accuracy=50.0, details=details).result("m", "b", bleu=12.0)
    rows = list(csv.DictReader(run.summary().paths.samples.read_text().splitlines()))
    assert (rows[0]["n"], rows[0]["stderr"], rows[0]["low"], rows[0]["high"]) == ("100", "5.03", "40.38", "59.62")
    assert (rows[1]["n"], rows[1]["stderr"]) == ("-", "-")

"""`compass export`: what other programs read."""

import csv
import json
import zipfile
from pathlib import Path

import pandas
import pytest
from support.workspace import Workspace

from flows.terminal.cli import main
from tasks.spec.storage.run_folder import read_json


@pytest.fixture
def run(workspace: Workspace) -> Workspace:
    """A finished run whose last answer is wrong and holds what tables stumble over."""
    workspace.server.answer = lambda text: '=HYPERLINK("x"),\n"' if "9 + 10" in text else str(eval_sum(text))
    workspace.write({"sums": 10, "more": 3})
    assert main([str(workspace.config), "--inline"]) == 0
    return workspace


def eval_sum(text: str) -> int:
    first, second = text.removeprefix("What is ").removesuffix("?").split(" + ")
    return int(first) + int(second)


def _export(run: Workspace, *arguments: str) -> None:
    assert main(["export", str(run.run_folder), *arguments]) == 0


def test_csv_has_every_sample(run: Workspace) -> None:
    _export(run)
    with (run.run_folder / "export/samples.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 13
    last = next(row for row in rows if row["sample"] == "sums_9")
    assert (last["prediction"], last["reference"], last["correct"]) == ('\'=HYPERLINK("x"),\n"', "19", "False")
    assert json.loads(last["prompt"]) == [{"role": "HUMAN", "prompt": "What is 9 + 10?"}]


def test_parquet_has_types(run: Workspace, tmp_path: Path) -> None:
    _export(run, "-f", "parquet", "-o", str(tmp_path / "deep/samples.parquet"), "--dataset", "sums")
    frame = pandas.read_parquet(tmp_path / "deep/samples.parquet")
    assert set(frame["dataset"]) == {"sums"} and '=HYPERLINK("x"),\n"' in list(frame["prediction"])
    assert [type(value).__name__ for value in list(frame["correct"])[:1]] == ["bool"]
    assert sum(list(frame["correct"])) == 9
    assert min(list(frame["latency"])) > 0


def test_lm_evaluation_harness(run: Workspace) -> None:
    _export(run, "-f", "lm-eval")
    folder = run.run_folder / "export/lm-eval/adder"
    (results,) = folder.glob("results_*.json")
    content = read_json(results)
    assert content["results"]["sums"]["accuracy,none"] == pytest.approx(0.9)
    assert content["results"]["sums"]["accuracy_stderr,none"] == pytest.approx(0.1)
    assert content["results"]["sums"]["alias"] == "sums"
    assert content["n-samples"]["sums"] == {"original": 10, "effective": 10}
    assert content["configs"]["sums"]["output_type"] == "generate_until"
    assert (content["model_name"], content["n-shot"]["sums"]) == ("adder", 0)
    assert {"group_subtasks", "versions", "higher_is_better", "config", "date", "task_hashes"} <= content.keys()
    (samples,) = folder.glob("samples_sums_*.jsonl")
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    assert [line["doc_id"] for line in lines] == list(range(10))
    assert (lines[0]["resps"], lines[0]["filtered_resps"], lines[0]["target"]) == ([["1"]], ["1"], "1")
    assert [line["accuracy"] for line in lines] == [1.0] * 9 + [0.0]


def test_readers_of_lm_evaluation_harness_find_what_they_take(run: Workspace) -> None:
    """As of version 0.4.13: `make_table`, scripts/zeno_visualize.py, and `datasets` for the samples."""
    _export(run, "-f", "lm-eval")
    folder = run.run_folder / "export/lm-eval/adder"
    (results,) = folder.glob("results_*.json")
    content = read_json(results)
    for task, config in content["configs"].items():
        metrics = content["results"][task]
        assert {"name", "alias", "sample_len"} <= metrics.keys() and config["metric_list"]
        (file,) = folder.glob(f"samples_{task}_*.jsonl")
        assert file.name.removeprefix("samples_").rpartition("_")[0] == task
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        assert {line["filter"] for line in lines} == {"none"} and len(lines) == metrics["sample_len"]
        for metric in config["metric_list"]:
            assert metric["aggregation"] == "mean"
            values = [line[metric["metric"]] for line in lines]
            assert metrics[f"{metric['metric']},none"] == pytest.approx(sum(values) / len(values))
        first = lines[0]
        assert isinstance(first["arguments"]["gen_args_0"]["arg_0"], str)
        assert first["arguments"]["gen_args_0"]["arg_1"], "a struct without fields cannot become Parquet"
        assert all(isinstance(text, str) for line in lines for text in (*line["resps"][0], *line["filtered_resps"]))


def test_a_model_named_as_on_the_hub_is_sanitized_as_there(workspace: Workspace) -> None:
    workspace.write({"sums": 1})
    assert main([str(workspace.config), "--inline", "--set", "models.0.path=org/adder"]) == 0
    _export(workspace, "-f", "lm-eval")
    (results,) = (workspace.run_folder / "export/lm-eval").rglob("results_*.json")
    content = read_json(results)
    assert (content["model_name"], content["model_name_sanitized"]) == ("org/adder", "org__adder")


def test_no_secret_is_exported(workspace: Workspace) -> None:
    workspace.write({"sums": 1}, key="sk-secret0123456789")
    assert main([str(workspace.config), "--inline"]) == 0
    _export(workspace, "-f", "lm-eval")
    _export(workspace)
    files = [path for path in (workspace.run_folder / "export").rglob("*") if path.is_file()]
    assert len(files) == 3
    assert not [path for path in files if "secret0123" in path.read_text()]


def test_the_summary_as_workbook_and_latex(run: Workspace, tmp_path: Path) -> None:
    _export(run, "-f", "xlsx", "-o", str(tmp_path / "scores.xlsx"))
    _export(run, "-f", "latex", "-o", str(tmp_path / "scores.tex"))
    assert zipfile.is_zipfile(tmp_path / "scores.xlsx")
    assert "90.00" in (tmp_path / "scores.tex").read_text()


def test_nothing_to_export(run: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(run.run_folder), "--model", "nobody"]) == 2
    assert "no such models and datasets" in capsys.readouterr().err


def test_repeats_of_a_row_stand_together(workspace: Workspace) -> None:
    workspace.write({"sums": 2})
    assert main([str(workspace.config), "--inline", "--set", "datasets.0.n=2"]) == 0
    _export(workspace)
    with (workspace.run_folder / "export/samples.csv").open(newline="") as file:
        rows = [(row["sample"], row["index"], row["repeat"], row["correct"]) for row in csv.DictReader(file)]
    assert rows == [(f"sums_{index}", str(index), str(repeat), "True") for index in range(2) for repeat in range(2)]

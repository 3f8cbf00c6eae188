"""Runs that keep their results in a station and take results from it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.fake_backend import add
from support.postgres import PASSWORD, Postgres
from support.scripted_server import failed
from support.workspace import ROOT, Workspace

from blocks.station.opening import open_station
from flows.terminal.cli import main


def _run(workspace: Workspace, *arguments: str) -> int:
    return main([str(workspace.config), "--inline", "--no-progress", *arguments])


def test_what_the_station_has_is_not_asked_again(
    workspace: Workspace, address: str, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 10, "more": 3})
    assert _run(workspace, "-sp", address, "--station-samples") == 0
    assert "2 saved" in capsys.readouterr().err
    first, asked = workspace.run_folder, workspace.server.requests
    assert _run(workspace, "-sp", address, "--read-from-station") == 0
    shown = capsys.readouterr()
    assert workspace.server.requests == asked and workspace.run_folder != first
    assert "2 of 2 pairs (adder/sums, adder/more)" in shown.err and "100.00" in shown.out
    own = workspace.read("results/adder/sums.json")
    assert own["accuracy"] == 100.0 and len(own["details"]) == 10
    assert own["compass"].pop("station")
    theirs = json.loads((first / "results/adder/sums.json").read_text())
    assert own["compass"].pop("file_crc32") != theirs["compass"].pop("file_crc32")
    assert own == theirs


def test_only_what_is_missing_is_asked(workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10})
    address = f"sqlite:///{tmp_path}/station.db"
    assert _run(workspace, "-sp", address) == 0
    workspace.write({"sums": 10, "more": 3})
    assert _run(workspace, "-sp", address, "--read-from-station", "--dry-run") == 0
    shown = capsys.readouterr()
    assert "total: 3 requests" in shown.out and "OpenICLInfer[adder/more]" in shown.out
    assert _run(workspace, "-sp", address, "--read-from-station") == 0
    assert workspace.server.requests == 13
    assert "1 of 2 pairs (adder/sums)" in capsys.readouterr().err
    assert len(open_station(address).table()) == 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (dict(extra="datasets[0]['infer_cfg']['prompt_template']['template']['round'][0]['prompt'] = '{question} '"),
         "prompts or inferencer are others"),
        (dict(temperature=0.5), "the model's settings are others"),
        (dict(extra="datasets[0]['eval_cfg']['pred_postprocessor'] = dict(type='first-number')"),
         "it was scored in another way"),
        (dict(rows={"sums": 9}), "the data are others"),
    ],
)  # fmt: skip
def test_a_result_of_another_configuration_is_not_taken(
    workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict, reason: str
):
    workspace.server.answer = lambda text: add(text.strip())
    workspace.write({"sums": 10})
    address = f"sqlite:///{tmp_path}/station.db"
    assert _run(workspace, "-sp", address) == 0
    asked = workspace.server.requests
    workspace.write(**{"rows": {"sums": 10}, **change})
    assert _run(workspace, "-sp", address, "--read-from-station") == 0
    shown = capsys.readouterr().err
    assert "0 of 1 pairs" in shown and f"not taken from the station (adder/sums): {reason}" in shown
    assert workspace.server.requests > asked
    assert len(open_station(address).table()) == 2


def test_a_limited_run_is_not_taken_for_a_whole_one(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10})
    address = str(workspace.folder / "station")
    assert _run(workspace, "-sp", address, "--limit", "4") == 0
    assert _run(workspace, "-sp", address, "--read-from-station") == 0
    assert "other rows were asked" in capsys.readouterr().err
    assert workspace.server.requests == 14


def test_an_earlier_run_is_saved_by_viz_with_the_limit_it_had(workspace: Workspace, tmp_path: Path):
    workspace.write({"sums": 10})
    address = f"sqlite:///{tmp_path}/station.db"
    assert _run(workspace, "--limit", "4") == 0
    assert _run(workspace, "-m", "viz", "-r", "-sp", address) == 0
    assert {row["selection"] for row in open_station(address).table()} == {"limit 4"}


def test_a_run_whose_configuration_has_changed_is_not_saved(
    workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 10})
    assert _run(workspace) == 0
    workspace.write({"sums": 10}, temperature=0.7)
    assert _run(workspace, "-m", "viz", "-r", "-sp", f"sqlite:///{tmp_path}/station.db") == 0
    assert "the model's settings have changed" in capsys.readouterr().err


def test_viz_of_the_station_alone(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10})
    address = str(workspace.folder / "station")
    assert _run(workspace, "-sp", address) == 0
    assert _run(workspace, "-m", "viz", "-sp", address, "--read-from-station") == 0
    assert "100.00" in capsys.readouterr().out
    assert workspace.server.requests == 10
    unreachable = "postgresql://me@127.0.0.1:9/results"
    assert _run(workspace, "-m", "viz", "-sp", unreachable, "--read-from-station") == 2
    assert _run(workspace, "-m", "viz") == 2
    assert "--read-from-station" in capsys.readouterr().err


def test_the_station_of_the_configuration_and_of_the_command_line(workspace: Workspace):
    own, given = workspace.folder / "own", workspace.folder / "given"
    workspace.write({"sums": 2}, extra=f"station_path = {str(own)!r}")
    assert _run(workspace) == 0
    assert (own / "sums/adder.json").is_file()
    assert _run(workspace, "-sp", str(given)) == 0
    assert (given / "sums/adder.json").is_file()


def test_a_file_of_the_folder_is_as_opencompass_has_it(workspace: Workspace):
    workspace.write({"sums": 2}, key="sk-canary0123456789")
    station = workspace.folder / "station"
    assert _run(workspace, "-sp", str(station)) == 0
    content = json.loads((station / "sums/adder.json").read_text())
    assert [record["prediction"] for record in content["predictions"]] == ["1", "3"]
    assert content["results"]["accuracy"] == 100.0 and len(content["results"]["details"]) == 2
    assert content["cfg"]["models"]["type"] == "opencompass.models.OpenAISDK"
    assert content["cfg"]["datasets"]["abbr"] == "sums"
    assert "canary" not in (station / "sums/adder.json").read_text()


def test_a_file_that_opencompass_wrote_is_taken_if_its_configuration_is_the_same(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 3})
    station = workspace.folder / "station"
    assert _run(workspace, "-sp", str(station)) == 0
    path = station / "sums/adder.json"
    ours = json.loads(path.read_text())
    theirs = {"predictions": ours["predictions"], "results": {"accuracy": 66.0}, "cfg": ours["cfg"]}
    path.write_text(json.dumps(theirs))
    assert _run(workspace, "-sp", str(station), "--read-from-station") == 0
    shown = capsys.readouterr()
    assert "written by OpenCompass, so data and scoring could not be compared (adder/sums)" in shown.err
    assert "66.00" in shown.out and workspace.server.requests == 3
    workspace.write({"sums": 3}, temperature=0.5)
    assert _run(workspace, "-sp", str(station), "--read-from-station") == 0
    assert "settings are others" in capsys.readouterr().err and workspace.server.requests == 6


def test_errors_are_asked_again(workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10})
    address = f"sqlite:///{tmp_path}/station.db"
    workspace.server.decide = lambda call: failed(400) if "9 + 10" in str(call.last_user) else None
    assert _run(workspace, "-sp", address, "--fail-on-error", "2") == 0
    workspace.server.decide = lambda call: None
    assert _run(workspace, "-sp", address, "--read-from-station") == 0
    shown = capsys.readouterr().err
    assert "1 of its 10 samples have no answer" in shown and "1 replaced older ones" in shown


def test_a_station_that_fails_at_the_end_loses_nothing(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 4})
    station = workspace.folder / "station"

    def breaks(_call: object) -> None:
        if not station.exists():
            station.write_text("a file where the folder should be")

    workspace.server.decide = breaks
    assert _run(workspace, "-sp", str(station)) == 1
    shown = capsys.readouterr()
    assert "100.00" in shown.out and "could not be saved" in shown.err and "-m viz" not in shown.out
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
    assert workspace.read("run.json")["invocations"][-1]["exit_status"] == 1


def test_what_is_said_before_anything_is_asked(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 1})
    for arguments, said in (
        (["--read-from-station"], "needs a station"),
        (["-sp", "mysql://me@host/results"], "cannot be at mysql://"),
        (["-sp", "results.db"], "sqlite:///"),
        (["-sp", "postgresql://me:hidden-word@127.0.0.1:9/results"], "cannot be used"),
        (["-sp", str(workspace.config / "station")], "is a file"),
        (["-sp", "sqlite:////nowhere/at/all.db"], "nothing can be written to"),
    ):
        assert _run(workspace, *arguments) == 2
        shown = capsys.readouterr().err
        assert said in shown and "hidden-word" not in shown
    assert workspace.server.requests == 0


def test_the_password_is_nowhere(workspace: Workspace, postgres: Postgres):
    workspace.write({"sums": 2})
    address = postgres.new_database()
    for arguments in (["--debug"], ["--read-from-station", "--config-verbose"]):
        done = workspace.run(str(workspace.config), "--inline", "-sp", address, *arguments)
        assert done.returncode == 0, done.stderr
        assert PASSWORD not in done.stdout + done.stderr
    workspace.server.decide = lambda call: failed(400)
    failed_run = workspace.run(str(workspace.config), "--inline", "-sp", address, "--station-overwrite", "--limit", "1")
    assert failed_run.returncode == 1 and "to go on:" in failed_run.stderr
    assert PASSWORD not in failed_run.stdout + failed_run.stderr
    files = [path for path in workspace.work_dir.rglob("*") if path.is_file()]
    assert files and not [path for path in files if PASSWORD.encode() in path.read_bytes()]


def test_a_run_without_a_station_is_spared_its_libraries(workspace: Workspace):
    workspace.write({"sums": 1})
    code = "import sys; from flows.terminal.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    command = [sys.executable, "-c", code, str(workspace.config), "--inline"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    assert "blocks.station.entry" not in done.stdout
    assert not {"sqlalchemy", "alembic", "asyncpg"} & set(done.stdout.split())

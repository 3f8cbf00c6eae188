"""Systems are measured beside each other in the same way, and one that fails takes no other down."""

import json
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from benchmarks.bench import Bench, open_bench
from benchmarks.mock_server import Faults, mock_server
from benchmarks.peers import __main__ as command
from benchmarks.peers import cost, registry
from benchmarks.peers.compass import Compass
from benchmarks.peers.document import END, START, cell, table, write
from benchmarks.peers.measures import FAILED, MEASURES, SERVER, Figures
from benchmarks.peers.peer import Command, Commands, Job, Outcome, Unable
from benchmarks.peers.samples import expected_right, long_prompts
from benchmarks.peers.stand import Stand
from benchmarks.peers.store import Store
from benchmarks.processes import CommandFailed

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="the mock server needs gcc")
TINY = MEASURES[:4]


@dataclass(frozen=True)
class Idle:
    """A system that runs one line of shell and says that nothing came out."""

    line: str

    def write(self, job: Job) -> None:
        return

    def run(self, job: Job) -> Commands:
        return [Command(["sh", "-c", self.line])]

    def again(self, job: Job) -> Commands | Unable:
        return Unable("asks again")

    resume = score = again

    def outcome(self, job: Job) -> Outcome:
        return Outcome(0, 0)

    def beside(self) -> int | None:
        return None


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory):
    with open_bench(tmp_path_factory.mktemp("bench"), with_server=False) as bench:
        yield bench


@pytest.fixture
def stand(bench: Bench, tmp_path: Path) -> Stand:
    return Stand(Compass(bench, inline=True), bench, tmp_path / "data", timeout=120)


def test_this_system_is_measured(stand: Stand):
    figures = command.measure(stand, "tiny")
    assert set(figures) == {measure.key for measure in TINY}, figures
    assert all(isinstance(value, float) and value > 0 for value in figures.values())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("echo broken; exit 3", "CommandFailed: ended with status 3"),
        ("sleep 60", "CommandFailed: took longer than 1 s"),
        ("true", "WrongResult: Outcome(answered=0, right=0) instead of Outcome(answered=8, right=4)"),
    ],
)
def test_a_system_that_fails_is_a_cell_that_says_so(stand: Stand, line: str, reason: str):
    figures = command.measure(replace(stand, peer=Idle(line), timeout=1), "tiny")
    assert figures == {FAILED: reason}
    assert cell(TINY[0], [figures]) == f"– ({reason})"


def test_what_a_system_has_nothing_for_is_told_in_words(stand: Stand):
    figures = command.measure(replace(stand, peer=Idle("true")), "killed")
    assert [cell(measure, [figures]) for measure in MEASURES if measure.key.startswith("killed.")] == [
        "– (asks again)"
    ] * 3


def test_processes_that_a_command_left_behind_count_and_end(tmp_path: Path):
    busy = "import time\nwhile time.process_time() < 0.5: pass\nopen('done', 'w').close()\ntime.sleep(600)"
    line = f'{sys.executable} -c "$BUSY" & while [ ! -e done ]; do sleep 0.05; done'
    cpu, elapsed = cost.run([Command(["sh", "-c", line], {"BUSY": busy})], tmp_path, timeout=100)
    assert cpu >= 0.5
    assert elapsed < 100


def test_a_killed_command_leaves_no_process(tmp_path: Path):
    line = "sleep 600 & echo $! > child; wait"
    with cost.running(Command(["sh", "-c", line]), tmp_path):
        while not (tmp_path / "child").exists() or not (child := (tmp_path / "child").read_text()):
            pass
    assert not Path(f"/proc/{int(child)}").exists()


def test_a_command_gets_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with pytest.raises(CommandFailed) as failure:
        cost.run([Command(["sh", "-c", "env; exit 1"], {"OWN": "1"})], tmp_path, timeout=100)
    assert "OWN=1" in str(failure.value)
    assert "sk-secret" not in str(failure.value)


def test_half_of_the_questions_are_answered_right(tmp_path: Path):
    dataset = long_prompts(tmp_path, 8)
    assert expected_right(dataset) == 4
    assert len({json.loads(line)["question"] for line in dataset.read_text().splitlines()}) == 8


def test_the_mock_server_refuses_fails_and_breaks_off(stand: Stand):
    with stand.job((long_prompts(stand.data, 40),), faults=Faults(0.2, 0.1, 0.1)) as (server, job):
        cost.run(stand.peer.run(job), job.folder, 120)
        stand.expect_all(job)
        seen = server.peek()
    assert (seen.requests, seen.distinct) == (40, 40)
    assert seen.received > 40


def test_the_mock_server_tells_when_the_first_request_comes(bench: Bench):
    with mock_server(bench.mock_program, 0) as server:
        bench.bare_client(server.api, in_flight=1, requests=1)
        server.wait_for_first()
        assert server.seen().first > 0


def test_an_interrupted_measurement_goes_on_where_it_stopped(tmp_path: Path):
    path = tmp_path / "measured.json"
    Store(path).add("tiny", "compass", {"tiny.cpu": 1.0})
    Store(path).add("tiny", "compass", {"tiny.cpu": 2.0})
    assert Store(path).of("tiny", "compass") == [{"tiny.cpu": 1.0}, {"tiny.cpu": 2.0}]
    assert Store(path).of("tiny", "opencompass") == []


def test_a_system_that_cannot_be_installed_takes_no_other_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(folder: Path):
        raise OSError("no network\nand much more")

    monkeypatch.setitem(registry.PEERS, "opencompass", registry.Entry("OpenCompass", "", fail))
    arguments = ["--peers", "opencompass", "--rows", "tiny", "wide", "--repeat", "1", "--folder", str(tmp_path)]
    assert command.main(arguments) == 0
    kept = Store(tmp_path / "measured.json")
    assert kept.of("wide", "opencompass") == kept.of("tiny", "opencompass") == [{FAILED: "OSError: no network"}]


def test_the_table_shows_medians_ranges_and_the_share_of_the_server(tmp_path: Path):
    key = "tiny.cpu"
    ours: list[Figures] = [{key: 1.0, SERVER + key: 0.2}, {key: 1.5, SERVER + key: 0.3}, {key: 1.1, SERVER + key: 0.4}]
    others: list[Figures] = [{key: 20.0}, {FAILED: "CommandFailed: ended with status 1"}]
    shown = table({"tiny": {"a": ours, "b": others}}, {"a": "A", "b": "B"}, "github")
    assert "1.1 (1 to 1.5), server 0.3" in shown
    assert "20; 1 of 2 failed" in shown
    page = tmp_path / "page.md"
    page.write_text(f"before\n{START}old{END}\nafter\n")
    write(page, shown)
    assert page.read_text() == f"before\n{START}\n{shown}\n{END}\nafter\n"

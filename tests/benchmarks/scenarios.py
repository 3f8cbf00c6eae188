"""The measurements. Each returns its rows' figures once; the units are taken beside what they are compared with."""

from collections.abc import Callable
from math import ceil
from pathlib import Path
from tempfile import mkdtemp

from benchmarks import rows
from benchmarks.bench import Bench
from benchmarks.mock_server import MockServer, Seen, mock_server
from benchmarks.processes import Usage, cpu_so_far, wait_until_idle
from benchmarks.rows import Row
from benchmarks.wide_summary import write_results
from benchmarks.workspace import GSM8K_TEST_ROWS, IN_FLIGHT
from support.stand_in_slurm import StandInSlurm

Figures = dict[Row, float]
Scenario = Callable[[Bench], Figures]
LATENCY_MS = 100
_FEW = 8
_PIECES = 16
_PAIRS, _PAIR_ROWS = 100, 20
_PLANNED_SETS, _PLANNED_ROWS = 1000, 5
_MANY = (10_000, 100_000)
_CHOICES = (1_000, 100_000)
_JOBS, _JOBS_POLLED = 1000, 1.0
_JUDGED_SETS, _JUDGED_LATENCY_MS = 16, 750


def usage_help(bench: Bench) -> Figures:
    """What it costs to ask how the command is used."""
    return {rows.HELP: bench.compass("--help").cpu / bench.import_prefect()}


def planning(bench: Bench) -> Figures:
    """What is known before anything is asked: of all packaged configurations, and of a large plan."""
    config = bench.workspace.plain(
        {f"plan{n}": _PLANNED_ROWS for n in range(_PLANNED_SETS)}, "http://127.0.0.1:9/v1", "planning", models=3
    )
    figures = {rows.LIST: _in_ip(bench, "list")}
    unit = bench.import_prefect()
    usage = bench.compass(config, "--dry-run")
    return figures | {rows.PLANNING: usage.cpu / unit, rows.PLANNING_MEMORY: usage.peak_mb}


def few_and_many(bench: Bench) -> Figures:
    """8 samples and a whole benchmark: what starting costs, what each request costs, how well the service is used."""
    figures: Figures = {}
    with mock_server(bench.mock_program, LATENCY_MS) as server:
        config = bench.workspace.gsm8k(server.api, "few_and_many")
        bare = bench.bare_client(server.api)
        figures[rows.MOCK] = _cpu_per_thousand(server.seen()) / bare
        for engine, eight, thousand in (
            (["--inline"], rows.EIGHT_INLINE, rows.THOUSAND_INLINE),
            ([], rows.EIGHT_CLIENT, rows.THOUSAND_CLIENT),
        ):
            unit = bench.import_prefect()
            few = bench.compass(config, *engine, "--limit", str(_FEW))
            first = server.seen().first - few.started
            many = bench.compass(config, *engine)
            seen = _whole(server)
            more = (many.cpu - few.cpu) * 1000 / (GSM8K_TEST_ROWS - _FEW)
            figures |= {eight: few.cpu / unit, thousand: more / bare}
            if engine:
                figures[rows.FIRST_REQUEST] = first / unit
                figures |= {rows.SPAN_64: seen.span / _ideal(IN_FLIGHT), rows.PEAK_64: seen.peak}
    return figures


def streamed(bench: Bench) -> Figures:
    """What a request costs whose answer comes in pieces, beside one whose answer comes at once."""
    more: dict[int, float] = {}
    for pieces in (0, _PIECES):
        with mock_server(bench.mock_program, LATENCY_MS, pieces) as server:
            model = "OpenAISDKStreaming" if pieces else "OpenAISDK"
            config = bench.workspace.gsm8k(server.api, f"streamed{pieces}", model=model)
            few = bench.compass(config, "--inline", "--limit", str(_FEW)).cpu
            more[pieces] = bench.compass(config, "--inline").cpu - few
    return {rows.STREAMED: more[_PIECES] / more[0]}


def finished(bench: Bench) -> Figures:
    """A finished run once more, and its stored answers scored again."""
    with mock_server(bench.mock_program, 0) as server:
        config = bench.workspace.gsm8k(server.api, "finished")
        bench.compass(config, "--inline")
        return {
            rows.RERUN_INLINE: _in_ip(bench, config, "-r", "--inline"),
            rows.RERUN_CLIENT: _in_ip(bench, config, "-r"),
            rows.SCORE: _in_ip(bench, config, "-r", "-m", "eval", "--inline"),
        }


def wide(bench: Bench) -> Figures:
    """A whole benchmark with more requests in flight than a client has time for."""
    with mock_server(bench.mock_program, LATENCY_MS) as server:
        bench.compass(bench.workspace.gsm8k(server.api, "wide", 256), "--inline")
        seen = _whole(server)
    return {rows.SPAN_256: seen.span / _ideal(256), rows.PEAK_256: seen.peak}


def pairs(bench: Bench) -> Figures:
    """Many small pairs: what each adds in the client, and in the server until it is idle again."""
    with mock_server(bench.mock_program, 0) as server:
        config = bench.workspace.plain({f"pair{n}": _PAIR_ROWS for n in range(_PAIRS)}, server.api, "pairs")
        unit = bench.import_prefect()
        wait_until_idle(bench.server_process)
        before = cpu_so_far(bench.server_process)
        client = bench.compass(config).cpu
        wait_until_idle(bench.server_process)
        share = cpu_so_far(bench.server_process) - before
    return {
        rows.PAIR_CLIENT: client / unit / _PAIRS,
        rows.PAIR_WITH_SERVER: (client + share) / unit / _PAIRS,
    }


def memory(bench: Bench) -> Figures:
    """The size of the client when one dataset is ten times as large as another."""
    with mock_server(bench.mock_program, 0) as server:

        def peak(samples: int, *engine: str) -> float:
            return _many(bench, server, samples, *engine).peak_mb

        few, many = (peak(samples) for samples in _MANY)
        return {
            rows.MEMORY_CLIENT: many,
            rows.GROWTH_CLIENT: many / few,
            rows.MEMORY_INLINE: peak(_MANY[-1], "--inline"),
        }


def judged(bench: Bench) -> Figures:
    """A run whose answers are judged: each dataset as soon as it is answered, beside one that judges in the end."""
    elapsed: dict[bool, float] = {}
    with mock_server(bench.mock_program, _JUDGED_LATENCY_MS) as server:
        for watching in (False, True):
            sets = {f"judged{n}": IN_FLIGHT for n in range(_JUDGED_SETS)}
            config = bench.workspace.judged(sets, server.api, "watched" if watching else "in_order", watching=watching)
            elapsed[watching] = bench.compass(config, "--inline").elapsed
            seen = server.seen()
            assert seen.requests == 2 * _JUDGED_SETS * IN_FLIGHT, f"{seen.requests} requests"
    return {rows.WATCHED: elapsed[True] / elapsed[False]}


def choices(bench: Bench) -> Figures:
    """Stored multiple-choice answers, few and many, scored: what each adds; and the page of the many."""
    few, many = _CHOICES
    configs = {count: bench.workspace.choices(f"choices{count}", count) for count in _CHOICES}
    score = ("-r", "-m", "eval", "--inline")
    unit = bench.import_prefect()
    usage = bench.compass(configs[many], *score)
    more = usage.peak_mb - bench.compass(configs[few], *score).peak_mb
    unit_of_report, report = bench.import_prefect(), bench.compass("report", "-w", f"choices{many}")
    return {
        rows.CHOICES: usage.cpu / unit,
        rows.CHOICES_MEMORY: 1024 * more / (many - few),
        rows.REPORT: report.cpu / unit_of_report,
        rows.REPORT_MEMORY: report.peak_mb,
    }


def jobs(bench: Bench) -> Figures:
    """Many jobs of a cluster: what they cost the process that submits them, and how often it asks the scheduler."""
    slurm = StandInSlurm(Path(mkdtemp(dir=bench.folder)) / "slurm", works=True)
    with mock_server(bench.mock_program, 0) as server:
        config = bench.workspace.jobs(_JOBS, server.api, "jobs")
        unit = bench.import_prefect()
        usage = bench.with_path(slurm.path).compass(config, "--inline", "-m", "infer")
    asked = [call.split()[0] for call in slurm.calls]
    assert asked.count("sbatch") == 1 and asked.count("squeue") <= usage.elapsed / _JOBS_POLLED + 1, asked
    return {rows.JOBS: usage.cpu / unit}


def summaries(bench: Bench) -> Figures:
    """A summary of many pairs, and an interval by the bootstrap."""
    root = Path(mkdtemp(dir=bench.folder))
    write_results(root)
    figures = {rows.SUMMARY: bench.script("wide_summary.py", str(root)).cpu / bench.import_prefect()}
    return figures | {rows.BOOTSTRAP: bench.script("bootstrap.py").cpu / bench.import_prefect()}


SCENARIOS: dict[str, Scenario] = {
    "help": usage_help,
    "planning": planning,
    "few-and-many": few_and_many,
    "streamed": streamed,
    "wide": wide,
    "finished": finished,
    "pairs": pairs,
    "memory": memory,
    "choices": choices,
    "judged": judged,
    "jobs": jobs,
    "summaries": summaries,
}


def _in_ip(bench: Bench, *arguments: str) -> float:
    unit = bench.import_prefect()
    return bench.compass(*arguments).cpu / unit


def _many(bench: Bench, server: MockServer, samples: int, *engine: str) -> Usage:
    config = bench.workspace.plain({f"many{samples}": samples}, server.api, f"many{samples}")
    return bench.compass(config, *engine)


def _whole(server: MockServer) -> Seen:
    """What was seen of a run over the whole benchmark; every sample must have been asked once."""
    seen = server.seen()
    assert seen.requests == GSM8K_TEST_ROWS, f"{seen.requests} requests"
    return seen


def _ideal(in_flight: int) -> float:
    """Seconds that the service needs if it is never kept waiting."""
    return ceil(GSM8K_TEST_ROWS / in_flight) * LATENCY_MS / 1000


def _cpu_per_thousand(seen: Seen) -> float:
    return seen.cpu * 1000 / seen.requests

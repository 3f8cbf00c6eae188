"""From a request to a plan that can run."""

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from flows.preparation.sandbox_check import code_execution_findings
from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import Finding, FindingKind, Place, UserError, closest, did_you_mean

if TYPE_CHECKING:
    from tasks.report.summary.summarizer import DefaultSummarizer

_NAMED = 5
"""Rows that a message names."""


def plan_request(request: RunRequest, own_classes: tuple[str, ...] = ()) -> RunPlan:
    """The plan of the request with all its findings; UserError where planning cannot go on."""
    if request.runner:
        from flows.prefect_api.saved_blocks import with_saved_runner

        request = with_saved_runner(request)
    plan = make_plan(request, own_classes)
    own = (
        *code_execution_findings(plan),
        *_alert_findings(plan),
        *_report_findings(plan),
        *_summarizer_findings(plan),
    )
    return _with_station(replace(plan, findings=(*plan.findings, *own)))


def _alert_findings(plan: RunPlan) -> list[Finding]:
    """What stands in the way of messages; a run that sends none is spared the imports."""
    if not plan.request.wants_alerts:
        return []
    from flows.alerts.settings import alert_findings

    return alert_findings(plan)


def _with_station(plan: RunPlan) -> RunPlan:
    """The plan with its station, and without what results of it spare; a run without one is spared the imports."""
    request = plan.request
    flags = (request.read_from_station, request.station_overwrite, request.station_samples)
    if "station_path" not in plan.values and not any(flags):
        return plan
    from flows.station.access import with_station
    from flows.station.matching import with_station_results

    plan = with_station(plan)
    can_be_read = all(finding.kind is FindingKind.WARNING for finding in plan.findings)
    return with_station_results(plan) if request.read_from_station and can_be_read else plan


def _report_findings(plan: RunPlan) -> list[Finding]:
    """What a page is made with and this machine lacks; a mode that makes none."""
    if plan.request.report and not plan.runs("viz"):
        message = "--report has no effect with --mode infer, which makes no summary"
        return [Finding(message, kind=FindingKind.WARNING)]
    missing = [name for name in ("jinja2", "matplotlib") if plan.request.report and find_spec(name) is None]
    remedy = "pip install 'compass-llm-eval[report]'"
    return [Finding(f"--report needs {name}", remedy=remedy, kind=FindingKind.MACHINE) for name in missing]


def _summarizer_findings(plan: RunPlan) -> list[Finding]:
    """What would stop the summary after everything is paid for; the default one is spared the imports."""
    if plan.summarizer is None:
        return []
    from tasks.report.summarize import build_summarizer
    from tasks.report.summary.groups import misspelt_members

    try:
        summarizer = build_summarizer(plan.summarizer, plan.search_path)
    except UserError as error:
        return list(error.findings)
    missing = [name for name in ("pandas", "xlsxwriter") if "xlsx" in summarizer.formats and find_spec(name) is None]
    remedy = "pip install 'compass-llm-eval[report]'"
    abbrs = [dataset.abbr for dataset in plan.datasets]
    misspelt = misspelt_members(summarizer.groups, abbrs)
    return [
        *_rows_without_dataset(plan, summarizer, abbrs),
        *(Finding(f"the format xlsx needs {name}", remedy=remedy, kind=FindingKind.MACHINE) for name in missing),
        *(
            Finding(
                f"the run asks no {member!r}, so this group will be empty",
                Place(plan.source and str(plan.source), key=f"summarizer.summary_groups[{index}].subsets"),
                did_you_mean([meant]),
                FindingKind.WARNING,
            )
            for index, member, meant in misspelt
        ),
    ]


def _rows_without_dataset(plan: RunPlan, summarizer: "DefaultSummarizer", abbrs: list[str]) -> list[Finding]:
    """Rows that will be empty; a text of several words, or of dashes, is a heading."""
    known = {*abbrs, *(group.name for group in summarizer.groups)}
    rows = [name for name, metric in summarizer.wanted or () if metric or _is_name(name)]
    unknown = [name for name in dict.fromkeys(rows) if name not in known]
    if not unknown:
        return []
    named = ", ".join(unknown[:_NAMED]) + (f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else "")
    message = f"no dataset or group of this run is called {named}: these rows stay empty"
    place = Place(plan.source and str(plan.source), key="summarizer.dataset_abbrs")
    near = did_you_mean(meant for name in unknown[:_NAMED] for meant in closest(name, known, 1, 0.7))
    return [Finding(message, place, near, FindingKind.WARNING)]


def _is_name(text: str) -> bool:
    return bool(text.strip("-=*# ")) and " " not in text.strip()


def prepare(request: RunRequest, own_classes: tuple[str, ...] = ()) -> RunPlan:
    """Plans the request; UserError with every finding that stands in the way of running it.

    `own_classes` are folders of the user's classes, where they do not lie beside the configuration.
    """
    plan = plan_request(request, own_classes)
    obstacles = [finding for finding in plan.findings if _stands_in_the_way(finding, plan.request)]
    obstacles += _runner_obstacles(plan)
    if obstacles:
        raise UserError(obstacles)
    return plan


def _runner_obstacles(plan: RunPlan) -> list[Finding]:
    return [
        Finding(
            f"tasks of {name} cannot be started by {stage.runner.rpartition('.')[2]}",
            remedy="use --runner local; or give the class a method `launch`, see docs/clusters.md",
            kind=FindingKind.MACHINE,
        )
        for name, stage in (("infer", plan.infer), ("eval", plan.eval))
        if plan.runs(name) and not stage.in_process and not stage.uses_jobs
    ]


def _stands_in_the_way(finding: Finding, request: RunRequest) -> bool:
    """What the machine lacks is no obstacle where nothing is asked: a summary needs no key, unless it is the source."""
    if request.read_from_station and finding.place.key == "station_path":
        return finding.kind is not FindingKind.WARNING
    if finding.kind is FindingKind.MACHINE and request.mode in ("eval", "viz"):
        of_model = (finding.place.key or "").startswith("models")
        return request.mode == "eval" and not of_model
    return finding.kind is not FindingKind.WARNING

"""`--preflight`: one sample of each pair through the whole run, shown, before anything is spent."""

from pathlib import Path
from typing import Any

from rich.markup import escape

from flows.inline import run_inline
from flows.output.console import out, say
from flows.output.log_setup import run_logs
from flows.preparation.prepare import prepare
from flows.run.interrupts import interruptible
from flows.run.run import open_run
from tasks.plan.request import RunRequest
from tasks.spec.chat import prompt_text
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json
from tasks.spec.storage.temporary_folder import held_folder

_LONGEST = 4000
"""Characters of a text that are shown."""


def run_preflight(request: RunRequest) -> int:
    """Asks the first sample of each pair and shows prompt, answer, extraction and verdict; returns the exit status."""
    with held_folder("preflight") as folder:
        changes = {"limit": 1, "work_dir": str(folder), "mode": "all", "reuse": None, "fail_on_error": 0.0}
        changes |= {"lark": False, "notify": (), "preflight": False, "report": False}
        plan = prepare(request.model_copy(update=changes))
        with run_logs(plan.values, debug=request.debug), open_run(plan) as run, interruptible(run, say):
            run_inline(run)
            for pair in plan.pairs:
                _show(run.folder, pair.pair, run.failures.get(pair.pair))
            say(f"preflight: {len(plan.pairs) - len(run.failures)} of {len(plan.pairs)} pairs work")
            return run.exit_status


def _show(folder: RunFolder, pair: Pair, failure: str | None) -> None:
    out.rule(escape(f"{pair.model} on {pair.dataset}"))
    sample = _read(folder.predictions(pair)).get("0", {})
    details = _read(folder.results(pair)).get("details") or [{}]
    detail: dict[str, Any] = details[0] if isinstance(details, list) else {}
    _field("prompt", sample.get("origin_prompt"))
    _field("answer", sample.get("prediction"))
    _field("status", sample.get("status"))
    _field("extraction", _first(detail.get("pred")))
    _field("reference", _first(detail.get("answer")))
    for said in _said_by_judges(detail):
        _field("judge", said)
    verdict = _first(detail.get("correct", detail.get("cascade_correct")))
    _field("verdict", {True: "right", False: "wrong"}.get(verdict))
    _field("no verdict", _first(detail.get("no_verdict")))
    _field("failed", failure)


def _said_by_judges(detail: dict[str, Any]) -> list[str]:
    """What judges said, in the details of whichever evaluator asked them."""
    in_cascade, several = _first(detail.get("llm_evaluation")), _first(detail.get("judgments"))
    said = [_first(detail.get("origin_grade_response")), (in_cascade or {}).get("prediction")]
    said += [judgment.get("text") for judgment in several or ()]
    return [text for text in said if text]


def _field(name: str, value: Any) -> None:
    if value is None:
        return
    text = value if isinstance(value, str) else prompt_text(value) if isinstance(value, list) else str(value)
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
    out.print(f"[bold]{name}:[/] {escape(cut)}")


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _read(path: Path) -> dict[str, Any]:
    try:
        content = read_json(path)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}

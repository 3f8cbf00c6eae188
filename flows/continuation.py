"""The command that goes on with a run."""

import shlex

from flows.run import Run

_FLAGS = {
    "models": "--models",
    "datasets": "--datasets",
    "summarizer": "--summarizer",
    "config_dir": "--config-dir",
    "mode": "--mode",
    "work_dir": "--work-dir",
    "limit": "--limit",
    "max_num_workers": "--max-num-workers",
    "fail_on_error": "--fail-on-error",
}


def continuation(program: str, run: Run, *, inline: bool) -> str:
    """What to type, with everything that was asked for the first time."""
    request = run.plan.request
    given = request.model_dump(include=set(_FLAGS), exclude_defaults=True)
    words = [request.config] if request.config else []
    for name, value in given.items():
        words += [_FLAGS[name], *(value if isinstance(value, tuple) else [str(value)])]
    words += ["--unsafe-code-execution"] * request.unsafe_code_execution
    words += ["--inline"] * inline + ["--reuse", run.folder.name]
    return f"{program} {shlex.join(words)}"

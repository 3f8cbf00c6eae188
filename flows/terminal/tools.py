"""The sub-commands of `compass`, each imported when it is called."""

from collections.abc import Sequence
from importlib import import_module

TOOLS: dict[str, tuple[str, str]] = {
    "list": ("flows.tools.configs.list", "the configurations that can be named"),
    "prompt": ("flows.tools.configs.prompt", "the exact prompts that models would get; --stats: how long they are"),
    "status": ("flows.tools.runs.status", "how far a run is"),
    "report": ("flows.tools.runs.report", "the page of a run: scores, charts, samples, recipe, in one file"),
    "view": ("flows.tools.runs.view", "that page with all samples of a large run, served to a browser here"),
    "diff": ("flows.tools.runs.diff", "which samples two runs judge differently, and whether that may be chance"),
    "compare": ("flows.tools.runs.compare", "models of one run or of several, on the samples they share"),
    "analyze-repeat": ("flows.tools.runs.analyze_repeat", "answers that repeat themselves without end"),
    "leaderboard": ("flows.tools.services.leaderboard", "the results of all runs that a station keeps, as one table"),
    "export": (
        "flows.tools.runs.export",
        "samples as CSV or Parquet; results for lm-eval, LaTeX, Excel, MLflow, W&B",
    ),
    "cases": ("flows.tools.runs.cases", "wrong answers of a run beside their references"),
    "check-api": ("flows.tools.configs.check_api", "three small questions to every API model"),
    "prepare": ("flows.tools.configs.prepare", "fetch data and tokenizers for --offline"),
    "compare-configs": ("flows.tools.configs.compare_configs", "what two configurations differ in"),
    "migrate": ("flows.tools.configs.migrate", "what differs for a run or a configuration of OpenCompass"),
    "merge": ("flows.tools.runs.merge", "join pieces of predictions that OpenCompass left"),
    "collect-code": ("flows.tools.runs.collect_code", "programs of a run on HumanEval-X for its own checker"),
    "notify": ("flows.tools.services.notify", "post a message, or a test message, to a chat channel"),
    "station": ("flows.tools.services.station", "a results database: check, upgrade"),
    "clean": ("flows.tools.runs.clean", "free the disk of ledgers and caches of a run"),
    "deploy": ("flows.tools.services.deploy", "deployments on a Prefect server, and a worker for them"),
    "server": ("flows.tools.services.server", "the local Prefect server: status, env, up, down"),
}
"""Name → module with `main(argv) -> int`, and a line of help."""


def run_tool(name: str, argv: Sequence[str]) -> int:
    """Runs a sub-command and returns its exit status."""
    return import_module(TOOLS[name][0]).main(argv)

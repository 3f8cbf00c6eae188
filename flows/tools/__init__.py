"""The sub-commands of `compass`."""

from collections.abc import Sequence
from importlib import import_module

TOOLS: dict[str, tuple[str, str]] = {
    "list": ("flows.tools.list_command", "the configurations that can be named"),
    "prompt": ("flows.tools.prompt_command", "the exact prompts that models would get; --stats: how long they are"),
    "status": ("flows.tools.status_command", "how far a run is"),
    "report": ("flows.tools.report_command", "the page of a run: scores, charts, samples, recipe, in one file"),
    "view": ("flows.tools.view_command", "that page with all samples of a large run, served to a browser here"),
    "diff": ("flows.tools.diff_command", "which samples two runs judge differently, and whether that may be chance"),
    "compare": ("flows.tools.compare_command", "models of one run or of several, on the samples they share"),
    "analyze-repeat": ("flows.tools.analyze_repeat_command", "answers that repeat themselves without end"),
    "leaderboard": ("flows.tools.leaderboard_command", "the results of all runs that a station keeps, as one table"),
    "export": (
        "flows.tools.export_command",
        "samples as CSV or Parquet; results for lm-eval, LaTeX, Excel, MLflow, W&B",
    ),
    "cases": ("flows.tools.cases_command", "wrong answers of a run beside their references"),
    "check-api": ("flows.tools.check_api_command", "three small questions to every API model"),
    "prepare": ("flows.tools.prepare_command", "fetch data and tokenizers for --offline"),
    "compare-configs": ("flows.tools.compare_configs_command", "what two configurations differ in"),
    "migrate": ("flows.tools.migrate_command", "what differs for a run or a configuration of OpenCompass"),
    "merge": ("flows.tools.merge_command", "join pieces of predictions that OpenCompass left"),
    "collect-code": ("flows.tools.collect_code_command", "programs of a run on HumanEval-X for its own checker"),
    "notify": ("flows.tools.notify_command", "post a message, or a test message, to a chat room"),
    "station": ("flows.tools.station_command", "a results database: check, upgrade"),
    "clean": ("flows.tools.clean_command", "free the disk of ledgers and caches of a run"),
    "deploy": ("flows.tools.deploy_command", "deployments on a Prefect server, and a worker for them"),
    "server": ("flows.tools.server_command", "the local Prefect server: status, env, up, down"),
}
"""Name → module with `main(argv) -> int`, and a line of help."""


def run_tool(name: str, argv: Sequence[str]) -> int:
    """Runs a sub-command and returns its exit status."""
    return import_module(TOOLS[name][0]).main(argv)

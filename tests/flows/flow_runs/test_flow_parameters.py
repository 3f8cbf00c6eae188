"""What can be asked of the flow is what can be asked on the command line."""

import inspect
import re

from flows.eval import compass
from flows.terminal.cli import build_parser
from tasks.plan.request import HFModel, RunRequest

_ONLY_HERE = {
    "help",
    "inline",
    "dry_run",
    "config_verbose",
    "dump_only_message_path",
    "json",
    "no_progress",
    "version",
}
"""What concerns the terminal, or ends before a run."""


def test_the_flow_takes_every_field_of_a_request_with_its_default():
    parameters = inspect.signature(compass.fn).parameters
    assert set(parameters) == set(RunRequest.model_fields)
    request = RunRequest.model_validate({n: p.default for n, p in parameters.items() if p.default is not None})
    assert request == RunRequest()


def test_every_parameter_is_explained():
    described = inspect.getdoc(compass.fn) or ""
    assert [name for name in RunRequest.model_fields if f"    {name}: " not in described] == []


def test_every_option_of_a_run_reaches_the_request():
    options = {action.dest for action in build_parser("compass")._actions}
    fields = {name for name in options if not name.startswith(("hf_", "custom_"))} - _ONLY_HERE - {"num_gpus"}
    assert fields == set(RunRequest.model_fields) - {"hf", "custom"}


def test_defaults_that_help_names_are_those_of_the_request():
    for action in build_parser("compass")._actions:
        shown = re.search(r"\(default: (.+)\)$", action.help or "")
        if shown:
            prefix, model = ("hf_", HFModel) if action.dest.startswith("hf_") else ("", RunRequest)
            default = model.model_fields[action.dest.removeprefix(prefix)].default
            assert shown[1] == str(default).removesuffix(".0").replace("True", "true"), action.dest

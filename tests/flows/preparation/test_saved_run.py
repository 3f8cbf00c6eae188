"""A run that is known by its folder alone: what a stage of it is planned from."""

import json
from pathlib import Path

import pytest
from support.workspace import Workspace

from flows.flow_runs.deployment_checks import absolute_folder, check_deployed_plan, deployed_request
from flows.preparation.prepare import prepare
from flows.preparation.saved_run import plan_saved_run
from flows.run.run import open_run
from tasks.plan.request import RunRequest
from tasks.spec.findings import UserError
from tasks.spec.secrets.redaction import resolve_references

OWN = """
from own_scores import OwnEvaluator

for dataset in datasets:
    dataset['eval_cfg'] = dict(evaluator=dict(type=OwnEvaluator))
"""
OWN_SCORES = """
from opencompass.openicl.icl_evaluator import BaseEvaluator

class OwnEvaluator(BaseEvaluator):
    def score(self, predictions, references):
        return {'accuracy': 1.0}
"""


@pytest.fixture
def opened(workspace: Workspace) -> Path:
    """The folder of a run that was only opened."""
    workspace.write({"sums": 6}, key="sk-very-secret-indeed")
    request = RunRequest(config=str(workspace.config), limit=3, overrides=("models.0.temperature=0.5",), mode="infer")
    with open_run(prepare(request)) as run:
        return run.folder.root


def test_the_stage_is_asked_as_the_run_was(opened: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPASS_SECRET_ADDER_KEY", "sk-very-secret-indeed")
    plan = plan_saved_run(opened, "infer")
    assert plan.request.limit == 3 and plan.request.mode == "infer" and plan.pairs[0].samples == 3
    assert plan.models[0].arguments["temperature"] == 0.5
    assert plan.work_dir / (plan.request.reuse or "") == opened


def test_secrets_come_from_the_environment(opened: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(UserError, match="COMPASS_SECRET_ADDER_KEY"):
        plan_saved_run(opened, "infer")
    assert plan_saved_run(opened, "viz").request.mode == "viz"
    monkeypatch.setenv("COMPASS_SECRET_ADDER_KEY", "sk-very-secret-indeed")
    assert resolve_references(plan_saved_run(opened, "infer").models[0].arguments["key"]) == "sk-very-secret-indeed"


def test_own_classes_are_found_beside_the_first_configuration(workspace: Workspace):
    (workspace.folder / "own_scores.py").write_text(OWN_SCORES)
    workspace.write({"sums": 3}, extra=OWN)
    with open_run(prepare(RunRequest(config=str(workspace.config)))) as run:
        folder = run.folder.root
    assert plan_saved_run(folder, "eval").search_path == (str(workspace.folder),)


def test_a_folder_without_configuration_says_what_to_do(tmp_path: Path):
    with pytest.raises(UserError, match="(?s)no saved configuration.*reuse="):
        plan_saved_run(tmp_path, "viz")


def test_the_folder_of_a_stage_is_absolute_and_there(tmp_path: Path):
    with pytest.raises(UserError, match="give an absolute path"):
        absolute_folder("outputs/default/20260101_000000")
    with pytest.raises(UserError, match="there is no folder"):
        absolute_folder(str(tmp_path / "20260101_000000"))
    assert absolute_folder(str(tmp_path)) == tmp_path


@pytest.mark.parametrize(
    "asked",
    [
        {"config": "my_eval.py"},
        {"config": "./configs/examples/absent.py"},
        {"config": "../configs/examples/demo.py"},
        {"config": "/a/b.py", "work_dir": "outputs"},
        {"config": "/a/b.py", "cache": "answers"},
        {"models": ("m",), "datasets": ("d",), "config_dir": "configs"},
        {"models": ("m",), "custom": {"path": "questions.jsonl"}},
    ],
)
def test_a_deployment_refuses_relative_paths(asked: dict):
    with pytest.raises(UserError, match="give an absolute path"):
        deployed_request(RunRequest.model_validate(asked))


def test_a_deployment_knows_packaged_configurations_wherever_its_worker_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("examples/demo.py", "configs/examples/demo.py"):
        config = deployed_request(RunRequest(config=name)).config
        assert config is not None and Path(config).is_absolute() and Path(config).is_file()


@pytest.mark.parametrize("mode", ["eval", "viz"])
def test_a_deployment_of_a_later_stage_asks_for_the_run(mode: str):
    with pytest.raises(UserError, match=f"mode {mode} reads .* earlier run"):
        deployed_request(RunRequest.model_validate({"config": "/a/b.py", "mode": mode}))


def test_a_deployment_refuses_a_relative_work_dir_of_the_configuration(workspace: Workspace):
    workspace.write({"sums": 3}, extra="\nwork_dir = 'outputs/mine'\n")
    with pytest.raises(UserError, match="(?s)work_dir.*give an absolute path"):
        check_deployed_plan(prepare(RunRequest(config=str(workspace.config))))


def test_what_a_run_records_needs_no_current_folder(opened: Path):
    record = json.loads((opened / "run.json").read_text())["invocations"][-1]
    assert all(Path(folder).is_absolute() for folder in record["search_path"])

"""The effective configuration, saved as a file, plans the same run without any flag."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.specs import sums, write_rows

from tasks.plan.configured_options import COMMAND_LINE_KEYS, ELSEWHERE, INFER_KEYS
from tasks.plan.planner import make_plan
from tasks.plan.request import CustomData, HFModel, RunRequest
from tasks.plan.run_plan import RunPlan, StagePlan
from tasks.spec.config.dump import dump_config
from tasks.spec.config.file import load_config
from tasks.spec.findings import UserError

CONFIG = """
models = [dict(type='OpenAISDK', abbr='m', path='m', key='MODEL_KEY', max_seq_len=400)]
datasets = [
    dict(
        abbr='a', type='CustomDataset', path={rows!r},
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type='PromptTemplate', template='{{question}}'),
            retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer'),
        ),
        eval_cfg=dict(evaluator=dict(type='own_evaluators.Own')),
    ),
]
infer = dict(limit=7)
"""
OWN = "from opencompass.openicl import AccEvaluator\nclass Own(AccEvaluator): pass\n"
NAMES: dict[str, Any] = {"config": None, "models": ["openai_compatible"], "datasets": ["rows"]}
HF: dict[str, Any] = {"config": None, "hf": HFModel(path="facebook/opt-125m"), "datasets": ["rows"]}

ASKED: dict[str, dict[str, Any]] = {
    "config": {},
    "models": NAMES,
    "datasets": NAMES,
    "summarizer": NAMES | {"summarizer": "example"},
    "config_dir": NAMES,
    "hf": HF,
    "custom": NAMES | {"datasets": [], "custom": CustomData(path="rows.jsonl")},
    "dataset_num_runs": NAMES | {"dataset_num_runs": 3},
    "accelerator": HF | {"accelerator": "vllm"},
    "overrides": {"overrides": ["infer.runner.max_num_workers=3", "infer.partitioner.min_task_size=2"]},
    "prefer": {"prefer": "compass"},
    "mode": {"mode": "infer"},
    "reuse": {"mode": "eval", "reuse": "20261201_120000"},
    "work_dir": {"work_dir": "elsewhere"},
    "limit": {"limit": 3},
    "length_range": {"length_range": "0:400"},
    "cache": {"cache": "kept"},
    "offline": {"offline": True},
    "runner": {"runner": "dask"},
    "partition": {"runner": "slurm", "partition": "gpu"},
    "quotatype": {"runner": "slurm", "partition": "gpu", "quotatype": "auto"},
    "qos": {"runner": "slurm", "partition": "gpu", "qos": "high"},
    "aliyun_cfg": {"runner": "dlc", "aliyun_cfg": "aliyun.py"},
    "retry": {"runner": "slurm", "partition": "gpu", "retry": 5},
    "max_num_workers": {"max_num_workers": 4},
    "max_workers_per_gpu": {"max_workers_per_gpu": 2},
    "dump_eval_details": {"dump_eval_details": False},
    "dump_res_length": {"dump_res_length": True},
    "dump_extract_rate": {"dump_extract_rate": True},
    "analysis_repeat": {"analysis_repeat": True},
    "report": {"report": True},
    "station_path": {"station_path": "station"},
    "station_overwrite": {"station_path": "station", "station_overwrite": True},
    "station_samples": {"station_path": "station", "station_samples": True},
    "read_from_station": {"station_path": "station", "read_from_station": True},
    "fail_on_error": {"fail_on_error": 0.5},
    "max_samples": {"max_samples": 9},
    "max_tokens": {"max_tokens": 900},
    "max_cost": {"max_cost": 0.5},
    "max_minutes": {"max_minutes": 5},
    "preflight": {"preflight": True},
    "rescore_changed": {"mode": "eval", "reuse": "20261201_120000", "rescore_changed": True},
    "unsafe_code_execution": {"unsafe_code_execution": True},
    "debug": {"debug": True, "max_num_workers": 4},
    "lark": {"lark": True},
    "notify": {"notify": ["slack-webhook/team"]},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MODEL_KEY", "sk-0123456789abcdefghij")
    write_rows(tmp_path / "rows.jsonl", sums(40))
    (tmp_path / "my.py").write_text(CONFIG.format(rows=str(tmp_path / "rows.jsonl")))
    (tmp_path / "own_evaluators.py").write_text(OWN)
    (tmp_path / "aliyun.py").write_text("workspace_id = 'ws-1'\nworker_image = 'image'\nconda_env_name = 'compass'\n")
    for kind in ("models", "datasets"):
        (tmp_path / "configs" / kind).mkdir(parents=True)
    (tmp_path / "configs/models/openai_compatible.py").write_text(CONFIG.partition("datasets")[0])
    data = CONFIG.format(rows=str(tmp_path / "rows.jsonl")).split("infer = ")[0].partition("datasets")[2]
    (tmp_path / "configs/datasets/rows.py").write_text(
        "rows_datasets" + data.replace("own_evaluators.Own", "AccEvaluator")
    )
    return tmp_path


def test_every_option_of_a_run_has_an_example_here():
    assert set(ASKED) == set(RunRequest.model_fields) == {*ELSEWHERE, *INFER_KEYS, *COMMAND_LINE_KEYS}


@pytest.mark.parametrize("option", ASKED)
def test_the_saved_configuration_plans_the_same(folder: Path, option: str):
    planned = make_plan(RunRequest.model_validate({"config": "my.py"} | ASKED[option]))
    again = make_plan(RunRequest(config=str(_saved(folder, planned))))
    assert _shown(again) == _shown(planned)
    assert dump_config(again.values) == dump_config(planned.values)


@pytest.mark.parametrize("option", ["mode", "dump_eval_details", "limit"])
def test_the_command_line_wins_over_a_saved_configuration(folder: Path, option: str):
    value = {"mode": "all", "dump_eval_details": True, "limit": 2}[option]
    saved = _saved(folder, make_plan(RunRequest.model_validate({"config": "my.py"} | ASKED[option])))
    assert getattr(make_plan(RunRequest.model_validate({"config": str(saved), option: value})).request, option) == value


def test_the_effective_configuration_holds_defaults_and_no_secret(folder: Path):
    key = "models.0.key=sk-0123456789abcdefghij"
    plan = make_plan(RunRequest(config="my.py", work_dir="w", max_num_workers=2, overrides=(key,)))
    text = dump_config(plan.values)
    values = load_config(_saved(folder, plan)).values
    assert "sk-0123456789abcdefghij" not in text and values.work_dir == "w"
    assert values.infer.runner.max_num_workers == 2 and values.infer.partitioner.num_worker == 2
    assert values.infer.runner.task.type.endswith("OpenICLInferTask") and values.infer.limit == 7
    assert values.eval.partitioner == {"type": "tasks.plan.partitioners.NaivePartitioner", "n": 1}
    assert values.eval.runner.task.dump_details is True and values.summarizer.dataset_abbrs is None


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("command_line = dict(reprot=True)", "command_line has no option 'reprot'\n  did you mean 'report'"),
        ("command_line = dict(report='perhaps')", r"my.py:\d+: command_line.report: input should be a valid boolean"),
        ("command_line = True", "command_line is a dict, not bool"),
        ("own_classes = 'here'", "own_classes is a list of folders"),
    ],
)
def test_what_is_wrong_in_it_is_told(folder: Path, written: str, told: str):
    with (folder / "my.py").open("a") as file:
        file.write(written)
    with pytest.raises(UserError, match=told):
        make_plan(RunRequest(config="my.py"))


@pytest.mark.parametrize("step", ["infer.runer.retry=1", "evil.runner.retry=1", "infer.runner.tsk.x=1"])
def test_set_knows_the_parts_that_no_file_needs_to_write(folder: Path, step: str):
    with pytest.raises(UserError, match="did you mean '(runner|eval|task)'"):
        make_plan(RunRequest(config="my.py", overrides=(step,)))


def _saved(folder: Path, plan: RunPlan) -> Path:
    path = folder / "run/configs/saved.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dump_config(plan.values))
    return path


def _shown(plan: RunPlan) -> dict[str, Any]:
    """All that a plan decides, for comparison."""
    return {
        "request": {name: getattr(plan.request, name) for name in (*INFER_KEYS, *COMMAND_LINE_KEYS)},
        "pairs": [(pair.pair, pair.model.model_dump(), pair.dataset.model_dump(), pair.samples) for pair in plan.pairs],
        "stages": [_stage(plan.infer), _stage(plan.eval)],
        "shards": [(shard.parts, shard.in_flight) for shard in plan.infer_shards],
        "batches": plan.eval_batches,
        "folders": (plan.work_dir, plan.search_path, plan.values.get("station_path")),
        "rules": (plan.budget, plan.unsafe_code_execution, plan.values.summarizer.dataset_abbrs),
    }


def _stage(stage: StagePlan) -> Any:
    built = {name: value for name, value in vars(stage.built_runner).items() if not name.startswith("_")}
    return replace(stage, built_runner=None, needs=()), json.dumps(built, default=str, sort_keys=True)

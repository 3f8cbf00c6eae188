"""Which runner a stage has, and what the flags for it do."""

from pathlib import Path
from typing import Any

import pytest
from support.specs import sums, write_rows

from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import FindingKind, UserError

CONFIG = """
datasets = [dict(path={data!r}, abbr=name) for name in ('a', 'b')]
models = [dict(type={type!r}, abbr='m', path='m', run_cfg=dict(num_gpus={gpus}))]
"""


@pytest.fixture(autouse=True)
def eight_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2,3,4,5,6,7")
    monkeypatch.setenv("OPENAI_API_KEY", "EMPTY")


def plan_of(folder: Path, extra: str = "", *, type: str = "OpenAISDK", gpus: int = 0, **request: Any) -> RunPlan:
    data = write_rows(folder / "rows.jsonl", sums(100))
    config = folder / "my.py"
    config.write_text(CONFIG.format(data=str(data), type=type, gpus=gpus) + extra)
    return make_plan(RunRequest(config=str(config), **request))


def warnings(plan: RunPlan) -> list[str]:
    return [finding.message for finding in plan.findings if finding.kind is FindingKind.WARNING]


def test_models_with_gpus_fill_the_machine(tmp_path: Path):
    plan = plan_of(tmp_path, type="HuggingFaceBaseModel", gpus=4)
    assert plan.infer.max_num_workers == 2 and len(plan.infer_shards) == 2
    assert plan_of(tmp_path, type="HuggingFaceBaseModel", gpus=4, max_num_workers=1).infer.max_num_workers == 1


def test_more_gpus_than_there_are(tmp_path: Path):
    [missing] = [f for f in plan_of(tmp_path, type="HuggingFaceBaseModel", gpus=9).findings if "GPU" in f.message]
    assert missing.kind is FindingKind.MACHINE and "my.py:3" in str(missing)


def test_a_key_that_the_runner_leaves_out_takes_the_flag_or_the_default_of_its_class(tmp_path: Path):
    runner = "infer = dict(runner=dict(type='LocalRunner'))"
    assert plan_of(tmp_path, runner).infer.max_num_workers == 16
    assert plan_of(tmp_path, runner, max_num_workers=3).infer.max_num_workers == 3
    slurm = "infer = dict(runner=dict(type='SlurmRunner'))"
    assert plan_of(tmp_path, slurm).infer.max_num_workers == 32


def test_a_flag_that_the_configuration_overrules_says_so(tmp_path: Path):
    runner = "infer = dict(runner=dict(type='SlurmRunner', retry=5, max_num_workers=64))"
    told = warnings(plan_of(tmp_path, runner, retry=1, max_num_workers=2))
    assert "--retry 1 has no effect on infer: the configuration says retry=5" in told
    assert "--max-num-workers 2 has no effect on infer: the configuration says max_num_workers=64" in told


def test_a_flag_that_no_runner_uses_says_so(tmp_path: Path):
    told = warnings(plan_of(tmp_path, qos="high", partition="p"))
    assert told == [
        "--qos high has no effect: LocalRunner has no qos",
        "--partition p has no effect: LocalRunner has no partition",
    ]


def test_slurm_replaces_only_the_runner(tmp_path: Path):
    configured = """
infer = dict(
    partitioner=dict(type='NaivePartitioner', n=2),
    runner=dict(type='LocalRunner', max_num_workers=5, max_workers_per_gpu=2,
                task=dict(type='OpenICLInferConcurrentTask', log_interval=9)),
)
"""
    plan = plan_of(tmp_path, configured, runner="slurm", partition="p", quotatype="auto")
    assert plan.infer.runner.endswith("SlurmRunner") and plan.infer.max_num_workers == 5
    assert plan.infer.task == "OpenICLInferConcurrentTask" and plan.infer.options["log_interval"] == 9
    assert len(plan.infer_shards) == 1
    assert plan.values.infer.runner.partition == "p" and plan.values.eval.runner.quotatype == "auto"
    assert warnings(plan) == ["--slurm replaces LocalRunner of infer without max_workers_per_gpu"]


def test_partition_goes_into_a_configured_slurm_runner(tmp_path: Path):
    runner = "infer = dict(runner=dict(type='SlurmRunner', partition='old', quotatype='spot'))"
    plan = plan_of(tmp_path, runner, partition="new")
    runner = plan.values.infer.runner
    assert (runner.type, runner.partition, runner.quotatype) == ("SlurmRunner", "new", "spot")


def test_dlc_reads_its_settings(tmp_path: Path):
    (tmp_path / "a.cfg").write_text("workspace_id = 'w'\n")
    plan = plan_of(tmp_path, runner="dlc", aliyun_cfg=str(tmp_path / "a.cfg"))
    assert plan.values.infer.runner.aliyun_cfg == {"workspace_id": "w"}
    with pytest.raises(UserError, match="--aliyun-cfg"):
        plan_of(tmp_path, runner="dlc", aliyun_cfg=str(tmp_path / "none"))


def test_a_volc_file_without_workers_is_an_error_of_the_configuration(tmp_path: Path):
    (tmp_path / "v.yaml").write_text("TaskRoleSpecs:\n- RoleName: ps\n")
    volcano = f"dict(volcano_config_path={str(tmp_path / 'v.yaml')!r})"
    runner = f"infer = dict(runner=dict(type='VOLCRunner', queue_name='q', volcano_cfg={volcano}))"
    [wrong] = [f for f in plan_of(tmp_path, runner).findings if f.kind is FindingKind.CONFIG]
    assert "no role named 'worker'; it has ps" in str(wrong)


def test_own_partitioners_and_runners_beside_the_configuration(tmp_path: Path):
    (tmp_path / "mine.py").write_text(
        "class Alone:\n"
        "    def partition(self, datasets):\n"
        "        from tasks.plan.partitioners import Piece\n"
        "        return [[Piece(i, 0, d.rows)] for i, d in enumerate(datasets)][::-1]\n"
        "class Far:\n"
        "    def __init__(self, max_num_workers=3):\n"
        "        self.max_num_workers = max_num_workers\n"
    )
    plan = plan_of(tmp_path, "infer = dict(partitioner=dict(type='mine.Alone'), runner=dict(type='mine.Far'))")
    assert [shard.parts[0].pair.dataset for shard in plan.infer_shards] == ["b", "a"]
    assert (plan.infer.runner, plan.infer.max_num_workers) == ("mine.Far", 3)


def test_pairs_of_combinations_only(tmp_path: Path):
    plan = plan_of(tmp_path, "model_dataset_combinations = [dict(models=['m'], datasets=['b'])]")
    assert [pair.pair.dataset for pair in plan.pairs] == ["b"]


@pytest.mark.parametrize(
    ("request_fields", "told"),
    [
        ({"models": ("m",), "hf": {"path": "p"}, "datasets": ("d",)}, "--hf-path would have no effect beside --models"),
        ({"config": "x.py", "hf": {"path": "p"}}, "--hf-path would have no effect beside a configuration file"),
        ({"config": "x.py", "dataset_num_runs": 2}, "--dataset-num-runs would have no effect beside"),
        ({"datasets": ("d",)}, "give a configuration file, or --models"),
        ({"config": "x.py", "runner": "slurm"}, "add -p PARTITION"),
        ({"config": "x.py", "length_range": "9:3"}, "holds nothing"),
        ({"config": "x.py", "mode": "viz"}, "add --reuse"),
    ],
)
def test_requests_that_contradict_themselves(request_fields: dict[str, Any], told: str):
    with pytest.raises(UserError, match=told):
        make_plan(RunRequest.model_validate(request_fields))

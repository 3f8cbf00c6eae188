"""The command lines and answers of the clouds' tools, as documented."""

import shlex
import sys
from pathlib import Path

import pytest

from blocks.clusters.dlc.command import DLCResources, dlc_resources, gpus_needed, job_id_in
from blocks.clusters.dlc.command import submit_command as dlc_submission
from blocks.clusters.dlc.states import dlc_report
from blocks.clusters.job_shell import JobShell, job_shell
from blocks.clusters.jobs import Job, JobPhase, SubmissionRefused
from blocks.clusters.rjob.command import job_name, phase_in
from blocks.clusters.rjob.command import submit_command as rjob_submission
from blocks.clusters.volc.command import status_in, task_id_in, task_name
from blocks.clusters.volc.command import submit_command as volc_submission
from blocks.clusters.volc.file import flavor, job_file, read
from blocks.clusters.volc.states import volc_report

COMMAND = (sys.executable, "-P", "-m", "tasks.infer", "/runs/1/shard 1.json")
JOB = Job("k1", "OpenICLInfer[m/d]", "infer", COMMAND, Path("/home/me"), Path("/runs/1/logs/d.out"))
DOCUMENTED_DLC = {
    "workspace_id": "ws-xxx",
    "worker_image": "xxx",
    "dlc_config_path": "/user/.dlc/config",
    "conda_env_name": "opencompass",
}
DOCUMENTED_RJOB = {
    "task_id": "my-exp",
    "image": "xxx",
    "mount": ["/path/to/shared"],
    "env": {"HF_HOME": "/cache/huggingface"},
}
OFFLINE = (
    "export HF_HUB_OFFLINE=1 && export HF_DATASETS_OFFLINE=1 && export HF_EVALUATE_OFFLINE=1 && "
    "export TRANSFORMERS_OFFLINE=1"
)
LOG = "mkdir -p /runs/1/logs && exec >> /runs/1/logs/d.out 2>&1"
END = "cd /home/me && umask 0000 && python -P -m tasks.infer '/runs/1/shard 1.json'"


def test_dlc_as_documented():
    command = dlc_submission(DOCUMENTED_DLC, JOB.name, "it's", 2, preemptible=False)
    assert command[:4] == ["dlc", "submit", "pytorchjob", "--command"] and shlex.split(command[4])[2] == "it's"
    assert " ".join(command[5:]) == (
        "--name OpenICLInfer[m/d] --config /user/.dlc/config --workspace_id ws-xxx --priority 1 --workers 1 "
        "--worker_cpu 16 --worker_gpu 2 --worker_memory 256Gi --worker_image xxx"
    )
    assert job_shell(DOCUMENTED_DLC).line(JOB, None) == (
        f'{LOG} && {{ eval "$(conda shell.bash hook)"; }} && conda activate opencompass && {OFFLINE} && {END}'
    )


def test_dlc_with_everything():
    settings = {
        **DOCUMENTED_DLC, "dlc_job_cmd": "create", "resource_id": "quota1", "priority": 3,
        "data_sources": ["d-1", "d-2"],
    }  # fmt: skip
    command = dlc_submission(settings, "n" * 600, "true", 0, preemptible=True)
    assert command[:5] == ["dlc", "create", "job", "--kind", "PyTorchJob"]
    assert command[command.index("--name") + 1] == "n" * 512
    rest = " ".join(command[command.index("--workspace_id") :])
    assert rest == (
        "--workspace_id ws-xxx --resource_id quota1 --priority 3 --worker_count 1 --worker_cpu 12 --worker_gpu 0 "
        "--worker_memory 192Gi --worker_image xxx --data_sources d-1,d-2 --enable_priority_preemption"
    )


@pytest.mark.parametrize(
    ("settings", "gpus", "expected"),
    [
        ({}, 0, DLCResources(12, 0, 192)),
        ({}, 1, DLCResources(12, 1, 192)),
        ({}, 4, DLCResources(32, 4, 512)),
        ({"worker_cpu": 100, "worker_memory": 1}, 8, DLCResources(100, 8, 1024)),
    ],
)
def test_dlc_resources_grow_with_the_gpus(settings: dict[str, int], gpus: int, expected: DLCResources):
    assert dlc_resources(settings, gpus) == expected


def test_some_scoring_gets_a_gpu_of_dlc():
    scoring = Job("k", "OpenICLEval[m/plugin_eval_x]", "eval", COMMAND, Path("/"), Path("/l"))
    assert gpus_needed(scoring, ["plugin_eval"]) == 1
    assert gpus_needed(scoring, ["other"]) == 0 and gpus_needed(JOB, ["OpenICL"]) == 0


@pytest.mark.parametrize(
    ("settings", "begin"),
    [
        ({"python_env_path": "/envs/my env"}, "export PATH='/envs/my env/bin':$PATH"),
        ({"bashrc_path": "/b", "conda_env_name": "e"}, "{ . /b || true; } && conda activate e"),
        ({"bashrc_path": "/b"}, "{ . /b || true; }"),
    ],
)
def test_the_environment_is_activated_first(settings: dict[str, str], begin: str):
    assert job_shell({**settings, "hf_offline": False}).line(JOB, None) == f"{LOG} && {begin} && {END}"


def test_without_an_environment_the_interpreter_is_the_submitter_s():
    assert JobShell().line(JOB, None).endswith(f" && {sys.executable} -P -m tasks.infer '/runs/1/shard 1.json'")


def test_settings_become_variables_and_secrets_only_in_the_file():
    settings = {
        "hf_offline": False, "huggingface_cache": "/hf", "torch_cache": "/torch", "hf_endpoint": "https://hub.example",
        "http_proxy": "http://me:word@proxy:1", "extra_envs": ["DATA=/d d", "SERVICE_TOKEN=s3cret-value"],
        "pre_cmd": "x y",
    }  # fmt: skip
    shell = job_shell(settings)
    line = shell.line(JOB, Path("/disk/.v/1.sh"))
    assert "word" not in line and "s3cret" not in line and "s3cret" not in repr(shell)
    assert set(shell.private) == {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "SERVICE_TOKEN"}
    assert line.endswith(
        " && . /disk/.v/1.sh && export HF_HUB_CACHE=/hf && export HUGGINGFACE_HUB_CACHE=/hf && "
        "export TORCH_HOME=/torch && export HF_ENDPOINT=https://hub.example && "
        "export DATA='/d d' && x y && cd /home/me && umask 0000 && "
        f"{sys.executable} -P -m tasks.infer '/runs/1/shard 1.json'"
    )


def test_answers_of_dlc():
    assert job_id_in("+--+\n| JobId | Request |\n| dlc1a2b | 6-7 |\n") == "dlc1a2b"
    assert job_id_in("service busy") is None
    assert dlc_report("Succeeded", "", "").phase is JobPhase.DONE
    assert dlc_report("Failed", "OOMKilled", "node").reason == "Failed: OOMKilled: node"
    assert dlc_report("Stopped", "Preempted", "").phase is JobPhase.FAILED
    assert dlc_report("Stopped", "StoppedByUser", "").phase is JobPhase.CANCELLED
    assert {dlc_report(word, "", "").phase for word in ("Queuing", "EnvPreparing", "Creating")} == {JobPhase.WAITING}


def test_volc_as_documented(tmp_path: Path):
    command = volc_submission(Path("/f.yaml"), JOB.name, "true", queue="your-resource-queue")
    assert shlex.join(command) == (
        "volc ml_task submit --conf /f.yaml --entrypoint 'bash -c true' --task_name OpenICLInfer_m_d_ "
        "--resource_queue_name your-resource-queue"
    )
    command = volc_submission(Path("/f.yaml"), JOB.name, "true", queue="q", preemptible=True, priority=4)
    assert command[-3:] == ["--preemptible", "--priority", "4"]
    assert task_name("a[b/c,d.e]" + "f" * 200) == ("a_b_c_d_e_" + "f" * 200)[:128]


@pytest.mark.parametrize(
    ("gpus", "size"),
    [(0, "r3i.2x"), (1, "pni2l.3x"), (2, "pni2l.7x"), (3, "pni2l.14x"), (4, "pni2l.14x"), (8, "pni2l.28x")],
)
def test_the_machine_of_volc_follows_the_gpus(gpus: int, size: str, tmp_path: Path):
    template = tmp_path / "task.yaml"
    template.write_text("Image: a\nTaskRoleSpecs:\n- {RoleName: ps, Flavor: own}\n- {RoleName: worker, Flavor: x}\n")
    with job_file(template, gpus) as file:
        roles = read(file)["TaskRoleSpecs"]
        assert file.parent.stat().st_mode & 0o077 == 0
    assert [role["Flavor"] for role in roles] == ["own", f"ml.{size}large"] and not file.exists()
    assert template.read_text().count("Flavor: x") == 1


def test_more_gpus_than_any_machine_has_are_refused():
    with pytest.raises(SubmissionRefused, match="at most 8"):
        flavor(9)


def test_answers_of_volc():
    assert task_id_in("ok task_id=t-2026-abc, done") == "t-2026-abc" and task_id_in("failed") is None
    assert status_in('reading\n[{"Status": "Queue"}]') == "Queue" and status_in('{"Status": "Success"}') == "Success"
    assert [status_in(text) for text in ("", "EOF", "[]", "[1", "{}")] == [None] * 5
    phases = {
        word: volc_report(word).phase for word in ("Success", "Failed", "Killed", "Exception", "Cancelled", "Staging")
    }
    assert list(phases.values()) == ["done", "failed", "failed", "failed", "cancelled", "waiting"]


def test_rjob_as_documented():
    command = rjob_submission(DOCUMENTED_RJOB, "oc-infer-my-exp-0a1b2c3d", "true", 2, DOCUMENTED_RJOB["env"])
    assert shlex.join(command) == (
        "rjob submit --metadata-name=oc-infer-my-exp-0a1b2c3d --gpu=2 --memory=320000 --cpu=32 --mount=/path/to/shared "
        "--image=xxx -e HF_HOME=/cache/huggingface -- bash -c true"
    )


def test_rjob_with_everything():
    settings = {
        "charged_group": "g", "private_machine": "yes", "mount": "/one", "replicas": 2, "host_network": True, "cpu": 2,
        "memory": 4000, "extra_args": ["--x=1"],
    }  # fmt: skip
    assert shlex.join(rjob_submission(settings, "n", "true", 0, {})) == (
        "rjob submit --metadata-name=n --memory=4000 --cpu=2 --charged-group=g --private-machine=yes --mount=/one -P 2 "
        "--host-network=true --x=1 -- bash -c true"
    )
    assert "--memory=32000 --cpu=8" in shlex.join(rjob_submission({}, "n", "true", 0, {}))


def test_names_of_rjob_say_the_stage_and_differ():
    names = {job_name({"task_id": "my-exp"}, "eval") for _ in range(20)}
    assert len(names) == 20 and all(name.startswith("oc-eval-my-exp-") and len(name) == 23 for name in names)


@pytest.mark.parametrize(
    ("word", "phase"),
    [
        ("Succeeded", "done"), ("FAILED", "failed"), ("stopped", "cancelled"), ("Cancelled", "cancelled"),
        ("Running", "running"), ("InQueue", "waiting"), ("timeout", "waiting"), ("Restarting", "waiting"),
    ],
)  # fmt: skip
def test_answers_of_rjob(word: str, phase: str):
    text = f"running 3 jobs\nrjob oc-infer-x-11: {word} 1/1\nrjob oc-infer-x-12: Pending\n"
    found = phase_in(text, "oc-infer-x-11")
    assert found is not None and found[0] == phase
    assert phase_in(text, "oc-infer-x-13") is None

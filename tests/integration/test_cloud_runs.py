"""Whole runs on clouds: stand-ins for `dlc`, `volc` and `rjob` take the jobs, and really run them."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.clouds import VOLC_FILE, Cloud, make_cloud
from support.fake_backend import add
from support.webhook_server import WebhookServer
from support.workspace import Workspace, kill_group, make_workspace

pytestmark = [pytest.mark.slow, pytest.mark.serial]

PLACES = ("model", "hub", "proxy", "env")
SECRETS = {name: f"canary-{name}-{number}-zqx" for number, name in enumerate(PLACES, 10)}
SECOND = "\nmodels = [*models, dict(models[0], abbr='second')]\n"


@pytest.fixture
def cloud(tmp_path: Path) -> Cloud:
    return make_cloud(tmp_path / "cloud", waits=2, unreadable=1)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "user").mkdir()
    workspace = make_workspace(tmp_path / "user", add)
    with workspace.server:
        yield workspace


def stages(runner: str) -> str:
    task = "partitioner=dict(type='NaivePartitioner'), runner=dict({}, task=dict(type='{}'))"
    infer, evaluate = task.format(runner, "OpenICLInferTask"), task.format(runner, "OpenICLEvalTask")
    return f"\ninfer = dict({infer})\neval = dict({evaluate})\n"


def settings_of(name: str, workspace: Workspace) -> str:
    (workspace.folder / "task.yaml").write_text(VOLC_FILE)
    extra = f"poll_seconds=0.3, extra_envs=['SERVICE_TOKEN={SECRETS['env']}', 'LANG=C']"
    return {
        "dlc": "type='DLCRunner', "
        f"aliyun_cfg=dict(workspace_id='w', worker_image='i', conda_env_name='compass', {extra})",
        "volc": "type='VOLCRunner', queue_name='q', volcano_cfg=dict("
        f"volcano_config_path={str(workspace.folder / 'task.yaml')!r}, hf_offline=True, {extra})",
        "rjob": "type='RJOBRunner', retry=2, rjob_cfg=dict(task_id='my-exp', image='xxx', mount=['/shared'], "
        f"poll_seconds=0.3, env=dict(HF_HOME='/hf', SERVICE_TOKEN='{SECRETS['env']}'))",
    }[name]


def environ_of(cloud: Cloud, tmp_path: Path) -> dict[str, str]:
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir(exist_ok=True)
    return cloud.environ | {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        "HF_TOKEN": SECRETS["hub"],
        "HF_ENDPOINT": "https://hub.example",
        "http_proxy": f"http://me:{SECRETS['proxy']}@127.0.0.1:9",
        "no_proxy": "127.0.0.1",
    }


@pytest.mark.parametrize("name", ["dlc", "volc", "rjob"])
def test_models_are_asked_and_scored_by_jobs_without_a_secret_on_disk(
    name: str, cloud: Cloud, workspace: Workspace, tmp_path: Path
):
    extra = SECOND + stages(settings_of(name, workspace))
    workspace.write({"sums": 6, "more": 4}, key=SECRETS["model"], extra=extra)
    done = workspace.run(str(workspace.config), "--inline", environ=environ_of(cloud, tmp_path), timeout=240)
    assert done.returncode == 0, done.stderr
    for model in ("adder", "second"):
        for data in ("sums", "more"):
            assert workspace.read(f"results/{model}/{data}.json")["accuracy"] == 100.0
            assert "sums" in (workspace.run_folder / f"logs/infer/{model}/sums.out").read_text()
    assert {call.key for call in workspace.server.calls} == {SECRETS["model"]}
    assert len(list((cloud.folder / "jobs").iterdir())) == 8
    assert not list(workspace.work_dir.glob(".compass-variables"))
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != workspace.config]
    content = {path: path.read_bytes() for path in written}
    assert [path for path in written if any(secret.encode() in content[path] for secret in SECRETS.values())] == []
    assert not any(secret in done.stdout + done.stderr for secret in SECRETS.values())


def test_a_job_that_fails_is_submitted_again_and_one_that_always_does_is_told_about(
    cloud: Cloud, workspace: Workspace, tmp_path: Path
):
    cloud.behave(fails=["second/sums"], failures=1)
    with WebhookServer() as lark:
        extra = (
            f"{SECOND}{stages(settings_of('dlc', workspace))}lark_bot_url = {lark.url!r}\nalerts = dict(form='text')\n"
        )
        workspace.write({"sums": 3}, extra=extra)
        environ = environ_of(cloud, tmp_path)
        done = workspace.run(str(workspace.config), "--inline", environ=environ, timeout=240)
        assert done.returncode == 0 and "submitted again (1 of 2)" in done.stderr, done.stderr
        assert "CUDA error: out of memory" in done.stderr
        cloud.behave(fails=["second/sums"], failures=9)
        lark_before = len(lark.bodies)
        done = workspace.run(str(workspace.config), "--inline", "-l", environ=environ, timeout=240)
        assert done.returncode == 1 and workspace.read("results/adder/sums.json")["accuracy"] == 100.0
        [job] = [text for text in texts(lark)[lark_before:] if "1 cluster jobs" in text.splitlines()[0]]
        assert "second/sums" in job and "CUDA error: out of memory" in job
        assert "CUDA error: out of memory" in next((workspace.run_folder / "summary").glob("*.txt")).read_text()


def texts(server: WebhookServer) -> list[str]:
    return [body["content"]["text"] for body in server.bodies]


def test_dlc_and_runner_choose_a_cloud_for_both_stages(cloud: Cloud, workspace: Workspace, tmp_path: Path):
    workspace.write({"sums": 3})
    (workspace.folder / "aliyun.cfg").write_text("workspace_id = 'w'\nworker_image = 'i'\npoll_seconds = 0.3\n")
    environ = environ_of(cloud, tmp_path)
    done = workspace.run("my_eval.py", "--dlc", "--aliyun-cfg", "aliyun.cfg", "--inline", environ=environ)
    assert done.returncode == 0, done.stderr
    assert [call[:3] for call in cloud.calls("dlc", "submit")] == [["dlc", "submit", "pytorchjob"]] * 2
    workspace.write({"sums": 3}, extra=stages(settings_of("rjob", workspace)))
    done = workspace.run("my_eval.py", "--inline", environ=environ)
    assert done.returncode == 0, done.stderr
    names = [call[2] for call in cloud.calls("rjob", "submit")]
    assert [name[: len("--metadata-name=oc-infer-my-exp-")] for name in names] == [
        "--metadata-name=oc-infer-my-exp-", "--metadata-name=oc-eval-my-exp-" + names[1][31]
    ]  # fmt: skip


def test_jobs_outlive_a_killed_run_and_end_with_an_interrupted_one(cloud: Cloud, workspace: Workspace, tmp_path: Path):
    workspace.write({"sums": 40}, extra=stages(settings_of("dlc", workspace)))
    workspace.server.latency = 0.5
    environ, config = environ_of(cloud, tmp_path), str(workspace.config)
    run = workspace.start(config, "--inline", environ=environ)
    wait_for(lambda: workspace.server.requests >= 4)
    kill_group(run)
    assert list(workspace.work_dir.glob(".compass-variables/*")) != []
    run = workspace.start(config, "--inline", "-r", environ=environ)
    wait_for(lambda: len(cloud.calls("dlc", "get")) >= 6)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130 and "looked for, not submitted again" in " ".join(errors.split()), errors
    assert len(cloud.calls("dlc", "submit")) == 1 and len(cloud.calls("dlc", "stop")) == 1
    assert not list(workspace.work_dir.glob(".compass-variables"))
    workspace.server.latency = 0.0
    done = workspace.run(config, "--inline", "-r", environ=environ, timeout=240)
    assert done.returncode == 0 and workspace.read("results/adder/sums.json")["accuracy"] == 100.0, done.stderr
    assert workspace.server.requests <= 40 + 8  # the four in flight at each end


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)

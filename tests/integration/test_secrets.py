"""No secret is written anywhere: canaries stand wherever one can be given, and all that is written is searched."""

import base64
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self
from urllib.parse import quote

import pytest
from support.fake_backend import add
from support.scripted_server import Call, Turn, failed
from support.slurm import missing, running_slurm
from support.specs import sums, write_rows
from support.workspace import Workspace, make_workspace

from flows.local_server.start import stop_own_server
from flows.local_server.state import server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]

PLACES = (
    "key", "second_key", "named_key", "env_key", "expired_key", "header", "client_header", "cookie", "query", "address",
    "proxy", "client_proxy", "http_proxy", "lark", "slack", "webhook", "database", "env", "extra_env", "hub_token",
    "judge_key", "judge_api_key", "judge_address", "aliyun_id", "aliyun_secret", "loader_token",
)  # fmt: skip
CANARIES = {place: f"canary-{place.replace('_', '-')}-{number:04d}-zqx" for number, place in enumerate(PLACES, 1000)}

CONFIG = """
from opencompass.models import OpenAISDK
from opencompass.openicl.icl_evaluator import AccEvaluator
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever

lark_bot_url = 'https://open.feishu.cn/open-apis/bot/v2/hook/{lark}'
slack = dict(webhook='https://hooks.slack.com/services/T0/B0/{slack}')
alert_webhook_url = 'https://alerts.example/{webhook}'
station = dict(url='postgresql://compass:{database}@db.example/results')
env = dict(HF_TOKEN='{env}', LANG='C')
extra_envs = ['SERVICE_TOKEN={extra_env}']
aliyun_cfg = dict(access_key_id='{aliyun_id}', access_key_secret='{aliyun_secret}')
judge_cfg = dict(
    type=OpenAISDK, abbr='judge', path='judge', key='{judge_key}',
    openai_api_base='http://judge:{judge_address}@127.0.0.1:9/v1', openai_extra_kwargs=dict(api_key='{judge_api_key}'),
)

def dataset(abbr, evaluator):
    return dict(
        abbr=abbr,
        type='own.Loader',
        path={folder!r} + '/rows.jsonl',
        hub_token='{hub_token}',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{question}}')])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=16),
        ),
        eval_cfg=dict(evaluator=evaluator),
    )

datasets = [
    dataset('sums', dict(type=AccEvaluator)),
    dataset('judged', dict(type='own.Judge', judge_cfg=judge_cfg)),
]
common = dict(type=OpenAISDK, path='adder', batch_size=4, retry=1, timeout=5, verbose=True)
models = [
    dict(
        common, abbr='everything', key=['{key}', '{second_key}'],
        openai_api_base='http://user:{address}@127.0.0.1:{port}/v1',
        openai_extra_kwargs=dict(extra_headers={{'X-Gateway-Auth': '{header}'}}, extra_query={{'api_key': '{query}'}}),
        http_client_cfg=dict(headers={{'X-Client-Auth': '{client_header}', 'Cookie': 'session={cookie}'}}),
    ),
    dict(common, abbr='proxied', key='EMPTY', openai_api_base='http://service.example/v1',
         openai_proxy_url='http://proxy:{proxy}@127.0.0.1:9'),
    dict(common, abbr='proxied_by_client', key='EMPTY', openai_api_base='http://service.example/v1',
         http_client_cfg=dict(proxy='http://proxy:{client_proxy}@127.0.0.1:9')),
    dict(common, abbr='by_environment', key='EMPTY', openai_api_base='http://service.example/v1'),
    dict(common, abbr='expired', key='{expired_key}', openai_api_base='http://127.0.0.1:{port}/v1'),
    dict(common, abbr='env', key='ENV', openai_api_base='http://127.0.0.1:{port}/v1'),
    dict(common, abbr='named', key='MY_SERVICE_KEY', openai_api_base='http://127.0.0.1:{port}/v1'),
]
work_dir = {folder!r} + '/outputs'
"""

OWN = """
import json
from pathlib import Path
from opencompass.datasets import BaseDataset
from opencompass.openicl.icl_evaluator import BaseEvaluator

class Loader(BaseDataset):
    @staticmethod
    def load(path, hub_token):
        if Path(path).with_name('hub-is-down').exists():
            raise OSError(f'401 for https://hub.example/data?token={hub_token}')
        return [json.loads(line) for line in Path(path).read_text().splitlines()]

class Judge(BaseEvaluator):
    def __init__(self, judge_cfg):
        self.judge_cfg = judge_cfg

    def score(self, predictions, references):
        raise RuntimeError(f'the judge refused {self.judge_cfg}')
"""


def echo_everything(call: Call) -> Turn | None:
    """A service that repeats in its errors whatever it was sent."""
    sent = f"{dict(call.headers)} {call.path}?{call.query}"
    if call.key == CANARIES["expired_key"]:
        return failed(401, "invalid_api_key", f"expired: {sent}")
    if call.last_user == "What is 3 + 4?":
        return failed(400, message=f"bad request: {sent}")
    return failed(500, message=f"it broke: {sent}") if call.number % 7 == 0 else None


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path / "user", add, decide=echo_everything)
    workspace.folder.mkdir()
    with workspace.server:
        write(workspace)
        yield workspace


def write(workspace: Workspace) -> None:
    write_rows(workspace.folder / "rows.jsonl", sums(60))
    (workspace.folder / "own.py").write_text(OWN)
    text = CONFIG.format(folder=str(workspace.folder), port=workspace.server.port, **CANARIES)
    workspace.config.write_text(text)


@pytest.fixture
def environ(tmp_path: Path) -> Iterator[dict[str, str]]:
    """All places where a process may write lie below the test's folder."""
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    yield {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        "COMPASS_STATE_DIR": str(tmp_path / "state"),
        "OPENAI_API_KEY": CANARIES["env_key"],
        "MY_SERVICE_KEY": CANARIES["named_key"],
        "http_proxy": f"http://proxy:{CANARIES['http_proxy']}@127.0.0.1:9",
    }
    stop_own_server(server_files({"COMPASS_STATE_DIR": str(tmp_path / "state")}))


class ProcessArguments:
    """Collects the command lines of all processes while the block runs."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _follow(self) -> None:
        while not self._ended.wait(0.05):
            for file in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    self.seen.add(file.read_bytes())
                except OSError:
                    continue


def forms(secret: str) -> set[bytes]:
    """How the secret may be written: as it is, in a URL, and as basic authentication with the user names used here."""
    basic = [base64.b64encode(f"{user}:{secret}".encode())[:-4] for user in ("user", "proxy", "judge", "compass")]
    return {secret.encode(), quote(secret, safe="").encode(), *basic}


def found(content: bytes, where: object) -> list[str]:
    return [f"{place} in {where}" for place, secret in CANARIES.items() if any(f in content for f in forms(secret))]


def files_below(folder: Path, but: set[Path]) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and path not in but]


def test_nothing_but_the_users_own_files_holds_a_secret(workspace: Workspace, environ: dict[str, str], tmp_path: Path):
    config = str(workspace.config)
    commands = [
        [config, "--dry-run", "--config-verbose"],
        [config, "--inline", "--config-verbose", "--debug"],
        [config, "--config-verbose"],
        [config, "-r"],
        [config, "-r", "-m", "eval", "--inline"],
        [config, "-r", "-m", "viz"],
    ]
    leaks: list[str] = []
    with ProcessArguments() as arguments:
        for command in commands:
            done = workspace.run(*command, environ=environ, timeout=240)
            assert done.returncode == (0 if "--dry-run" in command or "viz" in command else 1), done.stderr
            leaks += found((done.stdout + done.stderr).encode(), f"what {command[1:]} printed")
        (workspace.folder / "hub-is-down").touch()
        done = workspace.run(config, "--inline", environ=environ)
        assert done.returncode == 2 and "Loader.load failed" in done.stderr
        leaks += found((done.stdout + done.stderr).encode(), "what a failed loader printed")
        workspace.config.write_text(
            workspace.config.read_text().replace("openai_proxy_url='http", "openai_proxy_url=x 'http")
        )
        done = workspace.run(config, "--inline", environ=environ)
        assert done.returncode == 2
        leaks += found((done.stdout + done.stderr).encode(), "what a broken configuration printed")
        time.sleep(3)  # the server's log and database are written a moment later
    leaks += [leak for line in arguments.seen for leak in found(line, f"the arguments {line!r}")]
    own = {workspace.config, workspace.folder / "own.py"}
    written = files_below(tmp_path, own)
    assert any(path.name == "prefect.db" for path in written) and any(".ledger" in str(path) for path in written)
    leaks += [leak for path in written for leak in found(path.read_bytes(), path.relative_to(tmp_path))]
    assert not leaks, "\n".join(sorted(set(leaks)))
    assert_password_is_kept(server_files(environ).password, written, arguments.seen)


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_jobs_of_slurm_leave_none(
    workspace: Workspace, environ: dict[str, str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    """Slurm itself stores the environment of jobs, in a folder of its own."""
    slurm_runner = "dict(type='SlurmRunner', partition='main', max_num_workers=8, retry=1, poll_interval=0.3)"
    with workspace.config.open("a") as file:
        file.write(f"\ninfer = dict(runner={slurm_runner})\neval = dict(runner={slurm_runner})\n")
    with running_slurm(tmp_path_factory.mktemp("slurm") / "base") as slurm, ProcessArguments() as arguments:
        done = workspace.run(
            str(workspace.config), "--inline", "--debug", environ={**environ, **slurm.environment}, timeout=240
        )
    assert done.returncode == 1, done.stderr
    assert {CANARIES["env_key"], CANARIES["named_key"]} <= {call.key for call in workspace.server.calls}
    assert CANARIES["header"] in {call.headers.get("X-Gateway-Auth") for call in workspace.server.calls}
    leaks = found((done.stdout + done.stderr).encode(), "what was printed")
    leaks += [leak for line in arguments.seen for leak in found(line, f"the arguments {line!r}")]
    written = files_below(tmp_path, {workspace.config, workspace.folder / "own.py"})
    assert any(path.suffix == ".out" for path in written) and any(".jobs" in path.parts for path in written)
    leaks += [leak for path in written for leak in found(path.read_bytes(), path.relative_to(tmp_path))]
    assert not leaks, "\n".join(sorted(set(leaks)))


def assert_password_is_kept(file: Path, written: list[Path], arguments: set[bytes]) -> None:
    """The local server's own password is in its file alone, which nobody else can read."""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    password = file.read_text().strip().partition(":")[2].encode()
    assert len(password) >= 16
    assert [path for path in written if password in path.read_bytes()] == [file]
    assert not [line for line in arguments if password in line]

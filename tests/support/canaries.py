"""Canaries: a secret in every place where a user can write one, and the search for them in whatever was written."""

import base64
import threading
from pathlib import Path
from typing import Self
from urllib.parse import quote

from support.fake_backend import add
from support.scripted_server import Call, Turn, failed
from support.specs import sums, write_rows
from support.workspace import Workspace, make_workspace

PLACES = (
    "key", "second_key", "named_key", "env_key", "expired_key", "header", "client_header", "cookie", "query", "address",
    "proxy", "client_proxy", "http_proxy", "lark", "slack", "webhook", "database", "env", "extra_env", "hub_token",
    "token_of_environment", "judge_key", "judge_api_key", "judge_address", "aliyun_id", "aliyun_secret", "loader_token",
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


def canary_workspace(folder: Path, rows: int = 60) -> Workspace:
    """A user's new folder with all canaries, and a server, not started yet, that repeats them."""
    workspace = make_workspace(folder, add, decide=echo_everything)
    folder.mkdir()
    write_rows(folder / "rows.jsonl", sums(rows))
    (folder / "own.py").write_text(OWN)
    return workspace


def write_config(workspace: Workspace, extra: str = "") -> None:
    """The configuration, once the server has its port."""
    text = CONFIG.format(folder=str(workspace.folder), port=workspace.server.port, **CANARIES)
    workspace.config.write_text(text + extra)


def canary_environ(folder: Path) -> dict[str, str]:
    """Variables with canaries; all places where a process may write lie below the folder."""
    for name in ("home", "tmp"):
        (folder / name).mkdir()
    return {
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "COMPASS_STATE_DIR": str(folder / "state"),
        "OPENAI_API_KEY": CANARIES["env_key"],
        "MY_SERVICE_KEY": CANARIES["named_key"],
        "HF_TOKEN": CANARIES["token_of_environment"],
        "http_proxy": f"http://proxy:{CANARIES['http_proxy']}@127.0.0.1:9",
    }


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
    """What of the canaries stands in it."""
    return [f"{place} in {where}" for place, secret in CANARIES.items() if any(f in content for f in forms(secret))]


def files_below(folder: Path, but: set[Path]) -> list[Path]:
    """All files but those; links are not followed."""
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and path not in but]

"""One server and one backend for a model, whoever asks it."""

import sys
from pathlib import Path

from support.scripted_server import __file__ as scripted_server

from tasks.infer.model_access import ModelAccess
from tasks.spec.judge_specs import judge_spec
from tasks.spec.specs import ModelSpec
from tasks.spec.storage.run_folder import RunFolder

CHAT = "tasks.models.services.openai_chat.OpenAISDK"
SERVE = {"command": [sys.executable, scripted_server, "--port", "{port}"]}
ARGUMENTS = {"path": "smol", "key": "EMPTY", "openai_api_base": "http://127.0.0.1:{port}/v1"}


def test_a_model_that_judges_is_served_once(tmp_path: Path):
    model = ModelSpec(abbr="m", type=CHAT, written_type="OpenAISDK", serve=SERVE, arguments=ARGUMENTS, batch_size=4)
    judge = judge_spec({"type": CHAT, "abbr": "m", "serve": SERVE, "batch_size": 4, **ARGUMENTS})
    access = ModelAccess(RunFolder(tmp_path))
    try:
        assert access.backend(judge, None) is access.backend(model, None)
    finally:
        access.close()
    assert len((tmp_path / "logs/serve/m.log").read_text().split()) == 1, "it says its address once"

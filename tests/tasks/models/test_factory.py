"""Backends are built from their entries, once each, and share what belongs to an endpoint."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from support.scripted_server import ScriptedServer

from tasks.models.factory import ModelPool, build_backend
from tasks.models.interface import Request, TokenSource
from tasks.models.services.openai_chat import OpenAISDK
from tasks.spec.findings import Place, UserError
from tasks.spec.specs import ModelSpec
from tasks.spec.status import Status

CHAT = "tasks.models.services.openai_chat.OpenAISDK"
OWN_MODEL = """
from tasks.models.services.openai_chat import OpenAISDK

class Louder(OpenAISDK):
    def body(self, request):
        return super().body(request) | {"loud": True}

class NoModel:
    pass
"""


def _spec(abbr: str = "m", type: str = CHAT, **arguments: Any) -> ModelSpec:
    return ModelSpec(
        abbr=abbr, type=type, written_type=type.rpartition(".")[2], arguments={"key": "EMPTY", **arguments},
        place=Place("config.py", 7),
    )  # fmt: skip


def test_one_backend_per_model_and_one_limiter_per_endpoint() -> None:
    pool = ModelPool()
    first = pool.backend(_spec("a", openai_api_base="http://h/v1"))
    assert pool.backend(_spec("a", openai_api_base="http://h/v1")) is first
    pool.backend(_spec("b", openai_api_base="http://h/v1/"))
    pool.backend(_spec("c", openai_api_base="http://me:pw@other/v1"))
    assert [state.host for state in pool.limiter_states()] == ["h", "other"]


def test_a_judge_with_the_name_of_a_model_that_it_judges_is_another_model_unless_all_is_the_same() -> None:
    pool = ModelPool()
    judged = pool.backend(_spec("m", openai_api_base="http://h/v1"))
    judge = _spec("m", openai_api_base="http://h/v1", temperature=0.5)
    assert pool.backend(judge) is not judged and pool.backend(judge) is pool.backend(judge)
    unplaced = judge.model_copy(update={"arguments": {"key": "EMPTY", "openai_api_base": "http://h/v1"}})
    assert pool.backend(unplaced.model_copy(update={"place": Place(), "written_type": "models.OpenAISDK"})) is judged


def test_rates_are_per_model_and_can_come_from_elsewhere() -> None:
    taken: list[str] = []

    class Shared(TokenSource):
        def __init__(self, model: str) -> None:
            self.model = model

        async def take(self, count: int) -> None:
            taken.append(self.model)

    def rates(model: ModelSpec, per_second: float) -> TokenSource:
        return Shared(f"{model.abbr} {per_second}")

    with ScriptedServer() as server:
        pool = ModelPool(rate_source=rates)

        async def scenario() -> None:
            for abbr, per_second in (("a", 5), ("b", None), ("c", 2)):
                backend = pool.backend(_spec(abbr, openai_api_base=server.url), per_second)
                assert isinstance(backend, OpenAISDK)
                assert (await backend.answer(Request(0, "hi"))).status is Status.OK
            await pool.close()

        asyncio.run(scenario())
    assert taken == ["a 5", "c 2"]


def test_own_class_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "louder_model.py").write_text(OWN_MODEL)
    backend = build_backend(_spec(type="louder_model.Louder"), [tmp_path])
    assert isinstance(backend, OpenAISDK)
    assert backend.body(Request(0, "hi"))["loud"] is True
    with pytest.raises(UserError, match="NoModel is not a model class"):
        build_backend(_spec(type="louder_model.NoModel"), [tmp_path])


def test_unknown_argument_names_the_nearest() -> None:
    with pytest.raises(UserError, match="temprature") as error:
        build_backend(_spec(temprature=1))
    assert "did you mean 'temperature'" in str(error.value)


def test_errors_name_the_entry_of_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(
        UserError, match=r"config\.py:7: key: model 'm': the environment variable OPENAI_API_KEY is not set"
    ):
        build_backend(_spec(key="ENV"))


def test_secrets_left_out_of_the_saved_configuration_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPASS_SECRET_M_KEY", "sk-secret")
    with ScriptedServer(api_key="sk-secret") as server:
        backend = build_backend(_spec(key="ENV:COMPASS_SECRET_M_KEY", openai_api_base=server.url))
        assert isinstance(backend, OpenAISDK)

        async def scenario() -> Status:
            status = (await backend.answer(Request(0, "hi"))).status
            await backend.close()
            return status

        assert asyncio.run(scenario()) is Status.OK


def test_the_classes_tell_nothing_of_their_keys() -> None:
    assert "sk-secret" not in repr(build_backend(_spec(key="sk-secret")))

"""What LMDeploy is asked and how its stream is read, against a double of its documented pipeline."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.fake_tokenizer import FakeTokenizer

from tasks.models.engines.interface import EngineError
from tasks.models.engines.lmdeploy_steps import LMDeployEngine, LMDeployOptions
from tasks.models.interface import Request, Sampling, ScoreRequest
from tasks.spec.status import Status


@dataclass
class GenerationConfig:
    """The arguments that the double's generation knows."""

    max_new_tokens: int = 512
    do_sample: bool = False
    temperature: float = 0.8
    stop_words: list[str] | None = None
    min_new_tokens: int | None = None
    top_k: int = 40


@dataclass
class TurbomindEngineConfig:
    """The arguments that the double's engine knows."""

    tp: int = 1
    session_len: int | None = None


@dataclass
class Double:
    """A pipeline that answers every prompt in two pieces, the last prompt first; a token costs its place."""

    started: Any = None
    prompts: list[str] = field(default_factory=list)
    generations: list[Any] = field(default_factory=list)
    reason: str = "stop"
    fault: Exception | None = None
    skip: int = 0
    read_more: int = 0

    def pipeline(self, path: str, **kwargs: Any) -> "Double":
        if self.fault:
            raise self.fault
        self.started = (path, kwargs)
        return self

    def stream_infer(self, prompts: list[str], gen_config: list[Any], do_preprocess: bool) -> Iterator[Any]:
        assert not do_preprocess
        self.prompts += prompts
        self.generations += gen_config
        for index in reversed(range(self.skip, len(prompts))):
            yield SimpleNamespace(index=index, text="o", finish_reason=None)
            count = len(prompts[index]) + 1 + self.read_more
            yield SimpleNamespace(
                index=index,
                text="k.",
                finish_reason=self.reason,
                generate_token_len=3,
                input_token_len=count,
                error_message="no",
            )

    def get_ppl(self, texts: list[list[int]]) -> list[float]:
        return [sum(range(len(ids))) / (len(ids) - 1) for ids in texts]


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Double:
    double = Double()
    lmdeploy, transformers = ModuleType("lmdeploy"), ModuleType("transformers")
    names = {"pipeline": double.pipeline, "GenerationConfig": GenerationConfig}
    names |= {"TurbomindEngineConfig": TurbomindEngineConfig, "PytorchEngineConfig": TurbomindEngineConfig}
    for name, value in names.items():
        setattr(lmdeploy, name, value)
    transformers.AutoTokenizer = SimpleNamespace(from_pretrained=lambda *_, **__: FakeTokenizer())  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lmdeploy", lmdeploy)
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    return double


def engine(**options: Any) -> LMDeployEngine:
    return LMDeployEngine(LMDeployOptions(**{"path": "some/model", "chat": False, "max_seq_len": 64, **options}))


def results(engine: LMDeployEngine, *jobs: Any) -> list[Any]:
    found = dict(engine.add(jobs))
    while engine.is_busy:
        found |= dict(engine.step())
    return [found[job.index] for job in jobs]


def test_the_engine_is_started_as_configured_without_what_it_does_not_know(
    double: Double, caplog: pytest.LogCaptureFixture
):
    engine(engine_config={"tp": 2, "max_new_tokens": 5})
    path, kwargs = double.started
    assert path == "some/model" and kwargs["trust_remote_code"] is False
    assert kwargs["backend_config"] == TurbomindEngineConfig(tp=2, session_len=64)
    assert "max_new_tokens" in caplog.text


def test_answers_are_put_together_from_the_stream_in_the_order_they_end(double: Double):
    one = engine(stop_words=("\n",))
    one.add([Request(0, "Hi", 8, min_out_len=2, stop=("Q:",)), Request(1, "You", 4)])
    order: list[int] = []
    answers: dict[int, Any] = {}
    while one.is_busy:
        for index, answer in one.step():
            order.append(index)
            answers[index] = answer
    assert order == [1, 0] and double.prompts == ["Hi", "You"]
    assert double.generations[0] == GenerationConfig(8, stop_words=["Q:", "\n"], min_new_tokens=2)
    assert (answers[0].texts, answers[0].status, answers[0].usage.prompt_tokens) == (("ok.",), Status.OK, 3)


def test_chats_are_worded_by_the_template_and_the_engine_adds_the_bos(double: Double, caplog: pytest.LogCaptureFixture):
    results(engine(chat=True), Request(0, [{"role": "HUMAN", "prompt": "Hi"}], 8))
    assert double.prompts == ["[u]Hi[a]"] and "BOS" not in caplog.text


def test_a_template_that_writes_the_bos_gives_no_second_one(double: Double, caplog: pytest.LogCaptureFixture):
    results(engine(), Request(0, "^Hi", 8))
    assert double.prompts == ["Hi"] and "BOS" not in caplog.text


def test_a_bos_too_many_shows_in_what_the_engine_read_of_the_first_prompt(
    double: Double, caplog: pytest.LogCaptureFixture
):
    double.read_more = 1
    results(engine(), Request(0, "Hi", 8), Request(1, "You", 8))
    assert caplog.text.count("look for a BOS too many or too few") == 1


def test_several_answers_to_one_prompt(double: Double):
    options = {"do_sample": True, "temperature": 1.0}
    [answer] = results(engine(gen_config=options), Request(0, "Hi", 8, sequences=2))
    assert double.prompts == ["Hi", "Hi"] and answer.texts == ("ok.", "ok.")
    assert double.generations[0].do_sample


def test_answers_are_drawn_as_the_data_set_says(double: Double):
    results(engine(), Request(0, "Hi", 8, sampling=Sampling(temperature=0.5, top_k=7)))
    drawn = double.generations[0]
    assert (drawn.do_sample, drawn.temperature, drawn.top_k) == (True, 0.5, 7)


def test_only_the_continuation_is_summed_up(double: Double):
    first, second = results(engine(), ScoreRequest(0, "ab", "cd"), ScoreRequest(1, "", "ab"))
    assert (first.log_likelihood, first.tokens) == (pytest.approx(-7.0), 2)
    assert (second.log_likelihood, second.tokens) == (pytest.approx(-3.0), 2)


def test_an_error_of_the_engine_is_the_error_of_its_prompt(double: Double):
    double.reason = "error"
    [answer] = results(engine(), Request(0, "Hi", 8))
    assert (answer.status, answer.error) == (Status.ERROR, "LMDeploy: no")


def test_a_prompt_that_the_stream_forgets_has_an_error(double: Double):
    double.skip = 1
    lost, there = results(engine(), Request(0, "Hi", 8), Request(1, "You", 8))
    assert lost.status is Status.ERROR and there.status is Status.OK


def test_an_answer_at_the_limit_is_truncated(double: Double):
    double.reason = "length"
    assert results(engine(), Request(0, "Hi", 8))[0].status is Status.TRUNCATED


def test_a_model_with_own_code_is_refused_with_the_key(double: Double):
    double.fault = ValueError("set trust_remote_code")
    with pytest.raises(EngineError, match="trust_remote_code=True"):
        engine()


def test_the_classes_of_configurations(monkeypatch: pytest.MonkeyPatch):
    from tasks.models.engines.lmdeploy_engine import TurboMindModel, TurboMindModelwithChatTemplate

    monkeypatch.setattr("tasks.models.engines.huggingface.find_spec", lambda name: object())
    base = TurboMindModel(path="some/model", engine_config={"session_len": 99}, end_str="\n", drop_middle=True)
    assert (base.prompt_form, base.can_score, base.max_seq_len) == ("text", True, 99)
    assert (base.options.stop_words, base.options.cut) == (("\n",), "mid")
    chat = TurboMindModelwithChatTemplate(path="some/model", max_seq_len=10)
    assert (chat.prompt_form, chat.can_score, chat.options.chat) == ("messages", False, True)

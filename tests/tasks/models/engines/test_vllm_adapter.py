"""What vLLM is asked and how its results are read, against a double of its documented interface."""

import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.fake_tokenizer import BOS, FakeTokenizer

from tasks.models.engines.interface import EngineError
from tasks.models.engines.vllm_steps import VLLMEngine, VLLMOptions
from tasks.models.interface import Request, ScoreRequest
from tasks.spec.status import Status


@dataclass
class Double:
    """`LLM` and its engine: every answer is `ok.`, the n-th prompt token has the log-probability -n."""

    started: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    waiting: list[Any] = field(default_factory=list)
    fault: Exception | None = None
    model_config: Any = field(default_factory=lambda: SimpleNamespace(max_model_len=64))

    def LLM(self, **kwargs: Any) -> Any:  # noqa: N802
        if self.fault:
            raise self.fault
        self.started = kwargs
        return SimpleNamespace(llm_engine=self, get_tokenizer=FakeTokenizer)

    def add_request(self, request_id: str, prompt: Any, params: Any, lora_request: Any = None) -> None:
        self.asked[request_id] = SimpleNamespace(ids=prompt["prompt_token_ids"], params=params, lora=lora_request)
        self.waiting.append(request_id)

    def step(self) -> list[Any]:
        return [self._output(self.waiting.pop(0))]

    def _output(self, request_id: str) -> Any:
        asked = self.asked[request_id]
        one = SimpleNamespace(text="ok.", finish_reason="stop", token_ids=[1, 2, 3])
        logprobs = [None, *({token: SimpleNamespace(logprob=-at)} for at, token in enumerate(asked.ids) if at)]
        outputs = [one] * asked.params.get("n", 1)
        return SimpleNamespace(request_id=request_id, finished=True, outputs=outputs, prompt_logprobs=logprobs)


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Double:
    double, module = Double(), ModuleType("vllm")
    module.LLM, module.SamplingParams = double.LLM, dict  # type: ignore[attr-defined]
    lora = ModuleType("vllm.lora.request")
    lora.LoRARequest = lambda *given: given  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.setitem(sys.modules, "vllm.lora.request", lora)
    return double


def engine(**options: Any) -> VLLMEngine:
    return VLLMEngine(VLLMOptions(**{"path": "some/model", "chat": False, **options}))


def results(engine: VLLMEngine, *jobs: Any) -> list[Any]:
    found = dict(engine.add(jobs))
    while engine.is_busy:
        found |= dict(engine.step())
    return [found[job.index] for job in jobs]


def test_the_engine_is_started_as_configured_and_trusts_nobody_by_itself(double: Double):
    engine(model_kwargs={"tensor_parallel_size": 2}, max_seq_len=32)
    assert double.started == {
        "model": "some/model",
        "trust_remote_code": False,
        "tensor_parallel_size": 2,
        "max_model_len": 32,
    }


def test_prompts_are_asked_as_tokens_greedily_within_the_limit(double: Double):
    [answer] = results(engine(stop_words=("\n",)), Request(0, "Hi", 8, min_out_len=2, stop=("Q:",)))
    asked = double.asked["0"]
    assert asked.ids == [BOS, *b"Hi"]
    assert asked.params == {"temperature": 0, "max_tokens": 8, "stop": ["Q:", "\n"], "min_tokens": 2}
    assert (answer.texts, answer.status, answer.finish_reason) == (("ok.",), Status.OK, "stop")
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (3, 3)


def test_chats_are_worded_by_the_template_with_one_bos(double: Double):
    results(engine(chat=True), Request(0, [{"role": "HUMAN", "prompt": "Hi"}], 8))
    assert bytes(double.asked["0"].ids) == b"^[u]Hi[a]"


def test_a_template_that_writes_the_bos_gives_no_second_one(double: Double):
    results(engine(), Request(0, "^Hi", 8), ScoreRequest(1, "^ab", "cd"))
    assert double.asked["0"].ids == [BOS, *b"Hi"] and double.asked["1"].ids == [BOS, *b"abcd"]


def test_configured_sampling_and_several_answers(double: Double):
    options = {"temperature": 0.7, "max_tokens": 9999}
    [answer] = results(engine(generation_kwargs=options), Request(0, "Hi", 8, sequences=3))
    assert double.asked["0"].params == {"temperature": 0.7, "max_tokens": 8, "stop": [], "n": 3}
    assert answer.texts == ("ok.",) * 3


def test_an_adapter_goes_with_every_request(double: Double):
    results(engine(lora_path="/adapter"), Request(0, "Hi", 8))
    assert double.started["enable_lora"] and double.asked["0"].lora == ("adapter", 1, "/adapter")


def test_only_the_continuation_is_summed_up(double: Double):
    [score] = results(engine(), ScoreRequest(0, "ab", "cd"))
    assert (score.log_likelihood, score.tokens) == (-7.0, 2)
    assert double.asked["0"].params["prompt_logprobs"] == 0


def test_every_token_has_its_own_where_that_is_asked(double: Double):
    [score] = results(engine(), ScoreRequest(0, "ab", "cd", tokenwise=True))
    assert score.token_log_probabilities == (-3.0, -4.0)


def test_what_does_not_fit_has_an_error_and_the_others_go_on(double: Double):
    long, short, text = results(
        engine(chat=True), Request(0, "x" * 100, 8), Request(1, "x", 8), ScoreRequest(2, "a", "b" * 100)
    )
    assert long.status is Status.ERROR and "max_seq_len" in long.error
    assert short.status is Status.OK and text.status is Status.ERROR


def test_a_model_with_own_code_is_refused_with_the_key(double: Double):
    double.fault = ValueError("Please pass the argument `trust_remote_code=True`")
    with pytest.raises(EngineError, match=r"model_kwargs=dict\(trust_remote_code=True\)"):
        engine()


def test_the_classes_of_configurations(monkeypatch: pytest.MonkeyPatch):
    from tasks.models.engines.vllm_engine import VLLM, VLLMwithChatTemplate

    monkeypatch.setattr("tasks.models.engines.huggingface.find_spec", lambda name: object())
    base = VLLM(path="some/model", model_kwargs={"max_model_len": 99}, end_str="\n", mode="mid")
    assert (base.prompt_form, base.can_score, base.max_seq_len) == ("text", True, 99)
    assert (base.options.stop_words, base.options.cut) == (("\n",), "mid")
    chat = VLLMwithChatTemplate(path="some/model", max_seq_len=10)
    assert (chat.prompt_form, chat.can_score, chat.options.chat, chat.options.max_seq_len) == (
        "messages",
        False,
        True,
        10,
    )

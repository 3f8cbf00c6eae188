"""The engine that runs a model with vLLM: it schedules by itself, results come out as they are finished."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from tasks.models.engines.interface import Done, Engine, EngineError, Job, failure
from tasks.models.engines.prompt_tokens import CutSide, Encoded, PromptTokens, ScoredSpan, TooManyTokens, scored
from tasks.models.http.answer_status import Choice, completion_of
from tasks.models.interface import Request, ScoreRequest, Usage

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class VLLMOptions:
    """What vLLM is started and asked with; see `tasks.models.engines.vllm_engine` for the names."""

    path: str
    chat: bool
    model_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    generation_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    max_seq_len: int | None = None
    lora_path: str | None = None
    stop_words: tuple[str, ...] = ()
    cut: CutSide = "none"
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    think_tag: str = "</think>"


@dataclass(slots=True)
class _Running:
    job: Job
    started: float
    encoded: Encoded | None = None
    span: ScoredSpan | None = None


class VLLMEngine(Engine):
    """Hands vLLM token ids, so that prompts are encoded as for every local engine."""

    def __init__(self, options: VLLMOptions) -> None:
        self._vllm: Any = import_module("vllm")
        self._options = options
        self._llm = _load(self._vllm, options)
        self._engine = self._llm.llm_engine
        length = options.max_seq_len or self._engine.model_config.max_model_len
        self._tokens = PromptTokens(
            self._llm.get_tokenizer(),
            chat=options.chat,
            max_seq_len=min(length, self._engine.model_config.max_model_len),
            cut=options.cut,
            template_options=options.chat_template_kwargs,
        )
        self._running: dict[str, _Running] = {}

    def add(self, jobs: Sequence[Job]) -> list[Done]:
        done: list[Done] = []
        for job in jobs:
            try:
                self._add(job)
            except TooManyTokens as error:
                done.append(failure(job, str(error)))
        return done

    def step(self) -> list[Done]:
        return [self._done(output) for output in self._engine.step() if output.finished]

    @property
    def is_busy(self) -> bool:
        return bool(self._running)

    def _add(self, job: Job) -> None:
        running = _Running(job, time.perf_counter())
        if isinstance(job, ScoreRequest):
            running.span = span = self._tokens.span(job)
            ids = [*span.given, *span.scored]
            if len(ids) == self._tokens.max_seq_len:  # vLLM wants room for the one token that it has to generate
                raise TooManyTokens(f"the text has {len(ids)} tokens, as many as the model takes (max_seq_len)")
            sampling = self._vllm.SamplingParams(temperature=0, max_tokens=1, prompt_logprobs=0, detokenize=False)
        else:
            running.encoded = self._tokens.prompt(job)
            ids, sampling = running.encoded.ids, self._sampling(job, running.encoded)
        lora = {"lora_request": self._lora()} if self._options.lora_path else {}
        self._engine.add_request(str(job.index), {"prompt_token_ids": ids}, sampling, **lora)
        self._running[str(job.index)] = running

    def _sampling(self, job: Request, encoded: Encoded) -> Any:
        """The configured parameters, greedy by default; the output limit is the request's."""
        own = job.sampling.given if job.sampling else {}
        kwargs: dict[str, Any] = {"temperature": 0, **self._options.generation_kwargs, **own}
        stops = [*job.stop, *self._options.stop_words, *kwargs.pop("stop", ())]
        more = {"n": job.sequences} if job.sequences > 1 else {}
        if job.min_out_len:
            more["min_tokens"] = min(job.min_out_len, encoded.max_new)
        return self._vllm.SamplingParams(**{**kwargs, **more, "max_tokens": encoded.max_new, "stop": stops})

    def _lora(self) -> Any:
        return import_module("vllm.lora.request").LoRARequest("adapter", 1, self._options.lora_path)

    def _done(self, output: Any) -> Done:
        running = self._running.pop(output.request_id)
        latency = time.perf_counter() - running.started
        if isinstance(running.job, ScoreRequest):
            assert running.span is not None
            values = _log_probabilities(output, running.span)
            tokenwise = values if running.job.tokenwise else None
            return running.job.index, scored(running.span, sum(values), latency, tokenwise)
        assert running.encoded is not None
        choices = [
            Choice(one.text, "length" if one.finish_reason == "length" else "whole", one.finish_reason)
            for one in output.outputs
        ]
        usage = Usage(len(running.encoded.ids), sum(len(one.token_ids) for one in output.outputs))
        stops = (*running.job.stop, *self._options.stop_words)
        completion = completion_of(choices, usage, stops, self._options.think_tag)
        return running.job.index, replace(completion, latency=latency, note=running.encoded.note)


def _load(vllm: Any, options: VLLMOptions) -> Any:
    kwargs = {"trust_remote_code": False, **options.model_kwargs}
    if options.max_seq_len:
        kwargs.setdefault("max_model_len", options.max_seq_len)
    if options.lora_path:
        kwargs.setdefault("enable_lora", True)
    try:
        return vllm.LLM(model=options.path, **kwargs)
    except (OSError, ValueError, ImportError, TypeError) as error:
        if "trust_remote_code" in str(error):
            reason = "brings code of its own: if you trust it, write model_kwargs=dict(trust_remote_code=True)"
            raise EngineError(f"{options.path} {reason}") from error
        raise EngineError(f"{options.path} cannot be loaded: {error}") from error


def _log_probabilities(output: Any, span: ScoredSpan) -> list[float]:
    """Of the scored tokens; vLLM gives for each place the probabilities of several tokens, by id."""
    places = output.prompt_logprobs[len(span.given) :]
    return [place[token].logprob for place, token in zip(places, span.scored, strict=True)]

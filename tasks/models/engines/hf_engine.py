"""The engine that runs a model with transformers: sorts by length, fills batches by a token budget."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tasks.models.engines.batches import next_batch
from tasks.models.engines.hf_generation import Generated, Generator, Prompted
from tasks.models.engines.hf_loading import (
    HFOptions,
    context_length,
    end_tokens,
    load_model,
    load_tokenizer,
    padding_token,
)
from tasks.models.engines.hf_scoring import Scorer, SharedContext
from tasks.models.engines.interface import Done, Engine, Job, failure
from tasks.models.engines.prompt_tokens import Encoded, PromptTokens, ScoredSpan, TooManyTokens, scored
from tasks.models.http.answer_status import Choice, completion_of
from tasks.models.interface import Request, Sampling, ScoreRequest, Usage

_log = logging.getLogger(__name__)
_BATCH_TOKENS_CPU = 2_048
"""A processor computes as long as it reads from a few rows on, and larger caches leave its own."""
_BATCH_TOKENS_GPU = 65_536

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Ask:
    """A prompt that waits."""

    request: Request
    encoded: Encoded
    sequences: int

    @property
    def size(self) -> int:
        return self.sequences * (len(self.encoded.ids) + self.encoded.max_new)

    @property
    def kind(self) -> tuple[int, int, int, Sampling | None]:
        """What all answers of a batch share."""
        return self.encoded.max_new, self.request.min_out_len or 0, self.sequences, self.request.sampling


@dataclass(slots=True)
class _Question:
    """Texts that wait to be scored under one context."""

    given: tuple[int, ...]
    jobs: list[ScoreRequest] = field(default_factory=list[ScoreRequest])
    spans: list[ScoredSpan] = field(default_factory=list[ScoredSpan])

    @property
    def shared(self) -> SharedContext:
        return SharedContext(self.given, tuple(tuple(span.scored) for span in self.spans))


class HFEngine(Engine):
    """Holds the model and what waits for it."""

    def __init__(self, options: HFOptions) -> None:
        started = time.monotonic()
        tokenizer, model = load_tokenizer(options), load_model(options)
        pad = padding_token(options, tokenizer, model.generation_config)
        self._options = options
        self._tokens = PromptTokens(
            tokenizer,
            chat=options.chat,
            max_seq_len=context_length(options, model.config),
            cut=options.cut,
            template_options=options.chat_template_kwargs,
        )
        kwargs = {name: value for name, value in options.generation_kwargs.items() if name != "num_return_sequences"}
        self._sequences = int(options.generation_kwargs.get("num_return_sequences", 1))
        ends = end_tokens(tokenizer, model.generation_config)
        self._generator = Generator(model, tokenizer, pad=pad, ends=ends, generation_kwargs=kwargs)
        self._scorer = Scorer(model, pad)
        on_gpu = model.device.type != "cpu"
        self._budget = options.batch_tokens or (_BATCH_TOKENS_GPU if on_gpu else _BATCH_TOKENS_CPU)
        self._asks: list[_Ask] = []
        self._questions: list[_Question] = []
        _log.info("loaded %s on %s in %.1f s", options.path, model.device, time.monotonic() - started)

    def add(self, jobs: Sequence[Job]) -> list[Done]:
        done: list[Done] = []
        for job in jobs:
            try:
                if isinstance(job, ScoreRequest):
                    self._add_question(job)
                else:
                    self._add_ask(job)
            except TooManyTokens as error:
                done.append(failure(job, str(error)))
        return done

    def step(self) -> list[Done]:
        if self._questions:
            batch = next_batch(self._questions, size=lambda q: q.shared.tokens, budget=self._budget)
            return self._guarded(batch, self._score, self._questions, _failed_question)
        batch = next_batch(self._asks, size=lambda ask: ask.size, budget=self._budget, group=lambda ask: ask.kind)
        return self._guarded(batch, self._generate, self._asks, _failed_ask)

    @property
    def is_busy(self) -> bool:
        return bool(self._asks or self._questions)

    def _add_ask(self, job: Request) -> None:
        sequences = job.sequences if job.sequences > 1 else self._sequences
        if sequences > 1 and not (job.sampling or self._generator.samples):
            raise TooManyTokens("several answers need sampling: write generation_kwargs=dict(do_sample=True, …)")
        self._asks.append(_Ask(job, self._tokens.prompt(job), sequences))

    def _add_question(self, job: ScoreRequest) -> None:
        span = self._tokens.span(job)
        given = tuple(span.given)
        # Options of one question arrive one after the other, so only the newest question can be theirs.
        if not self._questions or self._questions[-1].given != given:
            self._questions.append(_Question(given))
        self._questions[-1].jobs.append(job)
        self._questions[-1].spans.append(span)

    def _guarded(
        self,
        batch: list[T],
        work: Callable[[list[T]], list[Done]],
        waiting: list[T],
        failed: Callable[[T, str], list[Done]],
    ) -> list[Done]:
        """The results of a batch; one that does not fit into the memory is halved, any other failure is its answer."""
        try:
            return work(batch)
        except Exception as error:  # noqa: BLE001 the model's own code may raise anything
            if len(batch) > 1 and _is_out_of_memory(error):
                self._budget = max(1, self._budget // 2)
                _log.warning("out of memory with %d in a batch; batches are halved", len(batch))
                waiting.extend(batch)
                return []
            reason = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            _log.exception("a batch failed")
            return [done for item in batch for done in failed(item, reason)]

    def _generate(self, batch: list[_Ask]) -> list[Done]:
        max_new, min_new, sequences, sampling = batch[0].kind
        started = time.perf_counter()
        prompted = [Prompted(ask.encoded.ids, (*ask.request.stop, *self._options.stop_words)) for ask in batch]
        answers = self._generator.run(
            prompted, max_new=max_new, min_new=min_new, sequences=sequences, sampling=sampling
        )
        latency = time.perf_counter() - started
        return [
            self._completed(ask, generated, prompt.stop, latency)
            for ask, generated, prompt in zip(batch, answers, prompted, strict=True)
        ]

    def _completed(self, ask: _Ask, generated: list[Generated], stop: tuple[str, ...], latency: float) -> Done:
        choices = [
            Choice(one.text, "length" if one.finish_reason == "length" else "whole", one.finish_reason)
            for one in generated
        ]
        usage = Usage(len(ask.encoded.ids), sum(one.tokens for one in generated))
        completion = completion_of(choices, usage, stop, self._options.think_tag)
        return ask.request.index, replace(completion, latency=latency, note=ask.encoded.note)

    def _score(self, batch: list[_Question]) -> list[Done]:
        started = time.perf_counter()
        found = self._scorer.run([question.shared for question in batch])
        latency = time.perf_counter() - started
        return [
            (job.index, scored(span, sum(values), latency, values if job.tokenwise else None))
            for question, texts in zip(batch, found, strict=True)
            for job, span, values in zip(question.jobs, question.spans, texts, strict=True)
        ]


def _failed_ask(ask: _Ask, reason: str) -> list[Done]:
    return [failure(ask.request, reason)]


def _failed_question(question: _Question, reason: str) -> list[Done]:
    return [failure(job, reason) for job in question.jobs]


def _is_out_of_memory(error: Any) -> bool:
    return type(error).__name__ == "OutOfMemoryError" or "can't allocate memory" in str(error)

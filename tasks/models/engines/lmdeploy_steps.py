"""The engine that runs a model with LMDeploy, through its documented pipeline."""

import dataclasses
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Literal

from tasks.models.engines.interface import Done, Engine, EngineError, Job, failure
from tasks.models.engines.prompt_tokens import CutSide, Encoded, PromptTokens, ScoredSpan, TooManyTokens, scored
from tasks.models.http.answer_status import Choice, completion_of
from tasks.models.interface import Request, ScoreRequest, Usage

_log = logging.getLogger(__name__)
_MOST_PROMPTS = 512
"""Prompts in one stream: later ones wait until it has ended."""
_MOST_TEXTS = 32

EngineKind = Literal["turbomind", "pytorch"]
_CONFIGS: dict[EngineKind, str] = {"turbomind": "TurbomindEngineConfig", "pytorch": "PytorchEngineConfig"}


@dataclass(frozen=True, kw_only=True)
class LMDeployOptions:
    """What LMDeploy is started and asked with; see `tasks.models.engines.lmdeploy_engine` for the names."""

    path: str
    chat: bool
    backend: EngineKind = "turbomind"
    engine_config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    gen_config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    max_seq_len: int | None = None
    stop_words: tuple[str, ...] = ()
    cut: CutSide = "none"
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    think_tag: str = "</think>"
    trust_remote_code: bool = False


@dataclass(slots=True)
class _Ask:
    """A prompt that waits or runs, with one text per answer."""

    request: Request
    encoded: Encoded
    text: str
    started: float = 0.0
    texts: list[str] = field(default_factory=list[str])
    tokens: int = 0
    reasons: list[str] = field(default_factory=list[str])


class LMDeployEngine(Engine):
    """Streams a window of prompts at a time, and scores texts between two windows."""

    def __init__(self, options: LMDeployOptions) -> None:
        self._checked = False
        self._lmdeploy: Any = import_module("lmdeploy")
        transformers: Any = import_module("transformers")
        self._options = options
        length = options.max_seq_len or options.engine_config.get("session_len")
        config = self._known(_CONFIGS[options.backend], {"session_len": length, **options.engine_config})
        try:
            trusted = options.trust_remote_code
            self._pipeline = self._lmdeploy.pipeline(options.path, backend_config=config, trust_remote_code=trusted)
            tokenizer = transformers.AutoTokenizer.from_pretrained(options.path, trust_remote_code=trusted)
        except (OSError, ValueError, ImportError) as error:
            if "trust_remote_code" in str(error):
                reason = "brings code of its own: if you trust it, write trust_remote_code=True"
                raise EngineError(f"{options.path} {reason}") from error
            raise EngineError(f"{options.path} cannot be loaded: {error}") from error
        self._tokens = PromptTokens(
            tokenizer,
            chat=options.chat,
            max_seq_len=int(length or tokenizer.model_max_length),
            cut=options.cut,
            template_options=options.chat_template_kwargs,
        )
        self._asks: list[_Ask] = []
        self._spans: list[tuple[ScoreRequest, ScoredSpan]] = []
        self._window: list[tuple[_Ask, int]] = []
        self._stream: Iterator[Any] | None = None

    def add(self, jobs: Sequence[Job]) -> list[Done]:
        done: list[Done] = []
        for job in jobs:
            try:
                if isinstance(job, ScoreRequest):
                    self._spans.append((job, self._tokens.span(job)))
                else:
                    encoded = self._tokens.prompt(job)
                    self._asks.append(_Ask(job, encoded, self._text(job, encoded)))
            except TooManyTokens as error:
                done.append(failure(job, str(error)))
        return done

    def step(self) -> list[Done]:
        if self._stream is not None:
            return self._read_on(self._stream)
        if self._spans:
            return self._score()
        self._open_stream()
        return []

    @property
    def is_busy(self) -> bool:
        return bool(self._stream is not None or self._spans or self._asks)

    def _text(self, job: Request, encoded: Encoded) -> str:
        """LMDeploy encodes by itself, and puts the BOS in front where the tokenizer does."""
        tokenizer = self._tokens.tokenizer
        if encoded.note and "prompt cut" in encoded.note:
            text = tokenizer.decode(encoded.ids)
        else:
            text = self._tokens.wording(job.prompt)
        bos = tokenizer.bos_token
        adds_bos = bool(bos) and tokenizer.encode("a")[0] == tokenizer.bos_token_id
        return text.removeprefix(bos) if adds_bos else text

    def _open_stream(self) -> None:
        asks, self._asks = self._asks[:_MOST_PROMPTS], self._asks[_MOST_PROMPTS:]
        self._window = []
        for ask in asks:
            ask.started = time.perf_counter()
            for _ in range(ask.request.sequences):
                self._window.append((ask, len(ask.texts)))
                ask.texts.append("")
        self._stream = iter(
            self._pipeline.stream_infer(
                [ask.text for ask, _ in self._window],
                gen_config=[self._generation(ask) for ask, _ in self._window],
                do_preprocess=False,
            )
        )

    def _read_on(self, stream: Iterator[Any]) -> list[Done]:
        """Takes one piece of text out of the stream."""
        piece = next(stream, None)
        if piece is None:
            self._stream = None
            open_asks = {ask.request.index: ask for ask, _ in self._window if len(ask.reasons) < len(ask.texts)}
            return [failure(ask.request, "LMDeploy ended without an answer") for ask in open_asks.values()]
        ask, place = self._window[int(piece.index)]
        ask.texts[place] += piece.text or ""
        if piece.finish_reason is None:
            return []
        self._check_first(ask, piece)
        ask.tokens += piece.generate_token_len
        if piece.finish_reason in ("error", "abort"):
            reason = f"LMDeploy: {getattr(piece, 'error_message', None) or piece.finish_reason}"
            ask.reasons += [piece.finish_reason] * (len(ask.texts) - len(ask.reasons))
            return [failure(ask.request, reason)]
        ask.reasons.append(piece.finish_reason)
        return [self._completed(ask)] if len(ask.reasons) == len(ask.texts) else []

    def _completed(self, ask: _Ask) -> Done:
        choices = [
            Choice(text, "length" if reason == "length" else "whole", reason)
            for text, reason in zip(ask.texts, ask.reasons, strict=True)
        ]
        usage = Usage(len(ask.encoded.ids), ask.tokens)
        stops = (*ask.request.stop, *self._options.stop_words)
        completion = completion_of(choices, usage, stops, self._options.think_tag)
        latency = time.perf_counter() - ask.started
        return ask.request.index, replace(completion, latency=latency, note=ask.encoded.note)

    def _score(self) -> list[Done]:
        """LMDeploy gives the mean over all tokens but the first; the scored ones are the whole less the given."""
        started = time.perf_counter()
        batch, self._spans = self._spans[:_MOST_TEXTS], self._spans[_MOST_TEXTS:]
        contexts = list(dict.fromkeys(tuple(span.given) for _, span in batch if len(span.given) > 1))
        texts = [[*span.given, *span.scored] for _, span in batch]
        surprise = self._pipeline.get_ppl([*map(list, contexts), *texts])
        given = {ids: mean * (len(ids) - 1) for ids, mean in zip(contexts, surprise, strict=False)}
        whole = [mean * (len(ids) - 1) for ids, mean in zip(texts, surprise[len(contexts) :], strict=True)]
        latency = time.perf_counter() - started
        return [
            (job.index, scored(span, given.get(tuple(span.given), 0.0) - total, latency))
            for (job, span), total in zip(batch, whole, strict=True)
        ]

    def _generation(self, ask: _Ask) -> Any:
        """Greedy unless the configuration samples; the output limit is the request's."""
        kwargs: dict[str, Any] = {"do_sample": False, **self._options.gen_config}
        if ask.request.sampling:
            kwargs |= {"do_sample": True, **ask.request.sampling.given}
        stops = [*ask.request.stop, *self._options.stop_words, *(kwargs.pop("stop_words", None) or ())]
        kwargs |= {"max_new_tokens": ask.encoded.max_new, "stop_words": stops or None}
        if ask.request.min_out_len:
            kwargs["min_new_tokens"] = min(ask.request.min_out_len, ask.encoded.max_new)
        return self._known("GenerationConfig", kwargs)

    def _known(self, name: str, values: Mapping[str, Any]) -> Any:
        """An object of LMDeploy's class; what the class does not know is left out, and said once at the start."""
        config: Any = getattr(self._lmdeploy, name)
        names = {known.name for known in dataclasses.fields(config)}
        unknown = sorted(set(values) - names)
        if unknown and not self._checked:
            _log.warning("LMDeploy's %s has no %s: left out", name, ", ".join(unknown))
        return config(**{key: value for key, value in values.items() if key in names})

    def _check_first(self, ask: _Ask, piece: Any) -> None:
        """A BOS too many or too few shows in the number of tokens that the engine read."""
        if not self._checked and piece.input_token_len != len(ask.encoded.ids):
            _log.warning(
                "LMDeploy read %d tokens of the first prompt, which has %d: look for a BOS too many or too few",
                piece.input_token_len,
                len(ask.encoded.ids),
            )
        self._checked = True

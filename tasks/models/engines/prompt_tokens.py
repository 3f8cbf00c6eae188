"""From prompts to token ids, by the model's own tokenizer and chat template; the same for all local engines."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tasks.models.engines.interface import EngineError
from tasks.models.interface import Likelihood, Request, ScoreRequest
from tasks.models.length_policy import CutMode, cut_note, cut_prompt
from tasks.spec.chat import Message, Prompt, to_wire_messages
from tasks.spec.status import Status

_log = logging.getLogger(__name__)

CutSide = CutMode
"""What of a prompt that is too long goes; `none`: it is not asked."""
_DEFAULT_OUT_LEN = 512


class TooManyTokens(Exception):
    """The prompt or text does not fit into the model."""


class Encoded(NamedTuple):
    """A prompt that fits."""

    ids: list[int]
    max_new: int
    """Output limit in tokens."""
    note: str | None


class ScoredSpan(NamedTuple):
    """A text that fits: tokens that are given, at least one, and tokens that are scored under them."""

    given: list[int]
    scored: list[int]
    cut: int
    """Tokens left out at the front because the text is too long."""


class PromptTokens:
    """Encodes for one model."""

    def __init__(
        self,
        tokenizer: Any,
        *,
        chat: bool,
        max_seq_len: int,
        cut: CutSide = "none",
        template_options: Mapping[str, Any] | None = None,
    ) -> None:
        """`tokenizer` is one of transformers; EngineError for a chat model without a chat template."""
        if chat and not tokenizer.chat_template:
            raise EngineError(
                "the tokenizer has no chat template: ask this model as a base model (HuggingFaceBaseModel, VLLM), "
                "or pass tokenizer_kwargs=dict(chat_template=…)"
            )
        self.tokenizer = tokenizer
        self.max_seq_len = max_seq_len
        self._chat = chat
        self._cut: CutSide = cut
        self._template_options = dict(template_options or {})
        self._prefix = _special_prefix(tokenizer)
        self._checked = False

    def prompt(self, request: Request) -> Encoded:
        """The ids that are asked. TooManyTokens if they do not fit and may not be cut."""
        ids = self._ids(request.prompt)
        self._check_first(ids)
        wanted = request.max_out_len or _DEFAULT_OUT_LEN
        note = None
        if len(ids) >= self.max_seq_len:
            if self._cut == "none":
                raise TooManyTokens(
                    f"the prompt has {len(ids)} tokens, the model takes {self.max_seq_len} (max_seq_len)"
                )
            limit = max(1, self.max_seq_len - min(wanted, self.max_seq_len // 2))
            before, (ids, dropped) = len(ids), self._cut_to(request.prompt, ids, limit)
            note = cut_note(before, len(ids), self._cut, dropped)
        room = self.max_seq_len - len(ids)
        if wanted > 2 * room:
            note = "; ".join(filter(None, (note, f"output limit cut from {wanted} to {room} tokens")))
        return Encoded(ids, min(wanted, room), note)

    def span(self, request: ScoreRequest) -> ScoredSpan:
        """What is given and what is scored of the text. TooManyTokens if what is scored alone is too long.

        The text is encoded as a whole; where a token reaches over the boundary, it is scored. Without a context the
        special tokens that the tokenizer puts in front are given, and where it puts none, the first token.
        """
        whole = self.text(request.context + request.continuation)
        context = self.text(request.context) if request.context else self._prefix
        start = next((at for at, pair in enumerate(zip(context, whole, strict=False)) if pair[0] != pair[1]), None)
        start = min(len(context), len(whole)) if start is None else start
        start = max(1, min(start, len(whole) - 1))
        self._check_first(whole)
        cut = max(0, len(whole) - self.max_seq_len)
        if cut >= start:
            raise TooManyTokens(
                f"the scored text has {len(whole) - start} tokens, the model takes {self.max_seq_len} (max_seq_len)"
            )
        if cut and self._prefix and start - cut > len(self._prefix):
            given = [*self._prefix, *whole[cut + len(self._prefix) : start]]
        else:
            given = whole[cut:start]
        return ScoredSpan(given, whole[start:], cut)

    def text(self, text: str) -> list[int]:
        """Ids of plain text behind the special tokens that the tokenizer puts in front of one."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return self._once([*self._prefix, *ids])

    def wording(self, prompt: Prompt) -> str:
        """The text that a prompt becomes before it is encoded."""
        if self._chat:
            return self.tokenizer.apply_chat_template(
                chat_messages(prompt), tokenize=False, add_generation_prompt=True, **self._template_options
            )
        if isinstance(prompt, str):
            return prompt
        raise EngineError("a base model is asked in text, not in messages")

    def _ids(self, prompt: Prompt) -> list[int]:
        text = self.wording(prompt)
        # A chat template writes all special tokens itself.
        return self._once(self.tokenizer.encode(text, add_special_tokens=False)) if self._chat else self.text(text)

    def _cut_to(self, prompt: Prompt, ids: list[int], limit: int) -> tuple[list[int], int]:
        """A chat keeps roles and template, and loses examples and a part of its question; a text loses tokens."""
        if not self._chat:
            return self._shortened(ids, limit), 0
        cut, dropped = cut_prompt(to_wire_messages(prompt), lambda messages: len(self._ids(messages)), limit, self._cut)
        ids = self._ids(cut)
        return (ids if len(ids) < self.max_seq_len else self._shortened(ids, limit)), dropped

    def _once(self, ids: list[int]) -> list[int]:
        """Without a second BOS: templates and meta templates may write the one that the tokenizer puts in front."""
        bos = self.tokenizer.bos_token_id
        while bos is not None and len(ids) > 1 and ids[0] == ids[1] == bos:
            del ids[0]
        return ids

    def _check_first(self, ids: list[int]) -> None:
        """Says how the first prompt begins; EngineError unless it has one BOS where the tokenizer puts any there.

        Where it puts none, a template may write one.
        """
        if self._checked:
            return
        self._checked = True
        bos = self.tokenizer.bos_token_id
        count = next((at for at, token in enumerate(ids) if token != bos), len(ids))
        _log.info("the first prompt begins with the tokens %s", self.tokenizer.convert_ids_to_tokens(ids[:4]))
        if not self._chat and count != 1 and bos in self._prefix:
            raise EngineError(f"the first prompt begins with {count} BOS tokens, not with one")

    def _shortened(self, ids: list[int], limit: int) -> list[int]:
        """The cut prompt keeps what the tokenizer puts in front."""
        front = self._prefix if ids[: len(self._prefix)] == self._prefix and len(self._prefix) < limit else []
        body, size = ids[len(front) :], limit - len(front)
        head = {"front": 0, "mid": size // 2}.get(self._cut, size)
        return [*front, *body[:head], *body[len(body) - (size - head) :]]


def scored(
    span: ScoredSpan, log_likelihood: float, latency: float, tokenwise: Sequence[float] | None = None
) -> Likelihood:
    """The result of a text that was scored, perhaps without its front."""
    reason = f"the first {span.cut} tokens were left out: the text is too long for the model" if span.cut else None
    return Likelihood(
        Status.TRUNCATED if span.cut else Status.OK,
        log_likelihood,
        len(span.scored),
        latency,
        error=reason,
        token_log_probabilities=None if tokenwise is None else tuple(tokenwise),
    )


def chat_messages(prompt: Prompt) -> list[Message]:
    """Messages as chat templates take them: empty ones left out, neighbours of one role joined."""
    messages: list[Message] = []
    for message in to_wire_messages(prompt):
        if not message["content"]:
            continue
        if messages and messages[-1]["role"] == message["role"] and isinstance(message["content"], str):
            messages[-1] = messages[-1] | {"content": f"{messages[-1]['content']}\n{message['content']}"}
        else:
            messages.append(message)
    return messages


def _special_prefix(tokenizer: Any) -> list[int]:
    """What the tokenizer puts in front of a text; what some put behind one has no place before an answer."""
    plain: Sequence[int] = tokenizer.encode("a", add_special_tokens=False)
    whole: list[int] = tokenizer.encode("a")
    for start in range(len(whole) - len(plain) + 1):
        if whole[start : start + len(plain)] == list(plain):
            return whole[:start]
    return []

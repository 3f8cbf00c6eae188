"""Inferencers that generate text: one request per row, or one per round of its chat."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.infer.inferencers.interface import Ask, Dialogue, Inferencer, Limits, outcome_fields
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Completion, Request, Sampling
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Message, Prompt
from tasks.spec.findings import Finding, UserError, nearest


class GenInferencer(Inferencer):
    """Generates text; several answers per prompt where it or the model is told so."""

    way = "gen"

    def __init__(  # noqa: PLR0913, PLR0917  the options of a configuration
        self,
        max_out_len: int | None = None,
        min_out_len: int | None = None,
        stopping_criteria: Sequence[str] = (),
        gen_field_replace_token: str = "",
        num_return_sequences: int = 1,
        batch_size: int | None = None,
        save_every: int = 1,
        multiround: bool = False,
        max_infer_workers: int | None = None,
        temperature: float | None = None,
        do_sample: bool = True,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            max_out_len: Output limit in tokens; the model's own where None.
            stopping_criteria: The answer ends before the first of these strings.
            gen_field_replace_token: What stands in the prompt for the column that holds the answer.
            num_return_sequences: Answers sampled per prompt.
            batch_size: Requests in flight per running task; the model's own where None.
            save_every: Accepted for compatibility: every answer is saved when it arrives.
            multiround: Generates every assistant message of a raw prompt that has empty content, one after the other.
            max_infer_workers: Accepted for compatibility: the model's `max_workers` says how many run at once.
            temperature: How answers are drawn, in place of the model's own.
            do_sample: False: `temperature` does not hold.
        """
        self.max_out_len = max_out_len
        self.min_out_len = min_out_len
        self.stop = tuple(stopping_criteria or ())
        self.gen_field_replace_token = gen_field_replace_token
        self.sequences = num_return_sequences
        self.batch_size = batch_size
        self.save_every = save_every
        self.multiround = multiround
        self.max_infer_workers = max_infer_workers
        self.sampling = Sampling(temperature) if temperature is not None and do_sample else None

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        messages = self.messages(renderer, row)
        if messages is None:
            yield [Ask(self.request(renderer.generation(row).prompt, row, limits))]
            return
        rounds = [index for index, message in enumerate(messages) if _is_open(message)] if self.multiround else []
        if not rounds:
            yield [Ask(self.request(renderer.worded(messages), row, limits))]
        for number, index in enumerate(rounds, 1):
            prompt = renderer.worded(messages[:index])
            [answer] = yield [Ask(self.request(prompt, row, limits), f"round {number}")]
            assert isinstance(answer, Completion)
            messages[index] = messages[index] | {"content": answer.texts[0]}

    def messages(self, renderer: PromptRenderer, row: int) -> list[Message] | None:
        """The chat that is asked where it is to be handled message by message; None: the template's prompt."""
        return renderer.raw_messages(row) if self.multiround else None

    def request(self, prompt: Prompt, row: int, limits: Limits) -> Request:
        """The request for a prompt with all that the options say."""
        return Request(
            index=row,
            prompt=prompt,
            max_out_len=self.max_out_len or limits.max_out_len,
            min_out_len=self.min_out_len or limits.min_out_len,
            stop=self.stop,
            sequences=self.sequences,
            sampling=self.sampling,
        )

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        last = records[-1]
        prediction = answer_of(last) if not last.part else _all_rounds(records)
        sample: dict[str, Any] = {"origin_prompt": last.prompt, "prediction": prediction}
        if gold is not None:
            sample["gold"] = gold
        return sample | outcome_fields(records)


class ParallelGenInferencer(GenInferencer):
    """The same: requests always run side by side."""


class ChatMLInferencer(GenInferencer):
    """Asks the messages in the column `chatml_question`."""

    COLUMN = "chatml_question"

    def messages(self, renderer: PromptRenderer, row: int) -> list[Message] | None:
        columns = renderer.row(row)
        if self.COLUMN not in columns:
            message = f"the rows have no column {self.COLUMN!r}, which ChatMLInferencer asks"
            raise UserError(Finding(message, renderer.place, nearest(self.COLUMN, columns)))
        return [dict(message) for message in columns[self.COLUMN]]


class ParallelChatMLInferencer(ChatMLInferencer):
    """The same: requests always run side by side."""


class SCInferencer(GenInferencer):
    """Self-consistency: samples `sc_size` answers per prompt (Wang et al. 2022, arXiv:2203.11171)."""

    def __init__(
        self,
        sc_size: int = 1,
        infer_type: str = "",
        generation_kwargs: Mapping[str, Any] | None = None,
        max_out_len: int | None = None,
        min_out_len: int | None = None,
        stopping_criteria: Sequence[str] = (),
        gen_field_replace_token: str = "",
        batch_size: int | None = None,
        save_every: int = 1,
    ) -> None:
        """Options of GenInferencer; `infer_type` is accepted for compatibility.

        `generation_kwargs` says how the answers are drawn: `temperature`, `top_p`, `top_k`. UserError for others.
        """
        if sc_size < 1:
            raise UserError(f"SCInferencer: sc_size is the number of answers per prompt, at least 1, not {sc_size}")
        super().__init__(
            max_out_len, min_out_len, stopping_criteria, gen_field_replace_token, sc_size, batch_size, save_every
        )
        self.sampling = _sampling(generation_kwargs or {})
        self.infer_type = infer_type


def answer_of(record: RequestRecord) -> str | list[str]:
    """The text of a record, or its texts where several were sampled."""
    assert isinstance(record.result, Completion)
    texts = record.result.texts
    return texts[0] if len(texts) == 1 else list(texts)


def _sampling(options: Mapping[str, Any]) -> Sampling | None:
    """None where answers are not drawn by `options`."""
    known = {name: value for name, value in options.items() if name != "do_sample"}
    for name in known:
        if name not in Sampling.__slots__:
            message = f"SCInferencer: generation_kwargs has no {name!r}"
            raise UserError(Finding(message, remedy=nearest(name, Sampling.__slots__)))
    return Sampling(**known) if known and options.get("do_sample", True) else None


def _is_open(message: Message) -> bool:
    return message.get("role") == "assistant" and not message.get("content")


def _all_rounds(records: Sequence[RequestRecord]) -> list[Any]:
    """What the assistant says in all, given messages included; a prompt that is one text shows only the answers."""
    last = records[-1]
    if isinstance(last.prompt, str):
        return [answer_of(record) for record in records]
    given = [message["content"] for message in last.prompt if message.get("role") == "assistant"]
    return [*given, answer_of(last)]

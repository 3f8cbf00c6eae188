"""Inferencers that hold the conversations of a dataset."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args

from tasks.infer.inferencers.generation import GenInferencer, answer_of
from tasks.infer.inferencers.interface import Ask, Dialogue, Limits, outcome_fields
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Completion
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Message, Prompt, to_wire_messages
from tasks.spec.findings import Finding, UserError, nearest

InferMode = Literal["last", "every", "every_with_gt"]
_DIALOGUE_COLUMN = "dialogue"
_DIALOGUE_PART = "dialogue round "
_EVERY_PART = "round "


class ChatInferencer(GenInferencer):
    """Generates the last turn of each conversation, or every turn."""

    def __init__(
        self,
        infer_mode: InferMode = "last",
        max_out_len: int | None = 512,
        min_out_len: int | None = None,
        stopping_criteria: Sequence[str] = (),
        gen_field_replace_token: str = "",
        batch_size: int | None = None,
        save_every: int = 1,
        max_infer_workers: int | None = None,
        temperature: float | None = None,
        do_sample: bool = True,
    ) -> None:
        """Options of GenInferencer, and `infer_mode`.

        `last` generates the last assistant turn; `every` each one, on top of the model's own answers;
        `every_with_gt` each one, on top of the answers in the data.
        """
        if infer_mode not in get_args(InferMode):
            remedy = nearest(str(infer_mode), get_args(InferMode))
            raise UserError(Finding(f"ChatInferencer has no infer_mode {infer_mode!r}", remedy=remedy))
        super().__init__(
            max_out_len,
            min_out_len,
            stopping_criteria,
            gen_field_replace_token,
            batch_size=batch_size,
            save_every=save_every,
            max_infer_workers=max_infer_workers,
            temperature=temperature,
            do_sample=do_sample,
        )
        self.infer_mode = infer_mode

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        chat, is_dialogue = _chat(renderer, row)
        if chat is None:
            yield [Ask(self.request(renderer.generation(row).prompt, row, limits))]
            return
        turns = [index for index, message in enumerate(chat) if message["role"] == "assistant"]
        if not is_dialogue and self.infer_mode == "last":
            yield [Ask(self.request(renderer.worded(chat[: turns[-1]]), row, limits))]
            return
        name = _DIALOGUE_PART if is_dialogue else _EVERY_PART
        for number, index in enumerate(turns, 1):
            [answer] = yield [Ask(self.request(renderer.worded(chat[:index]), row, limits), f"{name}{number}")]
            if is_dialogue or self.infer_mode == "every":
                assert isinstance(answer, Completion)
                chat[index] = {"role": "assistant", "content": answer.texts[0]}

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        last, golds = records[-1], _assistant_turns(gold)
        sample: dict[str, Any] = {}
        if last.part.startswith(_DIALOGUE_PART):
            sample["prediction"] = [_round(number, record) for number, record in enumerate(records, 1)]
        elif last.part:
            sample["prediction"] = [answer_of(record) for record in records]
            sample["origin_prompt"] = [record.prompt for record in records]
            gold = golds or gold
        else:
            sample |= {"prediction": answer_of(last), "origin_prompt": last.prompt}
            gold = golds[-1] if golds else gold
        if gold is not None:
            sample["gold"] = gold
        return sample | outcome_fields(records)


class ParallelChatInferencer(ChatInferencer):
    """The same: requests always run side by side."""


def _chat(renderer: PromptRenderer, row: int) -> tuple[list[Message] | None, bool]:
    """The conversation in a row, ending with an assistant turn, and whether it is of the form `dialogue`.

    None where the columns hold plain texts, which the template words.
    """
    columns, reader = renderer.row(row), renderer.reader
    inputs = reader.input_columns
    if _DIALOGUE_COLUMN in inputs:
        return _messages(columns[_DIALOGUE_COLUMN], _DIALOGUE_COLUMN, renderer), True
    if len(inputs) == 1 and _is_messages(columns.get(inputs[0])):
        return _messages(columns[inputs[0]], inputs[0], renderer), False
    questions = next((items for name in inputs if (items := _items(columns.get(name)))), None)
    if questions is None:
        return None, False
    return _pairs(questions, _items(columns.get(reader.output_column or ""))), False


def _items(value: Any) -> list[Any]:
    """The items of a list; none of anything else."""
    return list(cast(Sequence[Any], value)) if isinstance(value, list | tuple) else []


def _is_messages(value: Any) -> bool:
    items = _items(value)
    return bool(items) and all(isinstance(item, Mapping) and "role" in item for item in items)


def _messages(value: Any, column: str, renderer: PromptRenderer) -> list[Message]:
    """The messages in a column; a conversation without an assistant turn gets one at its end."""
    if not _is_messages(value):
        remedy = "write a list of dict(role=…, content=…)"
        raise UserError(Finding(f"the column {column!r} holds no messages", renderer.place, remedy))
    messages = [dict(message) for message in to_wire_messages(_items(value))]
    if not any(message["role"] == "assistant" for message in messages):
        messages.append({"role": "assistant", "content": ""})
    return messages


def _pairs(questions: Sequence[Any], answers: Sequence[Any]) -> list[Message]:
    """One user turn and one assistant turn per position."""
    chat: list[Message] = []
    for position, question in enumerate(questions):
        answer = str(answers[position]) if position < len(answers) else ""
        chat += [{"role": "user", "content": str(question)}, {"role": "assistant", "content": answer}]
    return chat


def _assistant_turns(gold: Any) -> list[Any]:
    """What the assistant says in the data, turn by turn; none if the reference is a single text."""
    if _is_messages(gold):
        return [message["content"] for message in to_wire_messages(_items(gold)) if message["role"] == "assistant"]
    return _items(gold)


def _round(number: int, record: RequestRecord) -> dict[str, Any]:
    return {"round": number, "user": _last_question(record.prompt), "assistant": answer_of(record)}


def _last_question(prompt: Prompt) -> Any:
    users = [message["content"] for message in to_wire_messages(prompt) if message["role"] == "user"]
    return users[-1] if users else ""

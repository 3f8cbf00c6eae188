"""Conversations in the ChatML format: one question per line, as messages, with its answer."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from tasks.data.custom import data_file
from tasks.data.files import read_jsonl
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Text(_Part):
    type: Literal["text"]
    text: str


class _Image(_Part):
    type: Literal["image_url"]
    image_url: str | dict[str, Any]


class _Message(_Part):
    role: Literal["system", "user", "assistant"]
    content: str | list[_Text | _Image]

    @model_validator(mode="after")
    def _only_users_send_parts(self) -> "_Message":
        if self.role != "user" and not isinstance(self.content, str):
            raise ValueError(f"the content of a {self.role} message is a text")
        return self


class _Conversation(BaseModel):
    question: list[_Message] = Field(min_length=1)
    answer: list[str] = Field(min_length=1)

    @model_validator(mode="after")
    def _ends_with_a_question(self) -> "_Conversation":
        users = sum(message.role == "user" for message in self.question)
        if not users or self.question[-1].role != "user":
            raise ValueError("the question ends with a message of the user")
        if len(self.answer) not in (1, users):
            raise ValueError(f"there are {users} user messages, so 1 or {users} answers, not {len(self.answer)}")
        return self


class ChatMLDataset(BaseDataset):
    """Columns `chatml_question` (messages), `chatml_answer` (list), `question` and `answer` (first text, first answer).

    `instruction` is added to the last user message of `chatml_question`.
    """

    @staticmethod
    def load(
        path: str, file_name: str | None = None, local_mode: bool = False, instruction: str = ""
    ) -> list[dict[str, Any]]:
        file = data_file(path, file_name, local_mode)
        return [_row(row, Place(str(file), number), instruction) for number, row in enumerate(read_jsonl(file), 1)]


def _row(row: dict[str, Any], place: Place, instruction: str) -> dict[str, Any]:
    try:
        conversation = _Conversation.model_validate(row)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        message = f"{where}: {problem['msg']}" if where else problem["msg"].removeprefix("Value error, ")
        remedy = 'a row is {"question": [{"role": …, "content": …}, …], "answer": ["…"]}'
        raise UserError(Finding(message, place, remedy)) from None
    messages = [message.model_dump() for message in conversation.question]
    first = next(message.content for message in conversation.question if message.role == "user")
    return {
        "chatml_question": [*messages[:-1], _instructed(messages[-1], instruction)],
        "chatml_answer": conversation.answer,
        "question": _text_of(first),
        "answer": conversation.answer[0],
    }


def _text_of(content: str | list[Any]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if isinstance(part, _Text))


def _instructed(message: dict[str, Any], instruction: str) -> dict[str, Any]:
    if not instruction:
        return message
    content = message["content"]
    if isinstance(content, str):
        return message | {"content": f"{content}\n{instruction}"}
    return message | {"content": [*content, {"type": "text", "text": instruction}]}

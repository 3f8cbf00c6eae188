"""A tokenizer with the methods that engines use: a character is a token, `^` is the BOS."""

from typing import Any

BOS, EOS = 94, 36


class FakeTokenizer:
    bos_token, bos_token_id, eos_token_id, model_max_length = "^", BOS, EOS, 64

    def __init__(self, template: bool = True) -> None:
        self.chat_template = "yes" if template else None

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [*([BOS] if add_special_tokens else []), *map(ord, text)]

    def decode(self, ids: list[int], **_: Any) -> str:
        return "".join(map(chr, ids))

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return list(map(chr, ids))

    def apply_chat_template(self, messages: list[dict[str, Any]], **_: Any) -> str:
        return "^" + "".join(f"[{message['role'][0]}]{message['content']}" for message in messages) + "[a]"

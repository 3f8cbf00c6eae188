"""What of a text a reader of answers sees: neither reasoning nor special tokens, at positions that stay the same."""

import re

from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.answers.special_tokens import ENDING_TOKENS, SPECIAL_TOKEN

TURN_END = "\x1e"
"""Stands where a token ended the model's turn. Patterns take it for a blank; a section ends there."""

_ROLES = r"system|user|assistant|model|tool|developer|human|bot"
_ROLE_HEADER = re.compile(
    r"(?P<start><\|im_start\|>|<\|start_header_id\|>|<\|header_start\|>|<\|start_of_role\|>|<start_of_turn>|<\|start\|>)"
    rf"[ \t]{{0,3}}(?P<role>{_ROLES})(?![A-Za-z])"
)
_CHANNEL = re.compile(r"<\|channel\|>(?P<name>[a-z ]{0,30})<\|message\|>")
_CHANNEL_END = re.compile(r"<\|end\|>|<\|return\|>|<\|call\|>|<\|start\|>|<\|channel\|>")
_NO_CUT = frozenset({"<eoa>", "[UNUSED_TOKEN_145]", "<eom>"})
"""Some benchmarks ask for one of these behind each of several answers."""
_SIGNS = ("<", "[")


def visible(text: str) -> str:
    """The text with blanks and line breaks in place of reasoning and special tokens; takes linear time."""
    if not any(sign in text for sign in _SIGNS):
        return text
    text = mask_reasoning(text)
    text = _without_channels(text) if "<|channel|>" in text else text
    text = _ROLE_HEADER.sub(lambda match: match["start"] + " " * (len(match[0]) - len(match["start"])), text)
    return SPECIAL_TOKEN.sub(lambda match: _blank(match[0]), text)


def without_trailing_tokens(text: str) -> str:
    """The text without special tokens and blanks at its end; a text without such tokens stays exactly as it is."""
    end = len(text)
    bare = text.rstrip()
    while bare.endswith((">", "]", "[")) and (token := _token_at_end(bare)):
        end = len(bare) - len(token)
        bare = bare[:end].rstrip()
    return text if end == len(text) else bare


def _token_at_end(text: str) -> str | None:
    tail = text[-_LONGEST_TOKEN:]
    return next((tail[-length:] for length in _LENGTHS if tail[-length:] in ENDING_TOKENS), None)


_LENGTHS = sorted({len(token) for token in ENDING_TOKENS}, reverse=True)
_LONGEST_TOKEN = _LENGTHS[0]


def _blank(token: str) -> str:
    first = TURN_END if token in ENDING_TOKENS and token not in _NO_CUT else " "
    return first + " " * (len(token) - 1)


def _without_channels(text: str) -> str:
    """Without what gpt-oss says in channels other than the final one."""
    pieces: list[str] = []
    position = 0
    for match in _CHANNEL.finditer(text):
        if match.start() < position:
            continue
        is_final = match["name"].strip().startswith("final")
        end = _CHANNEL_END.search(text, match.end())
        stop = match.end() if is_final else end.start() if end else len(text)
        pieces += [text[position : match.start()], "\n" * (stop - match.start())]
        position = stop
    return "".join(pieces) + text[position:]

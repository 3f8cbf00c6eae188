"""What of a text is the answer and what is reasoning between think tags."""

import re

Piece = tuple[int, int]
"""Start and end in the text, in characters."""


def answer_pieces(text: str, start_token: str, end_token: str) -> list[Piece]:
    """The parts outside reasoning.

    A block that never closes is reasoning to the end of the text; an end tag without a start tag closes
    reasoning that began before the text (the prompt held its start tag).
    """
    if start_token not in text and end_token not in text:
        return [(0, len(text))]
    pieces: list[Piece] = []
    begin, inside = 0, False
    for match in re.finditer(f"(?P<start>{re.escape(start_token)})|{re.escape(end_token)}", text):
        if match["start"] is None:
            if not inside:
                pieces.clear()
            begin, inside = match.end(), False
        elif not inside:
            pieces.append((begin, match.start()))
            inside = True
    if not inside:
        pieces.append((begin, len(text)))
    return [(start, stop) for start, stop in pieces if stop > start]


def mask_reasoning(text: str, start_token: str = "<think>", end_token: str = "</think>") -> str:
    """The text with line breaks in place of its reasoning, so that positions stay what they are."""
    if start_token not in text and end_token not in text:
        return text
    masked: list[str] = []
    position = 0
    for start, stop in answer_pieces(text, start_token, end_token):
        masked += ["\n" * (start - position), text[start:stop]]
        position = stop
    return "".join(masked) + "\n" * (len(text) - position)


def without_reasoning(text: str, start_token: str = "<think>", end_token: str = "</think>") -> str:
    """What is said outside reasoning, stripped; a text without think tags stays exactly as it is."""
    if start_token not in text and end_token not in text:
        return text
    return "".join(text[start:stop] for start, stop in answer_pieces(text, start_token, end_token)).strip()

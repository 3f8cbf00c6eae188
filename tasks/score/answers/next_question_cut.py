"""Cuts a completion where the model's turn ends, or it goes on to a question of its own."""

import re

from tasks.score.answers.visible import TURN_END

_CUT = re.compile(
    rf"{TURN_END}|^[ \t>*_#]{{0,9}}(?:Question|Q|问题|題目|题目)[ \t]?\d{{0,4}}[*_]{{0,3}}[ \t]?[:：]", re.MULTILINE
)
_MOST_SECTIONS = 12


def sections(text: str) -> list[tuple[int, int]]:
    """Start and end of the parts before, between and after these places; blank parts are left out.

    A completion of a few-shot prompt often invents further questions behind its answer, while a chat answer
    may repeat its question first: the earliest part that states an answer is the one to read.
    """
    cuts = [0]
    for match in _CUT.finditer(text):
        if text[cuts[-1] : match.start()].strip():
            cuts.append(match.start())
            if len(cuts) == _MOST_SECTIONS:
                break
    return list(zip(cuts, [*cuts[1:], len(text)], strict=True))

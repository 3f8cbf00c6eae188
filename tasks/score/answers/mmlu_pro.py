"""The answer to a question of MMLU-Pro (Wang et al. 2024, arXiv:2406.01574), asked for as `the answer is (X)`."""

import re

from tasks.score.answers.option import option_answer
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction

_OPTIONS = "ABCDEFGHIJ"
_ANSWER = re.compile(r"answer is:?[ *_$]{1,4}\(?([A-J])(?![A-Za-z0-9])")
_PUBLISHED = (
    ("published:answer is (X)", re.compile(r"answer is \(?([A-J])\)?")),
    ("published:answer: X", re.compile(r"[aA]nswer:\s{0,20}([A-J])")),
)
_LETTER = re.compile(r"\b([A-J])\b")


def mmlu_pro_postprocess(text: str) -> Extraction:
    """The letter of the first `answer is (X)`, else the option that the text states in any other form.

    What follows the first statement may be a question of the model's own. Nothing is guessed.
    """
    shown = visible(text)
    found = _ANSWER.search(shown)
    return Extraction(found[1], "answer is (X)", found.span(1)) if found else option_answer(text, _OPTIONS)


def mmlu_pro_published_postprocess(text: str) -> Extraction:
    """The rule that the benchmark's authors publish: `answer is (X)`, else the last `answer: X`, else the last letter.

    The last letter is a guess, `fallback:last-letter`. A letter may begin a word here, as it does there.
    """
    shown = visible(text)
    if found := _PUBLISHED[0][1].search(shown):
        return Extraction(found[1], _PUBLISHED[0][0], found.span(1))
    for rule, pattern in (_PUBLISHED[1], ("fallback:last-letter", _LETTER)):
        matches = list(pattern.finditer(shown))
        if matches:
            return Extraction(matches[-1][1], rule, matches[-1].span(1))
    return Extraction.unparsed()

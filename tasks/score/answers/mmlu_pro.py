"""The answer form of MMLU-Pro (Wang et al. 2024, arXiv:2406.01574): `… the answer is (X).`"""

import re

from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import Extraction

_ANSWER = re.compile(r"answer is:?[ *_$]{1,4}\(?([A-J])(?![A-Za-z0-9])")


def mmlu_pro_postprocess(text: str) -> Extraction:
    """The letter of the first `answer is (X)`, bold or not: what follows may be a question of the model's own.

    The benchmark's authors guess a letter where there is none; here such a text is unparsed.
    """
    found = _ANSWER.search(mask_reasoning(text))
    return Extraction(found[1], "answer is (X)", found.span(1)) if found else Extraction.unparsed()

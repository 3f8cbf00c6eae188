"""All that the product says about errors stands in one file, so that a change of words is seen and read."""

import re

from support.messages import MESSAGES, listing, messages

_VALUE = re.compile(r"\{.*\}")
_REGENERATE = "read what has changed, then: .venv/bin/python tests/support/messages.py"


def test_the_list_of_messages_is_up_to_date() -> None:
    assert MESSAGES.read_text(encoding="utf-8").splitlines() == listing().splitlines(), _REGENERATE


def test_messages_have_one_form() -> None:
    """A phrase that begins small, as it stands behind a place, and ends without a stop; no politeness, no blame."""
    wrong = [text for message in messages() for text in message.texts if not _reads_well(_VALUE.sub("x", text))]
    assert wrong == []


def _reads_well(text: str) -> bool:
    begins_small = not re.match(r"(?!Prefect|MLflow|Compass|Weights)[A-Z][a-z]+ (?!needs|did)[a-z]", text)
    ends_open = not re.search(r"[^.…]\.$|!$", text)
    is_sober = not re.search(r"\b(please|sorry|invalid|illegal|oops)\b", text, re.IGNORECASE)
    return begins_small and ends_open and is_sober and "  " not in text and text == text.strip()

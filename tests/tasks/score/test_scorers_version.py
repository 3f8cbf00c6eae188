"""Whoever changes how answers are scored raises the scorers' version, once between two releases."""

import pytest
from support.scorers import code_digest, recorded, scorers_digest

from tasks.score.score_key import SCORERS_VERSION

CODE = 'import re\n\n"""Text."""\n\n\ndef score(text):\n    """Says."""\n    return len(text)  # a word\n'


def test_a_change_of_the_scorers_raises_their_version() -> None:
    version, digest = recorded()
    if scorers_digest() == digest:
        assert version <= SCORERS_VERSION
        return
    assert version < SCORERS_VERSION, (
        f"tasks/score has changed since the last release, whose scorers' version is {version}. Set SCORERS_VERSION in "
        f"tasks/score/score_key.py to {version + 1}: stored scores are computed again. After a release, or if no score "
        f"can change: .venv/bin/python tests/support/scorers.py"
    )


@pytest.mark.parametrize(
    "same",
    [
        CODE.replace("# a word", "# another"),
        CODE.replace("Says.", "Tells.").replace("Text.", "More."),
        CODE.replace("import re", "from re import sub"),
    ],
)
def test_texts_and_imports_do_not_count(same: str) -> None:
    assert code_digest(same) == code_digest(CODE)


@pytest.mark.parametrize("other", [CODE.replace("len(text)", "len(text) + 1"), CODE + "\nLIMIT = 3\n"])
def test_code_counts(other: str) -> None:
    assert code_digest(other) != code_digest(CODE)


def test_the_version_itself_does_not_count() -> None:
    assert code_digest("SCORERS_VERSION = 3") == code_digest("SCORERS_VERSION = 4")

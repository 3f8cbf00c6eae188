"""Questions whose options carry letters in their files: `{"stem": …, "choices": [{"label": …, "text": …}, …]}`."""

from typing import Any

from tasks.spec.findings import Finding, Place, UserError

LETTERS = "ABCDE"


def lettered_row(question: dict[str, Any], key: str, place: Place, names: tuple[str, ...]) -> dict[str, Any]:
    """The options as columns `names`, and `answerKey`, a letter; some files number their options from 1.

    UserError if the number of options is another, or the key names none of them.
    """
    labels = [choice["label"] for choice in question["choices"]]
    if len(labels) != len(names) or key not in labels:
        remedy = f"a row has {len(names)} options and the label of one of them"
        raise UserError(Finding(f"{len(labels)} options and the key {key!r}", place, remedy))
    options = {name: choice["text"] for name, choice in zip(names, question["choices"], strict=True)}
    return {**options, "answerKey": LETTERS[labels.index(key)]}

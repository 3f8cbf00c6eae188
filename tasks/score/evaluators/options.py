"""Evaluators for answers that name one of several options, by letter or by text."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.score.answers.option import option_answer
from tasks.score.answers.visible import visible
from tasks.score.answers.words import answer_words, holds
from tasks.score.evaluators.comparison import ComparingEvaluator, paired, percentage, scored
from tasks.score.interface import Extraction, ExtractionStatus

_LONGEST = 2000
"""Characters of a prediction that are compared with options by edit distance."""


class GPQAEvaluator(ComparingEvaluator):
    """`accuracy`: the letter is that of the reference, whatever decorates either of them: `(B)`, `B.`, `b`."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that is no letter."""
        details: list[dict[str, Any]] = []
        for prediction, reference in paired(predictions, references):
            gold = _letter(reference)
            if not gold:
                raise ValueError(f"reference {len(details)} is no letter: {reference!r:.80}")
            details.append({"pred": prediction, "answer": reference, "correct": _letter(prediction) == gold})
        return scored("accuracy", details)


class OptionSimAccEvaluator(ComparingEvaluator):
    """`accuracy` for options whose texts stand in the columns of the data named by the letters of `options`.

    The letter the text states counts, else the one option whose words it holds. Where there is neither, the option
    nearest by edit distance is guessed, under the rule `fallback:nearest-text`.
    """

    libraries = ("rapidfuzz",)

    def __init__(self, options: str | Sequence[str], pred_postprocessor: dict[str, Any] | None = None) -> None:
        super().__init__(pred_postprocessor)
        self.options = tuple(options)

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], test_set: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """ValueError for a reference that is none of the options, or data without a column for one of them."""
        details: list[dict[str, Any]] = []
        for (prediction, reference), row in zip(paired(predictions, references), test_set, strict=True):
            if reference not in self.options:
                raise ValueError(f"reference {len(details)} is none of {', '.join(self.options)}: {reference!r:.80}")
            found = chosen_option(str(prediction), self._texts(row))
            is_found = found.status is ExtractionStatus.FOUND
            rule = found.rule if is_found else str(found.status)
            detail = {
                "pred": found.answer or "",
                "answer": reference,
                "correct": found.answer == reference,
                "rule": rule,
            }
            details.append(detail)
        return scored("accuracy", details)

    def _texts(self, row: Mapping[str, Any]) -> dict[str, str]:
        missing = [option for option in self.options if option not in row]
        if missing:
            raise ValueError(f"the data have no column for the option {missing[0]!r}")
        return {option: str(row[option]) for option in self.options}


class EDAccEvaluator(ComparingEvaluator):
    """`accuracy`: of the reference's candidates the one nearest to the prediction by edit distance is its label.

    References are `{"candidates": […], "label": index}`; a candidate may be a list of spellings. Where two are equally
    near, the answer is ambiguous.
    """

    libraries = ("rapidfuzz",)

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without candidates, or whose label is none of them."""
        details: list[dict[str, Any]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            candidates, label = _candidates(reference, number)
            nearest = nearest_text(str(prediction), candidates)
            rule = "nearest" if nearest is not None else "ambiguous" if str(prediction).strip() else "unparsed"
            details.append({"pred": nearest, "answer": label, "correct": nearest == label, "rule": rule})
        return scored("accuracy", details)


class AccContaminationEvaluator(ComparingEvaluator):
    """`accuracy - clean`, `accuracy - input contaminated` and so on: accuracy by the data's column `is_clean`."""

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], test_set: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Groups without samples are left out; ValueError where `is_clean` is missing."""
        if any("is_clean" not in row for row in test_set):
            raise ValueError("the data have no column 'is_clean', which says what is contaminated")
        details = [
            {
                "pred": prediction,
                "answer": reference,
                "correct": str(prediction) == str(reference),
                "group": row["is_clean"],
            }
            for (prediction, reference), row in zip(paired(predictions, references), test_set, strict=True)
        ]
        metrics: dict[str, Any] = {}
        for group, name in _CONTAMINATION.items():
            verdicts = [detail["correct"] for detail in details if detail["group"] == group]
            if verdicts:
                metrics[f"accuracy - {name}"] = percentage(verdicts)
        return metrics | {"details": details}


_CONTAMINATION = {
    "clean": "clean",
    "input contamination": "input contaminated",
    "input-and-label contamination": "input-and-label contaminated",
    "not labeled": "not labeled",
}


def chosen_option(text: str, texts: Mapping[str, str]) -> Extraction:
    """The option that a text chooses by its letter or by its words, else the nearest one as a guess."""
    stated = option_answer(text, "".join(texts)) if all(len(letter) == 1 for letter in texts) else Extraction.unparsed()
    if stated.status is not ExtractionStatus.UNPARSED:
        return stated
    shown = visible(text).strip()
    words = answer_words(shown)
    held = {letter: part for letter, option in texts.items() if holds(words, part := answer_words(option))}
    # "New York" holds "York" as well: the longer text is the one that was meant.
    longest = [
        one for one, part in held.items() if not any(holds(other, part) for other in held.values() if other != part)
    ]
    if len(longest) == 1:
        return Extraction(longest[0], "option-text")
    if len(longest) > 1:
        return Extraction(None, "option-text", None, ExtractionStatus.AMBIGUOUS)
    nearest = nearest_text(shown, [[option] for option in texts.values()])
    return Extraction.unparsed() if nearest is None else Extraction(list(texts)[nearest], "fallback:nearest-text")


def nearest_text(text: str, candidates: Sequence[Sequence[str]]) -> int | None:
    """Index of the candidate with a spelling nearest to the text; None for an empty text or a tie."""
    from rapidfuzz.distance import Levenshtein

    text = text.strip()[:_LONGEST]
    if not text:
        return None
    distances = [min(Levenshtein.distance(text, spelling) for spelling in spellings) for spellings in candidates]
    least = min(distances)
    return distances.index(least) if distances.count(least) == 1 else None


def _candidates(reference: Any, number: int) -> tuple[list[list[str]], int]:
    candidates = reference.get("candidates") if isinstance(reference, Mapping) else None
    if not candidates:
        raise ValueError(f"reference {number} has no candidates: {reference!r:.80}")
    spelled = [[str(text) for text in (item if isinstance(item, list | tuple) else [item])] for item in candidates]
    label = reference.get("label")
    if not isinstance(label, int) or not 0 <= label < len(spelled):
        raise ValueError(f"reference {number}: the label {label!r} is none of its {len(spelled)} candidates")
    return spelled, label


def _letter(value: Any) -> str:
    letters = [character for character in str(value) if character.isalnum()]
    return letters[0].upper() if len(letters) == 1 else ""

"""Calls an evaluator and brings what it returns into one form."""

import inspect
import logging
from collections.abc import Collection, Mapping, Sequence
from numbers import Real
from typing import Any, overload

from tasks.data.interface import LoadedDataset, Row
from tasks.score.components import EvaluatorFactory
from tasks.score.files.samples import SampleView
from tasks.score.interface import Evaluation
from tasks.score.judging.pair_judges import PairJudges
from tasks.score.judging.session import JudgingStopped
from tasks.score.score_error import ScoreError
from tasks.spec.findings import closest, did_you_mean

_log = logging.getLogger(__name__)

CHOICES = "choices"
"""Field of the labels whose probabilities a prediction holds."""
_GIVEN = ("predictions", "references", "test_set", "code_runner", "judges")


class TestSet(Sequence[Row]):
    """The rows of the samples; `test_set['column']` is that column, as in a Hugging Face dataset."""

    __test__ = False

    def __init__(self, data: LoadedDataset, samples: SampleView) -> None:
        self._rows = data.test
        self._indices = list(samples.rows())

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: str | slice) -> list[Any]: ...
    def __getitem__(self, index: int | str | slice) -> Any:
        if isinstance(index, str):
            return [row[index] for row in self]
        chosen = self._indices[index]
        return [self._rows[row] for row in chosen] if isinstance(chosen, list) else self._rows[chosen]


def wanted_fields(factory: EvaluatorFactory) -> set[str] | None:
    """Fields of the predictions file that the evaluator names; None if it takes everything."""
    parameters = factory.score_parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return None
    own = {CHOICES} if factory.compares_labels else set[str]()
    return {name for name in parameters if name not in _GIVEN} | own


def likeliest(prediction: Any, choices: Any, reference: Any) -> Any:
    """The label with the highest probability, in the form of the reference; any other prediction as it is."""
    if not isinstance(prediction, list) or not isinstance(choices, list) or len(prediction) != len(choices):
        return prediction
    if not all(isinstance(value, float | int) for value in prediction):
        return prediction
    index = prediction.index(max(prediction))
    names, gold = [str(choice).strip() for choice in choices], str(reference).strip()
    label = names[index] if gold in names else str(index)
    return reference if label == gold else label


def evaluate(
    factory: EvaluatorFactory,
    samples: SampleView,
    references: list[Any] | None,
    data: LoadedDataset,
    known_fields: Collection[str],
    judges: PairJudges,
) -> Evaluation:
    """Scores the samples of one replica; ScoreError if the evaluator raises, returns an error or nothing usable.

    `known_fields` are the fields that any record of the pair has: where one lacks it, the evaluator gets None.
    JudgingStopped if it asks judges and the run may ask no more.
    """
    predictions = [sample.extracted.handed for sample in samples]
    if factory.compares_labels and references is not None:
        choices = [sample.fields.get(CHOICES) for sample in samples]
        predictions = [likeliest(*each) for each in zip(predictions, choices, references, strict=True)]
    evaluator = factory.evaluator(predictions, references)
    arguments = _arguments(factory, samples, predictions, references, data, known_fields)
    if "judges" in factory.score_parameters:
        arguments["judges"] = judges.of(samples)
    try:
        result = evaluator.score(**arguments)
    except (JudgingStopped, ScoreError):
        raise
    except Exception as error:  # a user's evaluator may raise anything
        raise ScoreError(f"{factory.name} failed: {type(error).__name__}: {error}") from error
    return _in_one_form(result, factory.name, len(samples))


def _arguments(
    factory: EvaluatorFactory,
    samples: SampleView,
    predictions: list[Any],
    references: list[Any] | None,
    data: LoadedDataset,
    known_fields: Collection[str],
) -> dict[str, Any]:
    given: dict[str, Any] = {"predictions": predictions, "references": references, "test_set": TestSet(data, samples)}
    fields = {*known_fields, "origin_prompt"} - given.keys()
    arguments: dict[str, Any] = {}
    for name, parameter in factory.score_parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            arguments |= given | {field: _column(samples, field) for field in fields}
        elif name in given:
            arguments[name] = given[name]
        elif name == "code_runner":
            arguments[name] = factory.code_runner()
        elif name == "judges":
            continue
        elif name in fields:
            arguments[name] = _column(samples, name)
        elif parameter.default is inspect.Parameter.empty:
            raise _unknown_argument(factory.name, name, {*given, *fields})
    return arguments


def _unknown_argument(evaluator: str, name: str, available: Collection[str]) -> ScoreError:
    close = did_you_mean(closest(name, sorted(available)))
    hint = f" ({close})" if close else ""
    names = ", ".join(sorted(available))
    return ScoreError(f"{evaluator}.score asks for {name!r}, which there is not{hint}; there are {names}")


def _column(samples: SampleView, field: str) -> list[Any]:
    return [sample.fields.get(field) for sample in samples]


def _in_one_form(result: Any, name: str, count: int) -> Evaluation:
    if isinstance(result, Real) and not isinstance(result, bool):
        return Evaluation({"score": float(result)}, {}, None)
    if not isinstance(result, Mapping):
        raise ScoreError(f"{name}.score returned {type(result).__name__}, not a dict of metrics")
    if result.get("error"):
        raise ScoreError(f"{name}: {result['error']}")
    metrics = {str(key): _number(value) for key, value in result.items() if _is_number(value)}
    others = {str(key): value for key, value in result.items() if key != "details" and not _is_number(value)}
    return Evaluation(metrics, others, _details(result.get("details"), name, count))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _number(value: Any) -> float:
    return int(value) if isinstance(value, int) else float(value)


def _details(details: Any, name: str, count: int) -> list[dict[str, Any]] | None:
    if not details:
        return None
    if isinstance(details, Mapping):
        keyed = {int(key): value for key, value in details.items() if str(key).isdecimal()}
        details = [keyed[key] for key in sorted(keyed)]
    if len(details) != count:
        _log.warning("%s gives %d details of %d samples; nothing tells which is whose", name, len(details), count)
        return None
    return [_as_dict(detail) for detail in details]


def _as_dict(detail: Any) -> dict[str, Any]:
    if isinstance(detail, dict):
        return detail
    return dict(detail) if isinstance(detail, Mapping) else {"detail": detail}

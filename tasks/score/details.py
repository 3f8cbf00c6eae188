"""The records per row that results files keep: `{"example_abbr": …, "pred": [one per replica], …}`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tasks.score.replicas import Judged
from tasks.score.samples import Sample


def sample_details(
    samples: Sequence[Sample], judged: dict[int, Judged], references: Sequence[Any] | None, name: Callable[[int], str]
) -> Iterator[dict[str, Any]]:
    """One record per row, in the order of the rows.

    `judged` holds, by position, the samples that the evaluator saw; `name` gives the `example_abbr` of a row.
    """
    verdict: dict[str, Any] = {"correct": None} if any(item.verdict is not None for item in judged.values()) else {}
    rows: dict[int, list[dict[str, Any]]] = {}
    for index, sample in enumerate(samples):
        reference = references[index] if references is not None else None
        detail = _detail(sample, judged.get(sample.planned.position), reference, verdict)
        rows.setdefault(sample.planned.row, []).append(detail)
    for row, details in rows.items():
        keys = dict.fromkeys(key for detail in details for key in detail)
        yield {"example_abbr": name(row), **{key: [detail.get(key) for detail in details] for key in keys}}


def _detail(sample: Sample, judged: Judged | None, reference: Any, verdict: dict[str, Any]) -> dict[str, Any]:
    answer = sample.extracted.extraction.answer
    detail: dict[str, Any] = {"origin_prediction": sample.prediction, "pred": answer, "answer": reference, **verdict}
    if judged is not None:
        detail |= judged.detail
        if judged.verdict is not None:
            detail["correct"] = judged.verdict
    return detail | {"status": str(sample.status), "rule": sample.rule}

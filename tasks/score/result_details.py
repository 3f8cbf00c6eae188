"""The records per row that results files keep: `{"example_abbr": …, "pred": [one per replica], …}`."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tasks.score.files.predictions import Record
from tasks.score.files.samples import Samples
from tasks.score.metrics.replicas import Replica


def sample_details(
    samples: Samples,
    records: Sequence[Iterator[Record]],
    replicas: Sequence[Replica],
    references: Sequence[Any] | None,
    name: Callable[[int], str],
) -> Iterator[dict[str, Any]]:
    """One record per row, in the order of the rows.

    `records` are the predictions again, from the start of each pass over the rows on; `name` gives the `example_abbr`
    of a row.
    """
    judged = [_by_position(replica) for replica in replicas]
    says_verdict = any(replica.verdicts is not None for replica in replicas)
    rows = len(samples) // len(records)
    for place in range(rows):
        details: list[dict[str, Any]] = []
        for number, pass_over in enumerate(records):
            position = number * rows + place
            said = next((found for replica in judged if (found := replica(position)) is not None), None)
            reference = references[position] if references is not None else None
            details.append(_detail(samples, position, next(pass_over), said, reference, says_verdict))
        keys = dict.fromkeys(key for detail in details for key in detail)
        abbr = name(samples.rows[place].row)
        yield {"example_abbr": abbr, **{key: [detail.get(key) for detail in details] for key in keys}}


Said = tuple[dict[str, Any], bool | None, str | None]
"""The evaluator's detail, the verdict and the rule of one sample."""


def _by_position(replica: Replica) -> Callable[[int], Said | None]:
    """What is said of the sample at a position, if the replica holds it."""
    positions = replica.samples.positions

    def said(position: int) -> Said | None:
        if position in replica.unjudged:
            return replica.unjudged[position], None, None
        place = bisect_left(positions, position)
        if place == len(positions) or positions[place] != position:
            return None
        detail = replica.details[place] if replica.details is not None else {}
        return detail, replica.verdicts[place] if replica.verdicts is not None else None, replica.rules[place]

    return said


def _detail(
    samples: Samples, position: int, record: Record, said: Said | None, reference: Any, says_verdict: bool
) -> dict[str, Any]:
    extraction = samples.extracted[position].extraction
    detail: dict[str, Any] = {
        "origin_prediction": record.get("prediction"),
        "pred": extraction.answer,
        "answer": reference,
        **({"correct": None} if says_verdict else {}),
    }
    rule = None
    if said is not None:
        told, verdict, rule = said
        detail |= told
        if verdict is not None:
            detail["correct"] = verdict
    return detail | {"status": str(samples.statuses[position]), "rule": rule}

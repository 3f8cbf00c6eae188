"""What a judge decided about one sample, with what is needed to count it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tasks.score.subjective.bradley_terry import Battle
from tasks.score.subjective.verdict import Scale, Verdict

JudgeRecords = Mapping[str, Mapping[str, Any]]
"""By number as text: `origin_prompt`, `prediction` (what the judge said; None if nothing), and `gold`."""


class Decision(NamedTuple):
    """One verdict that could be read."""

    gold: Mapping[str, Any]
    """`sample`, `turn` (from 1), `capability`, the models shown (`answer1`, `answer2`), whose score it is (`model`)."""
    verdict: Verdict

    @property
    def share(self) -> float:
        """The scored model's share of a win."""
        won = self.verdict.value
        return won if self.gold["answer1"] == self.gold["model"] else 1 - won

    @property
    def battle(self) -> Battle:
        gold = self.gold
        return Battle(gold["sample"], gold["answer1"], gold["answer2"], self.verdict.value, self.verdict.weight)


def decisions(records: JudgeRecords, scale: Scale) -> Iterator[Decision]:
    """The decisions of the records; those from which none can be read are left out."""
    for key in sorted(records, key=int):
        record = records[key]
        verdict = verdict_of(record, scale)
        if verdict is not None:
            yield Decision(record["gold"], verdict)


def verdict_of(record: Mapping[str, Any], scale: Scale) -> Verdict | None:
    """The verdict of a record: its text's, or the one that was certain without asking."""
    said = record.get("verdict", record.get("prediction"))
    return None if said is None else scale.read(str(said))


def by(decided: Sequence[Decision], key: str) -> dict[Any, list[Decision]]:
    """The decisions by an entry of their `gold`, in the order of first sight."""
    groups: dict[Any, list[Decision]] = {}
    for decision in decided:
        groups.setdefault(decision.gold.get(key), []).append(decision)
    return groups

"""Data that are not on this machine: one finding for all subjects of a benchmark that lie in the same place."""

from collections.abc import Iterable
from dataclasses import replace

from tasks.spec.findings import Finding, FindingKind
from tasks.spec.specs import DatasetSpec

_NAMED = 3


def merged_findings(found: Iterable[tuple[DatasetSpec, Finding]]) -> list[Finding]:
    """The findings in order; of those about a loader and a path that the machine lacks, the first, with a count."""
    groups: dict[object, list[tuple[DatasetSpec, Finding]]] = {}
    for number, (spec, finding) in enumerate(found):
        of_machine = finding.kind is FindingKind.MACHINE
        key = (spec.type, spec.arguments.get("path")) if of_machine else number
        groups.setdefault(key, []).append((spec, finding))
    return [_one(group) for group in groups.values()]


def _one(group: list[tuple[DatasetSpec, Finding]]) -> Finding:
    first = group[0][1]
    others = list(dict.fromkeys(spec.abbr for spec, _ in group if spec is not group[0][0]))
    if not others:
        return first
    named = ", ".join(others[:_NAMED])
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    return replace(first, message=f"{first.message}; nor is there what {named}{more} need")

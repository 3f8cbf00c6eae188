"""Results of the station that stand for asking and scoring: which are of the same configuration, and which are not."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from blocks.station.entry import Header, Identity, Station, StationError, differences
from flows.station.identity import identity_of
from flows.station.opencompass_results import foreign_differences
from tasks.plan.run_plan import PairPlan, PlannedShard, RunPlan
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.storage.run_folder import Pair
from tasks.spec.subjective import is_judged

_NAMED = 5
"""Pairs that a message names."""


class Choice(NamedTuple):
    """What the station has for a plan."""

    taken: dict[Pair, Header]
    reasons: dict[Pair, str]
    """Why nothing was taken for a pair that the station has results of."""


def with_station_results(plan: RunPlan) -> RunPlan:
    """The plan without what the station spares it; UserError if the station cannot be read."""
    station: Station = plan.station
    try:
        headers = station.headers([pair.pair for pair in plan.pairs])
    except StationError as error:
        raise UserError(Finding(str(error), kind=FindingKind.MACHINE)) from error
    choice = choose(plan, headers)
    done = frozenset(choice.taken) | _only_compared_with(plan, choice.taken)
    shards = (_without(shard, done) for shard in plan.infer_shards)
    batches = (tuple(pair for pair in batch if pair not in done) for batch in plan.eval_batches)
    return replace(
        plan,
        taken=frozenset(choice.taken),
        infer_shards=tuple(shard for shard in shards if shard.parts),
        eval_batches=tuple(batch for batch in batches if batch),
        findings=(*plan.findings, *_told(plan, station.name, choice)),
    )


def choose(plan: RunPlan, headers: list[Header]) -> Choice:
    """For each pair the result of its configuration, if there is one without errors."""
    found: dict[Pair, list[Header]] = defaultdict(list)
    for header in headers:
        found[header.pair].append(header)
    taken: dict[Pair, Header] = {}
    reasons: dict[Pair, str] = {}
    for pair in plan.pairs:
        if pair.pair not in found:
            continue
        header, reason = _choose(pair, wanted_identity(plan, pair), found[pair.pair], plan.search_path)
        if header is not None:
            taken[pair.pair] = header
        else:
            reasons[pair.pair] = reason
    _leave_what_others_need(plan, taken, reasons)
    return Choice(taken, reasons)


def wanted_identity(plan: RunPlan, pair: PairPlan) -> Identity | None:
    """None where the data could not be loaded, or it is not known who judges."""
    if pair.data is None:
        return None
    request = plan.request
    return identity_of(
        pair.model,
        pair.dataset,
        data=pair.data.fingerprint,
        limit=request.limit,
        extract_rate=extracts(plan),
    )


def extracts(plan: RunPlan) -> bool:
    """Whether the share of answers that could be read is one of the metrics."""
    return bool(plan.request.dump_extract_rate or plan.eval.options.get("cal_extract_rate", False))


def _choose(
    pair: PairPlan, wanted: Identity | None, headers: list[Header], search_path: tuple[str, ...]
) -> tuple[Header | None, str]:
    if wanted is None:
        return None, "the data are not here to be compared"
    nearest = min(headers, key=lambda header: len(_differences(pair, wanted, header, search_path)))
    different = _differences(pair, wanted, nearest, search_path)
    if different:
        return None, "; ".join(different)
    if nearest.errors:
        return None, f"{nearest.errors} of its {nearest.samples} samples have no answer"
    return nearest, ""


def _differences(pair: PairPlan, wanted: Identity, header: Header, search_path: tuple[str, ...]) -> list[str]:
    if header.identity is None:
        return foreign_differences(pair, wanted, header, search_path)
    return differences(wanted, header.identity)


def _leave_what_others_need(plan: RunPlan, taken: dict[Pair, Header], reasons: dict[Pair, str]) -> None:
    """A model whose answers those of another are still to be compared with has to be asked."""
    needed = {need for pair in plan.pairs if pair.pair not in taken for need in _opponents(pair)}
    for pair in needed & taken.keys():
        del taken[pair]
        reasons[pair] = "its answers are needed: others are compared with them"


def _only_compared_with(plan: RunPlan, taken: Mapping[Pair, Header]) -> frozenset[Pair]:
    """Models without a score of their own, where everything that is compared with them is taken."""
    needed = {need for pair in plan.pairs if pair.pair not in taken for need in _opponents(pair)}
    compared = {need for pair in plan.pairs if pair.pair in taken for need in _opponents(pair)}
    unjudged = {pair.pair for pair in plan.pairs if not is_judged(pair.dataset, pair.pair.model)}
    return frozenset((compared & unjudged) - needed)


def _opponents(pair: PairPlan) -> set[Pair]:
    opponents = pair.dataset.subjective.opponents if pair.dataset.subjective else ()
    return {Pair(opponent.abbr, pair.dataset.abbr) for opponent in opponents if opponent.given is None}


def _without(shard: PlannedShard, done: frozenset[Pair]) -> PlannedShard:
    return replace(shard, parts=tuple(part for part in shard.parts if part.pair not in done))


def _told(plan: RunPlan, name: str, choice: Choice) -> list[Finding]:
    """One line on what is taken, one for each reason why something is not."""
    count = f"{len(choice.taken)} of {len(plan.pairs)} pairs"
    lines = [f"taken from the station {name}: {count}{_names(choice.taken)}"]
    by_reason: dict[str, list[Pair]] = defaultdict(list)
    for pair, reason in choice.reasons.items():
        by_reason[reason].append(pair)
    lines += [f"not taken from the station{_names(pairs)}: {reason}" for reason, pairs in by_reason.items()]
    unverified = [pair for pair, header in choice.taken.items() if header.identity is None]
    if unverified:
        lines.append(f"written by OpenCompass, so data and scoring could not be compared{_names(unverified)}")
    return [Finding(line, kind=FindingKind.WARNING) for line in lines]


def _names(pairs: Mapping[Pair, Header] | list[Pair]) -> str:
    names = [f"{pair.model}/{pair.dataset}" for pair in pairs]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" ({', '.join(names[:_NAMED])}{more})" if names else ""

"""From a plan to shards: adds the run folder and the keys."""

from collections.abc import Iterable
from pathlib import Path

from tasks.plan.run_plan import PairPlan, PlannedPart, PlannedShard, RunPlan
from tasks.spec.identity import model_identity, part_key, shard_key
from tasks.spec.shard import Shard, ShardPart
from tasks.spec.storage.run_folder import Pair, RunFolder

_PREFIXES = {"OpenICLInferTask": "OpenICLInfer", "OpenICLInferConcurrentTask": "OpenICLInferConcurrent"}


def shard_name(plan: RunPlan, shard: PlannedShard) -> str:
    """Task name as OpenCompass prints it, e.g. `OpenICLInfer[gpt-x/demo_gsm8k]`."""
    return shard.name(_PREFIXES.get(plan.infer.task, plan.infer.task))


def build_shards(plan: RunPlan, folder: RunFolder) -> list[Shard]:
    """The plan's shards, ready to run in `folder`; every dataset of the plan must be loaded."""
    pairs = {pair.pair: pair for pair in plan.pairs}
    identities = {model.abbr: model_identity(model) for model in plan.models}
    return [_build(plan, shard, folder, identities[shard.model.abbr], pairs) for shard in plan.infer_shards]


def parts_by_pair(shards: Iterable[Shard]) -> dict[Pair, list[ShardPart]]:
    """All parts of each pair, in the order of their rows."""
    parts: dict[Pair, list[ShardPart]] = {}
    for shard in shards:
        for part in shard.parts:
            parts.setdefault(Pair(shard.model.abbr, part.dataset.abbr), []).append(part)
    return {pair: sorted(found, key=lambda part: part.start) for pair, found in parts.items()}


def _build(
    plan: RunPlan, planned: PlannedShard, folder: RunFolder, identity: str, pairs: dict[Pair, PairPlan]
) -> Shard:
    parts = tuple(_part(plan, part, identity, pairs[part.pair]) for part in planned.parts)
    return Shard(
        name=shard_name(plan, planned),
        run_folder=folder.root,
        model=planned.model,
        model_identity=identity,
        parts=parts,
        in_flight=planned.in_flight,
        budget=plan.budget,
        log_interval=plan.infer.options["log_interval"],
        key=shard_key(part.key for part in parts),
        search_path=plan.search_path,
        cache=Path(plan.request.cache).expanduser().absolute() if plan.request.cache else None,
    )


def _part(plan: RunPlan, part: PlannedPart, identity: str, pair: PairPlan) -> ShardPart:
    if pair.data is None:
        raise ValueError(f"{pair.dataset.abbr} is not loaded")
    limit, fingerprint = plan.request.limit, pair.data.fingerprint
    key = part_key(identity, pair.dataset, data_fingerprint=fingerprint, start=part.start, stop=part.stop, limit=limit)
    asked = pair.dataset.model_copy(update={"subjective": None})  # judges have keys, and no part in asking
    return ShardPart(
        dataset=asked, start=part.start, stop=part.stop, limit=limit, data_fingerprint=fingerprint, key=key
    )

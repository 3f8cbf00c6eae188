"""Writes the prompts of a run to files instead of asking them (`--dump-only-message-path`)."""

from pathlib import Path

from flows.output.console import say
from tasks.infer.ledger.ledger import dump_json
from tasks.plan.rendering import PairPrompts
from tasks.plan.run_plan import RunPlan
from tasks.spec.storage.run_folder import safe_name, write_atomically


def dump_messages(plan: RunPlan, folder: Path) -> int:
    """Writes `<folder>/<model>/<dataset>.jsonl`, one line per row with its prompts; returns the exit status."""
    for pair in plan.pairs:
        rendered = PairPrompts.of(pair, plan.search_path)
        if rendered is None:
            continue
        path = folder / safe_name(pair.model.abbr) / f"{safe_name(pair.dataset.abbr)}.jsonl"
        lines = [
            dump_json({"index": row.position, "prompt": prompts[0] if len(prompts) == 1 else prompts})
            for row, prompts in rendered.all(plan.request.limit)
        ]
        write_atomically(path, b"\n".join([*lines, b""]))
        say(f"{len(lines)} prompts: {path}")
    return 0

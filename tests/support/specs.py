"""Small specs, data files and shards for tests."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.data.loading import DatasetCache
from tasks.data.rows import plan_rows
from tasks.spec.identity import model_identity, part_key, shard_key
from tasks.spec.shard import InFlight, Shard, ShardPart
from tasks.spec.specs import DatasetSpec, ModelSpec, ReaderSpec


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """A jsonl file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sums(count: int) -> list[dict[str, str]]:
    """`count` different questions with their answers."""
    return [{"question": f"What is {n} + {n + 1}?", "answer": str(2 * n + 1)} for n in range(count)]


def dataset_spec(path: Path, abbr: str = "sums", **fields: Any) -> DatasetSpec:
    """A dataset of question/answer rows, asked as one user message."""
    reader = fields.pop("reader", {})
    prompt = fields.pop("prompt", "{question}")
    inferencer = {"type": "tasks.infer.inferencers.names.GenInferencer", **fields.pop("inferencer", {})}
    return DatasetSpec(
        abbr=abbr,
        type="tasks.data.custom.CustomDataset",
        written_type="CustomDataset",
        arguments={"path": str(path)},
        reader=ReaderSpec(input_columns=("question",), output_column="answer", **reader),
        infer_cfg={
            "prompt_template": {
                "type": "tasks.prompts.templates.PromptTemplate",
                "template": {"round": [{"role": "HUMAN", "prompt": prompt}]},
            },
            "retriever": {"type": "tasks.prompts.retrievers.ZeroRetriever"},
            "inferencer": inferencer,
        },
        eval_cfg={"evaluator": {"type": "tasks.score.evaluators.exact.AccEvaluator"}},
        **fields,
    )


def model_spec(abbr: str = "fake", type: str = "support.fake_backend.Adder", **fields: Any) -> ModelSpec:
    """A model that needs no service."""
    return ModelSpec(abbr=abbr, type=type, written_type=type, **fields)


def shard_of(
    folder: Path,
    model: ModelSpec,
    *datasets: DatasetSpec,
    limit: int | None = None,
    rows: tuple[int, int] | None = None,
    in_flight: int = 4,
    data: DatasetCache | None = None,
) -> Shard:
    """A shard over all rows of the datasets, or over `rows` of each; `data` where they are loaded already."""
    data, identity = data or DatasetCache(), model_identity(model)
    parts: list[ShardPart] = []
    for dataset in datasets:
        loaded = data.load(dataset)
        start, stop = rows or (0, len(plan_rows(dataset, loaded, limit)))
        fingerprint = loaded.fingerprint
        key = part_key(identity, dataset, data_fingerprint=fingerprint, start=start, stop=stop, limit=limit)
        parts.append(
            ShardPart(dataset=dataset, start=start, stop=stop, limit=limit, data_fingerprint=fingerprint, key=key)
        )
    return Shard(
        name="OpenICLInfer[test]",
        run_folder=folder,
        model=model,
        model_identity=identity,
        parts=tuple(parts),
        in_flight=InFlight(scope="task", limit=in_flight),
        key=shard_key(part.key for part in parts),
    )

"""The results of a run as files of lm-evaluation-harness 0.4: one results file per model, and its samples.

Format: lm_eval/result_schema.py and loggers/evaluation_tracker.py of https://github.com/EleutherAI/lm-evaluation-harness.
Readers as its scripts/zeno_visualize.py take from every sample each metric that the `metric_list` of the task names.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from tasks.report.exports.sample_rows import sample_rows
from tasks.report.summary.numbers import section
from tasks.report.summary.scores import Cell, read_scores
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, safe_name, write_atomically

_FILTER = "none"
_PERCENT = {"accuracy": 100.0}
"""The scale of metrics in files that do not say it."""
_OUTPUT_TYPE = "generate_until"
"""Of all tasks: other types would tell readers to find a likelihood of every option in the samples."""
_NOT_IN_MODEL_NAMES = re.compile(r"[\"<>:/|\\?*\[\]]+")
"""As `lm_eval.utils.sanitize_model_name`."""


def write_lm_eval(
    models: Sequence[ModelSpec],
    datasets: Sequence[DatasetSpec],
    folder: RunFolder,
    target: Path,
    *,
    pairs: Collection[Pair],
    samples: bool = True,
) -> list[Path]:
    """Writes `<target>/<model>/results_<time>.json` and, with `samples`, `samples_<dataset>_<time>.jsonl`.

    Shares of right samples become fractions, as there; all other metrics keep their unit. Returns the results files.
    """
    time = datetime.now().isoformat().replace(":", "-")
    written: list[Path] = []
    for model in models:
        alone = model.model_copy(update={"summarizer_abbr": None})
        scores = read_scores([alone], datasets, folder, pairs)
        cells = {name: cell for (_, name), cell in scores.cells.items() if cell.metrics}
        scored = [dataset for dataset in datasets if dataset.abbr in cells]
        if not scored:
            continue
        base = target / safe_name(model.abbr)
        written.append(base / f"results_{time}.json")
        _write_json(written[-1], _results(model, scored, cells))
        for dataset in scored if samples else ():
            path = base / f"samples_{safe_name(dataset.abbr)}_{time}.jsonl"
            with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
                file.writelines(
                    json.dumps(line, ensure_ascii=False) + "\n"
                    for line in _samples(folder, model, dataset, _of_samples(cells[dataset.abbr]))
                )
    return written


def _results(model: ModelSpec, datasets: Sequence[DatasetSpec], cells: Mapping[str, Cell]) -> dict[str, Any]:
    name = str(model.arguments.get("path") or model.abbr)
    plain = {"path": name} | {key: value for key, value in model.arguments.items() if isinstance(value, int | float)}
    return {
        "results": {abbr: _task_metrics(abbr, cell) for abbr, cell in cells.items()},
        "group_subtasks": {},
        "configs": {dataset.abbr: _task_config(dataset, cells[dataset.abbr]) for dataset in datasets},
        "versions": {dataset.abbr: dataset.version for dataset in datasets},
        "n-shot": {dataset.abbr: _shots(dataset) for dataset in datasets},
        "higher_is_better": {abbr: dict.fromkeys(section(cell.own, "shares"), True) for abbr, cell in cells.items()},
        "n-samples": {abbr: _counts(cell) for abbr, cell in cells.items()},
        "config": {
            "model": model.written_type.rpartition(".")[2],
            "model_args": ",".join(f"{key}={value}" for key, value in plain.items()),
            "batch_size": model.batch_size,
            "limit": None,
            "bootstrap_iters": 0,
            "gen_kwargs": None,
        },
        "date": datetime.now().timestamp(),
        "task_hashes": {},
        "model_source": model.written_type.rpartition(".")[2],
        "model_name": name,
        "model_name_sanitized": _NOT_IN_MODEL_NAMES.sub("__", name),
    }


def _task_metrics(abbr: str, cell: Cell) -> dict[str, Any]:
    length = _counts(cell).get("effective")
    head = {"name": abbr, "alias": abbr} | ({} if length is None else {"sample_len": length})
    return {**head, **_metrics(cell)}


def _metrics(cell: Cell) -> dict[str, float | str]:
    """`<metric>,none` and `<metric>_stderr,none`; a standard error that is not known is `N/A`, as there."""
    found: dict[str, float | str] = {}
    for metric, value in cell.metrics.items():
        scale = section(cell.own, "shares").get(metric) or _PERCENT.get(metric.partition(" (")[0], 1.0)
        error = section(cell.own, "stderr").get(metric)
        found[f"{metric},{_FILTER}"] = value / scale
        found[f"{metric}_stderr,{_FILTER}"] = "N/A" if error is None else error / scale
    return found


def _task_config(dataset: DatasetSpec, cell: Cell) -> dict[str, Any]:
    return {
        "task": dataset.abbr,
        "dataset_path": str(dataset.arguments.get("path", dataset.written_type)),
        "output_type": _OUTPUT_TYPE,
        "repeats": dataset.n,
        "num_fewshot": _shots(dataset),
        "metric_list": [
            {"metric": metric, "aggregation": "mean", "higher_is_better": True} for metric in _of_samples(cell)
        ],
        "metadata": {"version": dataset.version},
    }


def _shots(dataset: DatasetSpec) -> int:
    """Examples in the prompt that a retriever chose; those that stand in a template are part of the text."""
    retriever = dataset.infer_cfg.get("retriever", {})
    ids = retriever.get("fix_id_list") or dataset.inferencer.get("fix_id_list")
    return len(ids) if ids else int(retriever.get("ice_num") or 0)


def _counts(cell: Cell) -> dict[str, int]:
    samples = section(cell.own, "samples")
    original = section(cell.own, "rows").get("all", samples.get("n"))
    counted = {"original": original, "effective": samples.get("counted")}
    return {name: count for name, count in counted.items() if isinstance(count, int)}


def _of_samples(cell: Cell) -> list[str]:
    """The metric that is the mean of the samples' verdicts, if there is one."""
    shares = list(section(cell.own, "shares"))
    return shares if len(shares) == 1 else []


def _samples(
    folder: RunFolder, model: ModelSpec, dataset: DatasetSpec, metrics: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """One line per sample; the document is what is known of the row: its name and its reference.

    A sample without verdict has null for each of the metrics: it does not count.
    """
    for row in sample_rows(folder, {Pair(model.abbr, dataset.abbr): dataset.n}):
        document = {"sample": row["sample"], "repeat": row["repeat"], "reference": row["reference"]}
        prompt, target, prediction = row["prompt"] or "", row["reference"] or "", row["prediction"] or ""
        verdict = None if row["correct"] is None else float(row["correct"])
        yield {
            "doc_id": row["index"],
            "doc": document,
            "target": target,
            "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": []}}},
            "resps": [[prediction]],
            "filtered_resps": [prediction if row["answer"] is None else row["answer"]],
            "filter": _FILTER,
            "metrics": list(metrics),
            "doc_hash": _hash(json.dumps(document, ensure_ascii=False)),
            "prompt_hash": _hash(prompt),
            "target_hash": _hash(target),
            **dict.fromkeys(metrics, verdict),
        }


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _write_json(path: Path, content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=2)
    write_atomically(path, text.encode("utf-8", "backslashreplace"))

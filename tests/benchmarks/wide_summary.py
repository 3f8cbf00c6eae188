"""Many results files of one folder, and their summary: `python wide_summary.py FOLDER` makes it."""

import json
import sys
from pathlib import Path

from tasks.report.summarize import summarize
from tasks.spec.specs import DatasetSpec, ModelSpec, ReaderSpec
from tasks.spec.storage.run_folder import Pair, RunFolder

MODELS, DATASETS = 20, 500
_MODEL = "tasks.models.services.openai_chat.OpenAISDK"
_RESULTS = {
    "accuracy": 61.0,
    "compass": {
        "samples": {"n": 100, "counted": 100, "errors": 0, "truncated": 3, "unparsed": 2, "fallback": 1},
        "stderr": {"accuracy": 4.9},
        "shares": {"accuracy": 100.0},
        "strict": {"accuracy": 60.0},
        "tokens": {"prompt_tokens": 52_000, "completion_tokens": 11_000},
        "latency_median": 1.25,
    },
}


def pairs() -> tuple[list[ModelSpec], list[DatasetSpec]]:
    """The models and datasets of the run."""
    reader = ReaderSpec(input_columns=("question",), output_column="answer")
    inferencer = {"inferencer": {"type": "tasks.infer.inferencers.names.GenInferencer"}}
    models = [ModelSpec(abbr=f"model_{n}", type=_MODEL, written_type=_MODEL) for n in range(MODELS)]
    datasets = [
        DatasetSpec(
            abbr=f"dataset_{n}", type="x.Y", written_type="x.Y", reader=reader, infer_cfg=inferencer, version="1d7fe4"
        )
        for n in range(DATASETS)
    ]
    return models, datasets


def write_results(root: Path) -> None:
    """One results file per pair."""
    text, folder = json.dumps(_RESULTS), RunFolder(root)
    models, datasets = pairs()
    for model in models:
        for dataset in datasets:
            path = folder.results(Pair(model.abbr, dataset.abbr))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


if __name__ == "__main__":
    groups = [{"name": "all", "subsets": [dataset.abbr for dataset in pairs()[1]]}]
    made = summarize(*pairs(), RunFolder(Path(sys.argv[1])), {"summary_groups": groups}, time="20261129_120000")
    sys.stdout.write(made.text)

"""Run folders with predictions, and evaluators of a user's own, for tests of scoring and summaries."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.specs import dataset_spec, model_spec, write_rows

from tasks.score.files.results import PairScore
from tasks.score.interface import BaseEvaluator
from tasks.score.scoring import score_pair
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, write_json

GSM8K_EVAL = {
    "evaluator": {"type": "tasks.score.evaluators.exact.Gsm8kEvaluator"},
    "pred_postprocessor": {"type": "tasks.score.answers.postprocessors.gsm8k_postprocess"},
    "dataset_postprocessor": {"type": "tasks.score.answers.postprocessors.gsm8k_dataset_postprocess"},
}


class Case:
    """One pair in a run folder of its own; the rows are questions whose answers are `golds`."""

    def __init__(self, folder: Path, golds: Sequence[Any], **spec: Any) -> None:
        rows = [{"question": f"q{index}", "answer": gold} for index, gold in enumerate(golds)]
        self.folder = RunFolder(folder / "run")
        self.model: ModelSpec = model_spec("m", **spec.pop("model", {}))
        eval_cfg = spec.pop("eval_cfg", {"evaluator": {"type": "tasks.score.evaluators.exact.AccEvaluator"}})
        dataset = dataset_spec(write_rows(folder / "rows.jsonl", rows), **spec)
        self.dataset: DatasetSpec = dataset.model_copy(update={"eval_cfg": eval_cfg})
        self.pair = Pair(self.model.abbr, self.dataset.abbr)

    def predict(self, *predictions: Any) -> "Case":
        """Writes the predictions file; a dict is a whole record, anything else a prediction of status `ok`."""
        records = [p if isinstance(p, dict) else {"prediction": p, "status": "ok"} for p in predictions]
        write_json(self.folder.predictions(self.pair), {str(i): record for i, record in enumerate(records)})
        return self

    def score(self, **options: Any) -> PairScore:
        return score_pair(self.model, self.dataset, self.folder, **options)

    @property
    def results(self) -> dict[str, Any]:
        """The results file."""
        return json.loads(self.folder.results(self.pair).read_bytes())

    @property
    def own(self) -> dict[str, Any]:
        """Our section of the results file."""
        return self.results["compass"]


class WithoutDetails(BaseEvaluator):
    """Counts equal texts, as OpenCompass's plain evaluators do."""

    def score(self, predictions: list[Any], references: list[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return {"accuracy": 100 * sum(map(str.__eq__, predictions, references)) / len(predictions), "seen": predictions}


class Substring(BaseEvaluator):
    """Right if the prediction is part of the reference: an empty one is part of all."""

    def score(self, predictions: list[Any], references: list[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        details = [{"correct": p in r} for p, r in zip(predictions, references, strict=True)]
        return {"score": 100 * sum(d["correct"] for d in details) / len(details), "details": details}


class Fields(BaseEvaluator):
    """Tells which arguments it got."""

    def score(
        self, ppl: list[float], test_set: Any, origin_prompt: list[Any], missing: str = "default"
    ) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return {
            "average_ppl": sum(ppl) / len(ppl),
            "told": {
                "questions": test_set["question"],
                "first": test_set[0],
                "prompts": origin_prompt,
                "missing": missing,
            },
        }


class Unknown(BaseEvaluator):
    """Asks for what there is not."""

    def score(self, predictons: list[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return {"accuracy": len(predictons)}


class Broken(BaseEvaluator):
    """Raises."""

    def score(self, predictions: list[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise ZeroDivisionError("no luck")


def first_word(text: str) -> str:
    """A user's post-processor: returns plain text, raises where there is none."""
    return text.split(maxsplit=1)[0]


def loud(text: str) -> str:
    return text.upper()

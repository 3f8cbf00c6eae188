"""The evaluator that asks a model whether each prediction is right."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from tasks.score.components import step_of
from tasks.score.interface import BaseEvaluator
from tasks.score.judging.grades import generic_llmjudge_postprocess
from tasks.score.judging.judgments import Judgment
from tasks.score.judging.llm_judge import LLMJudge
from tasks.score.judging.pair_judges import Judges
from tasks.score.judging.verdict_text import grade_of, grades_offered
from tasks.score.metrics.replicas import NO_VERDICT
from tasks.spec.storage.run_folder import write_json

_OURS = "tasks.score.judging.grades."
Record = dict[str, Any]
"""What a judge said of one sample: `origin_prompt`, `prediction`, `gold`."""


class GenericLLMEvaluator(BaseEvaluator):
    """Metrics as `dict_postprocessor` makes them; by default those of `generic_llmjudge_postprocess`."""

    def __init__(
        self,
        prompt_template: Mapping[str, Any],
        judge_cfg: Mapping[str, Any] | None = None,
        dataset_cfg: Mapping[str, Any] | None = None,
        pred_postprocessor: Mapping[str, Any] | None = None,
        dict_postprocessor: Mapping[str, Any] | None = None,
        keep_predictions: bool = False,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            prompt_template: What the judge is asked: any column of the row, `prediction`, and the reference as
                `obj_gold` or `reference`.
            judge_cfg: The judge's model; the one that `OC_JUDGE_MODEL` names where it is empty.
            dataset_cfg: Where the columns of the prompt come from; the dataset itself where there is none.
            pred_postprocessor: What predictions go through before the judge sees them; the scoring applies it.
            dict_postprocessor: Makes metrics of the judge's records: a function of records, path and, if it names
                it, `dataset`.
            keep_predictions: Accepted for compatibility: results files keep every prediction.
        """
        self.prompt_template = prompt_template
        self.judge_cfg = judge_cfg
        self.dataset_cfg = dataset_cfg
        self.pred_postprocessor = pred_postprocessor
        self.dict_postprocessor = dict_postprocessor
        self.keep_predictions = keep_predictions

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        predictions: Sequence[Any],
        test_set: Sequence[Mapping[str, Any]],
        judges: Judges,
        references: Sequence[Any] | None = None,
    ) -> dict[str, Any]:
        """Samples with an empty prediction are wrong, and the judge is not asked, if the grades are ours."""
        golds = list(references) if references is not None else [""] * len(predictions)
        asked = [i for i, prediction in enumerate(predictions) if not self._grades_are_ours or str(prediction).strip()]
        judgments = self.judge.ask(judges, predictions, golds, test_set, self.is_valid, asked)
        records: dict[str, Record] = {
            str(i): {"origin_prompt": "", "prediction": "", "gold": gold, "not_asked": True}
            for i, gold in enumerate(golds)
        }
        records |= {str(i): _record(judgment, golds[i]) for i, judgment in zip(asked, judgments, strict=True)}
        path = judges.raw_file("replica")
        write_json(path, records)
        read = {key: self._read(record, judges) for key, record in records.items()}
        summed = self._summed if self._grades_are_ours else self._summed_by_user
        return summed(read, str(path), test_set, judges.pair.search_path)

    @cached_property
    def judge(self) -> LLMJudge:
        """ScoreError if it cannot be built."""
        return LLMJudge.of(self.prompt_template, self.judge_cfg, self.dataset_cfg)

    def is_valid(self, text: str) -> bool:
        """Whether a verdict can be read; of a post-processor of the user's own only that it gets a text is known."""
        if not self._grades_are_ours:
            return bool(text.strip())
        return grade_of(text, self.letters) is not None

    @cached_property
    def letters(self) -> str:
        """The grades that the judge's prompt offers."""
        return grades_offered(str(self.prompt_template))

    @property
    def _grades_are_ours(self) -> bool:
        return not self.dict_postprocessor or str(self.dict_postprocessor["type"]).startswith(_OURS)

    def _read(self, record: Record, judges: Judges) -> Record:
        """The record with what the judge's own post-processor leaves of its answer."""
        said = record["prediction"]
        return record if said is None else {**record, "prediction": self.judge.read(said, judges)}

    def _summed(
        self, records: dict[str, Record], path: str, test_set: Any, search_path: Sequence[str]
    ) -> dict[str, Any]:
        if not self.dict_postprocessor:
            return generic_llmjudge_postprocess(records, path)
        step = step_of(dict(self.dict_postprocessor), search_path)
        options = {"dataset": test_set} if "dataset" in _parameters(step.function) else {}
        return step.function(records, path, **step.options, **options)

    def _summed_by_user(
        self, records: dict[str, Record], path: str, test_set: Any, search_path: Sequence[str]
    ) -> dict[str, Any]:
        """A function of the user's sees the answered records only; its details go to the samples they are of."""
        answered = [record for record in records.values() if record["prediction"] is not None]
        numbered = {str(number): record for number, record in enumerate(answered)}
        result = dict(self._summed(numbered, path, test_set, search_path))
        details = result.get("details")
        told = list(details.values()) if isinstance(details, Mapping) else details
        if isinstance(told, list) and len(told) == len(answered) < len(records):
            gap = {"correct": None, NO_VERDICT: "error"}
            given = iter(told)
            result["details"] = [gap if r["prediction"] is None else next(given) for r in records.values()]
        return result


def _record(judgment: Judgment, gold: Any) -> Record:
    """As OpenCompass stores it; no `prediction` where the judge did not answer."""
    said = None if judgment.gap == "error" else judgment.said
    record = {"origin_prompt": judgment.prompt, "prediction": said, "gold": gold}
    return record | ({"error": judgment.error} if judgment.error else {})


def _parameters(function: Callable[..., Any]) -> set[str]:
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()

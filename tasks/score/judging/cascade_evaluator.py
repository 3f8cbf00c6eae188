"""The evaluator that lets a rule decide and asks a model where the rule finds the answer wrong."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tasks.score.answers.extraction import extract
from tasks.score.components import step_of
from tasks.score.evaluators.comparison import percentage
from tasks.score.interface import VERDICTS, BaseEvaluator
from tasks.score.judging.generic_evaluator import GenericLLMEvaluator
from tasks.score.judging.judgments import Judgment
from tasks.score.judging.pair_judges import Judges
from tasks.score.judging.verdict_text import grade_of
from tasks.score.metrics.replicas import NO_VERDICT
from tasks.score.score_error import ScoreError
from tasks.spec.names.type_loading import import_type
from tasks.spec.storage.run_folder import write_json

Detail = dict[str, Any]


class CascadeEvaluator(BaseEvaluator):
    """`accuracy`: the share of samples that the rule or the judge finds right."""

    def __init__(
        self,
        llm_evaluator: Mapping[str, Any],
        rule_evaluator: Mapping[str, Any] | None = None,
        sample_score_fn: str | Callable[..., Any] | None = None,
        parallel: bool = True,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            llm_evaluator: A GenericLLMEvaluator.
            rule_evaluator: An evaluator whose details say which samples are right.
            sample_score_fn: In its place, a function of prediction and reference (and row) that says so of one.
            parallel: Whether the judge is asked about every sample, or only about those the rule finds wrong.
        """
        self.llm_evaluator = llm_evaluator
        self.rule_evaluator = rule_evaluator
        self.sample_score_fn = sample_score_fn
        self.parallel = parallel

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        predictions: Sequence[Any],
        references: Sequence[Any],
        test_set: Sequence[Mapping[str, Any]],
        judges: Judges,
    ) -> dict[str, Any]:
        """A sample that the rule finds wrong and the judge has no verdict on does not count."""
        rule = self._by_rule(predictions, references, test_set, judges)
        asked = [
            i
            for i, prediction in enumerate(predictions)
            if (self.parallel or not rule[i]["correct"]) and str(prediction).strip()
        ]
        llm, said = self._by_judge(judges, predictions, references, test_set, asked)
        details = [_detail(told, llm.get(i), said.get(i)) for i, told in enumerate(rule)]
        final = [detail["cascade_correct"] for detail in details if NO_VERDICT not in detail]
        judged = [verdict for verdict in llm.values() if verdict is not None]
        by_rule = [told["correct"] for told in rule]
        accuracy = percentage(final)
        stats = {
            "total_samples": len(rule), "rule_correct": sum(by_rule), "rule_accuracy": percentage(by_rule),
            "llm_evaluated": len(judged), "llm_correct": sum(judged), "llm_accuracy": percentage(judged),
            "no_verdict": len(rule) - len(final), "final_correct": sum(final), "final_accuracy": accuracy,
            "parallel_mode": self.parallel,
        }  # fmt: skip
        return {"accuracy": accuracy, "cascade_stats": stats, "details": details}

    def _by_rule(
        self, predictions: Sequence[Any], references: Sequence[Any], test_set: Sequence[Any], judges: Judges
    ) -> list[Detail]:
        """What the rule says of each sample, `correct` among it."""
        if self.sample_score_fn is not None:
            return self._by_function(predictions, references, test_set, judges)
        if self.rule_evaluator is None:
            raise ScoreError("CascadeEvaluator needs a rule_evaluator or a sample_score_fn")
        options = {
            key: value for key, value in self.rule_evaluator.items() if key not in ("type", "pred_postprocessor")
        }
        evaluator = import_type(self.rule_evaluator["type"], tuple(judges.pair.search_path))(**options)
        seen = _processed(predictions, self.rule_evaluator.get("pred_postprocessor"), judges)
        result = evaluator.score(predictions=seen, references=list(references))
        if result.get("error"):
            raise ScoreError(f"the cascade's rule: {result['error']}")
        details = result.get("details")
        if isinstance(details, Mapping):
            details = list(details.values())
        if isinstance(details, list) and len(details) == len(seen) and all(map(_says_verdict, details)):
            return [{**detail, "correct": _verdict(detail)} for detail in details]
        one_by_one = zip(seen, references, strict=True)
        return [_of_one(evaluator.score(predictions=[p], references=[r])) for p, r in one_by_one]

    def _by_function(
        self, predictions: Sequence[Any], references: Sequence[Any], test_set: Sequence[Any], judges: Judges
    ) -> list[Detail]:
        written = self.sample_score_fn
        function: Any = import_type(written, tuple(judges.pair.search_path)) if isinstance(written, str) else written
        takes_row = len(inspect.signature(function).parameters) > 2
        said = [
            function(prediction, reference, row) if takes_row else function(prediction, reference)
            for prediction, reference, row in zip(predictions, references, test_set, strict=True)
        ]
        return [_of_one(item) if isinstance(item, Mapping) else {"correct": bool(item)} for item in said]

    def _by_judge(
        self,
        judges: Judges,
        predictions: Sequence[Any],
        references: Sequence[Any],
        test_set: Sequence[Any],
        asked: Sequence[int],
    ) -> tuple[dict[int, bool | None], dict[int, Judgment]]:
        """The judge's verdicts by position, None where there is none, and what it said."""
        config = {key: value for key, value in self.llm_evaluator.items() if key != "type"}
        evaluator = import_type(self.llm_evaluator["type"], tuple(judges.pair.search_path))(**config)
        if not isinstance(evaluator, GenericLLMEvaluator):
            raise ScoreError("CascadeEvaluator: llm_evaluator is a GenericLLMEvaluator")
        seen = _processed(predictions, self.llm_evaluator.get("pred_postprocessor"), judges)
        letters = evaluator.letters
        judgments = evaluator.judge.ask(
            judges, seen, references, test_set, lambda text: grade_of(text, letters) is not None, asked
        )
        said = dict(zip(asked, judgments, strict=True))
        raw = [
            {"sample": i, "origin_prompt": j.prompt, "prediction": j.said, "gold": references[i]}
            for i, j in said.items()
        ]
        write_json(judges.raw_file("llm_judge_replica"), {str(number): record for number, record in enumerate(raw)})
        verdicts = {
            i: None if j.text is None else grade_of(evaluator.judge.read(j.text, judges), letters) == "A"
            for i, j in said.items()
        }
        return verdicts, said


def _processed(predictions: Sequence[Any], config: Mapping[str, Any] | None, judges: Judges) -> list[Any]:
    if not config:
        return list(predictions)
    steps = [step_of(dict(config), judges.pair.search_path)]
    return [extract(prediction, steps, position).handed for position, prediction in enumerate(predictions)]


def _detail(rule: Detail, verdict: bool | None, judgment: Judgment | None) -> Detail:
    detail: Detail = {"rule_evaluation": {**rule, "evaluation_method": "rule"}}
    if judgment is not None:
        told = {"prediction": judgment.said, "llm_correct": verdict, "evaluation_method": "llm"}
        detail["llm_evaluation"] = told | ({"error": judgment.error} if judgment.error else {})
    if judgment is not None and verdict is None and not rule["correct"]:
        return detail | {"cascade_correct": None, NO_VERDICT: judgment.gap}
    return detail | {"cascade_correct": bool(rule["correct"] or verdict)}


def _says_verdict(detail: Any) -> bool:
    return isinstance(detail, Mapping) and any(isinstance(detail.get(name), bool | int) for name in VERDICTS)


def _verdict(detail: Mapping[str, Any]) -> bool:
    return next(bool(detail[name]) for name in VERDICTS if isinstance(detail.get(name), bool | int))


def _of_one(result: Mapping[str, Any]) -> Detail:
    """What an evaluator returned for a single sample."""
    details = result.get("details")
    first = next(iter(details.values() if isinstance(details, Mapping) else details or ()), None)
    said = next(filter(_says_verdict, (first, result)), None)
    if said is not None:
        return {**said, "correct": _verdict(said)}
    return {"correct": float(result.get("accuracy", result.get("score", 0))) > 0}

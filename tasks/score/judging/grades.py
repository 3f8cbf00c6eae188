"""Metrics from what judges said: the `dict_postprocessor`s that configurations of OpenCompass name.

They take the records of the judge, by the samples' numbers as text, each with `origin_prompt`, `prediction` (what the
judge said; None if it did not answer) and `gold`.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tasks.score.judging.verdict_text import grade_of, grades_offered
from tasks.score.metrics.replicas import NO_VERDICT
from tasks.spec.chat import prompt_text

JudgeRecords = Mapping[str, Mapping[str, Any]]


def generic_llmjudge_postprocess(
    output: JudgeRecords,
    output_path: str = "",  # noqa: ARG001  # the form in which OpenCompass calls such functions
    dataset: Any = None,  # noqa: ARG001
    metric_name: str = "accuracy",
) -> dict[str, Any]:
    """Grades A (correct), B (incorrect) and, where the prompt offers it, C (not attempted).

    Records without a grade are in no metric but `invalid_count` (no grade can be read) and `error_count` (the judge
    did not answer). A record with `not_asked` is of a sample without an answer: not attempted.
    """
    details = [_detail(output[key]) for key in sorted(output, key=int)]
    grades = Counter(detail["grade"] for detail in details if not detail.get(NO_VERDICT))
    gaps = Counter(detail.get(NO_VERDICT) for detail in details)
    total, right, wrong = grades.total(), grades["A"], grades["B"]
    attempted = right + wrong
    share, given = _share(right, total), _share(right, attempted)
    return {
        metric_name: 100 * share,
        f"{metric_name}_given_attempted": 100 * given,
        "attempted_ratio": 100 * _share(attempted, total),
        "f1": 2 * share * given / (share + given) if right else 0.0,
        "correct_count": right,
        "incorrect_count": wrong,
        "not_attempted_count": grades["C"],
        "invalid_count": gaps["invalid"],
        "error_count": gaps["error"],
        "details": details,
    }


def generic_llmjudge_academic_postprocess(
    output: JudgeRecords, output_path: str = "", dataset: Any = None, metric_name: str = "accuracy"
) -> dict[str, Any]:
    """The same: details are kept in every results file."""
    return generic_llmjudge_postprocess(output, output_path, dataset, metric_name)


def _detail(record: Mapping[str, Any]) -> dict[str, Any]:
    said = record.get("prediction")
    if record.get("not_asked"):
        return {"origin_grade_response": None, "grade": "C", "correct": False}
    if said is None:
        return {"origin_grade_response": None, "grade": None, "correct": None, NO_VERDICT: "error"}
    grade = grade_of(str(said), grades_offered(prompt_text(record.get("origin_prompt") or "")))
    if grade is None:
        return {"origin_grade_response": said, "grade": None, "correct": None, NO_VERDICT: "invalid"}
    return {"origin_grade_response": said, "grade": grade, "correct": grade == "A"}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0

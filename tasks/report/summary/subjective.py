"""Summarizers of judged datasets: the usual table, which shows them beside all others, and files of their own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tasks.report.sample_details import sample_details
from tasks.report.summary.layout import quoted_csv
from tasks.report.summary.scores import Scores
from tasks.report.summary.summarizer import NOTHING, DefaultSummarizer
from tasks.score.subjective.bradley_terry import Battle, Rating, ratings
from tasks.spec.specs import DatasetSpec


class SubjectiveSummarizer(DefaultSummarizer):
    """`Subjective_all_results-judged-by--<judge>.csv`: one row per model, the main metric of each judged dataset."""

    def files(self, scores: Scores) -> Mapping[str, str]:
        return {f"Subjective_all_results-judged-by--{judge}.csv": _of_judge(judge, scores) for judge in _judges(scores)}


class DefaultSubjectiveSummarizer(DefaultSummarizer):
    """`by_<judge>.csv`: one row per judged dataset and metric, one column per model."""

    def files(self, scores: Scores) -> Mapping[str, str]:
        return {f"by_{judge}.csv": _table_of_judge(judge, scores) for judge in _judges(scores)}


class _JudgedSummarizer(DefaultSummarizer):
    """One file per judged dataset."""

    title = ""

    def __init__(
        self,
        dataset_abbrs: Sequence[str | Sequence[str]] | None = None,
        summary_groups: Sequence[Mapping[str, Any]] = (),
        judge_type: str | None = None,
        formats: Sequence[str] = (),
        function: str | None = None,
    ) -> None:
        """`judge_type` is accepted for compatibility: the dataset's post-processor says what verdicts mean."""
        super().__init__(dataset_abbrs, summary_groups, None, formats, function)
        self.judge_type = judge_type

    def files(self, scores: Scores) -> Mapping[str, str]:
        return {f"{self.title}_{dataset.abbr}.csv": self.table(dataset, scores) for dataset in _judged(scores)}

    def table(self, dataset: DatasetSpec, scores: Scores) -> str:
        """One row per model: its metrics, then those of each field of the benchmark."""
        metrics = scores.metrics_of(dataset.abbr)
        fields = {model: _by_capability(scores, model, dataset.abbr) for model in scores.models}
        names = list(dict.fromkeys(name for found in fields.values() for name in found))
        rows = [
            [model, *_texts(scores.cell(model, dataset.abbr).metrics, metrics), *_texts(fields[model], names)]
            for model in scores.models
        ]
        return quoted_csv(["model", *metrics, *names], rows)


class MTBenchSummarizer(_JudgedSummarizer):
    """`MTBench_<dataset>.csv`: mean ratings of each model, by turn and by field."""

    title = "MTBench"


class AlpacaSummarizer(_JudgedSummarizer):
    """`AlpacaEval_<dataset>.csv`: win rates of each model, by the set that the questions come from."""

    title = "AlpacaEval"


class ArenaHardSummarizer(_JudgedSummarizer):
    """`ArenaHard_<dataset>.csv`: ratings of all models together, the base model having 1000."""

    title = "ArenaHard"

    def table(self, dataset: DatasetSpec, scores: Scores) -> str:
        battles = list(_battles(dataset, scores))
        found: dict[str, Rating] = {}
        if battles:
            base = dataset.subjective.base_models if dataset.subjective else ()
            found = ratings(battles, next(iter(base), battles[0].first))
        best_first = sorted(found.items(), key=lambda item: -item[1].value)
        rows = [
            [model, *(f"{value:.2f}" for value in (rating.value, rating.low, rating.high, rating.win_rate()))]
            for model, rating in best_first
        ]
        return quoted_csv(["model", "rating", "95% from", "95% to", "expected win rate"], rows)


def agreement_remarks(scores: Scores) -> list[str]:
    """How far every two judges of a dataset agree; over several models, from the least to the most."""
    kappas: dict[tuple[str, str, str], list[float]] = {}
    for dataset in _judged(scores):
        for model in scores.models:
            for entry in _first_pass(scores, model, dataset.abbr, "agreement") or ():
                one, other = entry["judges"]
                found = kappas.setdefault((dataset.abbr, one, other), [])
                found += [entry["kappa"]] if entry["kappa"] is not None else []
    return [
        f"{name}: the judges {one} and {other} agree with {_kappa(found)}"
        for (name, one, other), found in kappas.items()
    ]


def _kappa(found: Sequence[float]) -> str:
    if not found:
        return "no kappa, since they always said the same"
    low, high = min(found), max(found)
    return f"kappa {low:.2f}" if low == high else f"kappa {low:.2f} to {high:.2f}, depending on the model"


def _judged(scores: Scores) -> list[DatasetSpec]:
    return [dataset for dataset in scores.datasets if dataset.subjective is not None]


def _judges(scores: Scores) -> list[str]:
    """All judges of any pair, in order of first sight."""
    found = [_raw(scores, model, dataset.abbr, "judges") for dataset in _judged(scores) for model in scores.models]
    return list(dict.fromkeys(judge for judges in found for judge in judges))


def _of_judge(judge: str, scores: Scores) -> str:
    datasets = _judged(scores)
    rows = [[model, *(_first(_metrics(judge, scores, model, d.abbr)) for d in datasets)] for model in scores.models]
    return quoted_csv(["model", *(dataset.abbr for dataset in datasets)], rows)


def _table_of_judge(judge: str, scores: Scores) -> str:
    rows: list[list[str]] = []
    for dataset in _judged(scores):
        by_model = [_metrics(judge, scores, model, dataset.abbr) for model in scores.models]
        names = dict.fromkeys(name for metrics in by_model for name in metrics)
        rows += [[dataset.abbr, name, *(_text(metrics.get(name)) for metrics in by_model)] for name in names]
    return quoted_csv(["dataset", "metric", *scores.models], rows)


def _metrics(judge: str, scores: Scores, model: str, dataset: str) -> dict[str, float]:
    metrics = _raw(scores, model, dataset, "judges").get(judge) or {}
    return {name: value for name, value in metrics.items() if isinstance(value, int | float)}


def _by_capability(scores: Scores, model: str, dataset: str) -> Mapping[str, float]:
    return _raw(scores, model, dataset, "by_capability")


def _raw(scores: Scores, model: str, dataset: str, name: str) -> Mapping[str, Any]:
    """A dict that the first pass over the rows says under a name that is no metric."""
    found = _first_pass(scores, model, dataset, name)
    return found if isinstance(found, Mapping) else {}


def _first_pass(scores: Scores, model: str, dataset: str, name: str) -> Any:
    found = scores.cell(model, dataset).raw.get(name)
    return found[0] if isinstance(found, list) and found else None


def _battles(dataset: DatasetSpec, scores: Scores) -> Iterator[Battle]:
    """Every verdict once: where all are compared with all, the files of both models tell it."""
    seen: set[tuple[Any, ...]] = set()
    for model in scores.models:
        path = scores.cell(model, dataset.abbr).path
        for number, sample in enumerate(sample_details(path, dataset.abbr) if path else ()):
            for judgment in sample.fields.get("judgments") or ():
                shown = judgment.get("shown") or ()
                key = (number, judgment.get("judge"), *shown, judgment.get("text"))
                if len(shown) == 2 and judgment.get("value") is not None and key not in seen:
                    seen.add(key)
                    first, second = shown
                    yield Battle(number, first, second, judgment["value"], judgment.get("weight", 1.0))


def _texts(values: Mapping[str, float], names: Sequence[str]) -> list[str]:
    return [_text(values.get(name)) for name in names]


def _text(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _first(metrics: Mapping[str, float]) -> str:
    return _text(next(iter(metrics.values()), None))

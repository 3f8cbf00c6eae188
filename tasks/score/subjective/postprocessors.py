"""How the verdicts of three benchmarks become scores: `dict_postprocessor`s under their names in OpenCompass."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tasks.score.subjective.bradley_terry import ratings
from tasks.score.subjective.decision import Decision, JudgeRecords, by, decisions
from tasks.score.subjective.verdict import Scale, Verdict, preference_scale, rating_scale

Metrics = dict[str, Any]


@dataclass(frozen=True, eq=False)
class VerdictPostprocessor:
    """Reads verdicts from the records of a judge, and counts them."""

    scale: Scale
    """Which verdicts there are; a judge that gives none of them is asked again."""
    metrics: Callable[[Sequence[Decision]], Metrics]
    main: str
    """The metric that every sample has a value of."""
    sample: Callable[[Sequence[Decision]], float]
    """That value."""

    def __call__(self, output: JudgeRecords, output_path: str = "", judge_type: str | None = None) -> Metrics:
        """Metrics of all records with a verdict; ValueError if none has one.

        `judge_type` is accepted for compatibility: how many were shown is known from the records.
        """
        decided = list(decisions(output, self.scale))
        if not decided:
            raise ValueError("none of the judge's answers holds a verdict")
        return self.metrics(decided)


def _mean_rating(decided: Sequence[Decision]) -> float:
    return fmean(decision.verdict.value for decision in decided)


def _mtbench(decided: Sequence[Decision]) -> Metrics:
    """Zheng et al. 2023: the mean rating over all turns of all questions."""
    turns = {f"turn_{turn}": _mean_rating(group) for turn, group in sorted(by(decided, "turn").items())}
    fields = {str(name): _mean_rating(group) for name, group in by(decided, "capability").items()}
    return {"average": _mean_rating(decided), **(turns if len(turns) > 1 else {}), "by_capability": fields}


def _win_rate(decided: Sequence[Decision]) -> float:
    """The mean share of wins, 0 to 100: every sample counts the same, ties are half a win."""
    return 100 * fmean(fmean(d.share for d in group) for group in by(decided, "sample").values())


def _alpaca_eval(decided: Sequence[Decision]) -> Metrics:
    fields = {str(name): _win_rate(group) for name, group in by(decided, "capability").items()}
    return {"win_rate": _win_rate(decided), "by_capability": fields}


def _arena_hard(decided: Sequence[Decision]) -> Metrics:
    """Li et al. 2024: a clear win counts three times; of two models, Bradley and Terry's win rate is the mean."""
    weight = sum(decision.verdict.weight for decision in decided)
    score = 100 * sum(decision.share * decision.verdict.weight for decision in decided) / weight
    return {"score": score, "win_rate": _win_rate(decided)}


def _bradley_terry(decided: Sequence[Decision]) -> Metrics:
    gold = decided[0].gold
    anchor = gold["answer1"] if gold["answer2"] == gold["model"] else gold["answer2"]
    rating = ratings([decision.battle for decision in decided], anchor)[gold["model"]]
    interval = {"rating_low": rating.low, "rating_high": rating.high}
    return {"rating": rating.value, "win_rate": _win_rate(decided), **interval}


def _mean_share(decided: Sequence[Decision]) -> float:
    return 100 * fmean(decision.share for decision in decided)


_ALPACA = preference_scale([Verdict("m", 1.0), Verdict("T", 0.5), Verdict("M", 0.0)], bare=True)
"""AlpacaEval's judges reply with the name of the better model and nothing else (`weighted_alpaca_eval_gpt4_turbo` looks
at the first token, OpenCompass's reader at the first character); the names here are case-sensitive as there."""
_ARENA_SPELLINGS = {"B<<A": "A>>B", "B<A": "A>B", "B=A": "A=B", "A<B": "B>A", "A<<B": "B>>A"}
_ARENA_LABELS = [
    Verdict("A>>B", 1.0, 3), Verdict("A>B", 1.0), Verdict("A=B", 0.5), Verdict("B>A", 0.0), Verdict("B>>A", 0.0, 3),
]  # fmt: skip
_ARENA = preference_scale(
    _ARENA_LABELS,
    spellings=_ARENA_SPELLINGS
    | {label.lower(): label for label in (verdict.label for verdict in _ARENA_LABELS)}
    | {spelling.lower(): label for spelling, label in _ARENA_SPELLINGS.items()},
)
"""Arena-Hard v0.1's rule (arena-hard-auto, `gen_judgment.py`, `get_score`): the label in double brackets, else in
single ones; none where different labels stand. Its spellings are those of `show_result.py`; v2.0 takes the last."""

mtbench_postprocess = VerdictPostprocessor(rating_scale(1, 10), _mtbench, "average", _mean_rating)
alpacaeval_postprocess = VerdictPostprocessor(_ALPACA, _alpaca_eval, "win_rate", _mean_share)
alpacaeval_bradleyterry_postprocess = VerdictPostprocessor(_ALPACA, _bradley_terry, "win_rate", _mean_share)
arenahard_postprocess = VerdictPostprocessor(_ARENA, _arena_hard, "win_rate", _mean_share)
arenahard_bradleyterry_postprocess = VerdictPostprocessor(_ARENA, _bradley_terry, "win_rate", _mean_share)

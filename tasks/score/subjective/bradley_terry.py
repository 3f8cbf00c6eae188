"""Ratings from comparisons of two models at a time.

Bradley and Terry's model (1952), fitted by logistic regression on the scale of Elo ratings, as Chatbot Arena and
Arena-Hard do (Chiang et al. 2024, arXiv:2403.04132; Li et al. 2024, arXiv:2406.11939).
"""

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

ANCHOR_RATING = 1000.0
_SCALE, _BASE = 400.0, 10.0
_WEAK_PENALTY = 1e6
"""Inverse strength of the penalty that keeps the rating of a model finite that won or lost everything."""


class Battle(NamedTuple):
    """Two models on one question."""

    question: int
    first: str
    second: str
    share: float
    """The first one's share of the win: 1, 0, or 0.5 for a tie."""
    weight: float = 1.0


class Rating(NamedTuple):
    """How strong a model is."""

    value: float
    """On Elo's scale: 400 more is ten times the odds of winning."""
    low: float
    high: float
    """Ends of the 95 % interval, by bootstrap over the questions."""

    def win_rate(self, against: float = ANCHOR_RATING) -> float:
        """Expected share of wins against a rating, 0 to 100."""
        return 100 / (1 + _BASE ** ((against - self.value) / _SCALE))


def ratings(battles: Sequence[Battle], anchor: str, *, rounds: int = 100, seed: int = 666) -> dict[str, Rating]:
    """Every model's rating, `anchor` having 1000; ValueError if it took part in no battle."""
    import numpy as np

    names = sorted({name for battle in battles for name in (battle.first, battle.second)})
    if anchor not in names:
        raise ValueError(f"{anchor!r} was compared with no model")
    design = _Design(battles, names)
    value = design.fit(np.ones(design.questions), anchor)
    random = np.random.default_rng(seed)
    share = np.full(design.questions, 1 / design.questions)
    draws = [design.fit(random.multinomial(design.questions, share), anchor) for _ in range(rounds)]
    low, high = np.quantile(draws, [0.025, 0.975], axis=0) if rounds else (value, value)
    return {name: Rating(float(value[i]), float(low[i]), float(high[i])) for i, name in enumerate(names)}


class _Design:
    """Battles as weighted rows of a regression: one row per kind of battle, however often it was fought."""

    def __init__(self, battles: Sequence[Battle], names: Sequence[str]) -> None:
        import numpy as np

        number = {question: index for index, question in enumerate({battle.question for battle in battles})}
        kinds = list(dict.fromkeys((battle.first, battle.second, battle.share) for battle in battles))
        kind = {key: index for index, key in enumerate(kinds)}
        self.questions = len(number)
        self._names = list(names)
        self._question = np.array([number[battle.question] for battle in battles])
        self._kind = np.array([kind[battle.first, battle.second, battle.share] for battle in battles])
        self._weight = np.array([battle.weight for battle in battles])
        self._share = np.array([share for _, _, share in kinds])
        self._rows = np.zeros((len(kinds), len(names)))
        for index, (first, second, _) in enumerate(kinds):
            self._rows[index, self._names.index(first)] += log(_BASE)
            self._rows[index, self._names.index(second)] -= log(_BASE)

    def fit(self, times: "NDArray[Any]", anchor: str) -> "NDArray[Any]":
        """Ratings where each question counts as often as `times` says."""
        import numpy as np
        from sklearn.linear_model import LogisticRegression

        weight = np.bincount(self._kind, self._weight * times[self._question], len(self._share))
        # a battle that is won is the opposite battle lost, so both classes are always there
        rows = np.concatenate([self._rows, -self._rows])
        weights = np.concatenate([weight * self._share, weight * (1 - self._share)])
        rows, weights = np.concatenate([rows, -rows]), np.concatenate([weights, weights])
        won = np.repeat([1, 0], len(weights) // 2)
        model = LogisticRegression(
            C=_WEAK_PENALTY, fit_intercept=False, solver="newton-cholesky", tol=1e-8, max_iter=1000
        )
        model.fit(rows, won, sample_weight=weights)
        value = _SCALE * model.coef_[0]
        return value - value[self._names.index(anchor)] + ANCHOR_RATING

"""Win rates as AlpacaEval publishes them (Li et al. 2023, github.com/tatsu-lab/alpaca_eval)."""

from collections.abc import Sequence
from statistics import fmean


def share_of_win(preference: float) -> float:
    """The second model's share of a win, from 0 to 1, of a preference from 1 (the first is better) to 2 (the second).

    A preference of 0 is a draw, which is half a win.
    """
    return 0.5 if preference == 0 else preference - 1


def win_rate(shares: Sequence[float]) -> float:
    """The mean share of wins, 0 to 100; ValueError if nothing was decided."""
    if not shares:
        raise ValueError("no comparison was decided")
    return 100 * fmean(shares)

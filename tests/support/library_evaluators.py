"""Evaluators that name the packages they count with."""

from typing import Any

from tasks.score.interface import BaseEvaluator


class WithPackage(BaseEvaluator):
    """Needs a package that is here."""

    libraries = ("orjson",)

    def score(self, predictions: list[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return {"count": len(predictions)}


class WithoutPackage(WithPackage):
    """Needs a package that is nowhere."""

    libraries = ("compass-no-such-package",)

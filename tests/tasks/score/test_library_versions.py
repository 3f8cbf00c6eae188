"""The packages that a score depends on."""

from importlib.metadata import version
from pathlib import Path

import pytest
from support.predictions import Case

from tasks.score.score_error import ScoreError


def _case(folder: Path, evaluator: str) -> Case:
    return Case(folder, ["1"], eval_cfg={"evaluator": {"type": f"support.library_evaluators.{evaluator}"}}).predict("1")


def test_their_versions_are_recorded_with_the_score(tmp_path: Path) -> None:
    case = _case(tmp_path, "WithPackage")
    case.score()
    assert case.own["versions"]["orjson"] == version("orjson")


def test_one_that_is_missing_is_named_with_the_line_that_installs_it(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match=r"needs the package compass-no-such-package: pip install '.*\[score\]'"):
        _case(tmp_path, "WithoutPackage").score()

"""Short names of classes that only an installed OpenCompass has."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.spec.checker import Checker
from tasks.spec.findings import FindingKind, Place, UserError
from tasks.spec.names import installed_names
from tasks.spec.names.type_loading import resolve_type
from tasks.spec.values import ConfigDict

SOURCE = """
raise RuntimeError("never imported")

@ICL_EVALUATORS.register_module()
class FruitEvaluator:
    pass

@TEXT_POSTPROCESSORS.register_module('peel-it')
def peel_postprocess(text):
    return text

@LOAD_DATASET.register_module(name="gsm8k", force=True)
@other
class GSM8KDataset:
    pass
"""
LOADER = """
class GSM8KDataset:
    @staticmethod
    def load(path, shuffled=False):
        return []
"""


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = tmp_path / "opencompass/evaluator/fruit.py"
    module.parent.mkdir(parents=True)
    (tmp_path / "opencompass/__init__.py").touch()
    module.write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    installed_names._registered.cache_clear()
    yield
    installed_names._registered.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "opencompass"]:
        del sys.modules[name]


@pytest.mark.usefixtures("_installed")
def test_a_registered_name_means_its_class_without_importing_it():
    assert resolve_type("FruitEvaluator", "evaluator") == "opencompass.evaluator.fruit.FruitEvaluator"
    assert resolve_type("peel-it", "postprocessor") == "opencompass.evaluator.fruit.peel_postprocess"


@pytest.mark.usefixtures("_installed")
def test_our_names_win_unless_theirs_are_preferred():
    assert resolve_type("GSM8KDataset", "dataset") == "tasks.data.benchmarks.gsm8k.GSM8KDataset"
    theirs = "opencompass.datasets.GSM8KDataset"
    assert resolve_type(theirs, "dataset") == "tasks.data.benchmarks.gsm8k.GSM8KDataset"
    assert resolve_type(theirs, "dataset", prefer_theirs=True) == theirs
    model = "opencompass.models.OpenAISDK"
    assert resolve_type(model, "model", prefer_theirs=True) == "tasks.models.services.openai_chat.OpenAISDK"


@pytest.mark.usefixtures("_installed")
def test_theirs_serves_an_option_that_ours_lacks(tmp_path: Path):
    (tmp_path / "opencompass/datasets.py").write_text(LOADER)
    checker = Checker()

    def loader(**options: object) -> str:
        entry = ConfigDict(type="opencompass.datasets.GSM8KDataset", path="p", **options)
        component = checker.component(entry, "dataset", Place())
        assert component is not None
        return component.type

    assert loader() == "tasks.data.benchmarks.gsm8k.GSM8KDataset"
    assert loader(shuffled=True) == "opencompass.datasets.GSM8KDataset" and not checker.findings
    loader(shufled=True)
    [finding] = checker.findings
    assert "no option 'shufled'" in finding.message and finding.kind is FindingKind.CONFIG


@pytest.mark.usefixtures("_installed")
def test_what_theirs_needs_to_serve_an_option_is_what_the_machine_lacks(tmp_path: Path):
    (tmp_path / "opencompass/datasets.py").write_text("import package_that_is_not_there\n")
    checker = Checker()
    entry = ConfigDict(type="opencompass.datasets.GSM8KDataset", path="p", shuffled=True)
    checker.component(entry, "dataset", Place())
    [finding] = checker.findings
    assert finding.kind is FindingKind.MACHINE and "'package_that_is_not_there'" in finding.remedy


def test_without_the_package_there_are_no_such_names():
    installed_names._registered.cache_clear()
    with pytest.raises(UserError, match="no evaluator named 'FruitEvaluator'"):
        resolve_type("FruitEvaluator", "evaluator")

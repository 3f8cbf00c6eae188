"""Names of types: OpenCompass's, ours and the user's."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.spec.findings import FindingKind, Place, UserError
from tasks.spec.names.type_loading import import_type, resolve_type
from tasks.spec.names.type_table import TABLE, TypeEntry
from tasks.spec.values import TypeRef

Write = Callable[..., Path]
OPENAI = "tasks.models.services.openai_chat.OpenAISDK"


@pytest.mark.parametrize(
    "written",
    [
        "OpenAISDK",
        "opencompass.models.OpenAISDK",
        "opencompass.models.openai_api.OpenAISDK",
        TypeRef("opencompass.models.OpenAISDK"),
        TypeRef("opencompass").models.OpenAISDK,
        "tasks.models.OpenAISDK",
        OPENAI,
    ],
)
def test_a_model_by_all_its_names(written: object) -> None:
    assert resolve_type(written, "model") == OPENAI


def test_a_class_stands_for_its_path() -> None:
    from tasks.infer.kinds import OpenICLInferTask

    assert resolve_type(OpenICLInferTask, "task") == "tasks.infer.kinds.OpenICLInferTask"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("gsm8k", "gsm8k_postprocess"),
        ("first-option", "first_option_postprocess"),
        ("extract-non-reasoning-content", "extract_non_reasoning_content"),
        ("opencompass.datasets.gsm8k_postprocess", "gsm8k_postprocess"),
        ("opencompass.utils.first_option_postprocess", "first_option_postprocess"),
        ("opencompass.datasets.gsm8k.gsm8k_dataset_postprocess", "gsm8k_dataset_postprocess"),
    ],
)
def test_registered_postprocessors(written: str, name: str) -> None:
    assert resolve_type(written, "postprocessor") == f"tasks.score.answers.postprocessors.{name}"


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry.name)
def test_every_entry_can_be_imported_and_found_by_its_opencompass_path(entry: TypeEntry) -> None:
    assert resolve_type(entry.opencompass, entry.kind) == entry.ours
    try:
        assert callable(import_type(entry.ours))
    except UserError as error:
        assert str(error).startswith(f"this version of Compass has no {entry.kind} {entry.name}")  # noqa: PT017
        assert error.findings[0].kind is FindingKind.MACHINE  # noqa: PT017


def test_resolving_imports_nothing() -> None:
    sys.modules.pop("tasks.data.custom", None)
    resolve_type("opencompass.datasets.CustomDataset", "dataset")
    assert "tasks.data.custom" not in sys.modules


@pytest.mark.parametrize(
    ("written", "kind", "parts"),
    [
        ("OpenAISKD", "model", ["no model named 'OpenAISKD'", "did you mean 'OpenAISDK'"]),
        ("GSM8KDataset", "evaluator", ["is a dataset where an evaluator belongs"]),
        ("opencompass.models.OpenAISDKX", "model", ["not installed", "did you mean 'OpenAISDK'"]),
        ("ToTInferencer", "inferencer", ["ToTInferencer is not supported", "use SCInferencer"]),
        ("opencompass.openicl.icl_inferencer.AgentInferencer", "inferencer", ["not supported", "ChatInferencer"]),
        (3, "model", ["not int"]),
        (lambda text: text, "postprocessor", ["module beside the configuration"]),
    ],
)
def test_errors_name_the_place_and_the_nearest(written: object, kind: str, parts: list[str]) -> None:
    with pytest.raises(UserError) as raised:
        resolve_type(written, kind, Place("c.py", 7, "models[0].type"))  # pyright: ignore[reportArgumentType]
    told = str(raised.value)
    assert "c.py:7: models[0].type" in told
    assert all(part in told for part in parts), told


def test_an_own_class_lies_beside_the_configuration(write: Write, tmp_path: Path) -> None:
    write("class Mine:\n    class Inner: pass\n", "own_module_a.py")
    assert resolve_type("own_module_a.Mine", "model") == "own_module_a.Mine"
    before = list(sys.path)
    assert import_type("own_module_a.Mine", [tmp_path]).__name__ == "Mine"
    assert import_type("own_module_a.Mine.Inner", [tmp_path]).__name__ == "Inner"
    assert sys.path == before


def test_own_modules_hide_no_package(write: Write, tmp_path: Path) -> None:
    write("raise RuntimeError('the wrong module')", "json.py")
    write("import json\nclass Mine: loads = json.loads", "own_module_b.py")
    assert import_type("own_module_b.Mine", [tmp_path]).loads("1") == 1


def test_two_runs_have_modules_of_the_same_name(write: Write, tmp_path: Path) -> None:
    for run in ("one", "two"):
        write(f"class Mine: run = {run!r}", f"{run}/own_module_c.py")
        assert import_type("own_module_c.Mine", [tmp_path / run]).run == run


@pytest.mark.parametrize(
    ("text", "name", "kind", "parts"),
    [
        (None, "own_module_x.Mine", FindingKind.CONFIG, ["no module 'own_module_x'", "own_module_x.py"]),
        ("class Mine: pass", "own_module_d.Mien", FindingKind.CONFIG, ["has no 'Mien'", "did you mean 'Mine'"]),
        ("import not_there_at_all", "own_module_e.Mine", FindingKind.MACHINE, ["pip install not_there_at_all"]),
        ("x = 1 / 0", "own_module_f.Mine", FindingKind.CONFIG, ["ZeroDivisionError", "own_module_f.py:1"]),
    ],
)
def test_import_errors_tell_module_and_remedy(
    write: Write, tmp_path: Path, text: str | None, name: str, kind: FindingKind, parts: list[str]
) -> None:
    if text is not None:
        write(text, name.partition(".")[0] + ".py")
    with pytest.raises(UserError) as raised:
        import_type(name, [tmp_path])
    assert raised.value.findings[0].kind is kind
    assert all(part in str(raised.value) for part in parts), str(raised.value)


def test_classes_written_for_opencompass_need_no_opencompass(write: Write, tmp_path: Path) -> None:
    write(
        """
        from opencompass.datasets.base import BaseDataset
        from opencompass.openicl.icl_evaluator import AccEvaluator, BaseEvaluator
        from opencompass.registry import LOAD_DATASET, TEXT_POSTPROCESSORS

        @LOAD_DATASET.register_module()
        class MyDataset(BaseDataset):
            @staticmethod
            def load(path): return []

        class MyEvaluator(BaseEvaluator): pass

        @TEXT_POSTPROCESSORS.register_module('mine')
        def post(text): return text
        """,
        "own_module_g.py",
    )
    dataset = import_type("own_module_g.MyDataset", [tmp_path])
    assert dataset.__mro__[1] is importlib.import_module("tasks.data.interface").BaseDataset
    assert import_type("own_module_g.post", [tmp_path])("x") == "x"
    assert not any(name.partition(".")[0] == "opencompass" for name in sys.modules)


def test_what_has_no_stand_in_says_so(write: Write, tmp_path: Path) -> None:
    write("from opencompass.models import Unheard", "own_module_h.py")
    with pytest.raises(UserError, match="Unheard"):
        import_type("own_module_h.Mine", [tmp_path])


@pytest.mark.parametrize(
    ("base", "told"),
    [
        ("BaseAPIModel", "models.BaseAPIModel is not known here.*\n.*derived from tasks.models.interface.Backend"),
        ("Unheard", "models.Unheard is not known here, and OpenCompass is not installed\n.*install opencompass"),
    ],
)
def test_a_class_derived_from_what_has_no_stand_in_says_so(base: str, told: str, write: Write, tmp_path: Path) -> None:
    module = f"own_module_{base.lower()}"
    write(f"from opencompass.models import {base}\nclass Mine({base}): pass", f"{module}.py")
    with pytest.raises(UserError, match=told):
        import_type(f"{module}.Mine", [tmp_path])

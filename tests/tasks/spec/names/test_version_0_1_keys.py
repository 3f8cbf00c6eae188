"""Keys do not say where code lies; what version 0.1 named by its place is still found."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.specs import dataset_spec, model_spec

from tasks.score.score_key import scoring_identity
from tasks.spec.identity import model_identity, part_key
from tasks.spec.names import type_table
from tasks.spec.names.key_names import key_name
from tasks.spec.names.moved_modules import present_path
from tasks.spec.names.type_loading import import_type, resolve_type
from tasks.spec.names.type_table import TABLE
from tasks.spec.names.version_0_1 import MODULES, TYPES

Write = Callable[..., Path]
THEN = [f"{module}.{name}" for module, names in TYPES.items() for name in names.split()]


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Moves everything in the table of names to another module."""
    caches = [type_table._by_path, type_table._by_area, type_table._by_short_name]

    def move() -> None:
        table = tuple(replace(entry, ours=f"tasks.elsewhere.{entry.name}") for entry in TABLE)
        monkeypatch.setattr(type_table, "TABLE", table)
        for cache in caches:
            cache.cache_clear()

    yield move
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


def _keys() -> list[str]:
    def ours(name: str) -> str:
        return resolve_type(name, None)

    model = model_spec(type=ours("OpenAISDK"), pred_postprocessor={"type": ours("general_postprocess")})
    infer_cfg = {
        "prompt_template": {"type": ours("PromptTemplate"), "template": "{question}"},
        "retriever": {"type": ours("ZeroRetriever")},
        "inferencer": {"type": ours("GenInferencer")},
    }
    evaluator = {
        "type": ours("GenericLLMEvaluator"),
        "dict_postprocessor": {"type": ours("generic_llmjudge_postprocess")},
        "judge_cfg": {"type": ours("OpenAISDK"), "path": "judge"},
    }
    changed = {"type": ours("GSM8KDataset"), "infer_cfg": infer_cfg, "eval_cfg": {"evaluator": evaluator}}
    dataset = dataset_spec(Path("sums.jsonl")).model_copy(update=changed)
    identity = model_identity(model)
    part = part_key(identity, dataset, data_fingerprint="data", start=0, stop=3)
    return [identity, part, scoring_identity(model, dataset, extract_rate=True)]


def test_moving_code_changes_no_key(moved: Callable[[], None]) -> None:
    before = _keys()
    moved()
    assert resolve_type("OpenAISDK", "model") == "tasks.elsewhere.OpenAISDK"
    assert _keys() == before


@pytest.mark.parametrize("path", THEN)
def test_a_type_of_version_0_1_is_found_and_keeps_its_name_in_keys(path: str) -> None:
    now = resolve_type(path, None)
    assert now in {entry.ours for entry in TABLE}
    assert key_name(now) == path


def test_two_types_never_share_a_name_in_keys() -> None:
    names = {entry.ours: key_name(entry.ours) for entry in TABLE}
    assert len(set(names.values())) == len(names)


def test_own_and_opencompass_classes_are_named_by_their_path() -> None:
    assert key_name("my_module.Mine") == "my_module.Mine"
    assert key_name("opencompass.datasets.GSM8KDataset") == "opencompass.datasets.GSM8KDataset"


def test_modules_of_version_0_1_are_somewhere() -> None:
    root = Path(type_table.__file__).parents[3]
    then = [f"{package}.{name.partition(':')[0]}" for package, _, names in MODULES for name in names.split()]
    now = [root / present_path(f"{module}.name").rpartition(".")[0].replace(".", "/") for module in then]
    assert [path for path in now if not (path.with_suffix(".py").is_file() or path.is_dir())] == []


def test_a_class_is_imported_from_where_it_was() -> None:
    from tasks.models.services.openai_chat import OpenAISDK
    from tasks.score.answers.latex import boxes

    assert import_type("tasks.models.openai_chat.OpenAISDK") is OpenAISDK
    assert import_type("tasks.score.latex.boxes") is boxes


def test_own_code_imports_what_version_0_1_told_it_to(write: Write) -> None:
    write(
        """
        import tasks.spec.run_folder as folders
        from tasks.report.verdicts import read_values
        from tasks.score.evaluators import AccEvaluator

        class Mine(AccEvaluator):
            taken = folders.RunFolder, read_values
        """,
        "written_for_then.py",
    )
    mine = import_type("written_for_then.Mine", [write("", "empty.py").parent])
    from tasks.report.sample_values import read_values
    from tasks.score.evaluators.exact import AccEvaluator
    from tasks.spec.storage.run_folder import RunFolder

    assert issubclass(mine, AccEvaluator)
    assert vars(mine)["taken"] == (RunFolder, read_values)

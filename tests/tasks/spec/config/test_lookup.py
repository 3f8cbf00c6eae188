"""What names of models, datasets and summarizers mean."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.spec.config.bases import PACKAGED_CONFIGS
from tasks.spec.config.lookup import find_config_files, load_named
from tasks.spec.findings import UserError

Write = Callable[..., Path]


@pytest.fixture
def library(write: Write, tmp_path: Path) -> Path:
    files = {
        "datasets/mmlu/mmlu_gen.py": "mmlu_datasets = [dict(abbr='mmlu')]",
        "datasets/mmlu_old/mmlu_gen.py": "mmlu_datasets = []",
        "datasets/siqa/siqa_gen_18632c.py": "siqa_datasets = [dict(abbr='siqa')]",
        "datasets/race/race_gen_aaaaaa.py": "race_datasets = []",
        "datasets/race/race_gen_bbbbbb.py": "race_datasets = []",
        "datasets/ARC_c/ARC_c_gen.py": "ARC_c_datasets = [dict(abbr='ARC-c')]",
        "datasets/gsm8k/gsm8k_gen.py": "gsm8k_datasets = [dict(abbr='mine')]",
        "dataset_collections/all.py": """
            a_datasets = [dict(abbr='a')]
            b_datasets = [dict(abbr='b')]
            same_datasets = a_datasets
            x_special = [dict(abbr='x')]
        """,
        "models/one.py": "models = [dict(abbr='one')]",
        "models/none.py": "model = 1",
        "summarizers/mine.py": "summarizer = dict(a=1)\nother = dict(b=2)",
    }
    for name, text in files.items():
        write(text, name)
    return tmp_path


def refusal(names: list[str], library: Path) -> str:
    with pytest.raises(UserError) as raised:
        find_config_files("datasets", names, library)
    return str(raised.value)


@pytest.mark.parametrize("name", ["ARC_c_gen", "arc_c_GEN", "ARC_c_gen.py"])
def test_a_file_by_its_name_in_any_case(library: Path, name: str) -> None:
    assert find_config_files("datasets", [name], library) == [library / "datasets/ARC_c/ARC_c_gen.py"]


def test_a_way_finds_the_file_with_a_hash(library: Path) -> None:
    assert [file.name for file in find_config_files("datasets", ["siqa_gen"], library)] == ["siqa_gen_18632c.py"]


def test_several_files_of_one_name_are_listed(library: Path) -> None:
    told = refusal(["mmlu_gen"], library)
    assert "mmlu/mmlu_gen.py" in told
    assert "mmlu_old/mmlu_gen.py" in told
    assert "race_gen_aaaaaa.py" in refusal(["race_gen"], library)


def test_every_wrong_name_of_a_list_is_told(library: Path) -> None:
    told = refusal(["arc_c_gen", "nope", "mmlu_gen", "siqa_gne"], library)
    assert "no dataset configuration named 'nope'" in told
    assert "several configurations are named 'mmlu_gen'" in told
    assert "did you mean 'siqa_gen'" in told
    assert "compass list nope" in told


def test_a_wildcard_selects_all_it_matches(library: Path) -> None:
    names = [file.name for file in find_config_files("datasets", ["race_gen_*"], library)]
    assert names == ["race_gen_aaaaaa.py", "race_gen_bbbbbb.py"]


def test_the_users_folder_comes_before_ours(library: Path) -> None:
    assert find_config_files("datasets", ["gsm8k_gen"], library) == [library / "datasets/gsm8k/gsm8k_gen.py"]
    found = find_config_files("datasets", ["*gsm8k_*gen"], library)
    assert library / "datasets/gsm8k/gsm8k_gen.py" in found
    assert PACKAGED_CONFIGS / "datasets/gsm8k/gsm8k_gen.py" not in found
    assert PACKAGED_CONFIGS / "datasets/demo/demo_gsm8k_chat_gen.py" in found


def test_our_own_folder_given_as_the_users_is_searched_once() -> None:
    assert len(find_config_files("datasets", ["gsm8k_gen"], PACKAGED_CONFIGS)) == 1


def test_the_path_of_a_file_is_that_file(library: Path) -> None:
    path = library / "datasets/mmlu/mmlu_gen.py"
    assert find_config_files("datasets", [str(path)], library) == [path]


def test_opencompass_serves_only_what_is_nowhere_else(
    library: Path, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("", "site/opencompass/__init__.py")
    for name in ("rare_gen_123abc", "gsm8k_gen"):
        write("x_datasets = []", f"site/opencompass/configs/datasets/x/{name}.py")
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert find_config_files("datasets", ["rare_gen"], library)[0].name == "rare_gen_123abc.py"
    assert len(find_config_files("datasets", ["gsm8k_gen"], library)) == 1


def test_named_models_and_datasets(library: Path) -> None:
    assert [model.abbr for model in load_named("models", ["one"], library)] == ["one"]
    assert [dataset.abbr for dataset in load_named("datasets", ["siqa_gen", "arc_c_gen"], library)] == ["siqa", "ARC-c"]


def test_a_collection_gives_all_its_lists_once(library: Path) -> None:
    assert [dataset.abbr for dataset in load_named("datasets", ["all"], library)] == ["a", "b"]


@pytest.mark.parametrize("name", ["all/_special", "dataset_collections/all.py/_special"])
def test_a_suffix_selects_other_variables(library: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(library)
    assert [dataset.abbr for dataset in load_named("datasets", [name], library)] == ["x"]


def test_summarizers(library: Path) -> None:
    assert load_named("summarizers", ["mine"], library) == {"a": 1}
    assert load_named("summarizers", ["mine/other"], library) == {"b": 2}
    assert "ceval" in {group.name for group in load_named("summarizers", ["example"]).summary_groups}


def test_a_file_without_the_variable_says_what_it_has(library: Path) -> None:
    with pytest.raises(UserError) as raised:
        load_named("models", ["none"], library)
    assert "'models'" in str(raised.value)
    assert "it defines model" in str(raised.value)

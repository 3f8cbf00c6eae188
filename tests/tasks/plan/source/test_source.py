"""From names and flags to the effective configuration."""

from pathlib import Path
from typing import Any

import pytest
from support.specs import write_rows

from tasks.plan.request import CustomData, HFModel, RunRequest
from tasks.plan.source.configuration import read_source
from tasks.spec.findings import UserError

CONFIG = """
shared = dict(temperature=1)
models = [
    dict(abbr='a', type='OpenAISDK', path='p', extra=shared),
    dict(abbr='b', type='OpenAISDK', path='q', extra=shared),
]
datasets = []
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "my.py"
    path.write_text(CONFIG)
    return path


def values_of(config: Path, *overrides: str) -> Any:
    return read_source(RunRequest(config=str(config), overrides=overrides)).values


def test_set_changes_one_value_even_where_entries_share_it(config: Path):
    values = values_of(config, "models.0.extra.temperature=0.2", "models.b.path=z", "work_dir=out")
    assert values.models[0].extra.temperature == 0.2 and values.models[1].extra.temperature == 1
    assert values.models[1].path == "z" and values.work_dir == "out"


def test_set_of_all_items(config: Path):
    assert [model.retry for model in values_of(config, "models.*.retry=3").models] == [3, 3]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("models.7.x=1", "there is no '7' here"),
        ("modles.0.x=1", "did you mean 'models'"),
        ("models.a.path.x=1", "nothing inside a str"),
        ("models", "not PATH=VALUE"),
    ],
)
def test_set_names_what_is_wrong(config: Path, text: str, told: str):
    with pytest.raises(UserError, match=told) as caught:
        values_of(config, text)
    assert "--set" in str(caught.value)


def test_an_unknown_key_of_set_is_found_like_one_of_the_file(config: Path):
    from tasks.plan.planner import make_plan

    with pytest.raises(UserError, match=r"--set models.0.temprature: .*no option 'temprature'(?s:.*)'temperature'"):
        make_plan(RunRequest(config=str(config), overrides=("models.0.temprature=1",)))


def test_flags_describe_a_hugging_face_model(tmp_path: Path):
    write_rows(tmp_path / "mine.jsonl", [{"question": "?", "answer": "!"}])
    request = RunRequest(hf=HFModel(path="org/opt/", type="base"), custom=CustomData(path=str(tmp_path / "mine.jsonl")))
    [model] = read_source(request).values.models
    assert model.abbr == "opt_hf" and model.type == "opencompass.models.HuggingFaceBaseModel"
    assert model.run_cfg.num_gpus == 1 and model.min_out_len == 1


def test_repeats_for_datasets_that_set_none(tmp_path: Path):
    write_rows(tmp_path / "mine.jsonl", [{"question": "?", "answer": "!"}])
    custom = CustomData(path=str(tmp_path / "mine.jsonl"))
    request = RunRequest(hf=HFModel(path="m"), custom=custom, datasets=("demo_choice_gen",), dataset_num_runs=4)
    datasets = read_source(request).values.datasets
    assert [(dataset.n, dataset.k) for dataset in datasets] == [(4, 4), (4, 4)]


def test_a_config_dir_that_is_not_there(tmp_path: Path):
    with pytest.raises(UserError, match="no folder"):
        read_source(RunRequest(models=("m",), datasets=("d",), config_dir=str(tmp_path / "none")))

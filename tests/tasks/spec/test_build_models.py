"""What the entries of `models` become, and what is said about their mistakes."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tasks.spec.build import build_models
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.specs import ModelSpec
from tasks.spec.values import ConfigDict

Read = Callable[..., ConfigDict]
Write = Callable[..., Path]

CLASSES = """
    from collections.abc import Mapping

    class Remote:
        is_api = True
        def __init__(self, path: str, key: str | list[str] | None = 'EMPTY', retry: int = 2,
                     temperature: float | None = None, thinking: Mapping | None = None): pass

    class Local:
        is_api = False
        def __init__(self, path, **options): pass
"""


@pytest.fixture
def build(write: Write, read: Read, tmp_path: Path) -> Callable[[str], tuple[list[ModelSpec], list[Finding]]]:
    def build(text: str) -> tuple[list[ModelSpec], list[Finding]]:
        write(CLASSES, "model_classes.py")
        return build_models(read("from model_classes import Local, Remote\n" + text), [tmp_path])

    return build


Build = Callable[[str], tuple[list[ModelSpec], list[Finding]]]


def texts(findings: Sequence[Finding]) -> str:
    return "\n".join(map(str, findings))


def test_framework_keys_and_arguments_are_told_apart(build: Build) -> None:
    (model,), findings = build(
        "models = [dict(type=Remote, abbr='m', path='p', retry=3, max_out_len=5, batch_size=8,"
        " run_cfg=dict(num_gpus=2), meta_template=dict(round=[]), thinking=dict(type='adaptive', codes={400: 'x'}),"
        " prices=dict(input=1.5))]"
    )
    assert findings == []
    assert model.arguments == {"path": "p", "retry": 3, "thinking": {"type": "adaptive", "codes": {"400": "x"}}}
    assert (model.max_out_len, model.batch_size, model.num_gpus, model.num_procs) == (5, 8, 2, 1)
    assert (model.type, model.written_type, model.is_api) == ("model_classes.Remote", "model_classes.Remote", True)
    assert model.meta_template == {"round": []}
    assert ModelSpec.model_validate_json(model.model_dump_json()) == model.model_copy(
        update={"place": ModelSpec.model_fields["place"].default}
    )


def test_local_models_and_references_to_foreign_names(build: Build) -> None:
    (model,), findings = build("import torch\nmodels = [dict(type=Local, abbr='m', path='p', dtype=torch.float16)]")
    assert findings == []
    assert not model.is_api
    assert model.arguments["dtype"] == "torch.float16"


def test_unknown_keys_name_the_nearest_and_the_line(build: Build) -> None:
    _, findings = build("models = [dict(type=Remote, abbr='m', path='p',\n    temprature=1)]")
    assert "config.py:3: models[0].temprature: Remote has no option 'temprature'" in texts(findings)
    assert "did you mean 'temperature'" in texts(findings)


def test_all_mistakes_are_found_at_once(build: Build) -> None:
    models, findings = build("""
models = [
    dict(type=Remote, abbr='a', path=3, retry='two', run_cfg=dict(gpus=1)),
    dict(type='Remot', abbr='b'),
    dict(type=Remote, abbr='c', max_out_len='many'),
    dict(abbr='d'),
    'e',
    dict(type=Remote, abbr='f', path='p', thinking={1, 2}),
]
""")
    told = texts(findings)
    for part in (
        "models[0].path: Remote: 'path' is a text, not 3",
        "models[0].retry: Remote: 'retry' is a whole number, not a text",
        "models[0].run_cfg.gpus: there is no option 'gpus'",
        "models[1].type: there is no model named 'Remot'",
        "models[2]: Remote needs 'path'",
        "models[2].max_out_len: 'max_out_len': input should be a valid integer",
        "models[3]: this model has no 'type'",
        "models[4]: this entry is a str, not a dict",
        "models[5].thinking: a value of type set cannot be handed to other processes",
    ):
        assert part in told, told
    assert [model.abbr for model in models] == ["f"]


def test_two_models_of_one_name_are_an_error(build: Build) -> None:
    _, findings = build("models = [dict(type=Remote, abbr='a/b', path='p'),\n dict(type=Remote, abbr='a_b', path='q')]")
    assert "config.py:3: models[1]: the abbr 'a_b' is taken by" in texts(findings)


def test_the_default_name_is_made_of_type_and_path(build: Build) -> None:
    (model,), _ = build("models = [dict(type=Remote, path='org/some-model')]")
    assert model.abbr == "model_classes.Remote_org_some-model"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("model = [1]", "defines no models\n  did you mean 'model'?"),
        ("models = dict(a=1)", "models is a list of dicts, not one dict"),
        ("models = []", "models is an empty list"),
    ],
)
def test_models_that_are_no_list(build: Build, text: str, part: str) -> None:
    models, findings = build(text)
    assert models == []
    assert part.replace("ConfigDict", "dict") in texts(findings).replace("ConfigDict", "dict")


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ("os.getenv('UNSET_VARIABLE')", "os.getenv() found no variable UNSET_VARIABLE"),
        ("'UNSET_API_KEY'", "the environment variable UNSET_API_KEY is not set"),
        ("['sk-1', 'UNSET_TOKEN']", "the environment variable UNSET_TOKEN is not set"),
        ("'ENV:COMPASS_SECRET_M_KEY'", "the environment variable COMPASS_SECRET_M_KEY is not set"),
    ],
)
def test_keys_that_cannot_be_had_are_for_the_owner_of_the_machine(build: Build, key: str, part: str) -> None:
    _, findings = build(f"import os\nmodels = [dict(type=Remote, abbr='m', path='p', key={key})]")
    assert [finding.kind for finding in findings] == [FindingKind.MACHINE]
    assert part in texts(findings)
    assert "models[0].key" in texts(findings)


@pytest.mark.parametrize("key", ["'EMPTY'", "'sk-literal'", "['a', 'b']", "'ENV'", "'SET_VARIABLE'"])
def test_keys_that_can_be_had(build: Build, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_VARIABLE", "x")
    assert build(f"models = [dict(type=Remote, abbr='m', path='p', key={key})]")[1] == []


def test_the_key_of_an_openai_model_is_looked_for(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    text = "models = [dict(type='OpenAISDK', abbr='m', path='p', key='ENV')]"
    _, findings = build_models(read(text))
    assert "OPENAI_API_KEY is not set" in texts(findings)
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert build_models(read(text))[1] == []


def test_findings_never_show_a_secret(build: Build) -> None:
    _, findings = build(
        "models = [dict(type=Remote, abbr='m', path='p', key=dict(a='canary'), retry='canary', max_out_len='canary')]"
    )
    assert findings
    assert "canary" not in texts(findings)


def test_plain_dicts_from_python_are_taken_too() -> None:
    (model,), _ = build_models(ConfigDict(models=[{"type": "OpenAISDK", "abbr": "m", "path": "p", "key": "EMPTY"}]))
    assert model.arguments["path"] == "p"


def test_mapping_a_fault_to_an_answer_is_a_warning(read: Read) -> None:
    text = "models = [dict(type='OpenAISDK', abbr='m', key='EMPTY',\n  status_code_mappings={400: '', %s: ''})]"
    for code in (401, 403, 408, 429, 503):
        models, findings = build_models(read(text % code))
        assert [finding.kind for finding in findings] == [FindingKind.WARNING]
        assert f"({code})" in texts(findings)
        assert "config.py:2: models[0].status_code_mappings" in texts(findings)
        assert models
    assert build_models(read(text % 451))[1] == []

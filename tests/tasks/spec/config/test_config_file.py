"""The configuration language as users write it."""

import copy
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.spec.config.file import load_config
from tasks.spec.findings import UserError
from tasks.spec.values import ConfigDict, TypeRef

Read = Callable[..., ConfigDict]
Write = Callable[..., Path]


def test_classes_are_named_without_being_imported(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    values = read("""
        from opencompass.models import OpenAISDK
        import torch
        import a.b as c
        models = [dict(type=OpenAISDK, dtype=torch.float16, other=c.D)]
    """)
    model = values.models[0]
    assert (str(model.type), str(model.dtype), str(model.other)) == (
        "opencompass.models.OpenAISDK",
        "torch.float16",
        "a.b.D",
    )
    assert "torch" not in sys.modules


def test_names_of_imports_functions_and_modules_are_no_keys(read: Read) -> None:
    values = read("""
        import os
        from opencompass.models import OpenAISDK
        class Helper: pass
        def build(): return dict(x=1)
        _private = 1
        with open(__file__) as file:
            length = len(file.read())
        made = build()
    """)
    assert set(values) == {"length", "made"}


def test_values_come_from_other_files(write: Write, read: Read) -> None:
    write("datasets = [dict(abbr='a')]\nother = 3", "base.py")
    write("models = [dict(abbr='m')]", "models/gpt.py")
    values = read("""
        from mmengine.config import read_base
        with read_base():
            from .base import datasets as base_datasets, other
            from .models.gpt import *
        datasets = base_datasets + [dict(abbr='b')]
    """)
    assert [d.abbr for d in values.datasets] == ["a", "b"]
    assert values.models[0].abbr == "m"
    assert values.other == 3


def test_read_base_of_our_own_and_of_mmengine_itself(write: Write, read: Read) -> None:
    write("x = 1", "base.py")
    for line in ("from tasks.spec import read_base", "from mmengine import read_base", "import mmengine.config"):
        call = "mmengine.config.read_base()" if line.startswith("import") else "read_base()"
        assert read(f"{line}\nwith {call}:\n    from .base import x\n", "c.py").x == 1


def test_bases_have_bases_and_may_lie_above(write: Write) -> None:
    write("x = 1", "shared/deep.py")
    write(
        "from mmengine.config import read_base\nwith read_base():\n    from ..shared.deep import x\ny = x + 1",
        "a/mid.py",
    )
    top = write("from mmengine.config import read_base\nwith read_base():\n    from ..a.mid import y", "b/top.py")
    assert load_config(top).values.y == 2


def test_two_loads_of_a_base_share_nothing(write: Write, read: Read) -> None:
    write("models = [dict(abbr='m', opts=dict(t=0))]", "base.py")
    values = read("""
        from mmengine.config import read_base
        with read_base():
            from .base import models as first
            from .base import models as second
        first[0]['opts']['t'] = 1
    """)
    assert (first := values.first[0].opts.t, values.second[0].opts.t) == (1, 0) and first


def test_what_one_file_shares_stays_shared(read: Read) -> None:
    values = read("""
        reader = dict(columns=['q'])
        datasets = [dict(reader_cfg=reader), dict(reader_cfg=reader)]
        reader['columns'] = ['changed']
    """)
    assert [d.reader_cfg["columns"] for d in values.datasets] == [["changed"], ["changed"]]


def test_idioms_of_collections(read: Read) -> None:
    values = read("""
        import json
        a_datasets = [dict(abbr='a')]
        b_datasets = [dict(abbr='b')] * 2
        datasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])
        for _dataset in datasets:
            _dataset['abbr'] = f"x-{_dataset['abbr']}"
        del a_datasets
        parsed = json.loads('{"inner": {"k": 1}}')
        squares = {str(i): dict(value=i * i) for i in range(3)}
    """)
    assert {d.abbr for d in values.datasets} == {"x-a", "x-x-b"}
    assert "a_datasets" not in values
    assert values.parsed.inner.k == 1
    assert values.squares["2"].value == 4


def test_packaged_configs_by_both_names(read: Read) -> None:
    for package in ("opencompass.configs", "configs"):
        values = read(f"""
            from mmengine.config import read_base
            with read_base():
                from {package}.datasets.demo.demo_gsm8k_chat_gen import gsm8k_datasets
        """)
        assert values.gsm8k_datasets[0].abbr == "demo_gsm8k"


def test_an_installed_opencompass_serves_what_is_not_ours(
    write: Write, read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("raise RuntimeError('must not be imported')", "site/opencompass/__init__.py")
    write("rare_datasets = [dict(abbr='rare')]", "site/opencompass/configs/datasets/rare.py")
    write("gsm8k_datasets = []", "site/opencompass/configs/datasets/gsm8k/gsm8k_gen.py")
    monkeypatch.syspath_prepend(tmp_path / "site")
    values = read("""
        from mmengine.config import read_base
        with read_base():
            from opencompass.configs.datasets.rare import rare_datasets
            from opencompass.configs.datasets.gsm8k.gsm8k_gen import gsm8k_datasets
    """)
    assert values.rare_datasets[0].abbr == "rare"
    assert values.gsm8k_datasets[0].abbr == "gsm8k"
    assert "opencompass" not in sys.modules


def test_places_of_dicts_and_keys(write: Write) -> None:
    write("models = [dict(abbr='m',\n               path='p')]", "base.py")
    path = write("""\
        from mmengine.config import read_base
        with read_base():
            from .base import models
        models[0]['key'] = 'ENV'
        models[0].retry = 3
        literal = {
            'one': 1,
        }
    """)
    values = load_config(path).values
    base, model = str(path.parent / "base.py"), values.models[0]
    assert str(model.place) == f"{base}:1"
    assert str(model.place_of("path")) == f"{base}:2: path"
    assert str(model.place_of("key")) == f"{path}:4: key"
    assert str(model.place_of("retry")) == f"{path}:5: retry"
    assert str(values.literal.place_of("one")) == f"{path}:7: one"
    assert str(values.place_of("literal")) == f"{path}:6: literal"


def test_places_survive_copies(read: Read) -> None:
    model = read("models = [dict(abbr='m',\n  opts=dict(a=1))]").models[0]
    for twin in (
        copy.copy(model),
        copy.deepcopy(model),
        model.copy(),
        model.deepcopy(),
        pickle.loads(pickle.dumps(model)),
    ):
        assert twin == model
        assert twin.place_of("opts") == model.place_of("opts")
    assert copy.deepcopy(model).opts is not model.opts


def test_a_missing_attribute_is_an_attribute_error(read: Read) -> None:
    model = read("models = [dict(abbr='m')]").models[0]
    with pytest.raises(AttributeError, match="abbr"):
        _ = model.path
    assert model.get("path") is None
    assert not hasattr(model, "path")


def test_type_refs_compare_by_name() -> None:
    assert TypeRef("a.B") == TypeRef("a").B
    assert copy.deepcopy(TypeRef("a.B")) == pickle.loads(pickle.dumps(TypeRef("a.B")))


@pytest.mark.parametrize("name", ["c.json", "c.yaml"])
def test_data_files(read: Read, name: str) -> None:
    text = {"c.json": '{"models": [{"abbr": "m", "n": 1}]}', "c.yaml": "models:\n  - abbr: m\n    n: 1\n"}[name]
    values = read(text, name)
    assert values.models[0].abbr == "m"
    assert values.models[0].n == 1


def test_yaml_knows_its_lines(read: Read) -> None:
    assert read("models:\n  - abbr: m\n    n: 1\n", "c.yaml").models[0].place_of("n").line == 3


def test_read_base_outside_a_configuration_says_what_it_is_for() -> None:
    from tasks.spec import read_base

    with pytest.raises(UserError, match="configurations"):
        read_base()

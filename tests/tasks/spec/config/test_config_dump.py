"""A dump is a readable configuration that loads to the same values."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.spec.config.dump import dump_config
from tasks.spec.config.file import load_config
from tasks.spec.findings import UserError
from tasks.spec.secrets.names import is_secret_name
from tasks.spec.values import ConfigDict

Read = Callable[..., ConfigDict]


def _holds_no_secret(name: str) -> bool:
    return not is_secret_name(name) and not name.lower().endswith(("headers", "proxies"))


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
KEYS = (
    st.text().filter(_holds_no_secret)
    | st.integers()
    | st.sampled_from(["dict", "float", "class", "globals", "x", "é", "º", "type"])
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner) | st.tuples(inner, inner), max_leaves=20
)
NAMES = st.from_regex(r"v[a-z_]{0,8}", fullmatch=True) | st.sampled_from(
    ["dict", "float", "globals", "eval", "a-b", "if", "é"]
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_reloads_to_the_same_values(tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]) -> None:
    path = tmp_path_factory.getbasetemp() / "dumped.py"
    path.write_bytes(dump_config(ConfigDict(values)).encode("utf-8", "backslashreplace"))
    assert load_config(path).values == values


def test_looks_as_people_write_it(read: Read) -> None:
    values = read("""
        from opencompass.models import OpenAISDK
        work_dir = 'out'
        models = [dict(type=OpenAISDK, abbr='m', codes={400: 'no'}, stop=('a',))]
    """)
    assert dump_config(values) == (
        "models = [dict(abbr='m', codes={400: 'no'}, stop=('a',), type='opencompass.models.OpenAISDK')]\n\n"
        "work_dir = 'out'\n"
    )


def test_labels_of_a_template_keep_their_order(read: Read) -> None:
    values = read("t = dict(template=dict(Yes='{q} yes', No='{q} no'), a=1)")
    assert list(load_back(dump_config(values), read).t.template) == ["Yes", "No"]


def test_long_values_are_broken_into_lines(read: Read) -> None:
    text = dump_config(read("models = [dict(abbr='m', prompt='word ' * 40, opts=dict(a=1))]"))
    assert "        opts=dict(a=1),\n" in text


def test_what_no_file_can_hold_names_its_place(read: Read, tmp_path: Path) -> None:
    values = read("models = [dict(abbr='m',\n   bad={1, 2})]")
    with pytest.raises(UserError) as raised:
        dump_config(values)
    assert "config.py:2: bad" in str(raised.value)
    assert "set" in str(raised.value)


def test_a_function_of_the_file_itself_cannot_be_dumped(read: Read) -> None:
    values = read("def post(text): return text\nmodels = [dict(pred_postprocessor=dict(type=post))]")
    with pytest.raises(UserError, match="module beside the configuration"):
        dump_config(values)


def load_back(text: str, read: Read) -> ConfigDict:
    return read(text, "back.py")

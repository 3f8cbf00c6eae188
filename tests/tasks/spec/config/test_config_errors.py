"""What a user is told when a configuration file cannot be read: file, line, the line itself, what would be right."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.spec.config.file import load_config
from tasks.spec.findings import UserError

Write = Callable[..., Path]
BASE = "from mmengine.config import read_base\nwith read_base():\n    "


def message(path: Path) -> str:
    with pytest.raises(UserError) as raised:
        load_config(path)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "line", "parts"),
    [
        ("models = [\ndatasets = 1\n", 1, ["not valid Python", "models = ["]),
        ("x = 1\ny = x + undefined\n", 2, ["NameError", "y = x + undefined"]),
        ("def f():\n    return 1 / 0\nx = f()\n", 2, ["ZeroDivisionError", "return 1 / 0"]),
        ("exit(3)\n", 1, ["SystemExit"]),
        ("from opencompass.models import *\n", 1, ["import *", "read_base"]),
        ("from ..above import Thing\n", 1, ["one dot"]),
        (BASE + "import os\n", 3, ["from … import"]),
        (BASE + "from . import os\n", 3, ["name the file"]),
        ("from torch import float16\nx = float16(1)\n", 2, ["torch.float16", "dict(type=float16"]),
        ("from opencompass.datasets import B\nclass A(B): pass\n", 2, ["module of your own"]),
        ("x = {}\nx['x'] = x\n", 1, ["contains itself"]),
        ("from lib import qa\ndatasets = [*qa]\n", 2, ["lib.qa", "read_base"]),
        ("from lib import qa\nx = qa + [1]\n", 2, ["read_base"]),
        ("from lib import qa\nx = qa[0]\n", 2, ["read_base"]),
        ("from conc import models\ninfer = 1\n", 1, ["conc.models", "read_base"]),
    ],
)
def test_errors_name_file_line_and_reason(write: Write, text: str, line: int, parts: list[str]) -> None:
    path = write(text)
    told = message(path)
    assert f"{path}:{line}" in told
    assert all(part in told for part in parts), told


def test_a_name_missing_in_a_base_names_the_nearest(write: Write) -> None:
    write("gsm8k_datasets = []", "base.py")
    told = message(write(BASE + "from .base import gsm8k_dataset\n"))
    assert "config.py:3" in told
    assert "did you mean 'gsm8k_datasets'?" in told


def test_a_missing_base_names_where_it_was_looked_for(write: Write, tmp_path: Path) -> None:
    assert str(tmp_path / "sub" / "base.py") in message(write(BASE + "from .sub.base import x\n"))
    assert "compass list" in message(write(BASE + "from opencompass.configs.datasets.no.such import x\n"))


def test_an_error_in_a_base_names_the_base(write: Write, tmp_path: Path) -> None:
    write("x = 1\ny = nothing\n", "base.py")
    assert f"{tmp_path / 'base.py'}:2" in message(write(BASE + "from .base import x\n"))


def test_a_circle_is_shown(write: Write) -> None:
    write(BASE + "from .config import x\n", "base.py")
    told = message(write(BASE + "from .base import x\n"))
    assert "circle" in told
    assert "config.py → " in told


def test_the_quoted_line_shows_no_secret(write: Write) -> None:
    told = message(write("models = [dict(key='canary-1', url='https://me:canary-2@host', x=undefined)]\n"))
    assert "undefined" in told
    assert "canary" not in told


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("c.json", "{\n  nope", "c.json:2"),
        ("c.yaml", "a: 1\nb: [", "not valid YAML"),
        ("c.json", "[1]", "a mapping"),
        ("c.txt", "x", ".py, .json"),
    ],
)
def test_data_files_that_cannot_be_read(write: Write, name: str, text: str, part: str) -> None:
    assert part in message(write(text, name))


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert "does not exist" in message(tmp_path / "no.py")
    assert "is a folder" in message(tmp_path)


def test_a_file_that_is_missing_names_those_with_a_like_name(write: Write, tmp_path: Path) -> None:
    write("x = 1", "p_naive2.py")
    assert "p_naive2" in message(tmp_path / "p_naive.py")
    assert "p_naive2" not in message(tmp_path / "nofile.py")

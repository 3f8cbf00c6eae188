"""Configurations written by a test."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tasks.spec.config.file import load_config
from tasks.spec.values import ConfigDict


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file below `tmp_path` and returns its path."""

    def write(text: str, name: str = "config.py") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return write


@pytest.fixture
def read(write: Callable[..., Path]) -> Callable[..., ConfigDict]:
    """Writes a configuration and reads it."""

    def read(text: str, name: str = "config.py") -> ConfigDict:
        return load_config(write(text, name)).values

    return read

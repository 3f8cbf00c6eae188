"""Tokens are counted by what lies on the machine, and never by asking the network."""

import json
import logging
import socket
from pathlib import Path
from typing import Any

import pytest

from tasks.models.token_count import token_counter
from tasks.spec.findings import UserError


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "no-tiktoken"))


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-3.5-turbo", "org/model", "served-model-name", "a/b/c", "."])
def test_without_a_tokenizer_counts_are_estimates_and_it_is_said_once(
    model: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        count = token_counter(model, None)
        assert count("two words, 汉字 and 3 more") == 7
        count("again")
    assert (count.name, count.exact) == ("estimate", False)
    assert len(caplog.records) == 1


def test_estimate_reads_all_text_of_a_dialogue() -> None:
    count = token_counter("m", None)
    parts = [{"type": "text", "text": "three small words"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
    assert count([{"role": "HUMAN", "prompt": "one two"}, {"role": "user", "content": parts}]) == 5


def test_tokenizer_at_a_local_path(tmp_path: Path) -> None:
    _write_tokenizer(tmp_path)
    for path in (tmp_path, tmp_path / "tokenizer.json"):
        count = token_counter("m", str(path))
        assert (count("a b a"), count.exact, count.name) == (3, True, str(path))


def test_tokenizer_in_the_hugging_face_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("huggingface_hub")
    snapshot = tmp_path / "models--org--name" / "snapshots" / ("0" * 40)
    snapshot.mkdir(parents=True)
    (tmp_path / "models--org--name" / "refs").mkdir()
    (tmp_path / "models--org--name" / "refs" / "main").write_text(snapshot.name)
    _write_tokenizer(snapshot)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.file_download.constants.HF_HUB_CACHE", str(tmp_path))
    assert token_counter("served", "org/name").exact


def test_local_path_without_a_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no tokenizer\.json"):
        token_counter("m", str(tmp_path))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(UserError, match="cannot be read"):
        token_counter("m", str(tmp_path))


def _write_tokenizer(folder: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    (folder / "tokenizer.json").write_text(json.dumps(json.loads(tokenizer.to_str())))

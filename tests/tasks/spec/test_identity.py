"""Keys change with whatever can change an answer, and with nothing else."""

import os
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.models.interface import Request, Sampling, ScoreRequest
from tasks.spec.identity import (
    RequestKeyer,
    RowIdentity,
    dataset_recipe,
    endpoint_identity,
    model_identity,
    part_key,
    row_digest,
    shard_key,
)
from tasks.spec.secrets.redaction import redact
from tasks.spec.specs import DatasetSpec, ModelSpec, ReaderSpec

ROW = RowIdentity("ab" * 32, 0)
REQUEST = Request(3, "2 + 2 = ?", max_out_len=16, stop=("\n",))


def model(**arguments: Any) -> ModelSpec:
    return ModelSpec(
        abbr="m", type="tasks.models.services.openai_chat.OpenAISDK", written_type="OpenAISDK",
        arguments={"path": "gpt", "temperature": 0.0, **arguments},
    )  # fmt: skip


def dataset(**fields: Any) -> DatasetSpec:
    given = {
        "abbr": "d",
        "type": "D",
        "written_type": "D",
        "reader": ReaderSpec(input_columns=("q",)),
        "infer_cfg": {"inferencer": {"type": "G"}},
    }
    return DatasetSpec(**{**given, **fields})


def test_the_request_key_is_stable_between_versions() -> None:
    assert (
        RequestKeyer("model")(REQUEST, "", 0, ROW) == "fba804776527656e44c68283383527c41eefd4501b8ecc1b3dfe1a634ad1f0ec"
    )


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, prompt="2 + 3 = ?"),
        replace(REQUEST, prompt=[{"role": "HUMAN", "prompt": "2 + 2 = ?"}]),
        replace(REQUEST, max_out_len=17),
        replace(REQUEST, max_out_len=None),
        replace(REQUEST, min_out_len=1),
        replace(REQUEST, stop=()),
        replace(REQUEST, sequences=2),
        ScoreRequest(3, "2 + 2 = ?", "4"),
    ],
)
def test_the_request_key_changes_with_the_question(other: Request | ScoreRequest) -> None:
    keyer = RequestKeyer("model")
    assert keyer(other, "", 0, ROW) != keyer(REQUEST, "", 0, ROW)


def test_the_request_key_changes_with_model_part_repeat_and_row_but_not_with_the_index() -> None:
    keyer = RequestKeyer("model")
    keys = [
        keyer(REQUEST, "", 0, ROW),
        RequestKeyer("other")(REQUEST, "", 0, ROW),
        keyer(REQUEST, "round 2", 0, ROW),
        keyer(REQUEST, "", 1, ROW),
        keyer(REQUEST, "", 0, RowIdentity("cd" * 32, 0)),
        keyer(REQUEST, "", 0, RowIdentity(ROW.digest, 1)),
    ]
    assert len(set(keys)) == len(keys)
    assert keyer(replace(REQUEST, index=99), "", 0, ROW) == keys[0]
    assert keyer(replace(REQUEST, sampling=Sampling(top_k=4)), "", 0, ROW) != keys[0]


def test_context_and_continuation_are_told_apart() -> None:
    keyer = RequestKeyer("model")
    assert keyer(ScoreRequest(0, "ab", "c"), "A", 0, ROW) != keyer(ScoreRequest(0, "a", "bc"), "A", 0, ROW)


def test_any_text_has_a_key() -> None:
    assert RequestKeyer("m")(Request(0, "\ud800 é \0"), "", 0, ROW)


@dataclass
class Picture:
    pixels: bytes

    def __repr__(self) -> str:
        raise AssertionError("a digest never depends on a repr")


def test_any_row_has_a_digest() -> None:
    row = {
        "text": "\ud800", "blob": b"\x00", "day": date(2020, 1, 1), "nan": float("nan"), "set": {2, 1},
        "keys": {1: "a", "b": 2}, "picture": Picture(b"x"), "function": lambda: 1,
    }  # fmt: skip
    assert len(row_digest(row, list(row))) == 64
    assert row_digest(row, ["picture"]) != row_digest({"picture": Picture(b"y")}, ["picture"])


def test_a_row_is_known_by_its_input_columns() -> None:
    assert row_digest({"q": 1, "a": 2}, ["q"]) == row_digest({"q": 1, "a": 3}, ["q"])
    assert row_digest({"q": 1, "a": 2}, ["q", "a"]) != row_digest({"q": 1, "a": 3}, ["q", "a"])
    assert row_digest({"q": {"x": 1, "y": 2}}, ["q"]) == row_digest({"q": {"y": 2, "x": 1}}, ["q"])


@given(st.dictionaries(st.text(max_size=3), st.text() | st.integers() | st.none(), max_size=4))
def test_equal_rows_have_equal_digests(row: dict[str, Any]) -> None:
    columns = sorted(row)
    assert row_digest(row, columns) == row_digest(dict(reversed(row.items())), columns)


@pytest.mark.parametrize(
    "harmless",
    [
        {"key": "k2"}, {"openai_api_base": "http://other"}, {"query_per_second": 9}, {"max_workers": 3}, {"retry": 9},
        {"timeout": 1}, {"verbose": True}, {"openai_proxy_url": "http://p"}, {"extra": {"api_key": "s"}},
    ],
)  # fmt: skip
def test_what_cannot_change_an_answer_is_no_part_of_the_model(harmless: dict[str, Any]) -> None:
    plain = model(**({"extra": {}} if "extra" in harmless else {}))
    assert model_identity(model(**harmless)) == model_identity(plain)


@pytest.mark.parametrize(
    "change", [{"path": "gpt-2"}, {"temperature": 1.0}, {"unknown": 1}, {"extra_body": {"seed": 1}}]
)
def test_everything_else_is(change: dict[str, Any]) -> None:
    assert model_identity(model(**change)) != model_identity(model())


def test_names_resources_and_prices_are_no_part_of_the_model() -> None:
    changed = model().model_copy(
        update={"abbr": "x", "batch_size": 9, "num_gpus": 1, "prices": {"input": 1.0}, "summarizer_abbr": "s"}
    )
    assert model_identity(changed) == model_identity(model())
    assert model_identity(model().model_copy(update={"max_out_len": 5})) != model_identity(model())


def test_headers_count_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_header(**headers: str) -> str:
        return model_identity(model(extra_headers=headers))

    assert with_header(a="secret 1") == with_header(a="secret 2")
    assert with_header(a="x") != with_header(b="x")


def test_local_weights_count_by_size_and_time(tmp_path: Path) -> None:
    weights = tmp_path / "weights.bin"
    weights.write_bytes(b"1")
    local = model(path=str(tmp_path)).model_copy(update={"is_api": False})
    first = model_identity(local)
    assert model_identity(local) == first
    os.utime(weights, ns=(1, 1))
    second = model_identity(local)
    weights.write_bytes(b"22")
    os.utime(weights, ns=(1, 1))
    assert len({first, second, model_identity(local)}) == 3


def test_the_endpoint_counts_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    nowhere = endpoint_identity(model())
    monkeypatch.setenv("OPENAI_BASE_URL", "http://here/v1")
    assert endpoint_identity(model()) != nowhere
    assert endpoint_identity(model(openai_api_base="http://a/v1")) != endpoint_identity(
        model(openai_api_base="http://b/v1")
    )
    assert endpoint_identity(model(openai_api_base="http://me:pw@a/v1/")) == endpoint_identity(
        model(openai_api_base="http://a/v1")
    )


def test_the_recipe_is_about_asking_not_about_scoring() -> None:
    assert dataset_recipe(dataset(abbr="x", eval_cfg={"evaluator": {"type": "E"}})) == dataset_recipe(dataset())
    for change in (
        {"infer_cfg": {"inferencer": {"type": "G", "max_out_len": 5}}},
        {"reader": ReaderSpec(input_columns=("q",), test_range="[0:5]")},
        {"n": 2, "k": (2,)},
        {"arguments": {"name": "x"}},
    ):
        assert dataset_recipe(dataset(**change)) != dataset_recipe(dataset())


def test_part_keys_change_with_rows_data_model_and_stage() -> None:
    def key(**changes: Any) -> str:
        given: dict[str, Any] = {"data_fingerprint": "f", "start": 0, "stop": 9, "limit": None}
        return part_key(changes.pop("model", "m"), dataset(**changes.pop("dataset", {})), **{**given, **changes})

    changes: list[dict[str, Any]] = [
        {}, {"data_fingerprint": "g"}, {"start": 1}, {"stop": 8}, {"limit": 9}, {"model": "n"}, {"stage": "eval"},
        {"dataset": {"n": 2, "k": (2,)}},
    ]  # fmt: skip
    keys = [key(**change) for change in changes]
    assert len(set(keys)) == len(keys)
    assert key() == keys[0]


def test_shard_keys_depend_on_parts_and_order() -> None:
    assert len({shard_key(["a", "b"]), shard_key(["b", "a"]), shard_key(["a"])}) == 3
    assert shard_key(part for part in "ab") == shard_key(["a", "b"])


def test_the_models_own_server_counts_as_far_as_it_decides_what_is_asked(tmp_path: Path) -> None:
    def served(**serve: Any) -> str:
        return model_identity(model().model_copy(update={"serve": serve}))

    plain = served(command="serve --model a --api-key canary-1")
    assert served(command="serve --model a --api-key canary-2", ready="http://x", num_gpus=2, timeout=9) == plain
    assert served(command=["serve", "--model", "a", "--api-key", "{ENV:X}"]) == plain
    assert served(command="serve --model b --api-key canary-1") != plain
    weights = tmp_path / "model.gguf"
    weights.write_bytes(b"1")
    first = served(type="gguf", file=str(weights))
    weights.write_bytes(b"22")
    assert served(type="gguf", file=str(weights)) != first


@pytest.mark.parametrize("option", ["parallel", "context", "threads", "alias", "file", "unknown"])
def test_every_other_option_of_the_server_counts(option: str) -> None:
    def served(**serve: Any) -> str:
        return model_identity(model().model_copy(update={"serve": {"type": "gguf", "file": "m.gguf", **serve}}))

    assert served(**{option: 1}) != served(**{option: 2})


def test_weights_that_a_command_names_count_and_programs_do_not(tmp_path: Path) -> None:
    program, weights, folder = tmp_path / "serve.py", tmp_path / "m.gguf", tmp_path / "model"
    folder.mkdir()
    for file in (program, weights, folder / "config.json"):
        file.write_text("1")

    def served() -> str:
        command = ["python", str(program), "-m", str(weights), "--also", str(folder)]
        return model_identity(model().model_copy(update={"serve": {"command": command}}))

    first = served()
    program.write_text("12")
    assert served() == first
    weights.write_text("12")
    second = served()
    (folder / "config.json").write_text("12")
    assert len({first, second, served()}) == 3


def test_a_file_inside_a_package_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "m.gguf").write_text("1")
    monkeypatch.syspath_prepend(str(tmp_path))
    spec = model().model_copy(update={"serve": {"type": "gguf", "package": "some_weights", "file": "m.gguf"}})
    first = model_identity(spec)
    (package / "m.gguf").write_text("12")
    assert model_identity(spec) != first


def test_an_identity_is_the_same_with_references_for_secrets() -> None:
    clear = model(extra_body={"url": "https://me:canary@host/x"}, extra_headers={"A": "canary-h"}, key="canary-key")
    assert model_identity(clear) == model_identity(clear.model_copy(update={"arguments": redact(clear.arguments)}))

"""What `key` may be, and that keys stay out of texts."""

import pytest

from tasks.models.http.keys import KeyPool, resolve_keys
from tasks.spec.findings import FindingKind, UserError

OWN = ("OPENAI_API_KEY",)


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one, sk-two")
    monkeypatch.setenv("MY_KEY", "sk-mine")
    monkeypatch.delenv("GONE_TOKEN", raising=False)


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("ENV", ("sk-one", "sk-two")),
        ("MY_KEY", ("sk-mine",)),
        ("EMPTY", ("EMPTY",)),
        ("sk-literal", ("sk-literal",)),
        (["ENV", "MY_KEY", "x"], ("sk-one", "sk-two", "sk-mine", "x")),
        (" sk-read-from-a-file\n", ("sk-read-from-a-file",)),
    ],
)
def test_keys(written: str | list[str], keys: tuple[str, ...]) -> None:
    assert resolve_keys(written, OWN) == keys


@pytest.mark.parametrize(("written", "named"), [("GONE_TOKEN", "GONE_TOKEN"), (None, "None"), ([], "empty")])
def test_no_key(written: str | list[str] | None, named: str) -> None:
    with pytest.raises(UserError, match=named):
        resolve_keys(written, OWN)


def test_a_key_that_no_header_can_hold_is_not_shown() -> None:
    with pytest.raises(UserError, match="a blank or a line break") as error:
        resolve_keys("sk-first-half\nsk-second-half", OWN)
    assert "half" not in str(error.value)


def test_unset_own_variable_is_what_the_machine_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UserError, match="OPENAI_API_KEY is not set") as error:
        resolve_keys("ENV", OWN)
    assert error.value.findings[0].kind is FindingKind.MACHINE


def test_keys_take_turns_until_they_are_dropped() -> None:
    pool = KeyPool(["a", "b", "c"])
    assert {pool.take() for _ in range(3)} == {"a", "b", "c"}
    assert pool.drop("b") and not pool.drop("b")
    assert {pool.take() for _ in range(4)} == {"a", "c"}
    pool.drop("a")
    pool.drop("c")
    assert pool.take() is None
    assert pool.exhausted


def test_keys_are_removed_from_texts_even_where_the_text_is_cut() -> None:
    pool = KeyPool(["my-secret-value", "EMPTY"])
    text = pool.redact("x" * 495 + "my-secret-value sk-abc***xyz EMPTY")
    assert "my-sec" not in text
    assert pool.redact("bad key my-secret-value, or sk-abc***xyz: EMPTY") == "bad key ***, or ***: EMPTY"

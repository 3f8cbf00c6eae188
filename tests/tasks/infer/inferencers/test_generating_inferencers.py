"""What inferencers that generate ask, round by round, and store."""

from typing import Any

import pytest
from support.dialogues import hold, renderer_of, saying

from tasks.infer.inferencers.names import ChatInferencer, ChatMLInferencer, GenInferencer, SCInferencer
from tasks.models.interface import Completion, Request, Sampling
from tasks.spec.findings import UserError
from tasks.spec.status import Status

OPEN = {"role": "assistant", "content": ""}
HELLO = {"role": "user", "content": "Hello, {question}"}
MORE = {"role": "user", "content": "And?"}
ROUNDS = [HELLO, OPEN, MORE, OPEN]
PAIRS = [{"question": ["a?", "b?"], "answer": ["A", "B"]}]


def prompts(records) -> list[Any]:
    return [record.prompt for record in records]


def test_empty_assistant_messages_are_generated_one_after_the_other():
    inferencer = GenInferencer(multiround=True)
    records = hold(
        inferencer, renderer_of([{"question": "you"}], ROUNDS, raw=True, form="messages"), saying("Hi", "So")
    )
    hello = {"role": "user", "content": "Hello, you"}
    assert prompts(records) == [[hello], [hello, {"role": "assistant", "content": "Hi"}, MORE]]
    assert inferencer.sample(records, None)["prediction"] == ["Hi", "So"]


def test_given_assistant_messages_stay_and_are_part_of_the_prediction():
    inferencer = GenInferencer(multiround=True)
    given = {"role": "assistant", "content": "given"}
    renderer = renderer_of([{"question": "you"}], [HELLO, given, MORE, OPEN], raw=True, form="messages")
    records = hold(inferencer, renderer, saying("new"))
    assert len(records) == 1 and records[0].prompt[1] == given
    assert inferencer.sample(records, None)["prediction"] == ["given", "new"]


def test_rounds_reach_a_text_model_as_text():
    inferencer = GenInferencer(multiround=True)
    records = hold(inferencer, renderer_of([{"question": "you"}], ROUNDS, raw=True), saying("Hi", "So"))
    assert prompts(records) == ["Hello, you", "Hello, you\nHi\nAnd?"]
    assert inferencer.sample(records, None)["prediction"] == ["Hi", "So"]


def test_several_answers_make_a_list():
    inferencer = SCInferencer(sc_size=3, stopping_criteria=["\n"])
    asked: list[Request] = []

    def reply(ask):
        asked.append(ask.request)
        return Completion(Status.OK, ("1", "2", "1"), "stop")

    records = hold(inferencer, renderer_of([{"question": "q"}], "{question}"), reply)
    assert (asked[0].sequences, asked[0].stop) == (3, ("\n",))
    assert inferencer.sample(records, None)["prediction"] == ["1", "2", "1"]


def test_self_consistency_says_how_its_answers_are_drawn():
    kwargs = {"do_sample": True, "temperature": 0.7, "top_k": 40}
    inferencer = SCInferencer(sc_size=3, generation_kwargs=kwargs)
    asked: list[Request] = []

    def reply(ask):
        asked.append(ask.request)
        return Completion(Status.OK, ("1", "2", "1"), "stop")

    hold(inferencer, renderer_of([{"question": "q"}], "{question}"), reply)
    assert asked[0].sampling == Sampling(temperature=0.7, top_k=40)
    assert GenInferencer(temperature=0.3).sampling == Sampling(0.3)
    assert ChatInferencer(temperature=0.3, do_sample=False).sampling is None
    with pytest.raises(UserError, match=r"(?s)no 'temprature'.*temperature"):
        SCInferencer(sc_size=3, generation_kwargs={"temprature": 0.7})


def test_chatml_asks_the_messages_of_the_row():
    question = [{"role": "user", "content": [{"type": "text", "text": "What is it?"}]}]
    renderer = renderer_of([{"chatml_question": question}], "{question}", form="messages")
    records = hold(ChatMLInferencer(), renderer, saying("a cat"))
    assert prompts(records) == [question]
    assert ChatMLInferencer().sample(records, "cat")["prediction"] == "a cat"


def test_chatml_names_the_column_it_misses():
    with pytest.raises(UserError, match="chatml_question"):
        hold(ChatMLInferencer(), renderer_of([{"question": "q"}], "{question}"), saying())


def test_the_last_turn_is_generated_on_top_of_the_data():
    records = hold(ChatInferencer(), renderer_of(PAIRS, "{question}", form="messages"), saying("mine"))
    user, assistant = {"role": "user", "content": "a?"}, {"role": "assistant", "content": "A"}
    assert prompts(records) == [[user, assistant, {"role": "user", "content": "b?"}]]
    sample = ChatInferencer().sample(records, ["A", "B"])
    assert (sample["prediction"], sample["gold"]) == ("mine", "B")


@pytest.mark.parametrize(("mode", "history"), [("every", "mine"), ("every_with_gt", "A")])
def test_every_turn_is_generated_and_the_gold_is_that_of_the_data(mode: Any, history: str):
    inferencer = ChatInferencer(infer_mode=mode)
    records = hold(inferencer, renderer_of(PAIRS, "{question}", form="messages"), saying("mine", "too"))
    assert records[1].prompt[1] == {"role": "assistant", "content": history}
    sample = inferencer.sample(records, ["A", "B"])
    assert (sample["prediction"], sample["gold"]) == (["mine", "too"], ["A", "B"])
    assert [len(prompt) for prompt in sample["origin_prompt"]] == [1, 3]


def test_a_column_of_messages_is_used_as_it_is():
    chat = [{"role": "user", "content": "a?"}, {"role": "assistant", "content": "A"}]
    renderer = renderer_of([{"chat": chat}], "{chat}", inputs=("chat",), output="chat", form="messages")
    records = hold(ChatInferencer(), renderer, saying("mine"))
    assert prompts(records) == [chat[:1]]
    assert ChatInferencer().sample(records, chat)["gold"] == "A"


def test_texts_are_worded_by_the_template():
    template = {"round": [{"role": "HUMAN", "prompt": "Q: {question}"}]}
    records = hold(ChatInferencer(), renderer_of([{"question": "a?"}], template, form="messages"), saying("mine"))
    assert prompts(records) == [[{"role": "HUMAN", "prompt": "Q: a?"}]]


def test_dialogues_are_stored_round_by_round():
    chat = [{"role": "user", "content": "a?"}, OPEN, {"role": "user", "content": "b?"}, OPEN]
    renderer = renderer_of([{"dialogue": chat}], "{dialogue}", inputs=("dialogue",), output=None, form="messages")
    records = hold(ChatInferencer(), renderer, saying("one", "two"))
    assert ChatInferencer().sample(records, None)["prediction"] == [
        {"round": 1, "user": "a?", "assistant": "one"},
        {"round": 2, "user": "b?", "assistant": "two"},
    ]


def test_an_unknown_mode_is_named():
    with pytest.raises(UserError, match="every_with_gt"):
        ChatInferencer(infer_mode="every_with_gd")  # type: ignore[arg-type]

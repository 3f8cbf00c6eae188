"""What inferencers that compare likelihoods ask, choose and store."""

import math

import pytest
from support.dialogues import finding, hold, renderer_of

from tasks.infer.inferencers.names import (
    CLPInferencer,
    InferencePPLOnlyInferencer,
    LLInferencer,
    PPLInferencer,
    PPLOnlyInferencer,
)
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Likelihood, ScoreRequest
from tasks.spec.findings import UserError
from tasks.spec.status import Status

ROWS = [{"question": "Sky?", "one": "blue", "two": "very very green", "answer": "A"}]
LABELS = {"A": "Q: {question} A: {one}", "B": "Q: {question} A: {two}"}


def test_only_the_options_are_scored_under_what_they_share():
    asked: list[ScoreRequest] = []
    renderer = renderer_of(ROWS, LABELS)
    hold(PPLInferencer(), renderer, lambda ask: asked.append(ask.request) or Likelihood(Status.OK, -1, 1))  # type: ignore[func-returns-value]
    assert [(request.context, request.continuation) for request in asked] == [
        ("Q: Sky? A:", " blue"),
        ("Q: Sky? A:", " very very green"),
    ]


def test_the_label_with_the_lowest_surprise_per_token_is_chosen_and_all_variants_are_stored():
    records = hold(PPLInferencer(), renderer_of(ROWS, LABELS), finding({" blue": -2.0, " very very green": -3.0}))
    sample = PPLInferencer().sample(records, "A")
    assert (sample["prediction"], sample["gold"], sample["status"]) == ("B", "A", "ok")
    assert sample["in-context examples"] == ""
    assert sample["label: B"] == {
        "testing input": "Q: Sky? A: very very green",
        "prompt": "Q: Sky? A: very very green",
        "PPL": 1.0,
        "BPB": pytest.approx(3 / math.log(2) / 16),
        "log_likelihood": -3.0,
        "tokens": 3,
    }


def test_of_equal_labels_the_first_is_chosen():
    records = hold(PPLInferencer(), renderer_of(ROWS, LABELS), finding({" blue": -1.0, " very very green": -3.0}))
    assert PPLInferencer().sample(records, "A")["prediction"] == "A"


def test_a_normalizer_takes_off_what_an_option_costs_anywhere():
    inferencer = PPLInferencer(normalizing_str="Answer:")

    def reply(ask):
        under_normalizer = ask.request.context == "Answer:"
        return Likelihood(Status.OK, -5.0 if ask.request.continuation == " blue" and under_normalizer else -2.0, 1)

    sample = inferencer.sample(hold(inferencer, renderer_of(ROWS, LABELS), reply), None)
    assert sample["prediction"] == "A"
    assert (sample["label: A"]["PPL"], sample["label: B"]["PPL"]) == (-3.0, 0.0)
    assert [key for key in sample if key.startswith("label")] == ["label: A", "label: B"]


def test_labels_of_the_references_take_the_place_of_the_answer():
    rows = [{"question": "Up?", "answer": 1}, {"question": "Down?", "answer": 0}]
    records = hold(PPLInferencer(), renderer_of(rows, "{question} {answer}"), finding({" 1": -2.0, " 0": -1.0}))
    assert PPLInferencer().sample(records, 1)["prediction"] == "0"


def test_a_label_without_a_likelihood_makes_an_error_and_no_choice():
    def reply(ask):
        return Likelihood(Status.ERROR, error="gone") if ask.part == "A" else Likelihood(Status.OK, -1.0, 1)

    sample = PPLInferencer().sample(hold(PPLInferencer(), renderer_of(ROWS, LABELS), reply), "A")
    assert (sample["prediction"], sample["status"], sample["error"]) == (None, "error", "gone")


def test_likelihoods_of_chat_messages_are_refused_with_a_remedy():
    renderer = renderer_of(ROWS, {"round": [{"role": "HUMAN", "prompt": "{question}"}]}, form="messages")
    with pytest.raises(UserError, match="_gen"):
        hold(PPLOnlyInferencer(), renderer, finding({}))


def test_ll_compares_the_sums_and_stores_the_means_too():
    records = hold(LLInferencer(), renderer_of(ROWS, LABELS), finding({" blue": -2.0, " very very green": -3.0}))
    sample = LLInferencer().sample(records, "A")
    assert sample["prediction"] == "A"
    assert sample["label: B"]["Loglikelihood"] == -3.0 and sample["label: B"]["Loglikelihood per token"] == -1.0


def test_ll_scores_the_continuation_under_each_label():
    rows = [{"question": "It rained", "cont": " so I stayed", "answer": "A"}]
    labels = {"A": "{question},{cont}", "B": "No,{cont}"}
    asked: list[ScoreRequest] = []
    hold(LLInferencer(), renderer_of(rows, labels), lambda a: asked.append(a.request) or Likelihood(Status.OK, -1, 1))  # type: ignore[func-returns-value]
    assert [(r.context, r.continuation) for r in asked] == [("It rained,", " so I stayed"), ("No,", " so I stayed")]


def test_ppl_only_scores_the_whole_text():
    renderer = renderer_of([{"question": "one two"}], "{question}!", output=None)
    records = hold(PPLOnlyInferencer(), renderer, finding({"one two!": -3.0}))
    sample = PPLOnlyInferencer().sample(records, None)
    assert (sample["origin_prompt"], sample["ppl"], sample["log_likelihood"], sample["token_len"]) == (
        "one two!",
        1.5,
        -3.0,
        2,
    )


def test_inference_ppl_scores_the_answer_alone():
    renderer = renderer_of([{"question": "1+1?", "answer": "it is 2"}], "{question} {answer}")
    records = hold(InferencePPLOnlyInferencer(), renderer, finding({" it is 2": -6.0}))
    sample = InferencePPLOnlyInferencer().sample(records, None)
    assert (sample["ppl"], sample["token_len"]) == (2.0, 3)


def test_clp_gives_probabilities_of_the_choices_that_add_up_to_one():
    rows = [{"question": "1+1?", "choices": [" 2", " 3"], "answer": 0}]
    records = hold(
        CLPInferencer(), renderer_of(rows, "{question}"), finding({" 2": math.log(0.3), " 3": math.log(0.1)})
    )
    sample = CLPInferencer().sample(records, 0)
    assert sample["prediction"] == pytest.approx([0.75, 0.25]) and sample["pred_label"] == 0
    assert (sample["prompt"], sample["choices"], sample["gold"]) == ("1+1?", [" 2", " 3"], 0)
    assert "note" not in sample


def test_clp_says_when_labels_are_long_or_depend_on_a_blank():
    rows = [{"question": "1+1?", "choices": ["two or so", "3"], "answer": 0}]
    records = hold(CLPInferencer(), renderer_of(rows, "{question}"), finding({"two or so": -1.0, "3": -2.0}))
    note = CLPInferencer().sample(records, 0)["note"]
    assert "several tokens: two or so" in note and "without a blank" in note


def test_clp_takes_the_labels_of_all_rows_as_an_option():
    rows = [{"question": "1+1?", "answer": " 2"}]
    inferencer = CLPInferencer(choices=[" 2", " 3"])
    records = hold(inferencer, renderer_of(rows, "{question}"), finding({" 2": -1.0, " 3": -2.0}))
    assert inferencer.sample(records, 0)["choices"] == [" 2", " 3"]


def test_clp_needs_its_column():
    with pytest.raises(UserError, match="choices"):
        hold(CLPInferencer(), renderer_of(ROWS, "{question}"), finding({}))


def test_examples_are_told_apart_from_the_question():
    train = [{"question": "Grass?", "one": "green", "two": "red", "answer": "A"}]
    renderer = renderer_of(
        ROWS, {label: "Hi. </E>" + text for label, text in LABELS.items()}, train=train, example=LABELS
    )
    records = hold(PPLInferencer(), renderer, finding({" blue": -2.0, " very very green": -3.0}))
    stored = [RequestRecord.from_json(record.to_json()) for record in records]
    sample = PPLInferencer().sample(stored, "A")
    assert sample["label: A"]["prompt"] == "Hi. Q: Grass? A: green\nQ: Sky? A: blue"
    assert sample["in-context examples"].strip() == "Q: Grass? A: green"
    assert sample["label: A"]["testing input"].split() == ["Hi.", "Q:", "Sky?", "A:", "blue"]

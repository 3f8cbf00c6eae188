"""Token counts in predictions files."""

from pathlib import Path

from tasks.infer.ledger.opencompass_predictions import adoptable_answers
from tasks.infer.lengths import with_lengths
from tasks.models.token_count import Estimate, TokenizerCount
from tasks.spec.storage.run_folder import Pair, RunFolder, write_json

PROMPT = [{"role": "SYSTEM", "prompt": "Be short."}, {"role": "HUMAN", "prompt": "What is 1 + 2?"}]
COUNT = TokenizerCount("letters", len)


def test_our_own_count_where_it_is_exact() -> None:
    sample = with_lengths({"origin_prompt": PROMPT, "prediction": "three", "usage": {"completion_tokens": 1}}, COUNT)
    assert [message["input_length"] for message in sample["origin_prompt"]] == [9, 14]
    assert (sample["all_input_length"], sample["res_length"]) == (23, 5)
    assert PROMPT[0].keys() == {"role", "prompt"}


def test_what_the_service_counted_where_ours_is_an_estimate() -> None:
    usage = {"prompt_tokens": 40, "completion_tokens": 8}
    sample = with_lengths({"origin_prompt": "What is it?", "prediction": "three", "usage": usage}, Estimate())
    assert (sample["all_input_length"], sample["res_length"]) == (40, 8)


def test_several_answers_have_several_lengths() -> None:
    assert with_lengths({"origin_prompt": "x", "prediction": ["a", "bcd"]}, COUNT)["res_length"] == [1, 3]


def test_a_sample_of_likelihoods_stays_as_it_is() -> None:
    assert with_lengths({"label: A": {"PPL": 1.5}, "prediction": None}, COUNT) == {
        "label: A": {"PPL": 1.5},
        "prediction": None,
    }


def test_answers_with_lengths_are_taken_over_from_opencompass(tmp_path: Path) -> None:
    folder, pair = RunFolder(tmp_path), Pair("m", "d")
    stored = with_lengths({"origin_prompt": PROMPT, "prediction": "3"}, COUNT)
    write_json(folder.predictions(pair), {"0": stored})
    answers = adoptable_answers(folder, pair)
    found = answers(PROMPT) if answers is not None else None
    assert found is not None and found.texts == ("3",)

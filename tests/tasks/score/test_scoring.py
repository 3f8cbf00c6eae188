"""Scoring a pair: from predictions and references to a results file."""

from pathlib import Path
from typing import Any

import pytest
from support.predictions import GSM8K_EVAL, Case
from support.specs import write_rows

from tasks.score.scoring import ScoreError

SOLUTION = "She has 3 + 4 = 7.\n#### 7"


def _own(name: str, **more: Any) -> dict[str, Any]:
    return {"evaluator": {"type": f"support.predictions.{name}"}, **more}


def _step(name: str) -> dict[str, str]:
    return {"type": f"support.predictions.{name}"}


def test_results_have_the_form_that_opencompass_reads(tmp_path: Path) -> None:
    case = Case(tmp_path, [SOLUTION, "#### 1,000"], eval_cfg=GSM8K_EVAL).predict("The answer is 7.", "It is 12.")
    score = case.score()
    assert score.metrics == {"accuracy": 50.0}
    assert case.results["accuracy"] == 50.0
    assert case.results["details"] == [
        {
            "example_abbr": "sums_0", "origin_prediction": ["The answer is 7."], "pred": ["7"], "answer": ["7"],
            "correct": [True], "status": ["ok"], "rule": ["answer-is"],
        },
        {
            "example_abbr": "sums_1", "origin_prediction": ["It is 12."], "pred": ["12"], "answer": ["1000"],
            "correct": [False], "status": ["ok"], "rule": ["fallback:last-number"],
        },
    ]  # fmt: skip


def test_details_can_be_left_out(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"]).predict("a")
    case.score(dump_details=False)
    assert "details" not in case.results


def test_errors_do_not_count_and_withheld_answers_are_wrong(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"] * 6).predict(
        "a",
        {"prediction": "a", "status": "truncated"},
        {"prediction": "a", "status": "filtered"},
        {"prediction": "a", "status": "refused"},
        {"prediction": "", "status": "empty"},
        {"prediction": "", "status": "error", "error": "connection refused"},
    )
    score = case.score()
    assert score.metrics["accuracy"] == 40.0
    samples = case.own["samples"]
    assert (samples["n"], samples["counted"], samples["errors"]) == (6, 5, 1)
    assert [samples[name] for name in ("truncated", "filtered", "refused", "empty")] == [1, 1, 1, 1]
    assert case.own["error_reasons"] == {"connection refused": 1}
    assert [detail["correct"] for detail in case.results["details"]] == [
        [True],
        [True],
        [False],
        [False],
        [False],
        [None],
    ]


def test_several_answers_vote_where_self_consistency_is_scored(tmp_path: Path) -> None:
    case = Case(tmp_path, ["#### 4", "#### 4", "#### 4"], eval_cfg={**GSM8K_EVAL, "sc_size": 3})
    case.predict(["is 4", "is 5", "is 4"], ["is 5", "is 4", "I do not know"], ["none", "none", "none"])
    case.score()
    assert [detail["correct"] for detail in case.results["details"]] == [[True], [False], [False]]
    assert case.own["samples"]["unparsed"] == 1


def test_nothing_is_extracted_from_a_withheld_answer(tmp_path: Path) -> None:
    """The text that stands for a filtered answer may hold a number."""
    case = Case(tmp_path, ["#### 400"], eval_cfg=GSM8K_EVAL)
    case.predict({"prediction": "error 400: content filter", "status": "filtered"}).score()
    assert case.results["accuracy"] == 0
    assert case.results["details"][0]["pred"] == [""]


def test_an_answer_that_is_not_there_is_wrong_whatever_the_evaluator_says(tmp_path: Path) -> None:
    case = Case(tmp_path, ["abc", "abc"], eval_cfg=_own("Substring"))
    score = case.predict("b", {"prediction": "", "status": "empty"}).score()
    assert score.metrics["score"] == 50.0


def test_all_errors_have_no_score(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"]).predict({"prediction": "", "status": "error", "error": "no route"})
    with pytest.raises(ScoreError, match="none of the 1 samples has an answer: no route"):
        case.score()


def test_unparsed_and_ambiguous_answers_are_counted(tmp_path: Path) -> None:
    case = Case(tmp_path, ["#### 1"] * 3, eval_cfg=GSM8K_EVAL)
    case.predict("I cannot tell.", r"\boxed{1} or \boxed{2}", "So 1.").score()
    samples = case.own["samples"]
    assert (samples["unparsed"], samples["ambiguous"], samples["fallback"]) == (1, 1, 1)
    assert [detail["rule"] for detail in case.results["details"]] == [
        ["unparsed"],
        ["ambiguous"],
        ["fallback:last-number"],
    ]


def test_strict_and_lenient_scores_stand_side_by_side(tmp_path: Path) -> None:
    case = Case(tmp_path, ["#### 1"] * 4, eval_cfg=GSM8K_EVAL)
    case.predict("The answer is 1", "So 1.", "So 2.", "The answer is 2").score()
    assert case.results["accuracy"] == 50.0
    assert (case.own["strict"], case.own["lenient"]) == ({"accuracy": 25.0}, {"accuracy": 50.0})


def test_standard_error_of_a_mean(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"] * 4).predict("a", "a", "b", "b")
    assert case.score().stderr["accuracy"] == pytest.approx(100 * (1 / 3 / 4) ** 0.5)


def test_repeats_are_averaged_for_evaluators_without_details_too(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"], n=2, eval_cfg=_own("WithoutDetails")).predict("a", "b", "x", "b")
    score = case.score()
    assert score.metrics == {"accuracy (2 runs average)": 75.0}
    assert case.results["seen"] == [["a", "b"], ["x", "b"]]


def test_answers_to_one_row_are_not_independent(tmp_path: Path) -> None:
    """Two rows, one always right and one always wrong: asking twice makes the score no more certain."""
    once = Case(tmp_path / "once", ["a", "b"]).predict("a", "x").score()
    twice = Case(tmp_path / "twice", ["a", "b"], n=2).predict("a", "x", "a", "x").score()
    assert twice.stderr["accuracy (2 runs average)"] == pytest.approx(once.stderr["accuracy"])


def test_g_pass_at_k_of_repeats(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"], n=4, k=(1, 2)).predict("a", "a", "x", "x")
    metrics = case.score().metrics
    assert metrics["accuracy (4 runs average)"] == 50.0
    assert metrics["G-Pass@2_0.0"] == pytest.approx(83.333, abs=1e-3)
    assert metrics["G-Pass@2_1.0"] == pytest.approx(16.667, abs=1e-3)
    assert metrics["mG-Pass@2"] == pytest.approx(16.667, abs=1e-3)
    assert metrics["G-Pass@1_0.0"] == 50.0
    assert metrics["sums/G-Pass@2_0.0"] == metrics["G-Pass@2_0.0"]


def test_details_of_repeats_hold_one_value_each(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"], n=2).predict("a", "b", "x", "b")
    case.score()
    assert [detail["correct"] for detail in case.results["details"]] == [[True, False], [True, True]]


def test_post_processors_run_in_order_model_dataset_evaluator(tmp_path: Path) -> None:
    evaluator = {"type": "tasks.score.evaluators.exact.AccEvaluator", "pred_postprocessor": _step("loud")}
    model = {"pred_postprocessor": {"type": "tasks.score.answers.postprocessors.extract_non_reasoning_content"}}
    eval_cfg = {"evaluator": evaluator, "pred_postprocessor": _step("first_word")}
    case = Case(tmp_path, ["YES"], model=model, eval_cfg=eval_cfg)
    assert case.predict("<think>no</think> yes it is").score().metrics["accuracy"] == 100.0


def test_several_sequences_are_extracted_one_by_one(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"], eval_cfg=_own("WithoutDetails", pred_postprocessor=_step("first_word")))
    with pytest.raises(ScoreError, match="WithoutDetails failed"):  # it compares texts only
        case.predict(["a b", "c d"]).score()
    case.dataset.eval_cfg["evaluator"] = {"type": "tasks.score.evaluators.exact.AccEvaluator"}
    with pytest.raises(ScoreError, match="several answers per sample"):
        case.score()


def test_a_failing_post_processor_names_the_sample(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"], eval_cfg=_own("WithoutDetails", pred_postprocessor=_step("first_word")))
    with pytest.raises(ScoreError, match="first_word failed on sample 1: IndexError"):
        case.predict("a", {"prediction": " ", "status": "ok"}).score()


def test_a_base_models_text_is_cut_to_the_role(tmp_path: Path) -> None:
    template = {
        "round": [{"role": "HUMAN", "begin": "U:"}, {"role": "BOT", "begin": "B:", "end": "<e>\n", "generate": True}]
    }
    eval_cfg = {"evaluator": {"type": "tasks.score.evaluators.exact.AccEvaluator"}, "pred_role": "BOT"}
    for is_api, accuracy in ((False, 100.0), (True, 0.0)):
        model = {"meta_template": template, "is_api": is_api}
        case = Case(tmp_path / str(is_api), ["yes"], model=model, eval_cfg=eval_cfg).predict("B:yes<e>\nU: more")
        assert case.score().metrics["accuracy"] == accuracy


def test_evaluators_get_exactly_the_arguments_they_name(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"], eval_cfg=_own("Fields"))
    case.predict({"ppl": 2.0, "origin_prompt": "p0"}, {"ppl": 4.0}).score()
    assert case.results["average_ppl"] == 3.0
    assert case.results["told"] == [
        {
            "questions": ["q0", "q1"], "first": {"question": "q0", "answer": "a"},
            "prompts": ["p0", None], "missing": "default",
        }
    ]  # fmt: skip


def test_an_unknown_argument_is_named_with_those_there_are(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"], eval_cfg=_own("Unknown")).predict("a")
    with pytest.raises(ScoreError, match=r"'predictons'.*did you mean 'predictions'.*references, test_set"):
        case.score()


def test_an_evaluator_that_raises_is_a_reason(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"], eval_cfg=_own("Broken")).predict("a")
    with pytest.raises(ScoreError, match="Broken failed: ZeroDivisionError: no luck"):
        case.score()


@pytest.mark.parametrize("gold", [None, "#### eighteen"])
def test_a_missing_reference_is_an_error_and_never_a_zero(tmp_path: Path, gold: str | None) -> None:
    case = Case(tmp_path, ["#### 1", gold], eval_cfg=GSM8K_EVAL).predict("1", "1")
    with pytest.raises(ScoreError, match="row 1"):
        case.score()
    assert not case.folder.results(case.pair).exists()


def test_too_few_and_too_many_predictions(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"])
    with pytest.raises(ScoreError, match="partial: 1 of 2"):
        case.predict("a").score()
    with pytest.raises(ScoreError, match="hold 3 samples, but 2 rows"):
        case.predict("a", "b", "c").score()
    assert case.predict("a").score(limit=1).metrics["accuracy"] == 100.0


def test_tokens_latency_and_notes_are_summed_up(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 3}
    record = {"prediction": "a", "status": "ok", "usage": usage, "note": "prompt cut"}
    case = Case(tmp_path, ["a"] * 3).predict(*({**record, "latency": seconds} for seconds in (1, 2, 9)))
    case.score()
    assert case.own["tokens"] == {"prompt_tokens": 30, "completion_tokens": 9}
    assert case.own["latency_median"] == 2
    assert (case.own["noted"], case.own["notes"]) == (3, {"prompt cut": 3})


def test_lone_surrogates_survive(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"]).predict("x\ud800")
    case.score()
    assert case.results["details"][0]["origin_prediction"] == ["x\ud800"]


def test_no_evaluator(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match="names no evaluator"):
        Case(tmp_path, ["a"], eval_cfg={}).predict("a").score()


def test_rules_of_evaluators_that_read_answers_by_themselves_count(tmp_path: Path) -> None:
    case = Case(
        tmp_path, ["5"] * 4, eval_cfg={"evaluator": {"type": "tasks.score.evaluators.mathematics.MATHEvaluator"}}
    )
    case.predict(
        r"\boxed{5}", "The answer is 5.", "So we have it then.", {"prediction": "5", "status": "filtered"}
    ).score()
    assert case.results["accuracy"] == 50.0
    assert case.own["samples"]["unparsed"] == 1
    assert case.own["rules"] == {"box": 1, "answer-is": 1}
    assert [detail["rule"] for detail in case.results["details"]] == [["box"], ["answer-is"], ["unparsed"], [None]]


def test_guesses_of_an_evaluator_make_a_strict_score(tmp_path: Path) -> None:
    evaluator = {"type": "tasks.score.evaluators.open_answers.DropOpenAIEvaluator"}
    case = Case(tmp_path, ["7", "7"], eval_cfg={"evaluator": evaluator})
    case.predict("Answer: 7", "First 3.\nThen 7 in all.").score()
    assert (case.own["strict"], case.own["lenient"]) == ({"accuracy": 50.0}, {"accuracy": 100.0})
    assert case.own["samples"]["fallback"] == 1


def test_metrics_of_details_have_standard_errors(tmp_path: Path) -> None:
    case = Case(
        tmp_path, ["a red car"] * 2, eval_cfg={"evaluator": {"type": "tasks.score.evaluators.overlap.RougeEvaluator"}}
    )
    score = case.predict("a red car", "none").score()
    assert score.metrics["rouge1"] == pytest.approx(50.0)
    assert score.stderr["rouge1"] == pytest.approx(50.0)
    assert case.own["versions"]["rouge-score"]


def test_the_majority_of_repeats(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"], n=3, k=(1, 3)).predict("a", "b", "a", "x", "x", "x")
    metrics = case.score().metrics
    assert metrics["accuracy (3 runs average)"] == pytest.approx(50.0)
    assert metrics["maj@3"] == 50.0
    assert [replica["accuracy"] for replica in case.own["replicas"]] == [100.0, 50.0, 0.0]


def test_orders_of_one_question_are_not_independent(tmp_path: Path) -> None:
    """Four orders each of two questions: the standard error is that of two questions, not of eight."""
    orders = [("ABCD", "A"), ("BCDA", "D"), ("CDAB", "C"), ("DABC", "B")]
    eval_cfg = {"evaluator": {"type": "tasks.score.evaluators.circular.CircularEvaluator"}}
    case = Case(tmp_path, [], eval_cfg=eval_cfg).predict(*"ADCB", *"ADCA")
    rows = [
        {"question": f"q{question}", "answer": answer, "qid": question, "circular_pattern": "_SEP_".join(order)}
        for question in range(2)
        for order, answer in orders
    ]
    write_rows(Path(case.dataset.arguments["path"]), rows)
    score = case.score()
    assert score.metrics["acc_circular"] == 87.5
    assert score.stderr["acc_circular"] == pytest.approx(12.5)
    assert score.shares == {}

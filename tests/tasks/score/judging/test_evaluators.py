"""What judges are shown, and what becomes of what they say, in every form a configuration can have."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.predictions import Case
from support.scripted_server import Call, ScriptedServer, Turn, failed
from support.specs import write_rows

from tasks.infer.model_access import ModelAccess
from tasks.score.files.results import PairScore
from tasks.score.judging.grades import generic_llmjudge_academic_postprocess, generic_llmjudge_postprocess
from tasks.score.judging.session import JudgeSession
from tasks.score.score_error import ScoreError
from tasks.spec.shard import FailureBudget
from tasks.spec.storage.run_folder import RunFolder, read_json

JUDGING = "tasks.score.judging"
TEXT = "Q {question} GOLD {obj_gold} SAID {prediction}"


def user_metrics(output: dict[str, Any], output_path: str, dataset: Any) -> dict[str, Any]:
    """A post-processor of a user's own, as OpenCompass calls them."""
    points = [float(record["prediction"]) for record in output.values()]
    details = [{"points": value} for value in points]
    return {
        "points": sum(points) / len(points),
        "rows": len(dataset),
        "file": Path(output_path).name,
        "details": details,
    }


def same_length(prediction: str, reference: str) -> bool:
    return len(prediction) == len(reference)


class Bench:
    """Scores one pair whose judge is a server."""

    def __init__(self, folder: Path, server: ScriptedServer) -> None:
        self.folder, self.server = folder, server
        self.access = ModelAccess(RunFolder(folder / "run"))

    def judge(self, **fields: Any) -> dict[str, Any]:
        base = {"type": "tasks.models.services.openai_chat.OpenAISDK", "abbr": "judge", "path": "judge", "key": "EMPTY"}
        return {**base, "openai_api_base": self.server.url, "retry": 0, **fields}

    def generic(self, template: Any = TEXT, judge: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        if not isinstance(template, dict):
            dialogue = {"round": [{"role": "HUMAN", "prompt": template}]}
            template = {"type": "tasks.prompts.templates.PromptTemplate", "template": dialogue}
        kind = f"{JUDGING}.generic_evaluator.GenericLLMEvaluator"
        return {"type": kind, "prompt_template": template, "judge_cfg": judge or self.judge(), **options}

    def cascade(self, **options: Any) -> dict[str, Any]:
        kind = f"{JUDGING}.cascade_evaluator.CascadeEvaluator"
        rule = {"type": "tasks.score.evaluators.exact.AccEvaluator"}
        return {"type": kind, "rule_evaluator": rule, "llm_evaluator": self.generic(), **options}

    def score(self, evaluator: dict[str, Any], *predictions: Any, golds: tuple[Any, ...] = ("1", "2")) -> Case:
        case = Case(self.folder, golds, eval_cfg={"evaluator": evaluator}).predict(*predictions)
        self.scored: PairScore = case.score(judging=JudgeSession(self.access))
        return case

    @property
    def messages(self) -> list[Any]:
        return [call.body["messages"] for call in self.server.calls]

    @property
    def questions(self) -> list[str]:
        return [call.last_user for call in self.server.calls]


def by_question(verdicts: dict[str, str]) -> Callable[[Call], Turn | None]:
    """The text for the first of these that is in the question."""
    return lambda call: next((Turn(text=text) for part, text in verdicts.items() if part in call.last_user), None)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ScriptedServer(answer=lambda question: "A") as server:
        bench = Bench(tmp_path, server)
        yield bench
        bench.access.close()


def test_the_prompt_shows_row_reference_and_prediction(bench: Bench):
    bench.score(bench.generic("{question}|{answer}|{obj_gold}|{reference}|{prediction}"), "one", "two")
    assert sorted(bench.questions) == ["q0|1|1|1|one", "q1|2|2|2|two"]


def test_a_system_turn_and_a_meta_template_word_the_prompt(bench: Bench):
    system = {"role": "SYSTEM", "fallback_role": "HUMAN", "prompt": "You compare answers."}
    dialogue = {"begin": [system], "round": [{"role": "HUMAN", "prompt": TEXT}]}
    template = {"type": "tasks.prompts.templates.PromptTemplate", "template": dialogue}
    bench.score(bench.generic(template), "1", "2")
    assert [message["role"] for message in bench.messages[0]] == ["system", "user"]
    roles = [{"role": "HUMAN", "api_role": "HUMAN"}, {"role": "BOT", "api_role": "BOT", "generate": True}]
    judge = bench.judge(meta_template={"round": roles}, abbr="second")
    bench.score(bench.generic(template, judge), "1", "2")
    assert [message["role"] for message in bench.messages[-1]] in (["user"], ["user", "user"])


def test_a_raw_template_reaches_the_judge_unchanged(bench: Bench):
    messages = [{"role": "system", "content": "Judge."}, {"role": "user", "content": TEXT}]
    template = {"type": "tasks.prompts.templates.RawPromptTemplate", "messages": messages}
    bench.score(bench.generic(template), "one", "two")
    assert {"role": "system", "content": "Judge."} in bench.messages[0]
    assert sorted(bench.questions) == ["Q q0 GOLD 1 SAID one", "Q q1 GOLD 2 SAID two"]


def test_columns_can_come_from_another_data_set(bench: Bench):
    other = write_rows(bench.folder / "other.jsonl", [{"hint": "odd"}, {"hint": "even"}])
    config = {"type": "tasks.data.custom.CustomDataset", "path": str(other), "reader_cfg": {"input_columns": ["hint"]}}
    bench.score(bench.generic("{hint} {prediction}", dataset_cfg=config), "one", "two")
    assert sorted(bench.questions) == ["even two", "odd one"]
    write_rows(other, [{"hint": "odd"}])
    with pytest.raises(ScoreError, match="has 1 rows, the dataset 2"):
        bench.score(bench.generic("{hint} {prediction}", dataset_cfg=config), "one", "two")
    other.unlink()
    with pytest.raises(ScoreError, match="dataset_cfg: no data at"):
        bench.score(bench.generic("{hint} {prediction}", dataset_cfg=config), "one", "two")


def test_the_judges_own_post_processor_reads_its_answer_first(bench: Bench):
    bench.server.decide = by_question({"q0": "<verdict>A</verdict> (not B: INCORRECT)", "q1": "<verdict>B</verdict>"})
    tag = {"type": "tasks.score.answers.text_postprocessors.xml_tag_postprocessor", "tag": "<verdict>"}
    case = bench.score(bench.generic(judge=bench.judge(pred_postprocessor=tag)), "one", "two")
    assert case.results["accuracy"] == 50.0 and bench.server.requests == 2


def test_not_attempted_counts_where_the_prompt_offers_it(bench: Bench):
    bench.server.decide = by_question({"q0": "A", "q1": "B", "q2": "C", "q3": "C"})
    offers = "A: CORRECT\nB: INCORRECT\nC: NOT_ATTEMPTED\n" + TEXT
    case = bench.score(bench.generic(offers), "one", "two", "three", "four", golds=("1", "2", "3", "4"))
    results = case.results
    assert (results["accuracy"], results["accuracy_given_attempted"], results["attempted_ratio"]) == (25.0, 50.0, 50.0)
    assert results["f1"] == pytest.approx(2 * 0.25 * 0.5 / 0.75) and results["not_attempted_count"] == 2


def test_a_function_of_the_users_own_makes_the_metrics(bench: Bench):
    bench.server.decide = by_question({"q0": "7", "q1": "9"})
    own = {"type": f"{__name__}.user_metrics"}
    case = bench.score(bench.generic(dict_postprocessor=own), "one", "two")
    assert case.results["points"] == 8.0 and case.results["rows"] == 2
    assert case.results["file"] == ["sums_replica0.json"]
    assert [detail["points"] for detail in case.results["details"]] == [[7.0], [9.0]]
    assert bench.server.requests == 2, "a text that is no grade is not asked for again"


def test_open_questions_need_no_reference(bench: Bench):
    case = Case(bench.folder, ("1", "2"), eval_cfg={"evaluator": bench.generic("{question} {prediction}")})
    reader = case.dataset.reader.model_copy(update={"output_column": None})
    case.dataset = case.dataset.model_copy(update={"reader": reader})
    case.predict("one", "two").score(judging=JudgeSession(bench.access))
    assert case.results["accuracy"] == 100.0


def test_answers_withheld_or_empty_are_wrong_and_errors_left_out_without_asking(bench: Bench):
    refused, failed = {"prediction": "", "status": "refused"}, {"prediction": "", "status": "error", "error": "x"}
    case = bench.score(bench.generic(), refused, "", failed, "four", golds=("1", "2", "3", "4"))
    assert bench.questions == ["Q q3 GOLD 4 SAID four"]
    assert case.results["accuracy"] == pytest.approx(100 / 3)
    assert case.own["samples"]["counted"] == 3


def test_without_any_verdict_there_is_no_score(bench: Bench):
    bench.server.decide = lambda call: Turn(text="Who knows?")
    with pytest.raises(ScoreError, match="no verdict on any sample"):
        bench.score(bench.generic(), "one", "two")


def test_equal_rows_are_judged_one_by_one(bench: Bench):
    rows = [{"question": "same", "answer": "1"}] * 3
    case = Case(bench.folder, ("1",) * 3, eval_cfg={"evaluator": bench.generic()}).predict("one", "one", "one")
    write_rows(bench.folder / "rows.jsonl", rows)
    case.score(judging=JudgeSession(bench.access))
    assert bench.server.requests == 3


def test_a_cascade_takes_a_function_in_place_of_the_rule(bench: Bench):
    bench.server.decide = by_question({"q0": "B", "q1": "B"})
    own = {"rule_evaluator": None, "sample_score_fn": f"{__name__}.same_length", "parallel": False}
    case = bench.score(bench.cascade(**own), "x", "yy")
    assert case.results["accuracy"] == 50.0 and bench.questions == ["Q q1 GOLD 2 SAID yy"]


def test_the_parts_of_a_cascade_can_see_the_answer_each_its_own_way(bench: Bench):
    first = {"type": "tasks.score.answers.postprocessors.gsm8k_postprocess"}
    rule = {"type": "tasks.score.evaluators.exact.Gsm8kEvaluator", "pred_postprocessor": first}
    case = bench.score(bench.cascade(rule_evaluator=rule, parallel=False), "It is 1.", "Surely a pair.")
    assert bench.questions == ["Q q1 GOLD 2 SAID Surely a pair."]
    assert case.results["cascade_stats"][0]["rule_correct"] == 1 and case.results["accuracy"] == 100.0
    raw = read_json(bench.folder / "run/results/m/sums_llm_judge_replica0.json")
    assert list(raw) == ["0"] and (raw["0"]["sample"], raw["0"]["prediction"]) == (1, "A")


def test_a_cascade_without_a_rule_says_what_it_needs(bench: Bench):
    with pytest.raises(ScoreError, match="needs a rule_evaluator or a sample_score_fn"):
        bench.score(bench.cascade(rule_evaluator=None), "one", "two")


def test_a_judge_is_asked_in_a_run_only(bench: Bench):
    case = Case(bench.folder, ("1",), eval_cfg={"evaluator": bench.generic()}).predict("one")
    with pytest.raises(ScoreError, match="a judge has to be asked"):
        case.score()


def test_grades_are_made_from_stored_records_of_opencompass_too():
    said = ["Answer: B", "CORRECT", "Based on the reference it is right. Final verdict: A", "Sorry, I cannot judge."]
    records = {str(n): {"origin_prompt": "…", "prediction": text, "gold": "1"} for n, text in enumerate(said)}
    metrics = generic_llmjudge_postprocess(records, "x.json")
    assert metrics["accuracy"] == pytest.approx(200 / 3)
    assert (metrics["correct_count"], metrics["incorrect_count"], metrics["invalid_count"]) == (2, 1, 1)
    assert [detail["grade"] for detail in metrics["details"]] == ["B", "A", "A", None]
    assert generic_llmjudge_academic_postprocess(records, "x.json", metric_name="right")["right"] == metrics["accuracy"]


def test_repeats_of_a_cascade_give_g_pass_at_k(bench: Bench):
    bench.server.decide = by_question({"SAID x": "B"})
    case = Case(bench.folder, ("1", "2"), eval_cfg={"evaluator": bench.cascade(parallel=False)}, n=2, k=(1, 2))
    case.predict("1", "x", "one", "2").score(judging=JudgeSession(bench.access))
    assert case.results["accuracy (2 runs average)"] == 75.0
    assert (case.results["G-Pass@2_0.0"], case.results["G-Pass@2_1.0"]) == (100.0, 50.0)
    assert [stats["llm_evaluated"] for stats in case.results["cascade_stats"]] == [1, 1]


def test_reasoning_of_the_judge_counts_for_nothing(bench: Bench):
    thinking = Turn(message={"content": "B", "reasoning_content": "A! Verdict: A"})
    bench.server.decide = lambda call: thinking if "q0" in call.last_user else Turn(text="<think>B: INCORRECT</think>A")
    case = bench.score(bench.generic(), "one", "two")
    assert [detail["grade"] for detail in case.results["details"]] == [["B"], ["A"]]


def test_a_users_function_sees_what_was_answered_and_its_details_go_where_they_belong(bench: Bench):
    bench.server.decide = lambda call: failed(400) if "q1" in call.last_user else Turn(text=str(len(call.last_user)))
    own = {"type": f"{__name__}.user_metrics"}
    case = Case(bench.folder, ("1", "2", "3"), eval_cfg={"evaluator": bench.generic(dict_postprocessor=own)})
    case.predict("one", "two", "three").score(judging=JudgeSession(bench.access, FailureBudget(limit=2)))
    assert [detail.get("points") for detail in case.results["details"]] == [[20.0], None, [22.0]]
    assert case.own["samples"]["no_verdict"] == 1


def test_the_raw_file_holds_the_judges_own_words(bench: Bench):
    bench.server.decide = lambda call: Turn(text="<verdict>A</verdict>")
    tag = {"type": "tasks.score.answers.text_postprocessors.xml_tag_postprocessor", "tag": "<verdict>"}
    bench.score(bench.generic(judge=bench.judge(pred_postprocessor=tag)), "one", "two")
    assert read_json(bench.folder / "run/results/m/sums_replica0.json")["0"]["prediction"] == "<verdict>A</verdict>"

"""Who judges, as configurations and the environment say it."""

import pytest
from support.specs import dataset_spec

from tasks.spec.findings import FindingKind, UserError
from tasks.spec.identity import model_identity
from tasks.spec.judge_specs import judge_spec, judges_of

CHAT = "tasks.models.services.openai_chat.OpenAISDK"
WRITTEN = {
    "type": CHAT, "abbr": "judge", "path": "big", "key": "K", "batch_size": 64, "max_out_len": 16, "temperature": 0.001,
    "run_cfg": {"num_gpus": 2}, "pred_postprocessor": {"type": "x"}, "prices": {"input": 1.0, "output": 2.0},
}  # fmt: skip


def test_a_judge_is_a_model_like_any_other():
    judge = judge_spec(WRITTEN)
    assert (judge.abbr, judge.batch_size, judge.max_out_len, judge.num_gpus) == ("judge", 64, 16, 2)
    assert judge.arguments == {"path": "big", "key": "K", "temperature": 0.001}
    assert judge.pred_postprocessor == {"type": "x"} and judge.prices == {"input": 1.0, "output": 2.0}
    assert judge_spec({key: value for key, value in WRITTEN.items() if key != "abbr"}).abbr == "OpenAISDK_big"


def test_key_address_and_batch_size_make_no_other_judge():
    other = {**WRITTEN, "key": "L", "openai_api_base": "http://h/v1", "batch_size": 1, "abbr": "x"}
    assert model_identity(judge_spec(other)) == model_identity(judge_spec(WRITTEN))
    assert model_identity(judge_spec({**WRITTEN, "temperature": 0})) != model_identity(judge_spec(WRITTEN))


def test_an_empty_configuration_means_the_judge_of_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OC_JUDGE_MODEL", "env-judge")
    monkeypatch.setenv("OC_JUDGE_API_KEY", "secret")
    monkeypatch.delenv("OC_JUDGE_API_BASE", raising=False)
    judge = judge_spec({})
    assert (judge.abbr, judge.type, judge.batch_size, judge.max_out_len) == ("env-judge", CHAT, 1024, 16384)
    assert judge.arguments["key"] == "ENV:OC_JUDGE_API_KEY" and judge.arguments["query_per_second"] == 16
    assert "openai_api_base" not in judge.arguments
    monkeypatch.setenv("OC_JUDGE_API_BASE", "http://h/v1")
    assert judge_spec(None).arguments["openai_api_base"] == "http://h/v1"


def test_without_those_variables_the_machine_lacks_a_judge(monkeypatch: pytest.MonkeyPatch):
    for name in ("OC_JUDGE_MODEL", "OC_JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="OC_JUDGE_MODEL and OC_JUDGE_API_KEY not set") as error:
        judge_spec({})
    assert [finding.kind for finding in error.value.findings] == [FindingKind.MACHINE]


def test_judges_stand_in_evaluators_and_inside_of_cascades(tmp_path):
    path = tmp_path / "rows.jsonl"
    generic = {"type": "tasks.score.judging.generic_evaluator.GenericLLMEvaluator", "judge_cfg": WRITTEN}
    cascade = {"type": "tasks.score.judging.cascade_evaluator.CascadeEvaluator", "llm_evaluator": generic}
    for evaluator, found in ((generic, ["judge"]), (cascade, ["judge"]), ({"type": "x"}, [])):
        dataset = dataset_spec(path).model_copy(update={"eval_cfg": {"evaluator": evaluator}})
        assert [judge.abbr for judge in judges_of(dataset)] == found

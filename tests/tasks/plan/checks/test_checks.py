"""What planning finds before anything is asked, all at once."""

from pathlib import Path
from typing import Any

import pytest
from support.specs import sums, write_rows

from tasks.plan.planner import make_plan
from tasks.plan.request import HFModel, RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import FindingKind, UserError

HEAD = """
models = [dict(type='OpenAISDK', abbr='m', path='m', key='EMPTY', max_seq_len=40)]
reader = dict(input_columns=['question'], output_column='answer')
def infer_cfg(prompt='{{question}}', inferencer='GenInferencer'):
    return dict(
        prompt_template=dict(type='PromptTemplate', template=dict(round=[dict(role='HUMAN', prompt=prompt)])),
        retriever=dict(type='ZeroRetriever'),
        inferencer=dict(type=inferencer),
    )
def data(abbr, **infer):
    scored = dict(evaluator=dict(type='AccEvaluator'))
    return dict(
        abbr=abbr, type='CustomDataset', path={path!r}, reader_cfg=reader, infer_cfg=infer_cfg(**infer), eval_cfg=scored
    )
datasets = [data('a')]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = sums(4)
    rows[2]["question"] = "word " * 50
    write_rows(tmp_path / "rows.jsonl", rows)
    return tmp_path


def plan_of(folder: Path, extra: str = "", **request: Any) -> RunPlan:
    config = folder / "my.py"
    config.write_text(HEAD.format(path=str(folder / "rows.jsonl")) + extra)
    return make_plan(RunRequest(config=str(config), **request))


def test_a_prompt_that_the_mode_cuts_is_no_lack_of_room(folder: Path):
    assert any("leaves no room" in finding.message for finding in plan_of(folder).findings)
    plan = plan_of(folder, "models[0]['mode'] = 'mid'")
    assert not any("leaves no room" in finding.message for finding in plan.findings)


def test_all_problems_are_told_at_once_with_their_places(folder: Path):
    extra = """
datasets = [data('a', inferencer='PPLInferencer'), data('a'), data('b') | dict(pth='x'), data('c', prompt=3)]
models[0]['temprature'] = 1
infer = dict(runner=dict(type='LocalRunner', max_workers=3), fial=1)
eval = dict(partitioner=dict(type='SizePartitioner'))
"""
    with pytest.raises(UserError) as caught:
        plan_of(folder, extra)
    told = str(caught.value)
    for part in (
        "models[0].temprature: OpenAISDK has no option 'temprature'",
        "the abbr 'a' is taken",
        "datasets[2].pth",
        "infer has no option 'fial'",
        "LocalRunner has no option 'max_workers'",
        "SizePartitioner cuts datasets into pieces",
        "cannot compute the log-likelihoods that a needs",
    ):
        assert part in told, told
    assert all(f"{folder / 'my.py'}:" in str(finding) for finding in caught.value.findings)


def test_single_tokens_are_asked_only_of_models_that_tell_them(folder: Path):
    extra = """
datasets = [data('a', inferencer='MinKPercentInferencer')]
models = [dict(type='TurboMindAPIModel', abbr='m', model_name='m', max_seq_len=None)]
"""
    with pytest.raises(
        UserError, match="m cannot compute the log-probabilities of single tokens that a needs"
    ) as caught:
        plan_of(folder, extra)
    assert "transformers, vLLM" in str(caught.value)
    assert plan_of(folder, extra.replace("MinKPercentInferencer", "SWCELossInferencer")).pairs


def test_a_template_that_cannot_be_rendered_is_found_while_planning(folder: Path):
    with pytest.raises(UserError, match=r"my.py:\d+: datasets\[0\].infer_cfg"):
        plan_of(
            folder, "datasets[0]['infer_cfg']['prompt_template']['template'] = dict(round=[dict(role='HUMAN')], x=1)"
        )


def test_a_prompt_that_leaves_no_room_is_a_warning(folder: Path):
    [warning] = [f for f in plan_of(folder).findings if "no room" in f.message]
    assert warning.kind is FindingKind.WARNING and "50 tokens (estimate)" in warning.message
    assert not plan_of(folder, "models[0]['max_seq_len'] = 51").findings
    assert not plan_of(folder, limit=2).findings


def test_weights_that_are_not_there_are_what_the_machine_lacks(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    extra = "models = [dict(type='HuggingFaceBaseModel', abbr='m', path='/no/such/model')]"
    found = [f for f in plan_of(folder, extra).findings if "/no/such/model" in f.message]
    assert found and all(f.kind is FindingKind.MACHINE for f in found)


def test_infer_can_set_what_flags_set(folder: Path):
    keys = "infer = dict(fail_on_error=0.5, length_range=':10', cache='kept', limit=3)"
    plan = plan_of(folder, keys)
    assert (plan.budget.limit, plan.request.cache, plan.request.limit) == (0.5, "kept", 3)
    assert plan.pairs[0].dataset.reader.rows == (0, 1, 3)
    assert plan.values.infer.fail_on_error == 0.5
    assert plan_of(folder, keys, fail_on_error=7).budget.limit == 7


def test_a_value_that_infer_cannot_have_is_named_with_its_place(folder: Path):
    with pytest.raises(UserError, match=r"my.py:\d+: infer.fail_on_error: input should be"):
        plan_of(folder, "infer = dict(fail_on_error='many')")
    with pytest.raises(UserError, match="'short' is not A:B"):
        plan_of(folder, "infer = dict(length_range='short')")


def test_limits_that_cannot_hold_are_told(folder: Path):
    extra = "infer = dict(max_cost=1, runner=dict(type='SlurmRunner', task=dict(type='OpenICLInferTask')))"
    told = "\n".join(f.message for f in plan_of(folder, extra).findings if f.kind is FindingKind.WARNING)
    assert "max_cost does not count" in told and "max_cost has no effect on jobs of SlurmRunner" in told


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("'127.0.0.1:8000/v1'", "is no URL"),
        ("['http://a/v1', 'b:1']", "is no URL"),
        ("['http://a/v1', None]", "'None', is no URL"),
        ("'http://[::1/v1'", "is no URL"),
        ("'http://host:80o0/v1'", "is no URL"),
        ("[]", "the list of addresses is empty"),
    ],
)
def test_an_address_that_is_none_is_found_before_anything_is_asked(folder: Path, address: str, told: str):
    with pytest.raises(UserError, match=told) as error:
        plan_of(folder, f"models[0]['openai_api_base'] = {address}")
    [finding] = [finding for finding in error.value.findings if finding.kind is FindingKind.CONFIG]
    assert finding.place.key == "models[0].openai_api_base"


def test_addresses_are_as_the_class_names_them(folder: Path):
    with pytest.raises(UserError, match="is no URL") as error:
        plan_of(folder, "models = [dict(type='TurboMindAPIModel', abbr='t', model_name='t', api_addr='host:23333')]")
    assert error.value.findings[0].place.key == "models[0].api_addr"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"mode": "infer", "dump_extract_rate": True}, "--dump-extract-rate has no effect with --mode infer"),
        ({"mode": "infer", "analysis_repeat": True}, "--analysis-repeat has no effect with --mode infer"),
        ({"mode": "eval", "reuse": "r", "dump_res_length": True}, "--dump-res-length has no effect with --mode eval"),
        ({"mode": "viz", "reuse": "r", "max_tokens": 9}, "--max-tokens has no effect with --mode viz"),
        ({"config_dir": "."}, "--config-dir has no effect beside a configuration file"),
        ({"aliyun_cfg": "a.cfg"}, "--aliyun-cfg a.cfg has no effect without --dlc"),
    ],
)
def test_a_flag_that_changes_nothing_is_told(folder: Path, asked: dict[str, Any], told: str):
    assert any(told in finding.message for finding in plan_of(folder, **asked).findings)


@pytest.mark.parametrize("flag", ["max_out_len", "batch_size"])
def test_a_flag_that_the_dataset_overrules_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, flag: str):
    monkeypatch.chdir(folder)
    (folder / "configs/datasets").mkdir(parents=True)
    text = HEAD.format(path=str(folder / "rows.jsonl")).replace("datasets = [data('a')]", "a_datasets = [data('a')]")
    limit = f"a_datasets[0]['infer_cfg']['inferencer'][{flag!r}] = 512"
    (folder / "configs/datasets/mine.py").write_text(text + limit)
    model = HFModel.model_validate({"path": "facebook/opt-125m", flag: 20})
    plan = make_plan(RunRequest(hf=model, datasets=("mine",)))
    said = f"--{flag.replace('_', '-')} 20 has no effect on a: the dataset says {flag}=512"
    assert said in [finding.message for finding in plan.findings]

"""Whole configurations: the documents' own, and what is said about mistakes in the stages."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.spec.build import build_datasets
from tasks.spec.config.file import TOP_LEVEL_KEYS, load_config
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.run_spec import Combination, build_run_spec
from tasks.spec.values import ConfigDict

Read = Callable[..., ConfigDict]
Write = Callable[..., Path]

KEYS = (
    "type", "abbr", "path", "key", "run_cfg", "n", "k", "reader_cfg", "infer_cfg", "eval_cfg", "retriever",
    "inferencer", "prompt_template", "evaluator", "judge_cfg", "pred_postprocessor", "partitioner", "runner", "task",
    "models", "datasets", "input_columns", "status_code_mappings", "dataset_abbrs",
)  # fmt: skip
DATA = Path(__file__).parents[2] / "data"
BASE = """
from mmengine.config import read_base
with read_base():
    from opencompass.configs.datasets.demo.demo_gsm8k_chat_gen import gsm8k_datasets as datasets
models = [dict(type='OpenAISDK', abbr='m', path='p', key='EMPTY')]
"""


def texts(findings: Sequence[Finding]) -> str:
    return "\n".join(map(str, findings))


def test_the_tutorials_complete_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    spec, findings = build_run_spec(load_config(DATA / "my_eval.py").values)
    assert findings == []
    assert [model.abbr for model in spec.models] == ["gpt-6-astra"]
    assert spec.datasets[0].abbr == "demo_gsm8k"
    assert spec.datasets[0].reader.test_range == "[0:64]"
    assert spec.infer.partitioner and spec.infer.partitioner.arguments == {"num_worker": 1}
    assert spec.infer.runner and spec.infer.runner.type == "blocks.clusters.local.LocalRunner"
    assert spec.infer.runner.arguments == {"max_num_workers": 1}
    assert spec.infer.task and spec.infer.task.name == "OpenICLInferConcurrentTask"
    assert spec.eval.task and spec.eval.task.type == "tasks.score.kinds.OpenICLEvalWatchTask"
    assert spec.summarizer == {
        "type": "tasks.report.summary.summarizer.DefaultSummarizer",
        "dataset_abbrs": ["All Results", ["demo_gsm8k", "accuracy"]],
    }
    assert spec.work_dir == "outputs/my_eval"


def test_stages_that_are_not_given_stay_open(read: Read) -> None:
    spec, findings = build_run_spec(read(BASE))
    assert findings == []
    assert (spec.infer.partitioner, spec.infer.runner, spec.infer.task) == (None, None, None)
    assert (spec.summarizer, spec.work_dir, spec.model_dataset_combinations) == (None, None, None)


def test_a_runner_may_give_only_its_task(read: Read) -> None:
    spec, findings = build_run_spec(read(BASE + "infer = dict(runner=dict(task=dict(type='OpenICLInferTask')))"))
    assert findings == []
    assert spec.infer.runner is None
    assert spec.infer.task and spec.infer.task.name == "OpenICLInferTask"


def test_a_runner_without_a_type_is_the_local_one(read: Read) -> None:
    spec, findings = build_run_spec(read(BASE + "infer = dict(runner=dict(max_num_workers=3))"))
    assert findings == []
    assert spec.infer.runner and spec.infer.runner.name == "LocalRunner"
    assert spec.infer.runner.arguments == {"max_num_workers": 3}


def test_the_tutorials_loop_over_datasets(write: Write, read: Read, tmp_path: Path) -> None:
    write("class Judged:\n    def __init__(self, judge_cfg=None, llm_evaluator=None): pass\n", "loop_classes.py")
    values = read("""
        from loop_classes import Judged
        from mmengine.config import read_base
        with read_base():
            from opencompass.configs.datasets.demo.demo_gsm8k_chat_gen import gsm8k_datasets as objective_datasets
            from opencompass.configs.datasets.demo.demo_gsm8k_chat_gen import gsm8k_datasets as subjective_datasets
        subjective_datasets[0]['abbr'] = 'judged'
        subjective_datasets[0]['eval_cfg']['evaluator'] = dict(
            type=Judged, judge_cfg=dict(), llm_evaluator=dict(type=Judged, judge_cfg=dict()))
        datasets = objective_datasets + subjective_datasets
        from opencompass.models import OpenAISDK
        judge_cfg = dict(abbr='judge-model', type=OpenAISDK, path='your-judge-model', key='your-judge-key',
            openai_api_base='your-judge-api', batch_size=64, temperature=0.001, max_out_len=16384, max_seq_len=262144)
        for dataset in datasets:
            inferencer = dataset.get('infer_cfg', {}).get('inferencer')
            if inferencer is not None:
                inferencer['max_out_len'] = 128000
            evaluator = dataset.get('eval_cfg', {}).get('evaluator', {})
            if 'judge_cfg' in evaluator:
                evaluator['judge_cfg'] = judge_cfg
            if ('llm_evaluator' in evaluator
                    and 'judge_cfg' in evaluator['llm_evaluator']):
                evaluator['llm_evaluator']['judge_cfg'] = judge_cfg
    """)
    datasets, findings = build_datasets(values, [tmp_path])
    assert findings == []
    assert [dataset.inferencer["max_out_len"] for dataset in datasets] == [128000, 128000]
    judged = datasets[1].eval_cfg["evaluator"]
    assert judged["judge_cfg"] == judged["llm_evaluator"]["judge_cfg"]
    assert judged["judge_cfg"]["type"] == "tasks.models.services.openai_chat.OpenAISDK"
    assert datasets[0].eval_cfg["evaluator"] == {"type": "tasks.score.evaluators.exact.Gsm8kEvaluator"}
    _, all_findings = build_run_spec(values, [tmp_path])
    assert not [finding for finding in all_findings if finding.kind is FindingKind.WARNING]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "eval = dict(partitioner=dict(\n  type='NumWorkerPartitioner'))",
            [":6: eval.partitioner", "use NaivePartitioner in eval"],
        ),
        (
            "infer = dict(partitioner=dict(type='NaivePartitioner', num_worker=3))",
            ["infer.partitioner.num_worker", "no option 'num_worker'"],
        ),
        (
            "infer = dict(partitionr=dict(type='NaivePartitioner'))",
            ["infer has no option 'partitionr'", "did you mean 'partitioner'"],
        ),
        (
            "infer = dict(runner=dict(type='LocalRunner', task=dict(type='OpenICLEvalTask')))",
            ["OpenICLEvalTask is a task of eval"],
        ),
        (
            "infer = dict(runner=dict(type='LocalRunnr'))",
            ["no runner named 'LocalRunnr'", "did you mean 'LocalRunner'"],
        ),
        ("eval = 3", ["eval is a dict, not int"]),
        ("summarizer = dict(dataset_abbr=[])", ["no option 'dataset_abbr'", "did you mean 'dataset_abbrs'"]),
        ("work_dir = 3", ["work_dir is the path of a folder"]),
        (
            "model_dataset_combinations = [dict(models=models, datasets=['nope'])]",
            ["'nope' is not among the datasets", "'demo_gsm8k'"],
        ),
        ("model_dataset_combinations = dict()", ["is a list of dict"]),
    ],
)
def test_mistakes_in_stages(read: Read, text: str, parts: list[str]) -> None:
    _, findings = build_run_spec(read(BASE + text))
    told = texts(findings)
    assert all(part in told for part in parts), told
    assert len(findings) == 1


def test_the_concurrent_task_is_not_for_local_models(write: Write, read: Read, tmp_path: Path) -> None:
    write("class Mine:\n    is_api = False\n    def __init__(self): pass\n", "local_class.py")
    text = BASE + "from local_class import Mine\nmodels = [dict(type=Mine, abbr='mine')]\n"
    text += "infer = dict(runner=dict(type='LocalRunner', task=dict(type='OpenICLInferConcurrentTask')))"
    _, findings = build_run_spec(read(text), [tmp_path])
    assert "which mine is not\n  use OpenICLInferTask" in texts(findings)
    assert "config.py:8" in texts(findings)


@pytest.mark.parametrize(
    ("model", "task", "said"),
    [
        ("Mine", "OpenICLInferTask", "LocalAPIRunner is for API models, which mine is not"),
        ("'OpenAISDK'", "OpenICLInferConcurrentTask", "not of OpenICLInferConcurrentTask"),
    ],
)
def test_the_runner_of_apis(write: Write, read: Read, tmp_path: Path, model: str, task: str, said: str) -> None:
    write("class Mine:\n    is_api = False\n    def __init__(self): pass\n", "local_class.py")
    runner = f"dict(type='LocalAPIRunner', concurrent_users=4, task=dict(type='{task}'))"
    text = BASE + f"from local_class import Mine\nmodels = [dict(type={model}, abbr='mine')]\n"
    _, findings = build_run_spec(read(f"{text}infer = dict(runner={runner})"), [tmp_path])
    assert said in texts(findings)


def test_combinations_are_by_name(read: Read) -> None:
    spec, findings = build_run_spec(
        read(BASE + "model_dataset_combinations = [dict(models=models, datasets=datasets)]")
    )
    assert findings == []
    assert spec.model_dataset_combinations == (Combination(("m",), ("demo_gsm8k",)),)


def test_a_near_miss_at_the_top_is_a_warning_and_helpers_are_not(read: Read) -> None:
    _, findings = build_run_spec(
        read(BASE + "workdir = 'x'\nsumarizer = dict()\nhelper = 1\njudge_model = dict()\ndataset = 3")
    )
    assert {finding.kind for finding in findings} == {FindingKind.WARNING}
    assert "did you mean 'work_dir'?" in texts(findings)
    assert "did you mean 'summarizer'?" in texts(findings)
    assert len(findings) == 2


def test_a_specification_survives_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    spec, _ = build_run_spec(load_config(DATA / "my_eval.py").values)
    assert type(spec).model_validate_json(spec.model_dump_json()).model_dump() == spec.model_dump()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["OpenAISDK", "GSM8KDataset"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(TOP_LEVEL_KEYS)), ANYTHING))
def test_bad_input_is_told_never_raised(values: dict[str, Any]) -> None:
    _, findings = build_run_spec(ConfigDict(values))
    assert findings  # what is generated is never a whole configuration
    assert all(str(finding) for finding in findings)

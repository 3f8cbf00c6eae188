"""What the entries of `datasets` become, and what is said about their mistakes."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tasks.spec.build import build_datasets
from tasks.spec.findings import Finding
from tasks.spec.specs import DatasetSpec
from tasks.spec.values import ConfigDict

Read = Callable[..., ConfigDict]
Write = Callable[..., Path]
Build = Callable[[str], tuple[list[DatasetSpec], list[Finding]]]

CLASSES = """
    class Loader:
        @staticmethod
        def load(path: str, name: str | None = None): return []

    class Inferencer:
        def __init__(self, max_out_len=None): pass

    class Evaluator:
        def __init__(self, judge_cfg=None, llm_evaluator=None, rule_evaluator=None, dataset_cfg=None): pass

    class Judge:
        def __init__(self, path, key='EMPTY'): pass

    def post(text, options='AB'): return text
"""
IMPORTS = """
from dataset_classes import Evaluator, Inferencer, Judge, Loader, post
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
reader = dict(input_columns='question hint', output_column='answer', test_range='[0:9]')
infer = dict(prompt_template=dict(type=PromptTemplate, template='{question}'), retriever=dict(type=ZeroRetriever),
             inferencer=dict(type=Inferencer, max_out_len=5))
"""


@pytest.fixture
def build(write: Write, read: Read, tmp_path: Path) -> Build:
    def build(text: str) -> tuple[list[DatasetSpec], list[Finding]]:
        write(CLASSES, "dataset_classes.py")
        return build_datasets(read(IMPORTS + text), [tmp_path])

    return build


def texts(findings: Sequence[Finding]) -> str:
    return "\n".join(map(str, findings))


def test_a_dataset(build: Build) -> None:
    (dataset,), findings = build("""
datasets = [dict(type=Loader, abbr='d', path='x', name='y', n=4, k=[1, 2], reader_cfg=reader, infer_cfg=infer,
    eval_cfg=dict(evaluator=dict(type=Evaluator), pred_role='BOT', pred_postprocessor=dict(type=post, options='AB')))]
""")
    assert findings == []
    assert dataset.arguments == {"path": "x", "name": "y"}
    assert dataset.reader.input_columns == ("question", "hint")
    assert dataset.infer_cfg["retriever"] == {"type": "tasks.prompts.retrievers.ZeroRetriever"}
    assert dataset.inferencer == {"type": "dataset_classes.Inferencer", "max_out_len": 5}
    assert dataset.eval_cfg["pred_postprocessor"] == {"type": "dataset_classes.post", "options": "AB"}
    assert (dataset.n, dataset.k) == (4, (1, 2))
    assert len(dataset.version) == 6
    assert DatasetSpec.model_validate_json(dataset.model_dump_json()).infer_cfg == dataset.infer_cfg


def test_types_are_resolved_at_any_depth(build: Build) -> None:
    (dataset,), findings = build("""
judge = dict(type=Judge, abbr='j', path='p', batch_size=4, run_cfg=dict(num_gpus=0))
inner = dict(type=Evaluator, judge_cfg=judge, dataset_cfg=dict(type=Loader, path='x', reader_cfg=reader))
datasets = [dict(type=Loader, abbr='d', path='x', reader_cfg=reader, infer_cfg=infer,
    eval_cfg=dict(evaluator=dict(type=Evaluator, llm_evaluator=inner, rule_evaluator=dict(type=Evaluator))))]
""")
    assert findings == []
    inner = dataset.eval_cfg["evaluator"]["llm_evaluator"]
    assert inner["judge_cfg"] == {
        "type": "dataset_classes.Judge", "abbr": "j", "path": "p", "batch_size": 4, "run_cfg": {"num_gpus": 0}
    }  # fmt: skip
    assert inner["dataset_cfg"]["type"] == "dataset_classes.Loader"
    assert inner["dataset_cfg"]["reader_cfg"]["output_column"] == "answer"


def test_an_empty_judge_is_the_default_judge(build: Build) -> None:
    (dataset,), findings = build(
        "datasets = [dict(type=Loader, abbr='d', path='x', reader_cfg=reader, infer_cfg=infer,"
        " eval_cfg=dict(evaluator=dict(type=Evaluator, judge_cfg=dict())))]"
    )
    assert findings == []
    assert dataset.eval_cfg["evaluator"]["judge_cfg"] == {}


def test_all_mistakes_are_found_at_once(build: Build) -> None:
    _, findings = build("""
datasets = [
    dict(type=Loader, abbr='a', pth='x', reader_cfg=reader, infer_cfg=infer),
    dict(type=Loader, abbr='b', path='x', infer_cfg=infer),
    dict(type=Loader, abbr='c', path='x', reader_cfg=dict(inputs='q'), infer_cfg=infer),
    dict(type=Loader, abbr='d', path='x', reader_cfg=reader, infer_cfg=dict(inferencer=dict(type='GenInferencr'))),
    dict(type=Loader, abbr='e', path='x', reader_cfg=reader, infer_cfg=infer | dict(retriever=dict(type=Inferencer))),
    dict(type=Loader, abbr='f', path='x', reader_cfg=reader, infer_cfg=infer, n=2, k=4),
    dict(type=Loader, abbr='g', path='x', reader_cfg=reader, infer_cfg=infer,
         eval_cfg=dict(evaluater=1, evaluator=dict(type='AccEvaluater'), pred_postprocessor=dict(type='frist-option'))),
    dict(type=Loader, abbr='h', path='x', reader_cfg=reader, infer_cfg=infer,
         eval_cfg=dict(evaluator=dict(type=Evaluator, judge_cfg=dict(type='OpenAISKD')))),
    dict(type=Loader, abbr='i', path='x', reader_cfg=reader, infer_cfg=infer,
         eval_cfg=dict(evaluator=dict(type='ZeroRetriever'))),
    dict(type=Evaluator, abbr='j', reader_cfg=reader, infer_cfg=infer),
]
""")
    told = texts(findings)
    for part in (
        "datasets[0].pth: Loader has no option 'pth'",
        "datasets[0]: Loader needs 'path'",
        "datasets[1]: the dataset has no reader_cfg",
        "datasets[2].reader_cfg.inputs: there is no option 'inputs' here",
        "'input_columns' is missing",
        "datasets[3].infer_cfg: infer_cfg has no 'retriever'",
        "datasets[3].infer_cfg: infer_cfg has no 'prompt_template'",
        "did you mean 'GenInferencer'",
        "n=2 repeats do not allow k=[4]",
        "datasets[6].eval_cfg.evaluater: there is no option 'evaluater' here",
        "did you mean 'AccEvaluator'",
        "did you mean 'first-option'",
        "datasets[7].eval_cfg.evaluator.judge_cfg.type: there is no model named 'OpenAISKD'",
        "ZeroRetriever is a retriever where an evaluator belongs",
        "datasets[9]: Evaluator has no load(), which every dataset class needs",
    ):
        assert part in told, told
    assert "datasets[4]" not in told  # an own class may be anything


def test_a_mistake_in_a_shared_dict_is_told_once(build: Build) -> None:
    _, findings = build("""
evaluation = dict(evaluator=dict(type='Nope'))
datasets = [
    dict(type=Loader, abbr=f'd{i}', path='x', reader_cfg=reader, infer_cfg=infer, eval_cfg=evaluation) for i in range(9)
]
""")
    assert len(findings) == 1


def test_the_default_name_is_made_of_path_and_name(build: Build) -> None:
    (dataset,), _ = build("datasets = [dict(type=Loader, path='a/b', name='c', reader_cfg=reader, infer_cfg=infer)]")
    assert dataset.abbr == "a_b_c"

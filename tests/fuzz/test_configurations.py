"""Any file that is given as a configuration is read, or the user is told what is wrong with it and where."""

import copy
import json
import operator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, TEXTS, answer_of, changed, damaged, tries

from flows.preparation.prepare import plan_request
from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.spec.config.dump import dump_config
from tasks.spec.config.file import load_config
from tasks.spec.config.lookup import find_config_files
from tasks.spec.findings import UserError

LINES = (
    *r"""from mmengine.config import read_base
with read_base():
    from .fuzzed import *
    from .other import x
    from ..a import b
    import os
    from opencompass.configs.datasets.demo.demo_gsm8k_chat_gen import *
    pass
import os
import torch
from opencompass.models import OpenAISDK
from . import own
from .... import own
from os import *
models = [dict(type=OpenAISDK, abbr='m')]
x = dict(a=1, b=dict(c=2))
x = {'a': [1, 2, {'b': None}]}
x['a'] = x
x = x
models = [m for m in models]
del x
x.a.b = 1
x = 1 / 0
raise SystemExit(3)
raise KeyboardInterrupt
class A: pass
class B(OpenAISDK): pass
y = OpenAISDK()
def f(): return f()
f()
x = lambda: 1
dict = 3
globals().clear()
# -*- coding: latin-1 -*-
# -*- coding: nonsense -*-
{
}
	x = 1
x = f'{x!r}'
async def g(): await g()
yield 1
return
__name__ = 'y'
x: int = 'a'
x = x = {}
datasets += models
import tasks.spec
from __future__ import braces
é = 1
print = None
assert x""".splitlines(),
    "x = 9" + "9" * 5000,
    "x = (" * 300,
    "x = " + "-" * 5000 + "1",
    "x = 1e999",
    "x = '\\ud800'",
    "\x00",
)
JSON_CONFIG = {
    "models": [
        {
            "type": "OpenAISDK", "abbr": "m", "path": "p", "key": "EMPTY", "max_seq_len": 9, "run_cfg": {"num_gpus": 0},
            "status_code_mappings": {"400": "no"}, "retry": 2, "query_per_second": 2, "batch_size": 8,
            "openai_api_base": ["http://localhost/v1"], "openai_extra_kwargs": {"top_p": 1},
            "meta_template": {"round": [{"role": "HUMAN", "api_role": "HUMAN"}, {"role": "BOT", "generate": True}]},
            "pred_postprocessor": {"type": "first-capital"},
        }
    ],
    "datasets": [
        {
            "type": "CustomDataset", "abbr": "d", "path": "rows.jsonl", "n": 2, "k": [1, 2],
            "reader_cfg": {"input_columns": ["question"], "output_column": "answer", "test_range": "[0:2]"},
            "infer_cfg": {
                "prompt_template": {
                    "type": "PromptTemplate", "template": {"round": [{"role": "HUMAN", "prompt": "{question}"}]}
                },
                "retriever": {"type": "ZeroRetriever"},
                "inferencer": {"type": "GenInferencer", "max_out_len": 5, "stopping_criteria": ["x"]},
            },
            "eval_cfg": {
                "evaluator": {"type": "AccEvaluator"}, "pred_postprocessor": {"type": "first-capital"}, "num_gpus": 0
            },
        }
    ],
    "infer": {
        "partitioner": {"type": "NumWorkerPartitioner", "num_worker": 2},
        "runner": {"type": "LocalRunner", "max_num_workers": 2, "task": {"type": "OpenICLInferTask"}},
    },
    "eval": {
        "partitioner": {"type": "NaivePartitioner"},
        "runner": {"type": "LocalRunner", "task": {"type": "OpenICLEvalTask"}},
    },
    "summarizer": {
        "dataset_abbrs": ["d", ["d", "accuracy"]], "summary_groups": [{"name": "g", "subsets": ["d"]}]
    },
    "model_dataset_combinations": [{"models": [{"abbr": "m"}], "datasets": [{"abbr": "d"}]}],
    "work_dir": "out",
    "fail_on_error": 0.1,
}  # fmt: skip
YAML = b"""models: &models
- {type: OpenAISDK, abbr: m, path: p, key: EMPTY}
datasets: [*models, {<<: {a: 1}, when: 2026-01-01, n: 0x1F, t: 1:30, b: !!binary aGk=}]
text: |
  two
  lines
"""
YAML_PIECES = (
    "a: &a [*a]", "*b", "!!python/object:os.system x", "? [1]: 2", "2026-99-99", "<<: *models", "%YAML 3.0", "---",
    "- - -", "\t", "{[", "a: 1\na: 2", "!!float x", "!!int 0b2", "1_000:99", "<<: 3", "!!set {a}", "!!omap [a: 1]",
)  # fmt: skip
PYTHON = (Path(__file__).parents[1] / "data" / "my_eval.py").read_bytes()


def read(path: Path, content: bytes) -> None:
    """Reads the configuration; what it holds can be written down and read back, or the error names the file."""
    path.write_bytes(content)
    config = answer_of(lambda: load_config(path))
    if isinstance(config, UserError):
        assert str(path) in str(config)
        return
    dumped = answer_of(lambda: dump_config(config.values))
    if isinstance(dumped, str):
        again = path.with_name("dumped.py")
        again.write_bytes(dumped.encode("utf-8", "backslashreplace"))
        assert dump_config(load_config(again).values) == dumped


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "other.py").write_text(
        "from mmengine.config import read_base\nwith read_base():\n    from .fuzzed import x\n"
    )
    (tmp_path / "rows.jsonl").write_text('{"question": "1 + 1?", "answer": "2"}\n' * 3)
    return tmp_path


@tries(150)
@given(lines=st.lists(st.sampled_from(LINES), max_size=12))
def test_python_of_any_lines(folder: Path, lines: list[str]) -> None:
    if "raise KeyboardInterrupt" not in lines:
        read(folder / "fuzzed.py", "\n".join(lines).encode())


@tries(80)
@given(content=st.binary(max_size=60) | HOSTILE | damaged(PYTHON))
def test_python_of_any_bytes(folder: Path, content: bytes) -> None:
    read(folder / "fuzzed.py", content)


@tries(80)
@given(content=st.binary(max_size=60) | HOSTILE | damaged(json.dumps(JSON_CONFIG).encode()))
def test_json_of_any_bytes(folder: Path, content: bytes) -> None:
    read(folder / "fuzzed.json", content)


@tries(100)
@given(
    content=st.binary(max_size=60)
    | HOSTILE
    | damaged(YAML)
    | st.lists(st.sampled_from(YAML_PIECES)).map("\n".join).map(str.encode)
)
def test_yaml_of_any_bytes(folder: Path, content: bytes) -> None:
    read(folder / "fuzzed.yaml", content)


@tries(150)
@given(config=changed(JSON_CONFIG))
def test_a_plan_of_anything_is_a_plan_or_findings(folder: Path, config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    path = folder / "run.json"
    path.write_text(json.dumps(config))
    assert all(str(finding).strip() for finding in answer_of(lambda: make_plan(RunRequest(config=str(path)))).findings)


NAMES = TEXTS | st.sampled_from(
    ["*", "[", "[!", "~", "~nobody/x.py", "../../etc/passwd", "/etc/passwd.py", "x" * 5000, "x" * 300 + ".py", "\0.py",
     "a/b/c", "/", "demo_gsm8k_chat_gen/x", "", ".", "..", "?" * 30, "*a" * 30]
)  # fmt: skip


@tries(80)
@given(kind=st.sampled_from(["models", "datasets", "summarizers"]), name=NAMES)
def test_any_name_means_files_or_is_an_error(kind: Any, name: str) -> None:
    files = answer_of(lambda: find_config_files(kind, [name]))
    if isinstance(files, UserError):
        assert "named" in str(files)
    else:
        assert files and all(file.is_file() for file in files)


@tries(40)
@given(name=NAMES)
def test_any_path_of_a_configuration(name: str) -> None:
    with pytest.raises(UserError):
        make_plan(RunRequest(config=name))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("datasets", 0, "infer_cfg", "inferencer", "stopping_criteria"), None),
        (("datasets", 0, "infer_cfg", "retriever"), {"type": "FixKRetriever", "fix_id_list": None}),
        (("datasets", 0, "infer_cfg", "retriever"), {"type": "RandomRetriever", "ice_num": None}),
        (("datasets", 0, "reader_cfg", "test_range"), []),
        (("models", 0, "pred_postprocessor"), {"": None}),
        (("models", 0, "meta_template", "round", 0, "role"), []),
        (("summarizer", "summary_groups"), None),
    ],
)
def test_what_once_was_a_traceback(folder: Path, path: Any, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    config: Any = copy.deepcopy(JSON_CONFIG)
    place = reduce(operator.getitem, path[:-1], config)
    place[path[-1]] = value
    (folder / "run.json").write_text(json.dumps(config))
    assert answer_of(lambda: plan_request(RunRequest(config=str(folder / "run.json")))).findings is not None

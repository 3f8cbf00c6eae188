"""What models say is never run: no code of it is executed, nothing is opened, imported or started by its name."""

import os
import subprocess
import sys

from support.repository import ROOT

CODE = """
import sys
from collections.abc import Iterator
from types import CodeType

from tasks.score.evaluators.math_verification import judge
from tasks.spec.names.type_loading import import_type
from tasks.spec.names.type_table import TABLE

MARK = "qzx_mark_qzx"
TEXTS = [
    text.replace("MARK", MARK)
    for text in (
        "MARK()", "MARK.__class__", "f'{MARK}'", "[MARK, 1]", "{'a': MARK}", "answer: MARK[0]", "x=MARK",
        "\\\\boxed{__import__('os').system('MARK')}", "The answer is \\\\boxed{MARK}", "$\\\\text{MARK}$",
        "\\\\boxed{\\\\operatorname{MARK}(1)}", "```python\\nMARK()\\n```", "\\\\input{MARK}",
        "{MARK.x} %(MARK)s ${MARK}", "!!python/object/apply:MARK []", "<x>MARK()</x>", "lambda: MARK",
    )
]
OPTIONS = {
    "first_option_postprocess": {"options": "ABCD"}, "last_option_postprocess": {"options": "ABCD"},
    "match_answer_pattern": {"answer_pattern": "(?i)answer: *(.*)"}, "xml_tag_postprocessor": {"tag": "<x>"},
    "think_pred_postprocess": {"re_pattern": "</think>(.*)"},
    "general_eval_wrapper_postprocess": {"postprocess": "first-capital"},
}
found = []


def words(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for value in code.co_consts:
        yield from words(value) if isinstance(value, CodeType) else [value] if isinstance(value, str) else []


def watch(event: str, arguments: tuple) -> None:
    if event == "exec" and isinstance(arguments[0], CodeType):
        found.extend([event] if any(MARK in word for word in words(arguments[0])) else [])
    elif event in ("open", "import", "os.system", "subprocess.Popen", "pickle.find_class", "ctypes.dlopen"):
        found.extend([event] if MARK in repr(arguments) else [])


names = [entry.ours for entry in TABLE if entry.kind == "postprocessor"]
names = [name for name in names if not name.startswith(("tasks.score.judging.", "tasks.score.subjective."))]
sys.addaudithook(watch)
for name in names:
    for text in TEXTS:
        import_type(name)(text, **OPTIONS.get(name.rpartition(".")[2], {}))
for text in TEXTS:
    judge(("1", text)), judge(("x+1", text))
assert not found, found
exec(MARK + " = 1")
assert found == ["exec"], "the watch sees what is run"
print(len(names))
"""


def test_no_post_processor_and_no_mathematics_runs_an_answer():
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", CODE], env=environ, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20

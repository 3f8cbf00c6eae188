"""What reads bytes or texts of others, each as a function that raises nothing but what callers expect."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from support.anything import answer_of
from support.dataset_specs import PROMPT, dataset_spec, loaded

from blocks.clusters.dlc.command import job_id_in
from blocks.clusters.rjob.command import phase_in
from blocks.clusters.slurm.batch import _reports
from blocks.clusters.slurm.states import meaning
from blocks.clusters.volc.command import status_in
from tasks.data.ranges import select_rows
from tasks.infer.ledger.ledger import Ledger
from tasks.models.http.event_stream import EventStream
from tasks.models.http.failures import AttemptFailed, judge_reply
from tasks.models.http.json_bodies import decode
from tasks.models.http.reply_checks import reading, sound
from tasks.models.services.chat_reply import read_chat
from tasks.plan.source.overrides import override
from tasks.prompts.renderer import PromptRenderer
from tasks.score.answers.decimal_value import decimal_value
from tasks.score.answers.math_form import math_form
from tasks.score.benchmarks.theoremqa import _numbers
from tasks.score.files.predictions import read_predictions
from tasks.score.files.results import read_results
from tasks.score.files.stored_details import read_details
from tasks.score.judging.verdict_text import grade_of
from tasks.score.score_error import ScoreError
from tasks.spec.config.file import load_config
from tasks.spec.config.key_values import parse_pairs
from tasks.spec.names.type_loading import import_type
from tasks.spec.names.type_table import TABLE
from tasks.spec.storage.checksum import sealed
from tasks.spec.storage.run_folder import Pair, RunFolder
from tasks.spec.values import ConfigDict

_PAIR = Pair("m", "d")
_TEMPORARY = tempfile.TemporaryDirectory(prefix="compass-fuzz-")
_FOLDER = Path(_TEMPORARY.name)
_MODELS = [{"abbr": "m", "path": "p", "run_cfg": {"num_gpus": 0}}]
_SHAPES = {"first_option_postprocess": {"options": "ABCD"}, "last_option_postprocess": {"options": "ABCD"}}
_OTHERS = ("match_answer", "think_pred", "xml_tag", "general_eval", "general_cn", "flores", "judg")
_POSTPROCESSORS = [
    (import_type(entry.ours), _SHAPES.get(entry.ours.rpartition(".")[2], {}))
    for entry in TABLE
    if entry.kind == "postprocessor" and not any(name in entry.ours for name in (*_OTHERS, ".judging.", ".subjective."))
]


def ledger(data: bytes) -> None:
    (_FOLDER / "ledger").mkdir(exist_ok=True)
    (_FOLDER / "ledger" / "1.jsonl").write_bytes(data)
    with closing(Ledger(_FOLDER / "ledger")) as opened:
        for place in range(0, len(data), 16):
            opened.get(data[place : place + 32].hex())


def predictions(data: bytes) -> None:
    path = _written(RunFolder(_FOLDER).predictions(_PAIR), data)
    with suppress(ScoreError):
        assert all(isinstance(record, dict) for record in read_predictions(RunFolder(_FOLDER), _PAIR)), path


def results(data: bytes) -> None:
    path = _written(_FOLDER / "results.json", data)
    for read in (read_results, lambda path: list(read_details(path))):
        with suppress(ValueError):
            read(path)


def yaml_config(data: bytes) -> None:
    answer_of(lambda: load_config(_written(_FOLDER / "config.yaml", data)))


def json_config(data: bytes) -> None:
    answer_of(lambda: load_config(_written(_FOLDER / "config.json", data)))


def test_range(data: bytes) -> None:
    answer_of(lambda: list(select_rows(_text(data), 30)))


def template(data: bytes) -> None:
    infer_cfg = {"prompt_template": {"type": PROMPT, "template": _text(data)}}
    rows = [{"question": "1 + 1?", "answer": "2"}]
    spec = dataset_spec(infer_cfg=infer_cfg, output_column="answer")
    answer_of(lambda: PromptRenderer(spec, loaded(rows, rows), prompt_form="text").generation(0))


def command_line(data: bytes) -> None:
    texts = _text(data).split("\n")
    answer_of(lambda: override(ConfigDict({"models": _MODELS, "x": 1}), texts))
    answer_of(lambda: parse_pairs(texts, "--hf-kwargs"))


def reply(data: bytes) -> None:
    with suppress(AttemptFailed), reading():
        sound(read_chat(decode(data), ("END",), "</think>"))
    for status in (400, 429, 500):
        judge_reply(status, {"Retry-After": _text(data[:20])}, data, {})


def event_stream(data: bytes) -> None:
    """In whatever pieces it comes, it is the same."""
    whole, parts = EventStream(), EventStream()
    once = [*whole.feed(data), *([] if whole.done else whole.close())]
    several: list[bytes] = []
    for place in range(0, len(data), 7):
        if not parts.done:
            several += parts.feed(data[place : place + 7])
    assert once == [*several, *([] if parts.done else parts.close())]


def answers(data: bytes) -> None:
    text = _text(data)
    for postprocess, options in _POSTPROCESSORS:
        found = postprocess(text, **options)
        assert found.span is None or 0 <= found.span[0] <= found.span[1] <= len(text)


def mathematics(data: bytes) -> None:
    math_form(_text(data))
    decimal_value(_text(data))
    _numbers(_text(data))


def verdicts(data: bytes) -> None:
    assert grade_of(_text(data), "ABC") in (None, "A", "B", "C")


def schedulers(data: bytes) -> None:
    text = _text(data)
    _reports(text)
    meaning(text[:20], text)
    phase_in(text, "job")
    status_in(text)
    job_id_in(text)


def _written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


TARGETS: dict[str, Callable[[bytes], Any]] = {
    function.__name__: function
    for function in (
        ledger, predictions, results, yaml_config, json_config, test_range, template, command_line, reply, event_stream,
        answers, mathematics, verdicts, schedulers,
    )
}  # fmt: skip
_RECORD = b'{"key":"%s","kind":"generate","prompt":"p","status":"ok","texts":["a"],"latency":1,"attempts":1}' % (
    b"0" * 64
)
_RESULTS = (
    b'{\n    "accuracy": 1.0,\n    "compass": {\n        "file_crc32": "00000000"\n    },\n    "details": [\n'
    b'        {"a": 1}\n    ]\n}\n'
)
_CHAT = (
    b'{"choices": [{"message": {"content": "a", "reasoning_content": "b"}, "finish_reason": "stop"}], '
    b'"usage": {"prompt_tokens": 1, "completion_tokens_details": {"reasoning_tokens": 1}}}'
)
SEEDS: dict[str, Sequence[bytes]] = {
    "ledger": [_RECORD + b"\n", sealed(_RECORD) + b"\n"],
    "predictions": [b'{\n    "0": {\n        "prediction": "a"\n    },\n    "1": {"prediction": 2}\n}\n'],
    "results": [_RESULTS],
    "yaml_config": [b"models: &m [{type: OpenAISDK, abbr: m}]\ndatasets: *m\nwhen: 2026-01-01\n"],
    "json_config": [b'{"models": [{"type": "OpenAISDK"}], "datasets": [1.5, null, true]}'],
    "test_range": [b"[0:64]", b"[:100][::2]", b"0.5", b"[-3:]"],
    "template": [b"{question} {answer!r} {{x}} </E>"],
    "command_line": [b"models.0.temperature=0.2\nmodels.*.x=[1,(2,'a')]", b"x={'a': 1}"],
    "reply": [_CHAT, b'{"error": {"code": "x", "message": "m", "type": "t"}}'],
    "event_stream": [b"data: {}\n\ndata:a\r\ndata: b\n\n: c\ndata: [DONE]\n\n"],
    "answers": [b"The answer is \\boxed{18}.", "答案是A".encode(), b"```python\nx\n```", b"<think>a</think> #### 1"],
    "mathematics": [b"\\frac{1}{2}", b"3 \\text{ cm}", b"(1, 2), [3; 4]", b"2\\sqrt{3} and 1e5"],
    "verdicts": [b"GRADE: A", b"\\boxed{B}", b"NOT_ATTEMPTED"],
    "schedulers": [b"12_3|RUNNING|None\n", b"JobState=FAILED ExitCode=1:9", b'[{"Status": ""}]', b"rjob job Running"],
}  # fmt: skip
"""Where the search begins."""

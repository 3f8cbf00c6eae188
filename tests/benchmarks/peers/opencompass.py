"""OpenCompass, with the settings that were found to be its fastest."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.opencompass_config import config_text, forget_scores, newest_run, read_outcome
from benchmarks.peers.peer import Command, Commands, Job, Outcome

_CONFIG = "compared.py"
_WORK_DIR = "runs"
SETTINGS = (
    "`OpenAISDK` with `max_workers` as many as are to be in flight, `retry=10`, and a local tokenizer that only counts "
    "words, as cheap as one can be; `OpenICLInferConcurrentTask`, one task per model (`NumWorkerPartitioner`), all "
    "datasets scored by one task (`NaivePartitioner`), two processes at once (`LocalRunner`), no `--debug`."
)
_MODEL = """\
query_per_second=10000,
        max_workers={in_flight},
        batch_size=10000,
        max_seq_len=16384,
        retry=10,
        tokenizer_path='tokenizer',
        run_cfg=dict(num_gpus=0)"""
_STAGES = """
from opencompass.partitioners import NaivePartitioner, NumWorkerPartitioner
from opencompass.runners import LocalRunner
from opencompass.tasks import OpenICLEvalTask, OpenICLInferConcurrentTask

infer = dict(
    partitioner=dict(type=NumWorkerPartitioner, num_worker=1, num_split=1),
    runner=dict(type=LocalRunner, max_num_workers=2, task=dict(type=OpenICLInferConcurrentTask)),
)
eval = dict(
    partitioner=dict(type=NaivePartitioner, n=1000),
    runner=dict(type=LocalRunner, max_num_workers=2, task=dict(type=OpenICLEvalTask)),
)
"""
_TOKENIZER = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"},
}
"""As cheap as a tokenizer can be: it only counts words, and without one of its own the class asks the network."""


@dataclass(frozen=True)
class OpenCompass:
    """Its command line, in an environment of its own."""

    python: Path

    def write(self, job: Job) -> None:
        text = config_text(job, _MODEL.format(in_flight=job.in_flight), _WORK_DIR) + _STAGES
        (job.folder / _CONFIG).write_text(text)
        tokenizer = job.folder / "tokenizer"
        tokenizer.mkdir()
        (tokenizer / "tokenizer.json").write_text(json.dumps(_TOKENIZER))
        (tokenizer / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')

    def run(self, job: Job) -> Commands:
        return self._opencompass()

    def again(self, job: Job) -> Commands:
        return self._opencompass("-r")

    def resume(self, job: Job) -> Commands:
        return self._opencompass("-r")

    def score(self, job: Job) -> Commands:
        forget_scores(newest_run(job, _WORK_DIR))
        return self._opencompass("-r", "-m", "eval")

    def outcome(self, job: Job) -> Outcome:
        return read_outcome(newest_run(job, _WORK_DIR), job)

    def beside(self) -> int | None:
        return None

    def _opencompass(self, *arguments: str) -> Commands:
        program = str(self.python.with_name("opencompass"))
        return [Command([str(self.python), program, _CONFIG, *arguments], {"HF_HUB_OFFLINE": "1"})]

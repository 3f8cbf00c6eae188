"""A chat model that the run loads itself, from the configuration to the score, and what a dry run says of others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.specs import sums, write_rows
from support.tiny_llama import make_tiny_llama, needs_torch

from tasks.spec.storage.run_folder import read_json, run_names

ROOT = Path(__file__).parents[2]
CONFIG = """\
from opencompass.models import HuggingFacewithChatTemplate, VLLMwithChatTemplate
from opencompass.datasets import CustomDataset
from opencompass.openicl.icl_inferencer import {inferencer}
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
from opencompass.openicl.icl_evaluator import AccEvaluator

datasets = [
    dict(
        abbr='sums', type=CustomDataset, path='sums.jsonl',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{question}}')])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type={inferencer}),
        ),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator)),
    )
]
models = [dict(type={model}, abbr='tiny', path={path!r}, max_out_len=4, batch_size=4, {more})]
"""


def compass(folder: Path, *arguments: str, **config: str) -> "subprocess.CompletedProcess[str]":
    write_rows(folder / "sums.jsonl", sums(6))
    (folder / "eval_local.py").write_text(CONFIG.format(**config), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-P", "-m", "flows.eval", "eval_local.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.serial
@pytest.mark.slow
def test_a_run_with_a_chat_model_of_transformers(tmp_path: Path):
    needs_torch()
    path = str(make_tiny_llama(tmp_path / "tiny"))
    done = compass(
        tmp_path, "--inline", inferencer="GenInferencer", model="HuggingFacewithChatTemplate", path=path, more=""
    )
    assert done.returncode == 0, done.stdout + done.stderr
    run = tmp_path / "outputs/default" / run_names(tmp_path / "outputs/default")[-1]
    records = read_json(run / "predictions/tiny/sums.json")
    assert len(records) == 6
    assert all(record["usage"]["completion_tokens"] <= 4 for record in records.values())
    assert read_json(run / "results/tiny/sums.json")["accuracy"] == 0


def test_a_chat_model_and_a_likelihood_do_not_go_together(tmp_path: Path):
    done = compass(
        tmp_path,
        "--dry-run",
        inferencer="PPLInferencer",
        model="HuggingFacewithChatTemplate",
        path="some/model",
        more="",
    )
    assert "cannot compute the log-likelihoods that sums needs" in done.stdout + done.stderr
    assert done.returncode == 2


def test_a_model_cut_for_other_gpus_than_it_reserves_is_a_mistake_of_the_configuration(tmp_path: Path):
    more = "model_kwargs=dict(tensor_parallel_size=4), run_cfg=dict(num_gpus=2)"
    done = compass(
        tmp_path, "--dry-run", inferencer="GenInferencer", model="VLLMwithChatTemplate", path="some/model", more=more
    )
    assert "model_kwargs.tensor_parallel_size=4, but run_cfg.num_gpus=2" in done.stdout + done.stderr
    assert done.returncode == 2

"""Every command line of the documents that users come with, with `compass` for the program."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from support.specs import write_rows
from support.workspace import Workspace

from flows.terminal.cli import main

TUTORIAL = """
infer = dict(
    partitioner=dict(type='NumWorkerPartitioner', num_worker=1),
    runner=dict(type='LocalRunner', max_num_workers=1, task=dict(type='OpenICLInferConcurrentTask')),
)
eval = dict(
    partitioner=dict(type='NaivePartitioner'),
    runner=dict(type='LocalRunner', max_num_workers=1, task=dict(type='OpenICLEvalWatchTask')),
)
summarizer = dict(dataset_abbrs=['All Results', ['sums', 'accuracy']])
"""
CLUSTERS = {
    "slurm": "infer = dict(partitioner=dict(type='SizePartitioner', max_task_size=5000), "
    "runner=dict(type='SlurmRunner', max_num_workers=64, task=dict(type='OpenICLInferTask'), retry=5))",
    "slurm with a partition": "infer = dict(runner=dict(type='SlurmRunner', partition='my-partition', "
    "quotatype='auto', max_num_workers=16, retry=2, task=dict(type='OpenICLInferTask')))",
    "dlc": "infer = dict(runner=dict(type='DLCRunner', max_num_workers=16, retry=2, aliyun_cfg=dict("
    "workspace_id='ws-xxx', worker_image='xxx', dlc_config_path='/user/.dlc/config', conda_env_name='opencompass'), "
    "task=dict(type='OpenICLInferTask')))",
    "volc": "infer = dict(runner=dict(type='VOLCRunner', queue_name='your-resource-queue', max_num_workers=16, "
    "retry=2, preemptible=False, volcano_cfg=dict(volcano_config_path='/path/to/ml_task.yaml', "
    "python_env_path='/path/to/opencompass-env', hf_offline=True, extra_envs=['COMPASS_DATA_CACHE=/path/to/data']), "
    "task=dict(type='OpenICLInferTask')))",
    "rjob": "infer = dict(runner=dict(type='RJOBRunner', max_num_workers=16, retry=2, rjob_cfg=dict(task_id='my-exp', "
    "image='xxx', mount=['/path/to/shared'], env=dict(HF_HOME='/cache/huggingface')), "
    "task=dict(type='OpenICLInferTask')))",
    "size": "infer = dict(partitioner=dict(type='SizePartitioner', max_task_size=2000, gen_task_coef=20))",
    "num worker": "infer = dict(partitioner=dict(type='NumWorkerPartitioner', num_worker=16, num_split=None, "
    "min_task_size=16))",
}


@pytest.fixture
def compass(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """Runs a command line in the user's folder."""
    monkeypatch.chdir(workspace.folder)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2,3")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    def run(line: str) -> int:
        return main(shlex.split(line))

    return run


def test_the_tutorial(workspace: Workspace, compass: Callable[[str], int], capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 8}, extra=TUTORIAL)
    assert compass("my_eval.py --dry-run --config-verbose") == 0
    assert "OpenICLInferConcurrent[adder/sums]" in capsys.readouterr().out
    assert compass("my_eval.py --work-dir outputs/my_eval --debug --inline") == 0
    assert compass("my_eval.py --work-dir outputs/my_eval --inline") == 0
    first, newest = sorted(path.name for path in (workspace.folder / "outputs/my_eval").iterdir())
    assert compass("my_eval.py --work-dir outputs/my_eval --reuse --inline") == 0
    assert compass(f"my_eval.py --work-dir outputs/my_eval --reuse {first} --mode eval --inline") == 0
    assert workspace.server.requests == 16
    assert {first, newest} == {path.name for path in (workspace.folder / "outputs/my_eval").iterdir()}
    folders = {path.name for path in (workspace.folder / "outputs/my_eval" / first).iterdir()}
    assert {"configs", "logs", "predictions", "results", "summary"} <= folders


def test_the_stages_one_by_one(workspace: Workspace, compass: Callable[[str], int]):
    workspace.write({"sums": 4})
    assert compass("my_eval.py -w outputs/my_eval -m infer --inline") == 0
    [run] = [path.name for path in (workspace.folder / "outputs/my_eval").iterdir()]
    assert compass(f"my_eval.py -w outputs/my_eval -r {run} -m eval --inline") == 0
    assert compass(f"my_eval.py -w outputs/my_eval -r {run} -m viz --inline") == 0
    assert compass(f"my_eval.py -w outputs/my_eval -r {run} --inline") == 0
    assert workspace.server.requests == 4


@pytest.mark.parametrize(
    "line",
    [
        "configs/eval_demo.py",
        "examples/eval_base_demo.py",
        "--models hf_opt_350m hf_opt_125m --datasets siqa_gen winograd_ppl",
        "--datasets siqa_gen winograd_ppl --hf-type base --hf-path huggyllama/llama-7b",
        "--datasets siqa_gen winograd_ppl --hf-type base --hf-path /path/to/model",
        "--datasets demo_gsm8k_chat_gen demo_math_chat_gen --hf-type chat --hf-path org/model --hf-num-gpus 2",
        "configs/eval_demo.py --slurm -p my_partition",
        "configs/eval_demo.py --slurm -p my_partition -q auto --qos normal --retry 3 --max-num-worker 4",
        "configs/eval_demo.py --dlc --aliyun-cfg aliyun.cfg",
        "configs/eval_demo.py -p my_partition",
        "configs/eval_demo.py -a vllm",
        "configs/eval_demo.py -a lmdeploy --max-num-workers 2",
        "configs/eval_demo.py --slurm -p p -q q --debug -m all -w outputs/x --dump-eval-details",
        "configs/eval_demo.py --max-num-workers 1",
    ],
)
def test_lines_that_need_what_this_machine_lacks_plan(
    line: str, compass: Callable[[str], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "aliyun.cfg").write_text("workspace_id = 'w'\nworker_image = 'i'\n")
    assert compass(f"{line} --dry-run") == 0
    shown = capsys.readouterr()
    assert "error" not in shown.err.split() and "nothing was asked" in shown.err
    assert "?" in shown.out and "OpenICLInfer[" in shown.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["aliyun.cfg"]


@pytest.mark.parametrize("extra", CLUSTERS.values(), ids=CLUSTERS)
def test_partitioners_and_runners_of_the_documents_plan(
    extra: str, workspace: Workspace, compass: Callable[[str], int], capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 30}, extra=f"\n{extra}\n")
    assert compass("my_eval.py --dry-run") == 0
    assert "OpenICLInfer[adder/sums" in capsys.readouterr().out


def test_a_runner_that_cannot_be_used_here_is_an_error_before_anything_is_asked(
    workspace: Workspace,
    compass: Callable[[str], int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("PATH", str(workspace.folder))
    workspace.write({"sums": 3}, extra=f"\n{CLUSTERS['slurm']}\n")
    assert compass("my_eval.py --inline") == 2
    assert "SlurmRunner" in capsys.readouterr().err and workspace.server.requests == 0


def test_data_that_is_there_is_counted(
    compass: Callable[[str], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(tmp_path))
    sentence = {"text": "The cup fell off the shelf because it was wobbly.", "pronoun": "it", "label": 1}
    write_rows(tmp_path / "data/winograd_wsc/wsc285.jsonl", [{**sentence, "options": ["the cup", "the shelf"]}] * 3)
    assert compass("--models openai_compatible --datasets winograd_gen --dry-run") == 0
    assert "total: 3 requests" in capsys.readouterr().out


def test_listing_by_keyword(compass: Callable[[str], int], capsys: pytest.CaptureFixture[str]):
    assert compass("list opt") == 0
    assert "hf_opt_350m" in capsys.readouterr().out

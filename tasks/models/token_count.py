"""Counts tokens without ever asking the network: by a tokenizer that lies on this machine, else by an estimate."""

import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from tasks.models.interface import TokenCounter
from tasks.spec.chat import Prompt, prompt_text
from tasks.spec.findings import Finding, FindingKind, Place, UserError

_log = logging.getLogger(__name__)
_WORDS = re.compile(r"[A-Za-z0-9]+|[\u4e00-\u9fff]")
_ENCODINGS_URL = "https://openaipublic.blob.core.windows.net/encodings"
_ENCODING_FILES = {
    "o200k_base": "o200k_base.tiktoken",
    "o200k_harmony": "o200k_base.tiktoken",
    "cl100k_base": "cl100k_base.tiktoken",
    "p50k_base": "p50k_base.tiktoken",
    "r50k_base": "r50k_base.tiktoken",
}


class Estimate(TokenCounter):
    """Runs of ASCII letters and digits, plus Chinese characters; usually less than a tokenizer counts."""

    name = "estimate"
    exact = False

    def __call__(self, prompt: Prompt) -> int:
        return len(_WORDS.findall(prompt_text(prompt)))


class TokenizerCount(TokenCounter):
    """Counts the text of a prompt, without what a chat template adds."""

    exact = True

    def __init__(self, name: str, count: Callable[[str], int]) -> None:
        self.name = name
        self._count = count

    def __call__(self, prompt: Prompt) -> int:
        return self._count(prompt_text(prompt))


class ScaledCount(TokenCounter):
    """An estimate corrected by what is known of one prompt, for the parts of that prompt."""

    exact = True

    def __init__(self, estimate: TokenCounter, factor: float) -> None:
        self.name = estimate.name
        self._estimate = estimate
        self._factor = factor

    def __call__(self, prompt: Prompt) -> int:
        return round(self._estimate(prompt) * self._factor)


def token_counter(model: str, tokenizer_path: str | None) -> TokenCounter:
    """The best counter that is on this machine for `tokenizer_path`, or else for the model's name.

    Logs a warning if that is the estimate. UserError if `tokenizer_path` is a local path without a tokenizer.
    """
    name = tokenizer_path or model
    file = _tokenizer_file(name)
    if file is not None and find_spec("tokenizers"):
        return _tokenizers_count(name, file)
    if tokenizer_path is not None and file is None and Path(tokenizer_path).expanduser().exists():
        raise UserError(Finding(f"{tokenizer_path} has no tokenizer.json", Place(key="tokenizer_path")))
    encoding = _local_encoding(name)
    if encoding is not None:
        return _tiktoken_count(encoding)
    _log.info("%s: no tokenizer for %r on this machine; token counts are estimates", model, name)
    return Estimate()


def local_encoder(name: str) -> Callable[[str], Sequence[int]] | None:
    """Turns texts into numbers of tokens, by the tokenizer of that name on this machine; None if there is none."""
    file = _tokenizer_file(name)
    if file is not None and find_spec("tokenizers"):
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(file))
        return lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    found = _local_encoding(name)
    if found is None:
        return None
    import tiktoken

    encoding = tiktoken.get_encoding(found)
    return lambda text: encoding.encode(text, disallowed_special=())


def _tokenizer_file(name: str) -> Path | None:
    """`tokenizer.json` at a local path, or of a repository in the Hugging Face cache."""
    path = Path(name).expanduser()
    for candidate in (path, path / "tokenizer.json"):
        if candidate.name.endswith(".json") and candidate.is_file():
            return candidate
    if name.count("/") != 1 or not find_spec("huggingface_hub"):
        return None
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached = try_to_load_from_cache(name, "tokenizer.json")
    except HFValidationError:
        return None
    return Path(cached) if isinstance(cached, str) else None


def _tokenizers_count(name: str, file: Path) -> TokenCounter:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # noqa: BLE001 the library raises bare Exception for a file it cannot read
        message = f"{file} cannot be read as a tokenizer: {error}"
        raise UserError(Finding(message, Place(key="tokenizer_path"), kind=FindingKind.MACHINE)) from None
    return TokenizerCount(name, lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids))


def _local_encoding(model: str) -> str | None:
    """The tiktoken encoding of an OpenAI model, if its file lies in tiktoken's cache."""
    if not find_spec("tiktoken"):
        return None
    from tiktoken.model import encoding_name_for_model

    try:
        encoding = encoding_name_for_model(model)
    except KeyError:
        return None
    file = _ENCODING_FILES.get(encoding)
    if file is None:
        return None
    cached = _tiktoken_cache() / hashlib.sha1(f"{_ENCODINGS_URL}/{file}".encode(), usedforsecurity=False).hexdigest()
    return encoding if cached.is_file() else None


def _tiktoken_cache() -> Path:
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable])
    return Path(tempfile.gettempdir(), "data-gym-cache")


def _tiktoken_count(name: str) -> TokenCounter:
    import tiktoken

    encoding = tiktoken.get_encoding(name)
    return TokenizerCount(name, lambda text: len(encoding.encode(text, disallowed_special=())))

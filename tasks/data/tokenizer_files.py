"""Tokenizers of models on the Hugging Face hub, for token counts without a network."""

from pathlib import Path

from tasks.data.hub import offline_reason
from tasks.spec.findings import Finding, FindingKind, UserError

_FILE = "tokenizer.json"


def fetch_tokenizer(repo: str) -> Path:
    """The tokenizer file of a model repository, from the cache, else downloaded; UserError if there is none."""
    try:
        from huggingface_hub import hf_hub_download, try_to_load_from_cache
    except ImportError:
        remedy = "pip install 'compass-llm-eval[hub]'"
        message = "tokenizers from the Hugging Face hub need the package huggingface_hub"
        raise UserError(Finding(message, remedy=remedy, kind=FindingKind.MACHINE)) from None
    cached = try_to_load_from_cache(repo, _FILE)
    if isinstance(cached, str):
        return Path(cached)
    reason = offline_reason()
    if not reason:
        try:
            return Path(hf_hub_download(repo, _FILE, etag_timeout=5))
        except Exception as error:  # noqa: BLE001 three libraries below raise errors without a common base
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    remedy = "set tokenizer_path to a folder with a tokenizer.json, or copy the Hugging Face cache (HF_HOME)"
    raise UserError(Finding(f"no tokenizer of {repo}: {reason}", remedy=remedy, kind=FindingKind.MACHINE))

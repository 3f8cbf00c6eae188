"""Files of the Hugging Face hub, without ever waiting long for a network that is not there."""

import logging
import os
import socket
import time
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies

from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.hub_offline import hub_remedy, offline_variable

_logger = logging.getLogger(__name__)

_OFFLINE = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE")
_TIMEOUT = 5.0
"""Seconds one attempt waits for the hub's first answer."""
_ATTEMPTS = 2
_REMEMBERED = 60.0
"""Seconds for which nobody is asked again after nobody answered: a run may want hundreds of files."""


def hub_file(repo: str, file: str, revision: str) -> Path:
    """The file of a dataset repository at a pinned revision: from the local cache, else downloaded.

    Where the hub cannot be reached, another revision in the cache (copied from elsewhere, say) serves as well.
    Raises UserError with the remedies if there is none.
    """
    _require_package()
    cached = _cached(repo, file, revision)
    if cached:
        return cached
    reason = offline_reason() or _connection_problem(_endpoint(), int(time.monotonic() // _REMEMBERED))
    if not reason:
        try:
            return _download(repo, file, revision)
        except Exception as error:  # noqa: BLE001 three libraries below raise errors without a common base
            reason = f"the Hugging Face hub did not give it: {_first_line(error)}"
    other = _cached(repo, file, "main")
    if other is None:
        raise UserError(_unreachable(repo, file, reason))
    _logger.warning("%s of %s comes from an unpinned copy in the Hugging Face cache: %s", file, repo, reason)
    return other


def offline_reason() -> str:
    """Which variable forbids the network, or an empty string."""
    name = offline_variable(_OFFLINE)
    return f"{name} is set" if name else ""


def _endpoint() -> str:
    from huggingface_hub.constants import ENDPOINT

    return os.environ.get("HF_ENDPOINT") or ENDPOINT


@cache
def _connection_problem(endpoint: str, period: int) -> str:
    """Why the endpoint cannot be reached in this period of time; empty where it can, or a proxy is asked instead."""
    del period
    parts = urlsplit(endpoint)
    if getproxies().get(parts.scheme):
        return ""
    address = (parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
    problem = ""
    for _ in range(_ATTEMPTS):
        try:
            socket.create_connection(address, _TIMEOUT).close()
        except OSError as error:
            problem = f"the Hugging Face hub did not give it: {_first_line(error)}"
        else:
            return ""
    return problem


def _require_package() -> None:
    try:
        import huggingface_hub  # noqa: F401  # pyright: ignore[reportUnusedImport]
        import pyarrow  # noqa: F401  # pyright: ignore[reportUnusedImport, reportMissingTypeStubs]
    except ImportError as error:
        raise UserError(
            Finding(
                f"data from the Hugging Face hub needs the package {error.name}",
                remedy="pip install 'compass-llm-eval[hub]'",
                kind=FindingKind.MACHINE,
            )
        ) from None


def _cached(repo: str, file: str, revision: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(repo, file, revision=revision, repo_type="dataset")
    return Path(found) if isinstance(found, str) else None


def _download(repo: str, file: str, revision: str) -> Path:
    """Asks for the file's head first: the package's own download tries a dead network for half a minute."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
    from huggingface_hub.utils import disable_progress_bars
    from tenacity import retry, stop_after_attempt, wait_fixed

    disable_progress_bars()
    endpoint = _endpoint()
    url = hf_hub_url(repo, file, repo_type="dataset", revision=revision, endpoint=endpoint)
    head = retry(stop=stop_after_attempt(_ATTEMPTS), wait=wait_fixed(1), reraise=True)(get_hf_file_metadata)
    head(url, timeout=_TIMEOUT, endpoint=endpoint)
    _logger.info("downloading %s of %s from the Hugging Face hub", file, repo)
    return Path(hf_hub_download(repo, file, repo_type="dataset", revision=revision, endpoint=endpoint))


def _unreachable(repo: str, file: str, reason: str) -> Finding:
    return Finding(
        f"{file} of the dataset {repo} is not in the Hugging Face cache, and {reason}",
        remedy=hub_remedy("data", offline_variable(_OFFLINE)),
        kind=FindingKind.MACHINE,
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]

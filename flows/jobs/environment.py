"""What a job of a cluster needs to find in its environment beside the secrets of its work."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from tasks.spec.names.type_loading import import_type
from tasks.spec.secrets.names import is_secret_name
from tasks.spec.specs import ModelSpec

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_FORWARDED = ("COMPASS_DATA_CACHE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "TORCH_HOME", "NLTK_DATA",
              "TIKTOKEN_CACHE_DIR", "MODELSCOPE_CACHE")  # fmt: skip
_FAMILIES = (
    "HF_",
    "TRANSFORMERS_",
    "VLLM_",
    "LMDEPLOY_",
    "OPENAI_",
    "ANTHROPIC_",
    "GEMINI_",
    "GOOGLE_API_",
    "LITELLM_",
    "OC_",
)
_SECRET_FAMILIES = ("HF_", "OC_")
"""Whose keys every job may need: for data, and for judges that no configuration names."""
_KEYS = ("OPENAI_API_KEY",)


def job_variables(models: Iterable[ModelSpec], search_path: Iterable[str]) -> dict[str, str]:
    """Variables of this process that every job needs: proxies, caches, addresses, offline switches, own keys."""
    keys = {name for model in models for name in _key_variables(model, tuple(search_path))}
    found = {name: value for name, value in os.environ.items() if _is_forwarded(name) or name in keys}
    root = Path(__file__).parents[2]
    if "site-packages" not in root.parts:  # a checkout, which no environment of a job knows of
        found["PYTHONPATH"] = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
    found["MKL_SERVICE_FORCE_INTEL"] = os.environ.get("MKL_SERVICE_FORCE_INTEL", "1")
    return found


def python_command(module: str, file: Path) -> tuple[str, ...]:
    """The command that runs a file of work."""
    return (sys.executable, "-P", "-m", module, str(file))


def _is_forwarded(name: str) -> bool:
    of_family = name.startswith(_FAMILIES) and (name.startswith(_SECRET_FAMILIES) or not is_secret_name(name))
    return name.lower() in _PROXIES or name in _FORWARDED or of_family


def _key_variables(model: ModelSpec, search_path: tuple[str, ...]) -> tuple[str, ...]:
    if model.arguments.get("key", "ENV") != "ENV":
        return ()
    return (*_KEYS, *getattr(import_type(model.type, search_path), "key_variables", ()))

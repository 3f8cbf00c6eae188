"""The shell line that a cloud job executes: environment, variables, folder, command."""

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from blocks.clusters.jobs import Job
from tasks.spec.hub_offline import OFFLINE_VARIABLES
from tasks.spec.secrets.names import is_public_key, is_secret_name, url_secrets


@dataclass(frozen=True)
class JobShell:
    """How jobs of one cluster prepare themselves before they run their command."""

    activation: str = ""
    """Shell commands that make `python` the right one; without them the submitting process's interpreter is used."""
    public: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables that may be seen by everybody who sees the job."""
    private: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Variables with secrets in them."""
    before: Sequence[str] = ()
    """Commands of the user's, before the task."""

    def line(self, job: Job, variables: Path | None) -> str:
        """The line for a job whose private variables lie in the file `variables`."""
        steps = [
            f"mkdir -p {shlex.quote(str(job.log.parent))}",
            f"exec >> {shlex.quote(str(job.log))} 2>&1",
            *_loaded(variables),
            *([self.activation] if self.activation else []),
            *(f"export {name}={shlex.quote(value)}" for name, value in self.public.items()),
            *self.before,
            f"cd {shlex.quote(str(job.folder))}",
            "umask 0000",
            shlex.join(self._command(job)),
        ]
        return " && ".join(steps)

    def _command(self, job: Job) -> Sequence[str]:
        own = job.command[0] == sys.executable
        return ("python", *job.command[1:]) if self.activation and own else job.command


def job_shell(settings: Mapping[str, Any]) -> JobShell:
    """The shell that a runner's settings describe, in the words that all clouds share.

    `python_env_path`, or `conda_env_name` with or without `bashrc_path`; `huggingface_cache`, `torch_cache`,
    `hf_offline` (on unless False), `hf_endpoint`, `http_proxy`, `extra_envs` (texts NAME=VALUE), `pre_cmd`.
    """
    public, private = by_privacy(dict(_variables(settings)))
    return JobShell(activation(settings), public, private, _texts(settings.get("pre_cmd") or ()))


def by_privacy(variables: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The variables without secrets, and those with one."""
    private = {name: value for name, value in variables.items() if _is_private(name, value)}
    return {name: value for name, value in variables.items() if name not in private}, private


def activation(settings: Mapping[str, Any]) -> str:
    """Shell commands that activate the environment of Python that the settings name; empty if they name none."""
    folder, bashrc, conda = (settings.get(key) for key in ("python_env_path", "bashrc_path", "conda_env_name"))
    if folder:
        return f"export PATH={shlex.quote(f'{folder}/bin')}:$PATH"
    if not bashrc and not conda:
        return ""
    # What a bashrc's last command says is no failure of the job.
    setup = f". {shlex.quote(str(bashrc))} || true" if bashrc else 'eval "$(conda shell.bash hook)"'
    return f"{{ {setup}; }} && conda activate {shlex.quote(str(conda))}" if conda else f"{{ {setup}; }}"


def _variables(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if cache := settings.get("huggingface_cache"):
        yield "HF_HUB_CACHE", str(cache)
        yield "HUGGINGFACE_HUB_CACHE", str(cache)
    if cache := settings.get("torch_cache"):
        yield "TORCH_HOME", str(cache)
    if settings.get("hf_offline", True):
        yield from ((name, "1") for name in OFFLINE_VARIABLES)
    if endpoint := settings.get("hf_endpoint"):
        yield "HF_ENDPOINT", str(endpoint)
    if proxy := settings.get("http_proxy"):
        for name in ("http_proxy", "https_proxy"):
            yield name, str(proxy)
            yield name.upper(), str(proxy)
    for text in _texts(settings.get("extra_envs") or ()):
        name, _, value = text.partition("=")
        yield name.strip(), value


def _texts(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(str(item) for item in cast(Sequence[Any], value))


def _is_private(name: str, value: str) -> bool:
    return bool(url_secrets(value)) or (is_secret_name(name) and not is_public_key(value))


def _loaded(variables: Path | None) -> list[str]:
    if variables is None:
        return []
    file = shlex.quote(str(variables))
    complaint = shlex.quote(f"{variables}, which holds the job's variables, cannot be read on this machine")
    return [f"{{ [ -r {file} ] || {{ echo {complaint} >&2; exit 78; }}; }}", f". {file}"]

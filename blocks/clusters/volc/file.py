"""The YAML file that describes a job of Volcano Engine's platform."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from blocks.clusters.jobs import SubmissionRefused

ROLE = "worker"
"""The role whose flavour is set for each job."""
_FLAVORS = {
    0: "ml.r3i.2xlarge",
    1: "ml.pni2l.3xlarge",
    2: "ml.pni2l.7xlarge",
    4: "ml.pni2l.14xlarge",
    8: "ml.pni2l.28xlarge",
}
"""Most GPUs → the machine."""


def flavor(num_gpus: int) -> str:
    """The smallest machine with that many GPUs; SubmissionRefused if there is none."""
    for most, name in _FLAVORS.items():
        if num_gpus <= most:
            return name
    raise SubmissionRefused(f"a VOLC job has at most {max(_FLAVORS)} GPUs, {num_gpus} were asked for")


def job_content(template: Path, num_gpus: int) -> dict[str, Any]:
    """The user's file, in which the role `worker` has the machine for so many GPUs; SubmissionRefused."""
    try:
        content = read(template.expanduser())
    except (OSError, ValueError) as error:
        raise SubmissionRefused(f"{template}: {error}") from error
    for role in roles_of(content):
        if role.get("RoleName") == ROLE:
            role["Flavor"] = flavor(num_gpus)
    return content


@contextmanager
def job_file(template: Path, num_gpus: int) -> Generator[Path]:
    """That content as a file of its own for one submission, which nobody else can read; SubmissionRefused."""
    content = job_content(template, num_gpus)
    with TemporaryDirectory(prefix="compass-") as folder:
        path = Path(folder) / "job.yaml"
        _yaml().dump(content, path)
        yield path


def roles_of(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`TaskRoleSpecs` of a file's content."""
    return [cast(dict[str, Any], role) for role in content.get("TaskRoleSpecs") or () if isinstance(role, dict)]


def read(path: Path) -> dict[str, Any]:
    """The file's content; OSError, or ValueError saying in one line what is wrong with it."""
    from ruamel.yaml.error import YAMLError

    try:
        content: Any = _yaml().load(path)
    except (YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"not YAML: {str(error).splitlines()[0]}") from error
    if not isinstance(content, dict):
        raise ValueError("not a YAML mapping")  # noqa: TRY004  # of the file, not of our caller
    return cast(dict[str, Any], content)


def _yaml() -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True)

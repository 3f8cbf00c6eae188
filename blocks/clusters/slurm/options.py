"""What sbatch and srun are told alike: their options, and the environment that jobs start from."""

import os
import shlex
from collections.abc import Mapping

from blocks.clusters.slurm.settings import SlurmSettings

_LONGEST_NAME = 512
_OF_THIS_MACHINE = ("CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES")
_OF_THIS_PROCESS = ("PREFECT_", "COMPASS_STATE_DIR", "COMPASS_SERVER_")


def resource_options(runner: SlurmSettings, num_gpus: int, *, quotatype: bool) -> list[str]:
    """Where to submit, and what a job needs; without its quota type where the scheduler does not know it."""
    options = ["-p", runner.partition] if runner.partition else []
    options += [f"--quotatype={runner.quotatype}"] if runner.quotatype and quotatype else []
    options += [f"--qos={runner.qos}"] if runner.qos else []
    options += [f"--gres=gpu:{num_gpus}"] if num_gpus else []
    return [*options, *(word for written in runner.extra_command for word in shlex.split(written))]


def job_name(runner: SlurmSettings, name: str) -> str:
    """The name as the queue shows it."""
    return (getattr(runner, "task_prefix", "") + name)[:_LONGEST_NAME]


def job_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """This process's environment with further variables, without what is meant for this process or its machine.

    A run that is itself a Slurm job leaves out what Slurm said of that job, or its jobs would become steps of it.
    """
    inside = "SLURM_JOB_ID" in os.environ

    def is_kept(name: str) -> bool:
        if name in _OF_THIS_MACHINE or name.startswith(_OF_THIS_PROCESS):
            return False
        return not (inside and name.startswith("SLURM_") and name != "SLURM_CONF")

    return {**{name: value for name, value in os.environ.items() if is_kept(name)}, **variables}


def knows_no_quotatype(words: str) -> bool:
    """Whether a submission failed because the scheduler has no quota types."""
    return "quotatype" in words and ("unrecognized option" in words or "unknown option" in words)

"""Slurm's words for what becomes of jobs, and what they mean to the person who reads the run."""

import re
import sys

from blocks.clusters.jobs import JobPhase, JobReport

NO_LOG = 74
"""Exit status of a job whose log cannot be written (EX_IOERR of sysexits.h)."""

_WAITING = {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"}
_RUNNING = {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING", "STAGE_OUT"}

_STATES = {
    "OUT_OF_MEMORY": "the memory it may use was used up; more can be had with extra_command=['--mem=64G']",
    "TIMEOUT": "its time limit was reached; more can be had with extra_command=['--time=8:00:00']",
    "DEADLINE": "it could not be done before its deadline",
    "NODE_FAIL": "its node failed",
    "BOOT_FAIL": "its node did not start",
    "PREEMPTED": "another job took its place",
    "CANCELLED": "somebody cancelled it",
    "COMPLETED": "it ended well, but its results are not there; do the nodes see the disk of the run folder?",
}
_EXIT_STATUS = {
    NO_LOG: "its node cannot write its log; the run folder must be on a disk that all nodes see",
    126: "a program cannot be executed on its node",
    127: f"a command is not there on its node; the environment of {sys.executable} must be on a disk they all see",
    137: "it was killed, mostly a sign of too little memory",
}
_EXIT = re.compile(r"\bExitCode=(\d+):(\d+)")
_STATE = re.compile(r"\bJobState=(\w+)")


def phase_of(state: str) -> JobPhase:
    """The phase of a job in a state such as `RUNNING` or `CANCELLED by 0`."""
    word = state.split(" ", maxsplit=1)[0].rstrip("+")
    if word in _WAITING:
        return JobPhase.WAITING
    if word in _RUNNING:
        return JobPhase.RUNNING
    return {"COMPLETED": JobPhase.DONE, "CANCELLED": JobPhase.CANCELLED}.get(word, JobPhase.FAILED)


def report_of(state: str, reason: str) -> JobReport:
    """The report for a line of squeue or sacct; the reason is why a job waits."""
    phase = phase_of(state)
    if phase is JobPhase.WAITING:
        return JobReport(phase, "" if reason in ("None", "Priority", "Resources", "JobArrayTaskLimit") else reason)
    return JobReport(phase, state)


def meaning(state: str, details: str) -> str:
    """A failure in words; `details` is what `scontrol show job` says of the job, or nothing."""
    found = _STATE.search(details)
    word = (found[1] if found else state).split(" ")[0]
    exited = _EXIT.search(details)
    status, signal = (int(exited[1]), int(exited[2])) if exited else (0, 0)
    if word in _STATES:
        return f"{word}: {_STATES[word]}"
    if status in _EXIT_STATUS:
        return f"{word} with exit status {status}: {_EXIT_STATUS[status]}"
    if signal:
        return f"{word}: {_EXIT_STATUS[137] if signal == 9 else f'it was ended by signal {signal}'}"
    return f"{word} with exit status {status}" if status else word

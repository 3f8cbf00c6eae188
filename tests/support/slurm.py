"""A real Slurm of a few nodes on this machine's loopback, as the calling user (root); GPUs are clones of /dev/null."""

import getpass
import os
import shutil
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tasks.supervisor import start

_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
_DAEMONS = ("slurmctld", "slurmd", "squeue")
_NODES, _CPUS, _GPUS = 3, 4, 2
_STANDARD_DEVICES = ("/dev/null", "/dev/zero")
_FREEZER = Path("/sys/fs/cgroup/freezer")

_CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool-%n
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/slurmd-%n.pid
ProctrackType=proctrack/{proctrack}
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
KillWait=2
MinJobAge=3600
SlurmdTimeout=30
ReturnToService=1
SlurmdParameters=config_overrides
GresTypes=gpu
DefMemPerCPU=100
AccountingStorageType=accounting_storage/none
JobRequeue=1
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
NodeName=DEFAULT CPUs={cpus} Boards=1 SocketsPerBoard=1 CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory=8000 \
State=UNKNOWN Gres=gpu:{gpus}
{nodes}
PartitionName=main Nodes={prefix}[1-{count}] Default=YES MaxTime=INFINITE DefaultTime=60 State=UP
"""


def missing() -> str:
    """Why Slurm cannot be started here; empty if it can."""
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    absent = [name for name in _DAEMONS if shutil.which(name, path=_PATH) is None]
    return f"Slurm is not installed ({', '.join(absent)}); `make tests` brings it" if absent else ""


@dataclass(frozen=True)
class Slurm:
    """A running cluster."""

    base: Path
    nodes: tuple[str, ...]

    @property
    def environment(self) -> dict[str, str]:
        """What makes Slurm's commands speak to this cluster."""
        return {"SLURM_CONF": str(self.base / "slurm.conf"), "PATH": _PATH}

    def ask(self, *command: str) -> str:
        """What a command of Slurm's prints."""
        done = subprocess.run(
            command, env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def jobs(self, state: str = "all") -> list[list[str]]:
        """Id, state, name and node of every job, elements of arrays one by one."""
        lines = self.ask("squeue", "-h", "-r", "-t", state, "-o", "%i|%T|%j|%N").splitlines()
        return [line.split("|") for line in lines]

    def cancel_all(self) -> None:
        """Ends what is left of a test."""
        self.ask("scancel", f"--user={getpass.getuser()}")
        wait_until(lambda: not self.jobs("pending,running,completing"))


@contextmanager
def running_slurm(base: Path) -> Iterator[Slurm]:
    """Starts a cluster in that folder, and stops it."""
    prefix = f"t{os.getpid()}n"
    nodes = tuple(f"{prefix}{number}" for number in range(1, _NODES + 1))
    conf = _configure(base, prefix, nodes)
    with ExitStack() as stack:
        stack.callback(_remove_cgroups, nodes)
        environment = {**os.environ, "SLURM_CONF": str(conf), "PATH": _PATH}
        _start(stack, ["slurmctld", "-D", "-f", str(conf)], environment, base / "slurmctld.log")
        for node in nodes:
            (base / f"spool-{node}").mkdir()
            _start(stack, ["slurmd", "-D", "-f", str(conf), "-N", node], environment, base / f"{node}.log")
        slurm = Slurm(base, nodes)
        wait_until(lambda: _idle(slurm) == len(nodes))
        stack.callback(_cancel, slurm)
        yield slurm


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Waits for something that happens elsewhere."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.1)


def _configure(base: Path, prefix: str, nodes: tuple[str, ...]) -> Path:
    (base / "state").mkdir(parents=True)
    host, ports = socket.gethostname().partition(".")[0], _free_ports(len(nodes) + 1)
    lines = [
        f"NodeName={n} NodeHostname={host} NodeAddr=127.0.0.1 Port={p}" for n, p in zip(nodes, ports, strict=False)
    ]
    values = {"host": host, "port": ports[-1], "user": getpass.getuser(), "base": base, "proctrack": _proctrack()}
    values |= {"cpus": _CPUS, "gpus": _GPUS, "nodes": "\n".join(lines), "prefix": prefix, "count": len(nodes)}
    (base / "slurm.conf").write_text(_CONF.format(**values))
    (base / "gres.conf").write_text(f"NodeName={prefix}[1-{len(nodes)}] Name=gpu File={_gpus(base)}\n")
    (base / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\nCgroupAutomount=no\n")
    return base / "slurm.conf"


def _gpus(base: Path) -> str:
    """Files of the GPUs: Slurm wants devices, which nobody opens."""
    files = [base / f"gpu{number}" for number in range(_GPUS)]
    try:
        for file in files:
            os.mknod(file, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        return ",".join(_STANDARD_DEVICES[:_GPUS])
    return ",".join(map(str, files))


def _proctrack() -> str:
    """Control groups also find processes whose parents have ended."""
    probe = _FREEZER / f"slurm-probe-{os.getpid()}"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return "linuxproc"
    return "cgroup"


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _start(stack: ExitStack, command: list[str], environment: Mapping[str, str], log: Path) -> None:
    program = shutil.which(command[0], path=_PATH)
    assert program is not None
    stack.enter_context(start([program, *command[1:]], env=environment, log=log))


def _idle(slurm: Slurm) -> int:
    done = subprocess.run(
        ["sinfo", "-h", "-N", "-t", "idle", "-o", "%N"],
        env={**os.environ, **slurm.environment}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return len(set(done.stdout.split()))


def _cancel(slurm: Slurm) -> None:
    with suppress(AssertionError, subprocess.TimeoutExpired):
        slurm.cancel_all()


def _remove_cgroups(nodes: tuple[str, ...]) -> None:
    for node in nodes:
        folder = _FREEZER / f"slurm_{node}"
        for path in sorted(folder.rglob("*"), reverse=True) if folder.is_dir() else ():
            if path.is_dir():
                with suppress(OSError):
                    path.rmdir()
        with suppress(OSError):
            folder.rmdir()

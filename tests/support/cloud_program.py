"""The program behind the names `dlc`, `volc`, `rjob` and `conda` in tests: it answers like them and really runs jobs.

Jobs run in processes of their own, with next to no variables. What it was called with, jobs and their output lie in the
folder that stands in place of FOLDER; `behaviour.json` there says what goes wrong.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HOME = Path("FOLDER")
RUN = """
bash -c "$1" >> "$2/output" 2>&1 < /dev/null
echo $? > "$2/status.new"
mv "$2/status.new" "$2/status"
"""


def behaviour(name: str, default: Any) -> Any:
    return json.loads((HOME / "behaviour.json").read_text()).get(name, default)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def complain(text: str) -> int:
    sys.stderr.write(f"{text}\n")
    return 1


def options(words: list[str]) -> dict[str, str]:
    """`--name value` and `--name=value`."""
    found, position = {}, 0
    while position < len(words):
        name, equals, value = words[position].removeprefix("--").partition("=")
        if words[position].startswith("--") and not equals and position + 1 < len(words):
            position += 1
            value = words[position]
        found[name] = value
        position += 1
    return found


def refused() -> bool:
    """Whether this submission is one of those that fail."""
    count = len(list(HOME.glob("refused-*")))
    if count < behaviour("refused", 0):
        (HOME / f"refused-{count}").touch()
    return count < behaviour("refused", 0)


def start(job_id: str, name: str, command: list[str]) -> None:
    folder = HOME / "jobs" / job_id
    folder.mkdir(parents=True)
    (folder / "name").write_text(name)
    text = command[2] if command[:2] == ["bash", "-c"] else command[0]
    fails = [word for word in behaviour("fails", []) if word in name]
    failed_before = len([1 for other in HOME.glob("jobs/*/failed") if other.read_text() == name])
    if fails and failed_before < behaviour("failures", 1):
        (folder / "failed").write_text(name)
        text = "echo 'CUDA error: out of memory'; exit 1"
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    process = subprocess.Popen(
        ["bash", "-c", RUN, "job", text, str(folder)],
        env=environment,
        cwd="/",
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    (folder / "process").write_text(str(process.pid))


def state(job_id: str) -> str | None:
    """`waiting`, `running`, `done`, `failed`, `stopped` or `unreadable`; None for a job that was never submitted."""
    folder = HOME / "jobs" / job_id
    if not folder.is_dir():
        return None
    asked = len(list(folder.glob("asked-*")))
    (folder / f"asked-{asked}").touch()
    if asked < behaviour("waits", 1):
        return "unreadable" if asked < behaviour("unreadable", 0) else "waiting"
    if (folder / "stopped").exists():
        return "stopped"
    if (folder / "status").exists():
        return "done" if (folder / "status").read_text().strip() == "0" else "failed"
    return "running"


def stop(job_id: str) -> None:
    folder = HOME / "jobs" / job_id
    (folder / "stopped").touch()
    os.killpg(int((folder / "process").read_text()), signal.SIGKILL)


def output(job_id: str) -> str:
    path = HOME / "jobs" / job_id / "output"
    return path.read_text() if path.exists() else ""


def dlc(words: list[str]) -> int:
    if words[:2] == ["submit", "pytorchjob"] or words[:2] == ["create", "job"]:
        given = options(words[2:])
        if refused():
            return complain("[FAILED] code: 503, the service is busy")
        job_id = f"dlc{len(list(HOME.glob('jobs/*'))):04d}{os.getpid():x}"
        start(job_id, given["name"], shlex.split(given["command"]))
        say(f"+-------+\n| JobId | RequestId |\n+-------+\n| {job_id} | 6F-1 |\n+-------+")
        return 0
    if words[:2] == ["get", "job"]:
        names = {
            "waiting": "Queuing",
            "running": "Running",
            "done": "Succeeded",
            "failed": "Failed",
            "stopped": "Stopped",
        }
        found = state(words[2])
        if found is None:
            return complain("[FAILED] code: 404, the job does not exist")
        if found == "unreadable":
            say("upstream connect error")
            return 0
        answer = {"JobId": words[2], "Status": names[found], "Pods": [{"PodId": f"{words[2]}-master-0"}]}
        reasons = {"failed": "JobFailed", "stopped": "StoppedByUser"}
        say(json.dumps(answer | ({"ReasonCode": reasons[found]} if found in reasons else {})))
        return 0
    if words[:1] == ["logs"]:
        assert words[2] == f"{words[1]}-master-0"
        sys.stdout.write(output(words[1]))
        return 0
    if words[:2] == ["stop", "job"]:
        assert "--force" in words
        stop(words[2])
        return 0
    return 64


def volc(words: list[str]) -> int:
    given = options(words[2:])
    if words[1] == "submit":
        if refused():
            return complain("queue is busy")
        (HOME / "volc.yaml").write_bytes(Path(given["conf"]).read_bytes())
        job_id = f"t-{len(list(HOME.glob('jobs/*'))):04d}{os.getpid():x}"
        start(job_id, given["task_name"], shlex.split(given["entrypoint"]))
        say(f"creating\ntask created, task_id={job_id}, see the console")
        return 0
    if words[1] == "get":
        names = {
            "waiting": "Queue",
            "running": "Running",
            "done": "Success",
            "failed": "Failed",
            "stopped": "Cancelled",
        }
        found = state(given["id"])
        if found is None:
            return complain("ResourceNotFound")
        say("unexpected EOF" if found == "unreadable" else f'reading...\n[{{"Status": "{names[found]}"}}]')
        return 0
    if words[1] == "logs":
        sys.stdout.write(output(given["task"]))
        return 0
    if words[1] == "cancel":
        stop(given["id"])
        return 0
    return 64


def rjob(words: list[str]) -> int:
    if words[0] == "submit":
        if refused():
            return complain("no quota")
        end = words.index("--")
        given = options(words[1:end])
        start(given["metadata-name"], given["metadata-name"], words[end + 1 :])
        return 0
    if words[0] == "get":
        names = {
            "waiting": "InQueue",
            "running": "Running",
            "done": "Succeeded",
            "failed": "Failed",
            "stopped": "Stopped",
        }
        found = state(words[1])
        if found is None:
            say("not found")
            return 1
        say("a timeout of the database" if found == "unreadable" else f"1 job\nrjob {words[1]}: {names[found]} 1/1")
        return 0
    if words[0] == "stop":
        stop(words[1])
        return 0
    return 64


def conda(words: list[str]) -> int:
    """`conda shell.bash hook`; the only environment there is, `compass`, is that of the tests."""
    say('conda() { [ "$2" = compass ] && export PATH="PREFIX/bin:$PATH" CONDA_DEFAULT_ENV=compass; }')
    return 0


if __name__ == "__main__":
    program, words = Path(sys.argv[0]).name, sys.argv[1:]
    with (HOME / "calls").open("a") as file:
        file.write(json.dumps([program, *words]) + "\n")
    time.sleep(behaviour("slow", 0.0))
    sys.exit({"dlc": dlc, "volc": volc, "rjob": rjob, "conda": conda}[program](words))

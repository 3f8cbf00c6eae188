"""Does what a page says, in a folder as its reader has it: writes files, plans configurations, runs commands."""

import ast
import json
import os
import re
import runpy
import shlex
import shutil
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from ruamel.yaml import YAML
from support.documents import Block
from support.repository import ROOT

from flows.terminal.cli import main
from flows.terminal.tools import TOOLS

_STAYS = ("server", "deploy", "view", "notify")
"""Tools that start servers, or speak to one: their arguments are read, and that is all."""
_RUN_OPTIONS = ("--inline", "--no-progress")
_TIME = re.compile(r"\d{8}_\d{6}(?:_\d+)?")
_RUN_FOLDER = re.compile(rf"^run folder: .*?({_TIME.pattern}\S*)$", re.MULTILINE)
_VARYING = re.compile(r"\d[\d_.,:]*")
_TIMES = re.compile(rf"{_TIME.pattern}|\d+\.\d+$")
"""Names of runs, and the seconds of an answer, which end their line."""
_READERS: dict[str, Callable[[str], Any]] = {
    "json": lambda text: [json.loads(line) for line in text.splitlines()],
    "toml": tomllib.loads,
    "yaml": lambda text: YAML(typ="safe").load(text),
}
_OWN_PROGRAMS = ("compass", "python", "pip", "make", "prefect", "export", "source", "eval", "cd", "mkdir", "cp", "cat")


class _Read(Exception):
    """The arguments of a command were understood."""


@dataclass
class PageRunner:
    """One reader's folder, which is the current one, and what has been printed there."""

    folder: Path
    environment: pytest.MonkeyPatch
    printed: Callable[[], str]
    placeholders: dict[str, str]
    output: str = ""
    exact: bool = False
    """Whether numbers must be those of the page, times apart."""
    newest: str = ""
    """Name of the newest run of this page, which the times in its commands stand for."""

    def take(self, block: Block) -> None:
        """AssertionError, with the block's place, if it does not do what it is for."""
        marks = block.marks
        if block.language == "text" and not marks:
            return
        if "file" in marks or "append" in marks:
            self._write(block)
        elif "output" in marks:
            self._compare(block)
        elif block.language == "python" and _is_part_of_a_configuration(block.text):
            self._plan_part(block)
        elif block.language == "python":
            self._program(block)
        elif block.language in _READERS:
            _READERS[block.language](block.text)
        elif block.language in ("", "bash", "sh", "console"):
            for line in _lines(block.text):
                self._command(line, block)
        else:
            pytest.fail(f"{block.place}: no test knows what a block of {block.language!r} is for; mark it")

    def _write(self, block: Block) -> None:
        path = self.folder / (block.marks.get("file") or block.marks["append"])
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if "append" in block.marks else ""
        path.write_text(before + block.text, encoding="utf-8")

    def _compare(self, block: Block) -> None:
        missing = lines_not_printed(block.text, self.output, exact=self.exact)
        assert missing == [], f"{block.place}: not printed; what was:\n{self.output}"

    def _program(self, block: Block) -> None:
        path = self.folder / "program_of_the_page.py"
        path.write_text(block.text, encoding="utf-8")
        runpy.run_path(str(path), run_name="__main__")

    def _plan_part(self, block: Block) -> None:
        path = self.folder / "part_of_the_page.py"
        path.write_text((ROOT / "tests/data/page_eval.py").read_text() + block.text, encoding="utf-8")
        assert main([str(path), "--dry-run"]) == 0, f"{block.place}: {self.printed()}"

    def _command(self, line: str, block: Block) -> None:
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            self._set(words.pop(0))
        if not words:
            return
        words = [self.placeholders.get(word, word) for word in words]
        program, arguments = words[0], words[1:]
        if program == "python" and arguments[:2] == ["-m", "flows.eval"]:
            program, arguments = "compass", arguments[2:]
        action = getattr(self, f"_{program}", None) if program in _OWN_PROGRAMS else None
        assert action, f"{block.place}: tests do not run {program}; mark the block as not run, with the reason"
        action(arguments, block)

    def _set(self, setting: str) -> None:
        name, _, value = setting.partition("=")
        if name not in os.environ and "…" not in value:
            self.environment.setenv(name, self.placeholders.get(value, value))

    def _compass(self, arguments: list[str], block: Block) -> None:
        status = self._tool(arguments) if arguments and arguments[0] in TOOLS else main(self._whole(arguments, block))
        self.output = self.printed()
        if found := _RUN_FOLDER.search(self.output):
            self.newest = found[1]
        wanted = int(block.marks.get("exit", 0))
        assert status == wanted, f"{block.place}: compass {shlex.join(arguments)} ended with {status}:\n{self.output}"

    def _whole(self, arguments: list[str], block: Block) -> list[str]:
        """Runs go without a server; what is not to be run is planned."""
        if "run" in block.marks:
            named = [self.newest if self.newest and _TIME.fullmatch(word) else word for word in arguments]
            return [*named, *(option for option in _RUN_OPTIONS if option not in arguments)]
        is_help = not arguments or "--help" in arguments
        return arguments if is_help or "--dry-run" in arguments else [*arguments, "--dry-run"]

    def _tool(self, arguments: list[str]) -> int:
        name = arguments[0]
        return read_only(lambda: main(arguments)) if name in _STAYS else main(arguments)

    def _python(self, arguments: list[str], block: Block) -> None:
        assert arguments[0] == "-c", f"{block.place}: python {shlex.join(arguments)}"
        exec(compile(arguments[1], block.place, "exec"), {})

    def _pip(self, arguments: list[str], block: Block) -> None:
        for word in arguments[1:]:
            if word.startswith(("compass-llm-eval", ".[")):
                named = Requirement(word.replace(".[", "compass-llm-eval["))
                assert named.extras <= extras(), f"{block.place}: {word}"
            elif word.startswith("deployments/"):
                assert (ROOT / word).exists(), f"{block.place}: {word}"

    def _make(self, arguments: list[str], block: Block) -> None:
        makefile = (ROOT / "Makefile").read_text()
        assert all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in arguments), block.place

    def _prefect(self, arguments: list[str], block: Block) -> None:
        import prefect.cli._app as prefect_cli

        prefect_cli._app.parse_args(arguments, exit_on_error=False, print_error=False)

    def _export(self, arguments: list[str], block: Block) -> None:
        for setting in arguments:
            self._set(setting)

    def _source(self, arguments: list[str], block: Block) -> None:
        assert arguments == [".venv/bin/activate"], block.place

    def _eval(self, arguments: list[str], block: Block) -> None:
        assert arguments == ["$(compass server env)"], block.place

    def _cd(self, arguments: list[str], block: Block) -> None:
        self.environment.chdir(self.folder / arguments[0])

    def _mkdir(self, arguments: list[str], block: Block) -> None:
        Path(arguments[-1]).mkdir(parents=True, exist_ok=True)

    def _cp(self, arguments: list[str], block: Block) -> None:
        shutil.copy(*arguments)

    def _cat(self, arguments: list[str], block: Block) -> None:
        self.output = "".join(Path(name).read_text() for name in arguments)


def lines_not_printed(told: str, printed: str, *, exact: bool = False) -> list[str]:
    """Lines of a page that a program did not print, numbers and times apart (`exact`: only times); `…` is any text."""
    varying = _TIMES if exact else _VARYING
    shown = [_same(line, varying) for line in printed.splitlines()]
    lines = [line for line in told.splitlines() if line.strip() not in ("", "…")]
    patterns = {line: re.compile(re.escape(_same(line, varying)).replace("…", ".*")) for line in lines}
    return [line for line in lines if not any(patterns[line].fullmatch(text) for text in shown)]


def _is_part_of_a_configuration(text: str) -> bool:
    """Whether Python only assigns, and imports nothing that runs evaluations."""
    body = ast.parse(text).body
    runs = {node.module.partition(".")[0] for node in body if isinstance(node, ast.ImportFrom) and node.module}
    return not runs & {"flows", "blocks"} and not any(
        isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Expr) for node in body
    )


def read_only(command: Callable[[], int]) -> int:
    """Lets the command read its arguments and ends it there; 0 if they are right."""

    def stop(parser: ArgumentParser, *arguments: Any, **options: Any) -> Any:
        _, unknown = parse(parser, *arguments, **options)
        raise SystemExit(2) if unknown else _Read

    parse = ArgumentParser.parse_known_args  # what `parse_args` goes by, too
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ArgumentParser, "parse_known_args", stop)
        try:
            command()
        except _Read:
            return 0
        except SystemExit as ended:
            return int(ended.code or 0)
    return 1


@cache
def extras() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return set(project["optional-dependencies"])


def _lines(text: str) -> list[str]:
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [part.strip() for line in joined.splitlines() for part in line.split(" && ")]
    return [line.removeprefix("$ ") for line in lines if line and not line.startswith("#")]


def _same(line: str, varying: re.Pattern[str]) -> str:
    """Without what differs from one run to the next: numbers or times, how wide a column is."""
    return re.sub(r"[\s\-─━]+", " ", varying.sub("0", line)).strip()

"""`compass collect-code`: programs that a run wrote for HumanEval-X, in the form its own checker reads."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from flows.output.console import say
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from tasks.score.answers.code_postprocessors import humaneval_postprocess_v2
from tasks.score.interface import Extraction
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import read_json, write_atomically

_LANGUAGES = {"python": "Python", "cpp": "CPP", "go": "Go", "java": "Java", "js": "JavaScript"}
_PREFIX = "humanevalx-"


def main(argv: Sequence[str]) -> int:
    """Writes `humanevalx/<model>/humanevalx_<language>.json` into the run folder."""
    parser = argparse.ArgumentParser(
        prog="compass collect-code", description="Programs of a run on HumanEval-X, one JSON line per task."
    )
    add_run_arguments(parser)
    folder = chosen_run(parser.parse_args(argv)).root
    files = sorted((folder / "predictions").glob(f"*/{_PREFIX}*.json"))
    files = [file for file in files if file.stem.removeprefix(_PREFIX) in _LANGUAGES]
    if not files:
        raise UserError(f"no predictions on HumanEval-X ({_PREFIX}python, …) in {folder}")
    for file in files:
        language = file.stem.removeprefix(_PREFIX)
        samples: dict[str, Any] = read_json(file)
        lines = [_line(language, index, samples[index]) for index in sorted(samples, key=int)]
        target = folder / "humanevalx" / file.parent.name / f"humanevalx_{language}.json"
        write_atomically(target, "".join(lines).encode("utf-8", "backslashreplace"))
        say(f"{len(lines)} programs: {target}")
    return 0


def _line(language: str, index: str, sample: dict[str, Any]) -> str:
    answer = humaneval_postprocess_v2(str(sample.get("prediction", "")))
    program = answer.answer if isinstance(answer, Extraction) else answer
    record = {"task_id": f"{_LANGUAGES[language]}/{index}", "generation": program or ""}
    return json.dumps(record, ensure_ascii=False) + "\n"

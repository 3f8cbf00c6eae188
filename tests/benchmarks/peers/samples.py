"""What all systems are asked: texts of GSM8K's size, in one neutral form."""

import json
import random
from pathlib import Path

from benchmarks.workspace import words, write_once

MOCK_SAYS = "18"
"""The number at the end of every answer of the mock server."""
_PROMPT_BYTES = 2400
"""Of a GSM8K problem under four worked examples, about."""
_SHORT_BYTES = 200


def long_prompts(folder: Path, count: int) -> Path:
    """Problems with worked examples; half of them are answered right by the mock server."""
    return _write(folder / f"problems_{count}.jsonl", count, _PROMPT_BYTES)


def short_prompts(folder: Path, sets: int, count: int) -> tuple[Path, ...]:
    """Sets of so many short questions each."""
    return tuple(_write(folder / f"set{number:02}.jsonl", count, _SHORT_BYTES) for number in range(sets))


def expected_right(dataset: Path) -> int:
    """Samples of a dataset whose answer is what the mock server says."""
    return sum(json.loads(line)["answer"] == MOCK_SAYS for line in dataset.read_text().splitlines())


def _write(path: Path, count: int, size: int) -> Path:
    texts = random.Random(path.name)
    write_once(
        path,
        (
            {
                "question": f"{path.stem} {number}: {words(texts, size)}\nEnd with: The answer is NUMBER.",
                "answer": MOCK_SAYS if number % 2 else str(1000 + number),
            }
            for number in range(count)
        ),
    )
    return path

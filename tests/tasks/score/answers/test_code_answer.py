"""Which part of an answer is the program."""

import pytest

from tasks.score.answers.code_postprocessors import humaneval_postprocess_v2, humaneval_postprocess_v3
from tasks.score.interface import ExtractionStatus

_TWO = "```python\na = 1\n```\nor\n```python\nb = 2\n```"


@pytest.mark.parametrize(
    ("text", "code", "rule"),
    [
        ("Here is the fix:\n```python\ndef f(x):\n    return x + 1\n", "def f(x):\n    return x + 1", "open-fence"),
        ("```\nx = 1\n```", "x = 1", "fence"),
        ("```return x```", "return x", "fence"),
        ("```return x\n```", "return x", "fence"),
        ("```python\nx = 1```\nThat is all.", "x = 1", "fence"),
        ("~~~py\nx = 1\n~~~", "x = 1", "fence"),
        ("```{.python}\nx = 1\n```", "x = 1", "fence"),
        ("```python title=a.py\nx = 1\n```", "x = 1", "fence"),
        ("```c++\nint x;\n```", "int x;", "fence"),
        ("Install:\n```bash\npip install x\n```\nUse:\n```python\nx = 1\n```", "x = 1", "fence"),
        ("```bash\nls\n```", "ls", "fence"),
        ("1. Do this:\n   ```python\n   if x:\n       y\n   ```", "if x:\n    y", "fence"),
        ("    return x + 1\n", "    return x + 1", "whole-text"),
        ("\n\n    return x + 1\n```\nThis adds one.", "    return x + 1", "before-fence"),
        ("def f():\n    return 1\n```", "def f():\n    return 1", "before-fence"),
        ("<think>```python\n1\n```</think>\n```python\n2\n```", "2", "fence"),
        ("```python\n    return x\n```", "    return x", "fence"),
        ('```python\ndef f():\n    """`a` and ``b``"""\n```', 'def f():\n    """`a` and ``b``"""', "fence"),
    ],
)
def test_program(text: str, code: str, rule: str) -> None:
    for found in (humaneval_postprocess_v2(text), humaneval_postprocess_v3(text)):
        assert (found.answer, found.rule) == (code, rule)


def test_v2_takes_the_first_block_and_v3_the_last() -> None:
    assert humaneval_postprocess_v2(_TWO).answer == "a = 1"
    assert humaneval_postprocess_v3(_TWO).answer == "b = 2"


def test_a_block_that_is_left_open_ends_where_the_next_begins() -> None:
    text = "```python\na = 1\n\nBetter:\n```python\nb = 2\n```"
    assert humaneval_postprocess_v3(text).answer == "b = 2"


@pytest.mark.parametrize("text", ["", " \n ", "```python\n```", "<think>x = 1"])
def test_no_program(text: str) -> None:
    assert humaneval_postprocess_v2(text).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    "text",
    ["```" * 333_000, "```\n" * 250_000, "\n" * 1_000_000, " \n" * 500_000, "a```\n" * 200_000, "```x \t" * 160_000,
     "\n```" + " " * 1_000_000, "```" + "a" * 1_000_000, "\n>>>>>```" * 100_000],
    ids=lambda text: repr(text[:8]),
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    assert humaneval_postprocess_v3(text).status in ExtractionStatus

"""Which part of an answer is the program."""

import pytest

from tasks.score.answers.code_postprocessors import humaneval_postprocess_v2, humaneval_postprocess_v3
from tasks.score.answers.mbpp import mbpp_answer
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


_CODE = "def f(n):\n    return n"
_TOKENS = [
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "</s>", "<eoa>", "<eos>", "<end_of_turn>",
    "[/INST]",
    "<|end|>", "<|user|>", "<|assistant|>", "<｜end▁of▁sentence｜>", "<|return|>", "<|endofprompt|>",
]  # fmt: skip


@pytest.mark.parametrize("behind", [*_TOKENS, " This works in O(n).", " done", ".", "That is all.", " Python is nice."])
@pytest.mark.parametrize("after", ["", "\n", "\nIt needs no loop.\n"])
def test_text_on_the_line_of_a_closing_fence_is_no_program(behind: str, after: str) -> None:
    text = f"```python\n{_CODE}\n```{behind}{after}"
    for postprocess in (humaneval_postprocess_v2, humaneval_postprocess_v3, mbpp_answer):
        found = postprocess(text)
        assert (found.answer, found.rule) == (_CODE, "fence")


@pytest.mark.parametrize("token", _TOKENS)
@pytest.mark.parametrize(
    "form",
    [
        "{code}{token}", "{code}\n{token}\n", "{token}{code}", "{token}\n{code}\n{token}",
        "```python\n{code}{token}\n```",
        "```python\n{code}\n{token}```", "{token}```python\n{code}\n```{token}{token}", "```python\n{code}\n{token}",
        "<|im_start|>assistant\n{code}{token}", "[BEGIN]\n{code}\n[DONE]{token}",
    ],
)  # fmt: skip
def test_special_tokens_are_no_part_of_a_program(token: str, form: str) -> None:
    text = form.format(code=_CODE, token=token)
    assert mbpp_answer(text).answer == _CODE
    if "[BEGIN]" not in form:
        assert humaneval_postprocess_v2(text).answer == humaneval_postprocess_v3(text).answer == _CODE


@pytest.mark.parametrize("token", ["<|im_end|>", "</s>", "<|eot_id|>", "<end_of_turn>"])
def test_what_follows_the_end_of_an_answer_is_another_one(token: str) -> None:
    text = f"```python\n{_CODE}\n```\n{token}\n<|im_start|>user\nNext:\n```python\nx = 2\n```"
    assert humaneval_postprocess_v3(text).answer == _CODE
    assert humaneval_postprocess_v2(f"{_CODE}{token}\nuser\nAnother task").answer == _CODE


@pytest.mark.parametrize(
    "code",
    [
        "x = '<|im_end|>'", 'def f(t):\n    return t.split("</s>")', "x = [EOS] + [BOS]", "y = a <s> b",
        'def f():\n    """Cuts at </s>\n    and <|im_end|>.\n    """\n    return 1', "x = 'it\\'s </s>'", "[INST, EOS]",
    ],
)  # fmt: skip
def test_a_program_may_hold_a_token_in_its_texts(code: str) -> None:
    for text in (code, f"```python\n{code}\n```", f"```python\n{code}\n```<|im_end|>"):
        assert humaneval_postprocess_v3(text).answer == code


def test_an_opening_fence_may_stand_behind_text() -> None:
    assert humaneval_postprocess_v3(f"Here it is: ```python\n{_CODE}\n```").answer == _CODE


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
     "\n```" + " " * 1_000_000, "'\"" * 300_000, '"\\' * 300_000, '\n"""' * 200_000, "<|im_end|>" * 100_000,
     "<s>" * 300_000,
     "\n[EOS]   " * 100_000, "```" + "a" * 1_000_000, "\n>>>>>```" * 100_000],
    ids=lambda text: repr(text[:8]),
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    assert humaneval_postprocess_v3(text).status in ExtractionStatus

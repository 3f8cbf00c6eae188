"""Rows as texts, for retrievers that compare them."""

import re
from collections.abc import Sequence
from importlib.util import find_spec

from tasks.prompts.interface import Row
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.specs import ReaderSpec

_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+|[^\w\s]")


def input_text(row: Row, reader: ReaderSpec) -> str:
    """The input columns of a row, joined by blanks."""
    return " ".join(str(row[column]) for column in reader.input_columns)


def whole_text(row: Row, reader: ReaderSpec) -> str:
    """The input columns and the answer of a row."""
    answer = str(row[reader.output_column]) if reader.output_column else ""
    return f"{input_text(row, reader)} {answer}".strip()


def words(text: str) -> list[str]:
    """Words in lower case, signs, and Chinese characters one by one."""
    return _TOKEN.findall(text.lower())


def require(packages: Sequence[str], extra: str, retriever: str) -> None:
    """UserError with the install line if one of the packages is missing."""
    missing = [name for name in packages if not find_spec(name)]
    if missing:
        message = f"{retriever} needs {', '.join(missing)}, which this machine has not got"
        remedy = f"pip install 'compass-llm-eval[{extra}]'"
        raise UserError(Finding(message, remedy=remedy, kind=FindingKind.MACHINE))

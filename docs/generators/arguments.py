"""What a class takes: names, defaults and meanings, from its signature and the texts under its fields."""

import ast
import inspect
import re
import textwrap
import tomllib
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from docs.generators.markdown import code, table

_MEANINGS = Path(__file__).with_name("meanings.toml")
_LONGEST_DEFAULT = 40


@dataclass(frozen=True)
class Argument:
    """One argument of a class or function."""

    name: str
    default: str
    """As Python writes it; empty where it must be given."""
    meaning: str


def arguments_of(thing: Callable[..., Any], kind: str) -> list[Argument]:
    """All arguments by name, in the order of the signature."""
    texts = _field_texts(thing) | _argument_texts(thing) | _settings_texts(thing) if inspect.isclass(thing) else {}
    known = meanings(kind)
    return [
        Argument(name, _default(thing, parameter), texts.get(name) or known.get(name, ""))
        for name, parameter in inspect.signature(thing).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]


def argument_table(arguments: list[Argument]) -> str:
    """One row per argument."""
    rows = [(code(each.name), code(each.default), each.meaning) for each in arguments]
    return table(("argument", "default", ""), rows)


@cache
def meanings(kind: str) -> dict[str, str]:
    """What arguments mean that many classes of this kind have."""
    return tomllib.loads(_MEANINGS.read_text(encoding="utf-8")).get(kind, {})


def summary_of(thing: Any) -> str:
    """The first sentence of what the code says about it."""
    written = inspect.cleandoc(thing.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    is_generated = is_dataclass(thing) and written.startswith(f"{getattr(thing, '__name__', '')}(")
    return "" if is_generated else written


def _default(thing: Callable[..., Any], parameter: inspect.Parameter) -> str:
    value = parameter.default
    if value is inspect.Parameter.empty:
        return ""
    if is_dataclass(thing):
        made = next((each.default_factory for each in fields(thing) if each.name == parameter.name), MISSING)
        value = value if made is MISSING else _made(made)
    text = repr(value)
    return text if len(text) <= _LONGEST_DEFAULT else "…"


def _made(factory: Any) -> Any:
    """What a factory makes; of one that asks the environment, what it makes where nothing is set."""
    origin = getattr(factory, "__origin__", factory)
    return origin() if isinstance(origin, type) else None


def _field_texts(thing: type) -> dict[str, str]:
    """Texts that stand under the fields of a class and of those it is derived from."""
    texts: dict[str, str] = {}
    for owner in reversed(thing.__mro__):
        if owner.__module__.partition(".")[0] in ("tasks", "blocks", "flows"):
            texts |= _texts_in(owner)
    return texts


def _settings_texts(thing: type) -> dict[str, str]:
    """What the settings of a runner mean."""
    own = fields(thing) if is_dataclass(thing) else ()
    return {each.name: each.metadata["about"] for each in own if "about" in each.metadata}


def _argument_texts(thing: type) -> dict[str, str]:
    """What the constructor's text says: its section `Args:`, and what it only accepts."""
    described = inspect.cleandoc(thing.__init__.__doc__ or "")
    accepted = re.findall(r"((?:`\w+`(?:, | and )?)+) (?:is|are) accepted for compatibility", described)
    texts = {name: "Accepted for compatibility." for names in accepted for name in re.findall(r"`(\w+)`", names)}
    listed = re.findall(r"^    (\w+): (.*(?:\n {6,}.*)*)", described.partition("Args:")[2], re.MULTILINE)
    return texts | {name: " ".join(text.split()) for name, text in listed}


@cache
def _texts_in(owner: type) -> dict[str, str]:
    [definition] = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    found: dict[str, str] = {}
    for before, after in pairwise(body):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and isinstance(after, ast.Expr):
            text = after.value.value if isinstance(after.value, ast.Constant) else ""
            if isinstance(text, str):
                found[before.target.id] = inspect.cleandoc(text).replace("\n", " ")
    return found

"""From what a configuration writes as a `type` to the class or function it means."""

import importlib
import importlib.util
import inspect
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tasks.spec.findings import Finding, FindingKind, Place, UserError, nearest
from tasks.spec.names.installed_names import installed_path
from tasks.spec.names.moved_modules import moved_modules, present_path
from tasks.spec.names.opencompass_modules import stand_ins
from tasks.spec.names.refused_types import refuse_type
from tasks.spec.names.type_table import Kind, TypeEntry, entries_named, entry_of, short_names
from tasks.spec.values import CONFIG_MODULE, TypeRef

NOWHERE = Place()
_SERVED: tuple[Kind, ...] = ("dataset", "evaluator", "postprocessor")
"""Kinds of which OpenCompass's classes can be used through their simple interfaces."""
_OUR_ROOTS = ("tasks", "blocks")
_OUR_PREFIXES = tuple(f"{root}." for root in _OUR_ROOTS)
_IMPORTING = threading.RLock()
"""Held while `sys.path` is longer than usual: shards import their classes from several threads."""


def written_type(written: Any, place: Place = NOWHERE) -> str:
    """The type as text, as the configuration spells it; UserError for what has no name to import it by."""
    if isinstance(written, str):
        return written
    if isinstance(written, TypeRef):
        return written.dotted_path
    module, name = getattr(written, "__module__", None), getattr(written, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        raise UserError(Finding(f"a type is a class, a function or its name, not {type(written).__name__}", place))
    if module in (CONFIG_MODULE, "__main__") or "<" in name:
        remedy = "put it into a module beside the configuration and import it from there"
        raise UserError(Finding(f"{name} is defined where other processes cannot import it from", place, remedy))
    return f"{module}.{name}"


def resolve_type(written: Any, kind: Kind | None, place: Place = NOWHERE, *, prefer_theirs: bool = False) -> str:
    """The dotted path to import for a class, a function, a short or registered name, or a dotted path.

    Dotted paths may be OpenCompass's, ours or the user's. With a kind, a known type of another kind is an error.
    Nothing is imported. UserError names the nearest valid names. With `prefer_theirs`, a path of OpenCompass means its
    own loader, evaluator or post-processor even where we have one, if the package is installed.
    """
    text = written_type(written, place)
    if prefer_theirs and kind in _SERVED and text.startswith("opencompass.") and _is_installed("opencompass"):
        return text
    entry = _known(text, kind)
    if entry is not None:
        if kind is not None and entry.kind != kind:
            message = f"{text} is {_with_article(entry.kind)} where {_with_article(kind)} belongs"
            raise UserError(Finding(message, place, _valid(text, kind)))
        return entry.ours
    refuse_type(text, place)
    top, dot, _ = text.partition(".")
    theirs = installed_path(text) if not dot else None
    if theirs is not None:
        return theirs
    if not dot or not text.replace(".", "_").isidentifier():
        what = f"no {kind}" if kind else "nothing"
        remedy = _valid(text, kind) or "an own class is named by its module and its name, as in 'my_module.MyClass'"
        raise UserError(Finding(f"there is {what} named {text!r}", place, remedy))
    if top == "opencompass" and not _is_installed(top):
        remedy = _valid(text.rpartition(".")[2], kind) or "install opencompass to use what only it has"
        raise UserError(Finding(f"{text} is not known here, and OpenCompass is not installed", place, remedy))
    return text


def their_path(written: str, kind: Kind | None) -> str | None:
    """Where the installed OpenCompass has the loader, evaluator or post-processor of that name; None if it has none."""
    if kind not in _SERVED or not _is_installed("opencompass"):
        return None
    return written if written.startswith("opencompass.") else installed_path(written)


def import_type(dotted: str, search_path: Sequence[str | Path] = ()) -> Any:
    """The class or function at a dotted path of today or of version 0.1; own modules may lie in `search_path`.

    Raises UserError naming the module and the remedy; what the machine lacks is a finding of kind MACHINE.
    """
    if dotted.startswith(_OUR_PREFIXES):
        entry = entry_of(dotted)
        dotted = entry.ours if entry else present_path(dotted)
    module_path, _, name = dotted.rpartition(".")
    with _importable(module_path.partition(".")[0], search_path):
        module, rest = _import_longest(module_path, dotted)
    value: Any = module
    for part in [*rest, name]:
        if not hasattr(value, part):
            if entry_of(dotted) is not None:
                raise _not_in_this_version(dotted)
            where = getattr(module, "__file__", None) or module.__name__
            missing = ".".join([*rest, name])
            raise UserError(Finding(f"{where} has no {missing!r}", remedy=nearest(part, _public_names(value))))
        value = getattr(value, part)
    return value


def _with_article(kind: Kind) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _known(text: str, kind: Kind | None) -> TypeEntry | None:
    if "." in text:
        return entry_of(text)
    entries = entries_named(text)
    return next((entry for entry in entries if entry.kind == kind), entries[0] if entries else None)


def _valid(text: str, kind: Kind | None) -> str:
    return nearest(text, short_names(kind)) if kind else ""


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _import_longest(module_path: str, dotted: str) -> tuple[Any, list[str]]:
    """The innermost module on the path, and the names of the classes between it and the last name."""
    parts, rest = module_path.split("."), list[str]()
    while parts:
        path = ".".join(parts)
        try:
            return importlib.import_module(path), rest
        except ModuleNotFoundError as error:
            if not error.name or not f"{path}.".startswith(f"{error.name}."):
                raise _missing_dependency(dotted, error) from error
            if len(parts) == 1:
                raise _no_module(dotted, path) from None
            rest.insert(0, parts.pop())
        except UserError:
            raise
        except Exception as error:  # a user's module may raise anything
            message = f"importing {path} failed: {type(error).__name__}: {error}{_origin(error)}"
            raise UserError(Finding(message)) from error
    raise _no_module(dotted, module_path)


def _no_module(dotted: str, module: str) -> UserError:
    if entry_of(dotted) is not None:
        return _not_in_this_version(dotted)
    remedy = f"put {module}.py beside the configuration, or install the package it belongs to"
    return UserError(Finding(f"there is no module {module!r} to import {dotted} from", remedy=remedy))


def _not_in_this_version(dotted: str) -> UserError:
    """For a name that configurations may have although nothing stands behind it yet."""
    entry = entry_of(dotted)
    kind = entry.kind if entry else "class"
    message = f"this version of Compass has no {kind} {dotted.rpartition('.')[2]}"
    return UserError(Finding(message, remedy="update Compass, or use another one", kind=FindingKind.MACHINE))


def _missing_dependency(dotted: str, error: ModuleNotFoundError) -> UserError:
    package = (error.name or "").partition(".")[0]
    message = f"{dotted} needs the package {package!r}, which is not installed"
    return UserError(Finding(message, remedy=f"pip install {package}", kind=FindingKind.MACHINE))


def _origin(error: BaseException) -> str:
    frames = inspect.getinnerframes(error.__traceback__) if error.__traceback__ else []
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


def _public_names(value: Any) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]


@contextmanager
def _importable(top: str, search_path: Sequence[str | Path]) -> Generator[None]:
    """Modules of `search_path` can be imported inside, behind all others, so that none of them hides a package.

    Own modules may be written for OpenCompass, which need not be installed for that.
    """
    if top in _OUR_ROOTS:
        yield
        return
    folders = [str(Path(folder).resolve()) for folder in search_path]
    with _IMPORTING, stand_ins(), moved_modules():
        added = [folder for folder in dict.fromkeys(folders) if folder not in sys.path]
        _forget_namesake(top, folders)
        sys.path.extend(added)
        importlib.invalidate_caches()
        try:
            yield
        finally:
            for folder in added:
                sys.path.remove(folder)


def _forget_namesake(top: str, folders: Sequence[str]) -> None:
    """Drops an own module of another run in this process that has the same name as one of this run's."""
    file = getattr(sys.modules.get(top), "__file__", None)
    if not file:
        return
    home = Path(file).parent.parent if Path(file).name == "__init__.py" else Path(file).parent
    here = [folder for folder in folders if Path(folder, f"{top}.py").is_file() or Path(folder, top).is_dir()]
    if here and str(home) not in {*folders, *(str(Path(entry).resolve()) for entry in sys.path)}:
        for name in [name for name in sys.modules if name == top or name.startswith(f"{top}.")]:
            del sys.modules[name]

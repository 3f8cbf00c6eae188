"""Reads configuration files: Python in OpenCompass's dialect, JSON and YAML."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from tasks.spec.config.bases import find_base
from tasks.spec.config.data_files import read_json_config, read_yaml_config
from tasks.spec.config.syntax import BASE_ALL, BASE_NAMES, DICT, REFERENCE, assignment_lines, rewrite
from tasks.spec.findings import Finding, Place, UserError, closest, did_you_mean, nearest
from tasks.spec.python_text import parse_module
from tasks.spec.secrets.names import mask_source
from tasks.spec.storage.printable import one_line
from tasks.spec.storage.user_paths import given_file
from tasks.spec.values import CONFIG_MODULE, FILE_MARK, ConfigDict, TypeRef, as_config

TOP_LEVEL_KEYS = frozenset(
    {
        "models", "datasets", "infer", "eval", "summarizer", "work_dir", "model_dataset_combinations",
        "judge_models", "lark_bot_url", "lark_bot_secret", "slack_webhook_url", "alerts", "station_path",
        "chatml_datasets", "attack", "command_line", "own_classes",
    }
)  # fmt: skip
"""The names that mean something at the top level of a configuration."""
_DATA = (bool, int, float, str, list, tuple, dict, type(None))


@dataclass(frozen=True)
class Config:
    """A configuration file that has been read."""

    path: Path
    values: ConfigDict
    """Public names at its top level, helper variables included."""


def load_config(path: Path, *, as_python: bool = False) -> Config:
    """Reads a `.py`, `.json`, `.yaml` or `.yml` file and the files it is based on; UserError naming file and line.

    With `as_python`, a file of any other name holds Python.
    """
    given = given_file(path)
    if given is None:
        raise UserError(_no_file(path))
    path = given.resolve()
    if path.suffix == ".json":
        return Config(path, read_json_config(path))
    if path.suffix in (".yaml", ".yml"):
        return Config(path, read_yaml_config(path))
    if path.suffix != ".py" and not as_python:
        raise UserError(Finding(f"{path}: a configuration is a .py, .json, .yaml or .yml file"))
    return Config(path, _public(_run(path, ())))


@dataclass(frozen=True)
class _Namespace:
    """What running a file has left behind."""

    names: dict[str, Any]
    """Every name but those with two leading underscores."""
    lines: Mapping[str, int]
    file: str


def _run(path: Path, importers: tuple[Path, ...]) -> _Namespace:
    source = _read(path)
    code = _parse(source, path)
    run = _FileRun(path, importers)
    try:
        exec(compile(code, str(path), "exec", dont_inherit=True), run.names)  # noqa: S102  a configuration is a program
    except UserError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001  the user's own code may raise anything
        _raise_located(error, path, source)
    names = {name: value for name, value in run.names.items() if not name.startswith("__") and value is not run.names}
    return _Namespace(as_config(names, Place(str(path))), {**run.lines, **assignment_lines(code)}, str(path))


class _FileRun:
    """The global names that a running file starts with."""

    def __init__(self, path: Path, importers: tuple[Path, ...]) -> None:
        self.path = path
        self.importers = (*importers, path)
        self.lines: dict[str, int] = {}
        """Where `import *` has brought a name in."""
        self.names: dict[str, Any] = {
            "__name__": CONFIG_MODULE,
            "__file__": str(path),
            FILE_MARK: str(path),
            DICT: self.placed,
            REFERENCE: self.reference,
            BASE_NAMES: self.base_names,
            BASE_ALL: self.base_all,
        }

    def placed(self, line: int, keys: tuple[tuple[Any, int], ...], value: Any) -> Any:
        if not isinstance(value, dict):  # the file has given the name `dict` another meaning
            return value
        lines = {key: (str(self.path), key_line) for key, key_line in keys}
        return ConfigDict.placed(value, Place(str(self.path), line), lines)  # pyright: ignore[reportUnknownArgumentType]

    def reference(self, dotted: str, line: int) -> TypeRef:
        return TypeRef(dotted, Place(str(self.path), line))

    def base_names(self, module: str, level: int, line: int, names: tuple[str, ...]) -> tuple[Any, ...]:
        base = self._base(module, level, line)
        for name in names:
            if name not in base.names:
                message = f"{name!r} is not defined in {base.file}"
                raise UserError(Finding(message, Place(str(self.path), line), nearest(name, base.names)))
        return tuple(base.names[name] for name in names)

    def base_all(self, module: str, level: int, line: int) -> None:
        names = self._base(module, level, line).names
        self.names.update(names)
        self.lines.update(dict.fromkeys(names, line))

    def _base(self, module: str, level: int, line: int) -> _Namespace:
        place = Place(str(self.path), line)
        path = find_base(module, level, self.path, place)
        if path in self.importers:
            chain = " → ".join(str(file) for file in (*self.importers[self.importers.index(path) :], path))
            raise UserError(Finding(f"configurations are based on each other in a circle: {chain}", place))
        return _run(path, self.importers)


def _public(space: _Namespace) -> ConfigDict:
    for name in TOP_LEVEL_KEYS & space.names.keys():
        value = space.names[name]
        if isinstance(value, TypeRef):
            message = f"{value.dotted_path} was imported without read_base(), so {name} is not read from that file"
            raise UserError(Finding(message, value.written_at, "put the import inside `with read_base():`"))
    names = {name: value for name, value in space.names.items() if not name.startswith("_") and _is_value(name, value)}
    lines = {name: (space.file, space.lines.get(name)) for name in names}
    return ConfigDict.placed(names, Place(space.file), lines)


def _is_value(name: str, value: Any) -> bool:
    """Whether a name is a key: not what an import binds, nor a helper that no file could hold."""
    if isinstance(value, TypeRef | type | ModuleType) or callable(value):
        return False
    return isinstance(value, _DATA) or name in TOP_LEVEL_KEYS


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(Finding(f"{path} cannot be read: {error.strerror or error}")) from None


def _parse(source: bytes, path: Path) -> ast.Module:
    try:
        return rewrite(parse_module(source, str(path)), str(path))
    except SyntaxError as error:
        message = f"not valid Python: {error.msg}{_quoted(source, error.lineno)}"
        raise UserError(Finding(message, Place(str(path), error.lineno))) from None
    except ValueError as error:
        raise UserError(Finding(f"not valid Python: {error}", Place(str(path)))) from None
    except (RecursionError, MemoryError):  # the latter is what Python's parser raises
        raise UserError(Finding("not valid Python: it is nested too deeply", Place(str(path)))) from None


def _no_file(path: Path) -> Finding:
    try:
        what = "is a folder" if path.is_dir() else "does not exist"
    except OSError as error:
        what = f"cannot be there: {error.strerror}"
    return Finding(f"the configuration file {one_line(str(path))} {what}", remedy=_near(path))


def _near(path: Path) -> str:
    try:
        beside = [file.name for file in path.parent.glob("*.py")]
    except OSError:
        return ""
    stems = {Path(name).stem: name for name in beside}
    return did_you_mean(str(path.parent / stems[stem]) for stem in closest(path.stem, stems, 2))


def _raise_located(error: BaseException, path: Path, source: bytes) -> NoReturn:
    line, trace = None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == str(path) else line
        trace = trace.tb_next
    message = f"{type(error).__name__}: {error}{_quoted(source, line)}"
    raise UserError(Finding(message, Place(str(path), line))) from None


def _quoted(source: bytes, line: int | None) -> str:
    lines = source.decode("utf-8", "replace").splitlines()
    if line is None or not 0 < line <= len(lines):
        return ""
    return f"\n    {mask_source(lines[line - 1].strip())}"

"""Configurations written as JSON or YAML."""

import json
import warnings
from pathlib import Path
from typing import Any, cast

from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.storage.json_text import load_json
from tasks.spec.values import ConfigDict, as_config


def read_json_config(path: Path) -> ConfigDict:
    """The object in a JSON file; UserError naming the line if it is none."""
    try:
        values = load_json(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise UserError(Finding(f"not valid JSON: {error.msg}", Place(str(path), error.lineno))) from None
    except (OSError, ValueError) as error:  # what is no UTF-8, is nested too deeply, and numbers of over 4,300 digits
        raise UserError(Finding(f"{path} cannot be read: {error}")) from None
    return _checked(as_config(values, Place(str(path))), path)


def read_yaml_config(path: Path) -> ConfigDict:
    """The mapping in a YAML file, with the line of every key; UserError naming the line if it is none."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of anchors that are given again, which YAML allows
            values = _plain(cast(Any, YAML(typ="rt")).load(path.read_text(encoding="utf-8")), str(path))
    except MarkedYAMLError as error:
        problem = cast(Any, error)
        line = problem.problem_mark.line + 1 if problem.problem_mark else None
        raise UserError(Finding(f"not valid YAML: {problem.problem}", Place(str(path), line))) from None
    except RecursionError:
        raise UserError(Finding("not valid YAML: it is nested too deeply", Place(str(path)))) from None
    except (YAMLError, OSError, ValueError) as error:  # what is no UTF-8; impossible dates and numbers
        raise UserError(Finding(f"{path} cannot be read: {error}")) from None
    except (LookupError, TypeError, AttributeError, ArithmeticError):  # which the library raises for some broken files
        raise UserError(Finding("not valid YAML", Place(str(path)))) from None
    return _checked(values, path)


def _checked(values: Any, path: Path) -> ConfigDict:
    if not isinstance(values, ConfigDict) or not all(isinstance(key, str) for key in values):
        raise UserError(Finding("a configuration is a mapping of names to values", Place(str(path))))
    return values


def _plain(value: Any, file: str) -> Any:
    """Built-in types for the round-trip types of the YAML reader, which know their lines."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if isinstance(value, CommentedMap):
        mapping, positions = cast(dict[Any, Any], value), cast(Any, value).lc
        merged = mapping.keys() - (positions.data or {}).keys()  # by `<<`, from where the lines are not told
        lines = {key: (file, positions.key(key)[0] + 1) for key in mapping if key not in merged}
        place = Place(file, positions.line + 1)
        return ConfigDict.placed({key: _plain(item, file) for key, item in mapping.items()}, place, lines)
    if isinstance(value, CommentedSeq):
        return [_plain(item, file) for item in cast(list[Any], value)]
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return value

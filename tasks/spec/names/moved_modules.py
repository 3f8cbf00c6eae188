"""Lets own code and stored runs of version 0.1 name modules of ours that lie elsewhere now."""

import importlib
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from tasks.spec.names.version_0_1 import MODULES


def present_path(dotted: str) -> str:
    """Where the class or function at a dotted path is now."""
    module, dot, name = dotted.rpartition(".")
    return f"{_moved().get(module, module)}{dot}{name}"


def earlier_path(dotted: str) -> str:
    """Where version 0.1 had the class or function."""
    module, dot, name = dotted.rpartition(".")
    return f"{_earlier().get(module, module)}{dot}{name}"


@cache
def _moved() -> dict[str, str]:
    return dict(_pairs())


@cache
def _earlier() -> dict[str, str]:
    return {now: then for then, now in _pairs()}


def _pairs() -> Iterator[tuple[str, str]]:
    for package_then, package_now, names in MODULES:
        for name in names.split():
            then, _, now = name.partition(":")
            yield f"{package_then}.{then}", f"{package_now}.{now or then}"


class _Moved(ModuleType):
    """Stands for a module under its earlier name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__dict__["_module"] = _present(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class _MovedImporter(MetaPathFinder, Loader):
    """Comes last: it is asked for what is not to be found today."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        module, _, name = fullname.rpartition(".")
        is_known = fullname in _moved() or (module in _moved() and hasattr(_present(module), name))
        return ModuleSpec(fullname, self) if is_known else None

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return _Moved(spec.name) if spec.name in _moved() else None

    def exec_module(self, module: ModuleType) -> None:
        """Where a package has the module's name today, what is imported from it is taken from the module."""
        parent, _, name = module.__name__.rpartition(".")
        if not isinstance(module, _Moved):
            sys.modules[module.__name__] = getattr(_present(parent), name)


def _present(module: str) -> ModuleType:
    return importlib.import_module(_moved()[module])


@contextmanager
def moved_modules() -> Generator[None]:
    """Inside, modules of ours can be imported under the names that they had in version 0.1."""
    importer = _MovedImporter()
    sys.meta_path.append(importer)
    try:
        yield
    finally:
        sys.meta_path.remove(importer)

"""Lets classes written for OpenCompass be imported where OpenCompass is not installed.

While a user's own module is imported, `opencompass.…` modules give our classes under OpenCompass's names, its base
classes, and registries whose decorators do nothing. An installed OpenCompass always wins, and nothing stays behind.
"""

import importlib
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

from tasks.spec.findings import Finding, UserError
from tasks.spec.names.type_table import entry_of

_PACKAGE = "opencompass"
_REGISTRIES = "opencompass.registry"
_BASES = {
    "BaseDataset": "tasks.data.interface.BaseDataset",
    "BaseEvaluator": "tasks.score.interface.BaseEvaluator",
}

_MODEL_BASES = ("BaseModel", "BaseAPIModel")
_MODEL_REMEDY = "a model of your own is derived from tasks.models.interface.Backend: see docs/how_to/own_model.md"


class _Registry:
    """Takes what a class is registered under, and leaves the class as it is."""

    def register_module(self, *_: Any, module: Any = None, **__: Any) -> Any:
        return module if module is not None else _unchanged


def _unchanged(registered: Any) -> Any:
    return registered


class _StandIn(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if self.__name__ == _REGISTRIES and name.isupper():
            return _Registry()
        entry = entry_of(f"{self.__name__}.{name}")
        path = entry.ours if entry else _BASES.get(name)
        if path is None:
            raise AttributeError(f"{self.__name__}.{name} is not known here, and OpenCompass is not installed")
        module, _, attribute = path.rpartition(".")
        return getattr(importlib.import_module(module), attribute)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> NoReturn:
        """A class is derived from a name that stands for nothing here."""
        raise self._unknown()

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        raise self._unknown()

    def _unknown(self) -> UserError:
        name = self.__name__.rpartition(".")[2]
        remedy = _MODEL_REMEDY if name in _MODEL_BASES else "install opencompass to use what only it has"
        return UserError(Finding(f"{self.__name__} is not known here, and OpenCompass is not installed", remedy=remedy))


class _StandInImporter(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if fullname.partition(".")[0] == _PACKAGE else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run: names are looked up when they are asked for."""


@contextmanager
def stand_ins() -> Generator[None]:
    """Inside, `opencompass` can be imported even where it is not installed."""
    importer = _StandInImporter()
    sys.meta_path.append(importer)
    try:
        yield
    finally:
        sys.meta_path.remove(importer)
        for name, module in list(sys.modules.items()):
            if isinstance(module, _StandIn):
                del sys.modules[name]

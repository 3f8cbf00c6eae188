"""Which file an import inside `with read_base():` means."""

import importlib.util
from pathlib import Path

from tasks.spec.findings import Finding, Place, UserError

PACKAGED_CONFIGS = Path(__file__).parents[3] / "configs"
"""Folder of the configurations that come with the product."""


def find_base(module: str, level: int, importer: Path, place: Place) -> Path:
    """The file of `from <level dots><module> import …` written in `importer`; UserError naming where it was looked for.

    `opencompass.configs.…` and `configs.…` are the packaged configurations, then those of an installed OpenCompass.
    """
    candidates = _relative(module, level, importer) if level else _absolute(module, importer)
    for candidate in candidates:
        if candidate.is_file():
            return candidate.resolve()
    looked = ", ".join(map(str, candidates)) or "nowhere: no such package is installed"
    remedy = "`compass list` shows the configurations there are" if "configs" in module.split(".") else ""
    raise UserError(Finding(f"there is no configuration {'.' * level}{module} (looked for {looked})", place, remedy))


def installed_configs() -> Path | None:
    """Folder of the configurations of an installed OpenCompass, which is not imported for that."""
    folder = _package_folder("opencompass")
    return folder / "configs" if folder and (folder / "configs").is_dir() else None


def _relative(module: str, level: int, importer: Path) -> list[Path]:
    folder = importer.parent
    for _ in range(level - 1):
        folder = folder.parent
    return [_file(folder, module)]


def _absolute(module: str, importer: Path) -> list[Path]:
    top, _, rest = module.partition(".")
    if module.startswith("opencompass.configs."):
        name = module.removeprefix("opencompass.configs.")
        installed = installed_configs()
        return [_file(PACKAGED_CONFIGS, name), *([_file(installed, name)] if installed else [])]
    packaged = [_file(PACKAGED_CONFIGS, rest)] if top == "configs" and rest else []
    package = _package_folder(top)
    own = [_file(importer.parent, module), _file(Path.cwd(), module)]
    return [*packaged, *dict.fromkeys(own), *([_file(package, rest)] if package and rest else [])]


def _file(folder: Path, module: str) -> Path:
    *folders, name = module.split(".")
    return folder.joinpath(*folders, f"{name}.py")


def _package_folder(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    locations = list(spec.submodule_search_locations or ()) if spec else []
    return Path(locations[0]) if locations else None

"""The wheel alone, in a new environment with the constraints, used from an empty folder."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest
from support.repository import PACKAGES, ROOT, repository_files
from support.scripted_server import ScriptedServer

pytestmark = pytest.mark.slow

ANSWERS = {
    row["question"]: row["answer"]
    for line in (ROOT / "configs/datasets/demo_arithmetic/demo_arithmetic.jsonl").read_text().splitlines()
    for row in [json.loads(line)]
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing left in the checkout gets into it."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in repository_files():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    build = ["uv", "build", "--quiet", "--wheel", "--out-dir"]
    command = build if find_spec("uv") else ["pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run([sys.executable, "-m", *command, str(target), str(source)], check=True)
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel and what the constraints make of its dependencies."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    pins = ROOT / "deployments/constraints/constraints.txt"
    subprocess.run([ROOT / ".ci/new_venv.sh", folder], check=True, env={**os.environ, "PYTHON": sys.executable})
    subprocess.run([ROOT / ".ci/install.sh", folder, wheel, "-c", pins], check=True)
    return folder


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(lambda question: f"The answer is {ANSWERS[question]}.") as running:
        yield running


def _outside() -> dict[str, str]:
    """The variables of this process without those that lead back to the checkout."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == {
        name for name in repository_files() if name.startswith(tuple(f"{folder}/" for folder in PACKAGES))
    }


def test_a_named_model_and_dataset_run_from_an_empty_folder(
    environment: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    named = ["--models", "openai_compatible", "--datasets", "demo_arithmetic_gen"]
    service = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "any", "OPENAI_MODEL": "scripted"}
    ended = subprocess.run(
        [environment / "bin/compass", *named, "--limit", "6", "--inline"],
        cwd=tmp_path,
        env=_outside() | service,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert server.requests == 6
    (results,) = tmp_path.glob("outputs/default/*/results/scripted/demo_arithmetic.json")
    assert json.loads(results.read_text())["accuracy"] == 100
    (table,) = tmp_path.glob("outputs/default/*/summary/*.txt")
    assert "100.00" in table.read_text()


def test_the_installed_version_is_the_one_of_the_project(environment: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    code = f"from importlib.metadata import version; print(version({project['name']!r}))"
    ended = subprocess.run([environment / "bin/python", "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == project["version"]


def test_the_server_of_prefect_imports_with_the_constraints(environment: Path, tmp_path: Path) -> None:
    """A newer FastAPI has broken it before."""
    quiet = {"PREFECT_HOME": str(tmp_path), "PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1"}
    command = [environment / "bin/python", "-P", "-c", "import prefect.server.api.server"]
    ended = subprocess.run(command, cwd=tmp_path, env=_outside() | quiet, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr

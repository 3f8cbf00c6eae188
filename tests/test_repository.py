"""What the repository promises as a whole: documents, versions, data of its own, no trace of how it was made."""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from support.repository import ROOT, repository_files

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
MENTIONS = {
    "a path of one machine": r"(?<![\w.])/" + r"(work|root)/",
    "unfinished work": r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b",
    "a tracker": r"\b[Ii]ssue " + r"#?\d|\bissues " + r"show\b",
    "a document that is not here": r"design\." + r"md|\b[Dd]esign §|\b[Dd]ecision \d",
    "who wrote it": r"(?i)co-authored" + r"-by|generated " + r"(by|with) (an? )?(ai|llm|claude|gpt|copilot)\b",
}


def _text_of(name: str) -> str:
    return (ROOT / name).read_text(errors="replace")


def _rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in _text_of(f"configs/datasets/{name}/{name}.jsonl").splitlines()]


def _requirements(lines: list[str]) -> list[Requirement]:
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("what", MENTIONS)
def test_no_file_mentions(what: str) -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in repository_files()
        if not name.endswith(".png")
        for number, line in enumerate(_text_of(name).splitlines(), start=1)
        if re.search(MENTIONS[what], line)
    ]
    assert not found


def test_source_files_stay_readable() -> None:
    sources = [
        name for name in repository_files() if name.endswith(".py") and not name.startswith(("configs/", "tests/"))
    ]
    lengths = {name: len(_text_of(name).splitlines()) for name in sources}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_links_between_documents_lead_somewhere() -> None:
    pages = [name for name in repository_files() if name.endswith(".md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", _text_of(page))]
    local = [(page, link) for page, link in links if "://" not in link]
    assert local
    assert [(page, link) for page, link in local if not (ROOT / page).parent.joinpath(link).exists()] == []


def test_the_license_is_apache_2() -> None:
    text = _text_of("LICENSE")
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "Copyright [yyyy] [name of copyright owner]" in text


def test_the_changelog_speaks_of_this_version_first() -> None:
    first = re.search(r"^## (\S+)", _text_of("CHANGELOG.md"), re.MULTILINE)
    assert first
    assert first[1] == PROJECT["version"]


def test_continuous_integration_runs_make_test_and_nothing_else() -> None:
    lines = [line for line in _text_of(".ci/run").splitlines() if line and not line.startswith("#")]
    assert lines == ["set -euo pipefail", 'cd "$(dirname "${BASH_SOURCE[0]}")/.."', "make test"]
    assert (ROOT / ".ci/run").stat().st_mode & 0o111 == 0o111


@pytest.mark.parametrize(
    "package",
    [
        "prefect",
        "prefect-dask",
        "dask",
        "openai",
        "vllm",
        "lmdeploy",
        "transformers",
        "pandas",
        "sqlalchemy",
        "slack-sdk",
    ],
)
def test_the_agreed_packages_can_be_had(package: str) -> None:
    lines = [*PROJECT["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    assert package in {requirement.name for requirement in _requirements(lines)}


@pytest.mark.parametrize(
    ("constraints", "extras"),
    [
        (
            "constraints",
            [
                "hub",
                "score",
                "tiktoken",
                "hf",
                "dask",
                "report",
                "station",
                "slack",
                "demo",
                "vendors",
                "retrievers",
                "dlc",
                "volc",
                "kubernetes",
                "test",
            ],
        ),
        ("vllm", ["hub", "vllm"]),
        ("lmdeploy", ["hub", "lmdeploy"]),
    ],
)
def test_constraints_pin_every_direct_dependency_within_its_range(constraints: str, extras: list[str]) -> None:
    lines = _text_of(f"deployments/constraints/{constraints}.txt").splitlines()
    pins = {requirement.name: requirement for requirement in _requirements([x for x in lines if x[0] != "#"])}
    wanted = _requirements([*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])])
    for requirement in wanted:
        if requirement.name != PROJECT["name"]:
            (pin,) = pins[requirement.name.replace(".", "-").replace("_", "-")].specifier
            assert requirement.specifier.contains(pin.version), requirement


def test_the_word_problems_are_many_and_have_whole_numbers_as_answers() -> None:
    rows = _rows("demo_arithmetic")
    assert len(rows) >= 64
    assert len({row["question"] for row in rows}) == len(rows)
    assert all(row["answer"].isdigit() for row in rows)


def test_the_quiz_favours_no_letter() -> None:
    rows = _rows("demo_choice")
    assert len(rows) >= 32
    assert all(len({row[letter] for letter in "ABCD"}) == 4 for row in rows)
    for taken in (rows, rows[:24]):
        counts = Counter(row["answer"] for row in taken)
        assert max(counts[letter] for letter in "ABCD") - min(counts[letter] for letter in "ABCD") <= 1


def test_no_test_folder_is_a_package() -> None:
    assert [name for name in repository_files() if Path(name).match("tests/**/__init__.py")] == []


_CODE = ("flows", "tasks", "blocks")
_MOST_MODULES = 25
_LARGE = {"tasks/data/benchmarks", "tasks/score/answers"}
"""Folders of many small modules of one kind."""


def test_folders_of_code_stay_small() -> None:
    modules = [name for name in repository_files() if name.startswith(_CODE) and name.endswith(".py")]
    sizes = Counter(str(Path(name).parent) for name in modules if not name.endswith("/__init__.py"))
    assert {folder for folder, size in sizes.items() if size > _MOST_MODULES} - _LARGE == set()


def test_the_folders_that_the_architecture_names_exist() -> None:
    named = re.findall(r"`((?:flows|tasks|blocks)(?:/[a-z_0-9]+)+)/?`", _text_of("docs/architecture.md"))
    assert len(named) > len(_CODE)
    assert [folder for folder in named if not (ROOT / folder).is_dir()] == []

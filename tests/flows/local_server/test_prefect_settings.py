import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from flows.local_server.prefect_settings import ApiAddress, configured_api
from tasks.spec.findings import UserError


@dataclass(frozen=True)
class Case:
    """Files of a folder, with a home in `home`, and variables; `{here}` is that folder."""

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    expected: str | None = None

    def prepare(self, folder: Path) -> dict[str, str]:
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return {"HOME": str(folder / "home")} | {
            name: value.format(here=folder) for name, value in self.environ.items()
        }


PROFILES = """\
active = "mine"
[profiles.mine]
PREFECT_API_URL = "http://mine:1/api"
[profiles.other]
PREFECT_API_URL = "http://other:1/api"
[profiles.none]
"""
ENVIRONMENT = {"PREFECT_API_URL": "http://environment:1/api"}
DOTENV = {".env": "PREFECT_API_URL=http://dotenv:1/api\n"}
PREFECT_TOML = {"prefect.toml": '[api]\nurl = "http://prefect-toml:1/api"\n'}
PYPROJECT = {"pyproject.toml": '[tool.prefect.api]\nurl = "http://pyproject:1/api"\n'}
PROFILE = {"home/.prefect/profiles.toml": PROFILES}
CASES = {
    "nothing": Case(),
    "environment first": Case(DOTENV | PREFECT_TOML | PYPROJECT | PROFILE, ENVIRONMENT, "http://environment:1/api"),
    "lower case": Case({}, {"prefect_api_url": "http://lower:1/api"}, "http://lower:1/api"),
    "dotenv second": Case(DOTENV | PREFECT_TOML | PYPROJECT | PROFILE, {}, "http://dotenv:1/api"),
    "prefect.toml third": Case(PREFECT_TOML | PYPROJECT | PROFILE, {}, "http://prefect-toml:1/api"),
    "pyproject fourth": Case(PYPROJECT | PROFILE, {}, "http://pyproject:1/api"),
    "profile last": Case(PROFILE, {}, "http://mine:1/api"),
    "another profile": Case(PROFILE, {"PREFECT_PROFILE": "other"}, "http://other:1/api"),
    "a profile without address": Case(PROFILE, {"PREFECT_PROFILE": "none"}),
    "a profile that is not there": Case(PROFILE, {"PREFECT_PROFILE": "nowhere"}),
    "another home": Case({"h/profiles.toml": PROFILES}, {"PREFECT_HOME": "{here}/h"}, "http://mine:1/api"),
    "another file": Case({"p.toml": PROFILES}, {"PREFECT_PROFILES_PATH": "{here}/p.toml"}, "http://mine:1/api"),
    "another file by prefect.toml": Case(
        {"p.toml": PROFILES, "prefect.toml": 'profiles_path = "p.toml"'}, {}, "http://mine:1/api"
    ),
    "emptied": Case(PROFILE, {"PREFECT_API_URL": ""}),
}

ASK_PREFECT = """
import json, os, pathlib, sys
cases = json.load(sys.stdin)
import prefect.settings.sources, prefect.settings.models.root
answers = {}
for name, (folder, environ) in cases.items():
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    prefect.settings.sources.DEFAULT_PREFECT_HOME = pathlib.Path(environ["HOME"]) / ".prefect"
    answers[name] = prefect.settings.models.root.Settings().api.url or None
json.dump(answers, sys.stdout)
"""


@pytest.mark.parametrize("name", CASES)
def test_the_first_source_that_sets_an_address_counts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = CASES[name].prepare(tmp_path)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    address = configured_api(environ, tmp_path)
    assert (address and address.url) == CASES[name].expected


def test_prefect_itself_reads_the_same_addresses(tmp_path: Path) -> None:
    cases = {}
    for number, (name, case) in enumerate(CASES.items()):
        (tmp_path / str(number)).mkdir()
        cases[name] = (str(tmp_path / str(number)), case.prepare(tmp_path / str(number)))
    answer = subprocess.run(
        [sys.executable, "-c", ASK_PREFECT], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    assert json.loads(answer.stdout) == {name: case.expected for name, case in CASES.items()}


def test_credentials_may_come_from_another_source_than_the_address(tmp_path: Path) -> None:
    api = '[api]\nauth_string = "u:p"\nkey = "k"\ntls_insecure_skip_verify = true\n'
    files = {"prefect.toml": f'{api}[client]\ncustom_headers = {{ a = "b" }}\n'}
    address = configured_api(Case(files, ENVIRONMENT).prepare(tmp_path), tmp_path)
    assert address == ApiAddress(
        "http://environment:1/api",
        auth_string="u:p",
        api_key="k",
        headers={"a": "b"},
        verify_tls=False,
        source="environment",
    )


def test_secrets_are_not_shown() -> None:
    address = ApiAddress(
        "https://user:pass@host:1/api", auth_string="secret-1", api_key="secret-2", headers={"x": "secret-3"}
    )
    assert "secret" not in repr(address)
    assert address.shown_url == "https://host:1/api"
    assert address.ui_url == "https://host:1"


@pytest.mark.parametrize(
    ("files", "environ", "said"),
    [
        ({"prefect.toml": "[api"}, {}, "prefect.toml"),
        ({"home/.prefect/profiles.toml": "active = "}, {}, "profiles.toml"),
        ({}, {"PREFECT_API_URL": "localhost:4200"}, "'localhost:4200' is not the address"),
        ({}, ENVIRONMENT | {"PREFECT_CLIENT_CUSTOM_HEADERS": "[1]"}, "PREFECT_CLIENT_CUSTOM_HEADERS"),
    ],
)
def test_unusable_settings_name_their_place(
    files: dict[str, str], environ: dict[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    with pytest.raises(UserError, match=said):
        configured_api(Case(files, environ).prepare(tmp_path), tmp_path)

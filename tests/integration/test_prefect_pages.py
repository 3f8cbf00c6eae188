"""What people see of runs and deployments on Prefect's pages, in a real browser.

The pictures of docs/ are made by it:

    COMPASS_PICTURES=docs .venv/bin/python -m pytest --basetemp /tmp/evaluations tests/integration/test_prefect_pages.py
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support.browser import chromium
from support.scripted_server import failed
from support.workspace import ROOT, Workspace, make_workspace

from flows.local_server.health import call
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.start import own_address
from flows.local_server.state import server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]


PICTURE = "<img src=x onerror=window.hacked=1>"
LINK = "[x](javascript:window.hacked=1)"
EVIL = (
    f"<script>window.hacked=1</script>{PICTURE} | {LINK} ![x](http://127.0.0.1:9/seen) "
    "<a href='javascript:window.hacked=1'>y</a> <svg/onload=window.hacked=1>"
)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace


@pytest.fixture
def api(prefect_state: dict[str, str], workspace: Workspace) -> ApiAddress:
    """The server, after a run of which one pair failed, and with the deployments."""
    workspace.write({"arithmetic": 30, "hard_sums": 40})
    workspace.server.decide = lambda call: failed(500) if int(re.findall(r"\d+", call.last_user)[0]) >= 30 else None
    assert workspace.run(str(workspace.config), environ=prefect_state).returncode == 1
    done = subprocess.run(
        [sys.executable, "-P", "-m", "flows.terminal.cli", "deploy"],
        cwd=workspace.folder, env={**os.environ, **prefect_state, "PYTHONPATH": str(ROOT)}, capture_output=True,
        text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    address = own_address(server_files(prefect_state))
    assert address is not None
    return address


def record(api: ApiAddress, path: str, body: Any = None) -> Any:
    reply = call(api, path, body)
    assert reply.status == 200, reply
    return reply.body


def test_a_run_its_artifacts_and_the_form_of_a_deployment(api: ApiAddress, workspace: Workspace):
    run = workspace.read("run.json")["invocations"][-1]["flow_run_id"]
    [artifact] = record(api, "/artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run]}}})
    deployment = record(api, "/deployments/name/compass/eval")["id"]
    stages = record(api, "/flow_runs/filter", {"flow_runs": {"parent_flow_run_id": {"any_": [run]}}})
    [infer] = [stage for stage in stages if stage["name"].startswith("infer")]
    assert infer["state_type"] == "FAILED" and "10 of 40 samples have no answer" in infer["state"]["message"]
    name = f"my_eval {workspace.run_folder.name}"
    with chromium() as browser:
        page = logged_in(browser, api)
        page.goto(f"{api.ui_url}/v2/runs/flow-run/{run}?tab=Details")
        expect(page.get_by_text(name, exact=True)).to_be_visible()
        expect(page.get_by_text("model:adder").first).to_be_visible()
        expect(page.get_by_text("adder/hard_sums: inference failed: 10 of 40").first).to_be_visible()
        take(page, "prefect_run.png")

        page.goto(f"{api.ui_url}/v2/artifacts/artifact/{artifact['id']}")
        expect(page.get_by_text("To go on").first).to_be_visible()
        expect(page.get_by_role("cell", name="100.00").first).to_be_visible()
        expect(page.get_by_text(str(workspace.run_folder.resolve()), exact=True).first).to_be_visible()
        expect(page.get_by_role("cell", name="logs/infer/adder/hard_sums.out")).to_be_visible()
        expect(page.get_by_role("cell", name="10 of 40 samples have no answer").first).to_be_visible()
        take(page, "prefect_artifact.png")

        page.goto(f"{api.ui_url}/v2/deployments/deployment/{deployment}/run")
        expect(page.get_by_text("Names of model configurations, instead of a file").first).to_be_visible()
        take(page, "prefect_form.png")


def test_what_services_say_and_things_are_called_is_text(prefect_state: dict[str, str], workspace: Workspace):
    """On the pages of the run, of its tasks' logs and of its artifacts."""
    workspace.server.answer = lambda text: EVIL
    workspace.server.decide = lambda call: failed(400, message=EVIL) if "4 + 5" in call.last_user else None
    names = f"models[0]['abbr'] = {'adder' + PICTURE!r}\ndatasets[0]['abbr'] = {'sums' + LINK!r}\n"
    workspace.write({"sums": 6}, extra=names)
    assert workspace.run(str(workspace.config), environ=prefect_state).returncode == 1
    api = own_address(server_files(prefect_state))
    assert api is not None
    run = workspace.read("run.json")["invocations"][-1]["flow_run_id"]
    stages = record(api, "/flow_runs/filter", {"flow_runs": {"parent_flow_run_id": {"any_": [run]}}})
    runs = [run, *(stage["id"] for stage in stages if stage["name"].startswith("infer"))]
    artifacts = record(api, "/artifacts/filter", {"artifacts": {"flow_run_id": {"any_": runs}}})
    assert PICTURE in "".join(str(artifact["data"]) for artifact in artifacts).replace("\\", "")
    fetched: list[str] = []
    with chromium() as browser:
        page = logged_in(browser, api)
        page.on("request", lambda request: fetched.append(request.url))
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        paths = [f"runs/flow-run/{shown}?tab={tab}" for shown in runs[:2] for tab in ("Details", "Logs")]
        for path in [*paths, *(f"artifacts/artifact/{artifact['id']}" for artifact in artifacts)]:
            page.goto(f"{api.ui_url}/v2/{path}")
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(500)
            assert page.evaluate("window.hacked") is None, path
            assert page.locator("img[src=x], a[href^=javascript], img[src*='127.0.0.1:9/']").count() == 0, path
            if path.endswith((f"{run}?tab=Details", str(artifacts[-1]["id"]))):
                expect(page.get_by_text(PICTURE).first).to_be_visible()
    assert not [url for url in fetched if ":9/seen" in url]


def logged_in(browser: Browser, api: ApiAddress) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 1080})
    page.goto(api.ui_url)
    page.get_by_placeholder("admin:pass").fill(str(api.auth_string))
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_text("Dashboard").first).to_be_visible()
    return page


def take(page: Page, name: str) -> None:
    """The picture for the documentation, if it is wanted."""
    if folder := os.environ.get("COMPASS_PICTURES"):
        page.wait_for_timeout(5000)  # until bars and tables have found their places
        page.screenshot(path=ROOT / folder / name)

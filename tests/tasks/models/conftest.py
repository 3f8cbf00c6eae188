"""Retries without their waiting times, except where a test is about these."""

import pytest
from tenacity import wait_none


@pytest.fixture(autouse=True)
def no_back_off(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "real_back_off" not in request.fixturenames:
        monkeypatch.setattr("tasks.models.http.retries._BACK_OFF", wait_none())


@pytest.fixture
def real_back_off() -> None:
    """For a test about the waiting times themselves."""

"""A headless Chromium for tests of pages; they skip where there is none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

_PATIENCE = 20_000
"""Milliseconds until what a page should show is missed, on a busy machine."""
_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser of its own; skips the test where none is installed.

    Close it before anything in this thread runs an event loop: the driver's own runs until then.
    """
    path = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium on this machine: `make tests` installs it")
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as driver:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()

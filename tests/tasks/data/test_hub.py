"""The hub's own client against a server that speaks its protocol, on a machine that has an empty cache."""

import importlib
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tasks.data.benchmarks.gsm8k import GSM8KDataset
from tasks.data.hub import hub_file
from tasks.spec.findings import FindingKind, UserError

pytest.importorskip("huggingface_hub")
parquet = pytest.importorskip("pyarrow.parquet")

REVISION = "7" * 40
ROWS = [{"question": "1+1=?", "answer": "#### 2"}]


class Hub:
    """A hub with one file, whatever it is asked for."""

    def __init__(self, content: bytes) -> None:
        hub = self
        self.requests: list[str] = []
        self.status = 200

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                hub.requests.append(f"{self.command} {self.path}")
                self.send_response(hub.status)
                self.send_header("X-Repo-Commit", self.path.split("/resolve/")[-1].split("/")[0])
                self.send_header("ETag", '"content"')
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()

            def do_GET(self) -> None:
                self.do_HEAD()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN", "COMPASS_DATA_CACHE"):
        monkeypatch.delenv(name, raising=False)
    constants = importlib.import_module("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    pyarrow = importlib.import_module("pyarrow")
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    hub = Hub((tmp_path / "rows.parquet").read_bytes())
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    yield hub
    hub.close()


def test_gsm8k_comes_from_the_endpoint_that_is_set_and_only_once(hub: Hub) -> None:
    assert GSM8KDataset.load() == {"train": ROWS, "test": ROWS}
    asked = len(hub.requests)
    assert all("/datasets/openai/gsm8k/resolve/" in request for request in hub.requests)
    assert GSM8KDataset.load() == {"train": ROWS, "test": ROWS}
    assert len(hub.requests) == asked


def test_with_neither_data_nor_network_the_error_names_both_remedies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UserError) as error:
        GSM8KDataset.load()
    [finding] = error.value.findings
    assert finding.kind is FindingKind.MACHINE
    assert "HF_HUB_OFFLINE is set" in finding.message
    assert all(
        name in finding.remedy for name in ("COMPASS_DATA_CACHE", "unset HF_HUB_OFFLINE", "~/.cache/huggingface")
    )


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_offline_variables_forbid_the_network(hub: Hub, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(UserError, match=f"{variable} is set"):
        hub_file("openai/gsm8k", "main/test.parquet", REVISION)
    assert hub.requests == []


def test_an_endpoint_that_does_not_answer_is_named_with_remedies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(UserError, match="hub did not give it") as error:
        hub_file("openai/gsm8k", "main/test.parquet", REVISION)
    assert error.value.findings[0].kind is FindingKind.MACHINE
    assert "HF_ENDPOINT" in error.value.findings[0].remedy


def test_a_copied_cache_suffices_even_of_another_revision(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hub_file("openai/gsm8k", "main/test.parquet", "main")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert hub_file("openai/gsm8k", "main/test.parquet", REVISION).is_file()
    assert "unpinned copy" in caplog.text


def test_a_refusing_hub_is_asked_briefly(hub: Hub) -> None:
    hub.status = 503
    with pytest.raises(UserError, match="503"):
        hub_file("openai/gsm8k", "main/test.parquet", REVISION)
    assert len(hub.requests) == 2


def test_a_missing_package_is_named_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(
        UserError, match=r"(?s)needs the package huggingface_hub.*pip install 'compass-llm-eval\[hub\]'"
    ):
        hub_file("openai/gsm8k", "main/test.parquet", REVISION)

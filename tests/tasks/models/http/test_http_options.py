"""Proxies, certificates and extra headers hold for the requests that are really sent."""

import datetime
import ipaddress
import ssl
from pathlib import Path
from typing import Any

import pytest
from support.asking import ask_one, chat_model
from support.scripted_server import ScriptedServer

from tasks.models.engines.model_server import free_port
from tasks.models.http.options import HttpOptions, http_options, proxy_for
from tasks.spec.findings import UserError
from tasks.spec.status import Status

ELSEWHERE = "http://service.invalid/v1"
"""Reached only through a proxy."""
PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "all_proxy"])
def test_proxy_of_the_environment(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer() as proxy:
        monkeypatch.setenv(variable, proxy.root)
        assert ask_one(chat_model(ELSEWHERE, retry=0), "hi").status is Status.OK
    assert proxy.calls[0].headers["Host"] == "service.invalid"


def test_loopback_is_asked_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    with ScriptedServer() as server:
        for host in ("127.0.0.1", "localhost"):
            assert ask_one(chat_model(server.url.replace("127.0.0.1", host), retry=0), "hi").status is Status.OK


@pytest.mark.parametrize(
    ("url", "proxied"),
    [
        ("http://api.example.com/v1", True), ("http://inner.corp.example/v1", False), ("http://corp.example/v1", False),
        ("https://api.example.com/v1", False), ("http://[::1]:80/v1", False), ("http://127.8.8.8/v1", False),
    ],
)  # fmt: skip
def test_no_proxy_excepts_hosts(url: str, proxied: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "proxy:3128")
    monkeypatch.setenv("no_proxy", "corp.example")
    assert proxy_for(url, HttpOptions()) == ("http://proxy:3128" if proxied else None)
    assert proxy_for(url, HttpOptions(trust_env=False)) is None


@pytest.mark.parametrize(
    "arguments",
    [
        lambda url: {"openai_proxy_url": url},
        lambda url: {"http_client_cfg": {"proxy": url}},
        lambda url: {"http_client_cfg": {"proxies": url}},
        lambda url: {"http_client_cfg": {"proxies": {"http://": url, "https://": url}}},
        lambda url: {"openai_proxy_url": url, "http_client_cfg": {"proxy": "http://wrong.invalid"}},
    ],
)
def test_proxy_of_the_configuration(arguments: Any) -> None:
    with ScriptedServer() as proxy:
        user = proxy.root.replace("://", "://me:pass@")
        assert ask_one(chat_model(ELSEWHERE, retry=0, **arguments(user)), "hi").status is Status.OK
    assert proxy.calls[0].headers["Proxy-Authorization"] == "Basic bWU6cGFzcw=="
    assert proxy.calls[0].key == "EMPTY"


def test_proxy_that_is_not_there() -> None:
    proxy = f"http://me:pass@127.0.0.1:{free_port()}"
    completion = ask_one(chat_model(ELSEWHERE, retry=0, openai_proxy_url=proxy), "hi")
    assert completion.error == "the proxy cannot be reached: Connection refused (service.invalid)"


def test_proxy_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_PROXY_URL", raising=False)
    with pytest.raises(UserError, match="OPENAI_PROXY_URL is not set"):
        http_options({}, "ENV")
    monkeypatch.setenv("OPENAI_PROXY_URL", "http://proxy:1")
    assert http_options({}, "ENV").proxy == "http://proxy:1"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"proxy": "socks5://p:1"}, "socks5"),
        ({"proxies": {"http://": "http://a", "https://": "http://b"}}, "different proxies"),
        ({"verfy": False}, "'verify'"),
    ],
)
def test_options_that_cannot_be_used(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(UserError, match=named):
        http_options(settings, None)


def test_extra_headers() -> None:
    with ScriptedServer() as server:
        ask_one(chat_model(server.url, http_client_cfg={"headers": {"X-Team": "a"}}), "hi")
    assert server.calls[0].headers["X-Team"] == "a"


def test_certificates_are_checked_as_configured(tmp_path: Path) -> None:
    certificate = _self_signed(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with ScriptedServer(certificate=context) as server:
        refused = ask_one(chat_model(server.url, retry=0), "hi")
        assert str(refused.error).startswith("certificate not accepted: ")
        for verify in (False, str(certificate)):
            assert ask_one(chat_model(server.url, http_client_cfg={"verify": verify}), "hi").status is Status.OK


def _self_signed(folder: Path) -> Path:
    """One file with a key and a certificate for 127.0.0.1."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    path = folder / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path

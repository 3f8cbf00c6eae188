"""How a model's service is reached over HTTP: proxies, certificates, extra headers."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tasks.spec.findings import Finding, FindingKind, Place, UserError, nearest

_PLACE = "http_client_cfg"


@dataclass(frozen=True)
class HttpOptions:
    """What `http_client_cfg` may say, under the names that httpx gives it."""

    proxy: str | None = None
    """Used for every address, loopback too; without it the environment's proxies hold."""
    verify: bool | str = True
    """Whether certificates are checked, or the file of authorities to check them with."""
    cert: str | tuple[str, str] | None = field(default=None, repr=False)
    """The client's own certificate: one file, or certificate and key."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    trust_env: bool = True
    """Whether `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` count."""


def http_options(settings: Mapping[str, Any], openai_proxy_url: str | None) -> HttpOptions:
    """The options written as `http_client_cfg` and `openai_proxy_url` (`ENV`: $OPENAI_PROXY_URL).

    UserError for what is no option, or cannot be had.
    """
    options = dict(settings)
    if "proxies" in options:
        options["proxy"] = _one_proxy(options.pop("proxies"))
    valid = HttpOptions.__dataclass_fields__
    unknown = [name for name in options if name not in valid]
    if unknown:
        raise UserError(
            [Finding(f"unknown option {name!r}", Place(key=_PLACE), nearest(name, valid)) for name in unknown]
        )
    if openai_proxy_url is not None:
        options["proxy"] = _openai_proxy(openai_proxy_url)
    proxy = options.pop("proxy", None)
    return HttpOptions(proxy=_http_proxy(proxy, _PLACE) if proxy else None, **options)


def proxy_for(url: str, options: HttpOptions) -> str | None:
    """The proxy through which `url` is asked; the environment's never holds for loopback addresses."""
    if options.proxy is not None:
        return options.proxy
    host = urlsplit(url).hostname or ""
    if not options.trust_env or is_loopback(host):
        return None
    from urllib.request import getproxies, proxy_bypass

    if proxy_bypass(host):
        return None
    proxies = getproxies()
    scheme = urlsplit(url).scheme
    proxy = proxies.get(scheme) or proxies.get("all")
    return _http_proxy(proxy, f"{scheme}_proxy") if proxy else None


def is_loopback(host: str) -> bool:
    """Whether the host is this machine, by its name or address."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _one_proxy(proxies: Any) -> str | None:
    """`proxies` of older httpx versions: one address, or addresses by scheme that are all the same."""
    addresses: set[Any] = set(proxies.values()) if isinstance(proxies, Mapping) else {proxies}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if len(addresses) > 1:
        remedy = "leave `proxies` out and export http_proxy, https_proxy and no_proxy"
        raise UserError(Finding("different proxies by scheme are not supported here", Place(key=_PLACE), remedy))
    return addresses.pop() if addresses else None


def _openai_proxy(address: str) -> str:
    if address != "ENV":
        return address
    if "OPENAI_PROXY_URL" not in os.environ:
        message = "openai_proxy_url='ENV', but the environment variable OPENAI_PROXY_URL is not set"
        raise UserError(
            Finding(message, Place(key="openai_proxy_url"), "export OPENAI_PROXY_URL=…", FindingKind.MACHINE)
        )
    return os.environ["OPENAI_PROXY_URL"]


def _http_proxy(address: str, key: str) -> str:
    """The address with its scheme; only HTTP proxies can be used."""
    if "://" not in address:
        return f"http://{address}"
    scheme = urlsplit(address).scheme
    if scheme not in ("http", "https"):
        remedy = "give the proxy's HTTP port, or except the service with no_proxy"
        raise UserError(Finding(f"a {scheme} proxy cannot be used", Place(key=key), remedy, FindingKind.MACHINE))
    return address

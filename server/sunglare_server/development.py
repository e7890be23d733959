"""Settings by which a process keeps no secret from others, and what they go with."""

import ipaddress
from urllib.parse import urlsplit

SEED_WARNING = "nothing of this server is secret: all that is random follows from --seed"
"""What the log says of a server with a seed when it starts."""


def why_not_seeded(host: str, proxies: tuple[str, ...]) -> str:
    """Return why a server at `host`, behind `proxies`, may have no seed; empty if it may."""
    if not _is_loopback(host):
        return (
            f"--seed: nothing stays secret with it, so not with --host {host}; 127.0.0.1 would do"
        )
    if proxies:
        return "--seed: nothing stays secret with it, so not behind a proxy; leave --trusted-proxy"
    return ""


def why_not_in_clear(urls: tuple[str, ...]) -> str:
    """Return why engines at these addresses may not be reached without encryption; else empty.

    A login in an address is not repeated.
    """
    for url in urls:
        scheme, _, rest = url.rpartition("://")
        try:
            host = urlsplit(f"//{rest}").hostname or ""
        except ValueError:
            host = ""
        if scheme not in _ENCRYPTED and not _is_loopback(host):
            return (
                f"--nats: without encryption everything that matches hide goes in clear to"
                f" {host or 'an unknown host'}; name it tls://{host or 'HOST'}, or give"
                " --insecure-engine on a network that you trust"
            )
    return ""


_ENCRYPTED = ("tls", "wss")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

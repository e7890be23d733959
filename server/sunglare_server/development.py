"""The flag for shows and tests by which a server keeps no secret, and what it goes with."""

import ipaddress

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


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

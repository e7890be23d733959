"""The address of a server as it is typed: also as a browser's bar shows it."""

import argparse
import ipaddress
import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from sunglare_client.link.server_address import PATH

_OF_PAGES: Final = {"http": "ws", "https": "wss"}
_SCHEMES: Final = ("ws", "wss", "unix")

_SERVED: Final = re.compile(r"/?(?:tv|play|(?:page|replay)/.*)?$")
"""The end of a path that is the server's; what stands before it is a prefix that a proxy adds."""


def server_url(text: str) -> str:
    """Return the address of the server that a word on the command line names.

    The address of its page is one too, with or without what names a match there, and so is a bare
    host.
    Raise `argparse.ArgumentTypeError` for what is no address.
    """
    try:
        parts = urlsplit(_with_scheme(text))
        _ = parts.port  # which is read only when it is asked for
    except ValueError as fault:
        raise argparse.ArgumentTypeError(f"{text!r} is no address: {fault}") from None
    if parts.scheme in _OF_PAGES and parts.hostname:
        prefix = _SERVED.sub("", parts.path, count=1)
        return f"{_OF_PAGES[parts.scheme]}://{parts.netloc}{prefix and prefix + PATH}"
    if parts.scheme not in _SCHEMES or not _place(parts):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address of a server, such as ws://127.0.0.1:8765,"
            " https://play.example.org or unix:///run/sunglare.sock"
        )
    return _with_scheme(text).partition("#")[0]


def _with_scheme(text: str) -> str:
    try:
        return f"ws://[{ipaddress.IPv6Address(text)}]"
    except ValueError:
        return text if "://" in text else f"ws://{text}"


def _place(parts: SplitResult) -> str | None:
    return parts.path if parts.scheme == "unix" else parts.hostname

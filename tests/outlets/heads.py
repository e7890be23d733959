"""The heads of all plain answers, byte for byte: what a server may say to a browser, or a probe.

The complete list is `HEADS`. Only the date, and what follows from the file that is asked for,
stand in it as words in braces.
"""

import asyncio
import re
from typing import Final, final

import msgspec

from builders.wires import WAIT_S, plain_line
from sunglare_server.gateway.assets import Asset, shipped_assets

NO_RECORD: Final = f"/replay/{'a' * 26}.sgr"

_HANDSHAKE: Final = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
"""The example of RFC 6455, 1.3."""

_FILE: Final = """\
Date: {date}
Connection: close
X-Content-Type-Options: nosniff
Referrer-Policy: no-referrer
Cross-Origin-Resource-Policy: same-origin
Cache-Control: {caching}
ETag: "{tag}"
Vary: Accept-Encoding
Content-Security-Policy: {policy}; frame-ancestors {frames}
"""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)

_FRAMES: Final = "frame-ancestors"


def _text(status: str, size: int, more: str = "") -> str:
    return (
        f"HTTP/1.1 {status}\nDate: {{date}}\nConnection: close\nContent-Length: {size}\n"
        f"Content-Type: text/plain; charset=utf-8\n{more}\n"
    )


def _file(kind: str, caching: str, frames: str = "'none'", more: str = "") -> str:
    parts = {"caching": caching, "frames": frames, "policy": _POLICY, "tag": "{tag}"}
    head = _FILE.format(date="{date}", **parts)
    return f"HTTP/1.1 200 OK\n{head}Content-Type: {kind}\nContent-Length: {{size}}\n{more}\n"


def _switched(more: str = "") -> str:
    return (
        "HTTP/1.1 101 Switching Protocols\nDate: {date}\nUpgrade: websocket\nConnection: Upgrade\n"
        f"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\n{more}\n"
    )


def _unchanged(caching: str) -> str:
    """Return the head of an answer without the file, since the peer has it."""
    whole = _file("", caching).replace("200 OK", "304 Not Modified")
    return whole.partition("Content-Type: \n")[0] + "\n"


_HTML: Final = "text/html; charset=utf-8"
_KEPT: Final = "public, max-age=31536000, immutable"

SHORT: Final[dict[tuple[str, str, str], str]] = {
    ("GET", "/healthz", ""): _text("200 OK", 3),
    ("GET", "/readyz", ""): _text("200 OK", 6),
    ("GET", "/metrics", ""): _text("404 Not Found", 29),
    ("GET", NO_RECORD, ""): _text("404 Not Found", 29),
    ("GET", "/play", _HANDSHAKE): _switched(),
}
"""Those that are asked for again and again: methods, paths, more of the request, and the head."""

HEADS: Final[dict[tuple[str, str, str], str]] = {
    **SHORT,
    ("HEAD", "/healthz", ""): _text("200 OK", 3),
    ("POST", "/", ""): _text("405 Method Not Allowed", 32, "Allow: GET, HEAD\n"),
    ("GET", "/play", ""): _text("426 Upgrade Required", 158, "Upgrade: websocket\n"),
    ("GET", "/play", f"{_HANDSHAKE}Sec-WebSocket-Protocol: x\r\n"): _text("400 Bad Request", 112),
    ("GET", "/play", f"{_HANDSHAKE}Sec-WebSocket-Protocol: sunglare.v1\r\n"): _switched(
        "Sec-WebSocket-Protocol: sunglare.v1\n"
    ),
    ("GET", "/play", f"{_HANDSHAKE}Origin: http://else.where\r\n"): _text("403 Forbidden", 43),
    ("GET", "/", ""): _file(_HTML, "no-cache"),
    ("GET", "/tv?embed=1", ""): _file(_HTML, "no-cache", "*"),
    ("GET", "/", "Accept-Encoding: gzip\r\n"): _file(
        _HTML, "no-cache", more="Content-Encoding: gzip\n"
    ),
    ("GET", "main.js", ""): _file("text/javascript; charset=utf-8", _KEPT),
    ("GET", "/", "If-None-Match: *\r\n"): _unchanged("no-cache"),
}
"""All of them but those below."""

RECORD: Final = f"""\
HTTP/1.1 200 OK
Date: {{date}}
Connection: close
X-Content-Type-Options: nosniff
Referrer-Policy: no-referrer
Cross-Origin-Resource-Policy: same-origin
Content-Security-Policy: {_POLICY}; {_FRAMES} 'none'
Content-Type: application/octet-stream
Content-Length: {{size}}
Content-Disposition: attachment; filename="{{match}}.sgr"
Cache-Control: public, max-age=600

"""
"""That of the record of a match that is over."""

FIGURES: Final = """\
HTTP/1.1 200 OK
Content-Type: text/plain; version=0.0.4; charset=utf-8
Content-Length: {size}
Connection: close

"""
"""That of the figures, on the operator's own port."""

_DATE: Final = re.compile(r"\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT")


@final
class Answer(msgspec.Struct, frozen=True):
    """An answer as it came: its head with its last line, and its body."""

    head: str
    body: bytes


async def answer(url: str, method: str, path: str, more: str = "") -> Answer:
    """Return the answer to a request, of a handshake the head alone."""
    request = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode()
    async with asyncio.timeout(WAIT_S), plain_line(url, request) as (reader, _):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        is_long = " 101 " not in head.partition("\r\n")[0]
        return Answer(head, await reader.read() if is_long else b"")


async def check_heads(url: str, requests: dict[tuple[str, str, str], str]) -> None:
    """Ask for these; raise `AssertionError` where a head is another one, by a byte."""
    files = shipped_assets()
    paths = {path.rpartition("/")[2]: path for path in files}
    for (method, named, more), expected in requests.items():
        path = paths.get(named, named) if named.endswith(".js") else named
        told = await answer(url, method, path, more)
        asset = files.get(path.partition("?")[0])
        check_head(told, expected, tag=_tag(asset, more))


def check_head(told: Answer, expected: str, **words: str) -> None:
    """Compare the head of an answer with a list's; raise `AssertionError` at a difference."""
    date = _DATE.search(told.head)
    filled = expected.format(date=date[0] if date else "", size=len(told.body), **words)
    listed = filled.replace("\n", "\r\n")
    assert told.head == listed, f"a head is {told.head!r} and not {listed!r}"


def _tag(asset: Asset | None, more: str) -> str:
    if asset is None:
        return ""
    return asset.packed_tag if "gzip" in more else asset.tag

"""Figures for Prometheus, in its text format, on a port of their own that only this host reaches.

Nothing here has a label that names a match before the match is over.
"""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import NamedTuple, final

import structlog

from sunglare_protocol import __version__
from sunglare_server.host.medium import MediumError
from sunglare_server.ops.overview import Installation, status

HOST = "127.0.0.1"
"""The only address on which figures are given."""

PATH = "/metrics"
"""Where they are."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The version of the format that is spoken."""

REQUEST_BYTES = 8 * 1024
"""The longest request that is read."""

IDLE_S = 5.0
"""How long a caller has for its request, and for taking the answer."""

Sample = tuple[Mapping[str, str], int]
"""The labels of a figure, and the figure."""


class Family(NamedTuple):
    """A kind of figure: its name, `counter` or `gauge`, what it means, and what there is of it."""

    name: str
    kind: str
    meaning: str
    samples: tuple[Sample, ...]


async def families(site: Installation) -> tuple[Family, ...]:
    """Return the figures of a server as they are now."""
    now = await status(site)
    plain: tuple[tuple[str, str, str, int], ...] = (
        ("uptime_seconds", "gauge", "Time since the start.", now.uptime_s),
        ("connections", "gauge", "Connections of players and spectators.", now.connections),
        ("draining", "gauge", "1 while no match may begin.", int(now.state == "draining")),
        ("records_appended_total", "counter", "Records stored.", now.records),
        ("appends_refused_total", "counter", "Appends not stored.", now.refused_appends),
        ("commits_total", "counter", "Transactions made durable.", now.commits),
        ("journal_queue", "gauge", "Writes that wait for a commit.", now.queue),
        ("journal_bytes", "gauge", "Size of the database and its log.", now.journal_bytes),
        ("releases_total", "counter", "Windows released on the beat.", now.releases),
        ("slips_total", "counter", "Releases that slipped to a later beat.", now.slips),
        ("release_latest_ms", "gauge", "The latest release after its beat.", now.latest_ms),
        ("memory_bytes", "gauge", "Memory of the server's process.", now.memory_bytes),
    )
    states = tuple([({"state": state}, count) for state, count in now.matches.items()])
    return (
        Family("sunglare_info", "gauge", "The version.", (({"version": __version__}, 1),)),
        *(Family(f"sunglare_{name}", kind, text, (({}, n),)) for name, kind, text, n in plain),
        Family("sunglare_matches", "gauge", "Matches by state.", states),
        *_of_ended(site),
    )


def _of_ended(site: Installation) -> tuple[Family, ...]:
    """Return the figures of single matches: of those that are over and still in memory."""
    ended = [front for front in site.fronts if front.is_done]
    records = tuple([({"match": front.match}, front.length) for front in ended])
    slips = tuple([({"match": front.match}, front.slips) for front in ended])
    return (
        Family("sunglare_match_records", "gauge", "Records of a match that is over.", records),
        Family("sunglare_match_slips", "gauge", "Slips of a match that is over.", slips),
    )


def exposition(shown: tuple[Family, ...]) -> str:
    """Return figures in the text format of Prometheus; a kind without any is left out."""
    lines: list[str] = []
    for family in shown:
        if family.samples:
            lines.append(f"# HELP {family.name} {_escaped(family.meaning)}")
            lines.append(f"# TYPE {family.name} {family.kind}")
        lines += [f"{family.name}{_labels(labels)} {value}" for labels, value in family.samples]
    return "".join(f"{line}\n" for line in lines)


def _labels(labels: Mapping[str, str]) -> str:
    parts = [f'{name}="{_escaped(value, quotes=True)}"' for name, value in labels.items()]
    return f"{{{','.join(parts)}}}" if parts else ""


def _escaped(text: str, *, quotes: bool = False) -> str:
    escaped = text.replace("\\", r"\\").replace("\n", r"\n")
    return escaped.replace('"', r"\"") if quotes else escaped


@final
class Metrics:
    """Answers `GET /metrics`, one request a connection."""

    def __init__(self, site: Installation) -> None:
        """Show the figures of `site`."""
        self.host = ""
        self.port: int | None = None
        self._site = site
        self._server: asyncio.Server | None = None
        self._callers: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._log = structlog.get_logger()

    async def listen(self, port: int | None) -> None:
        """Listen on `port`, 0 for any free one; None is not at all."""
        if port is None:
            return
        self._server = await asyncio.start_server(self._serve, HOST, port, limit=REQUEST_BYTES)
        self.host, self.port = self._server.sockets[0].getsockname()[:2]
        self._log.info("metrics", url=f"http://{self.host}:{self.port}{PATH}")

    async def close(self) -> None:
        """Listen no more, and leave callers alone."""
        if self._server is None:
            return
        self._server.close()
        for task in tuple(self._callers):
            task.cancel()
        if self._callers:
            await asyncio.wait(tuple(self._callers))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the stream server starts a task for each caller
        self._callers[task] = writer
        try:
            async with asyncio.timeout(IDLE_S):
                head = await _head(reader)
                writer.write(await self._answer(head))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.CancelledError, asyncio.IncompleteReadError):
            # The caller has gone or is too slow, or the server ends.
            return
        except MediumError as error:
            structlog.get_logger().warning("no figures were given", why=error.why)
        finally:
            del self._callers[task]
            with contextlib.suppress(OSError):
                writer.close()

    async def _answer(self, head: bytes | None) -> bytes:
        if head is None:
            return _response("431 Request Header Fields Too Large", "the request is too long\n")
        method, _, rest = head.partition(b" ")
        target = rest.partition(b" ")[0].partition(b"?")[0]
        if target != PATH.encode():
            return _response("404 Not Found", f"the figures are at {PATH}\n")
        if method != b"GET":
            return _response("405 Method Not Allowed", "GET alone\n", "Allow: GET\r\n")
        return _response("200 OK", exposition(await families(self._site)))


async def _head(reader: asyncio.StreamReader) -> bytes | None:
    """Return the head of a request; None if it is too long."""
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        return None


def _response(status: str, text: str, more: str = "") -> bytes:
    body = text.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\n{more}"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body

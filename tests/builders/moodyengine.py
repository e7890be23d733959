"""An engine of a few lines that stores one stream in memory, and answers as badly as it may.

It speaks as much of the protocol as an append and a read need. What it stores is sound; whether
and when it says so follows from a seed.
"""

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator
from enum import Enum
from random import Random
from typing import Any, NamedTuple, final

_INFO = {
    "server_id": "moody",
    "version": "2.15.1",
    "headers": True,
    "max_payload": 8 * 1024 * 1024,
}
_TIME = "2000-01-01T00:00:00Z"
_GET = "$JS.API.STREAM.MSG.GET."
_INFO_OF = "$JS.API.STREAM.INFO."
_CREATE = "$JS.API.STREAM.CREATE."

LATER_S = 0.03
"""When a message is stored that was called in flight."""


class Mood(Enum):
    """What becomes of a message that is to be stored, and of its answer."""

    SOUND = "stored and said"
    CUT_AFTER = "stored, and the line breaks"
    CUT_BEFORE = "not stored, and the line breaks"
    IN_FLIGHT = "stored later, and called in flight"
    CONFLICT = "not stored, and called in conflict with one in flight"
    AWAY = "not stored, and the service is away"
    NOBODY = "not stored, and nobody is there to store it"


class _Kept(NamedTuple):
    subject: str
    data: bytes


class _Put(NamedTuple):
    subject: str
    reply: str
    headers: dict[str, str]
    data: bytes


@final
class MoodyEngine:
    """Stores messages of any subject in one stream; `moods` counts what it did.

    A stream is made once it has been refused with each of the codes in `not_now`.
    """

    def __init__(self, seed: int) -> None:
        """Have the moods of a seed."""
        self._random = Random(seed)
        self._kept: list[_Kept] = []
        self._ids: dict[str, int] = {}
        self.moods = dict.fromkeys(Mood, 0)
        self.not_now: list[int] = []
        self.port = 0
        self._lines: dict[asyncio.StreamWriter, asyncio.Event] = {}

    @property
    def url(self) -> str:
        """Return where clients connect."""
        return f"nats://127.0.0.1:{self.port}"

    def kept(self, subject: str) -> list[bytes]:
        """Return what is stored under a subject, in order."""
        return [kept.data for kept in self._kept if kept.subject == subject]

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until its line breaks."""
        writer.write(b"INFO " + json.dumps(_INFO).encode() + b"\r\n")
        inboxes: dict[str, str] = {}
        ended = self._lines[writer] = asyncio.Event()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while line := (await reader.readline()).decode().split():
                if line[0] == "PING":
                    writer.write(b"PONG\r\n")
                elif line[0] == "SUB":
                    inboxes[line[1].removesuffix("*")] = line[-1]
                elif line[0] in ("PUB", "HPUB"):
                    put = await _read(reader, line)
                    answer = self._answer(put)
                    if answer is None:
                        break
                    _send(writer, inboxes, put.reply, answer)
        writer.transport.abort()
        del self._lines[writer]
        ended.set()

    async def end(self) -> None:
        """Break every line, and return once none is served."""
        for writer, ended in tuple(self._lines.items()):
            writer.transport.abort()
            await ended.wait()

    def _answer(self, put: _Put) -> bytes | None:
        """Return the answer to a message; None if the line breaks instead."""
        if put.subject.startswith(_GET):
            return self._got(json.loads(put.data))
        if put.subject.startswith(_INFO_OF):
            return _refused(404, 10059)
        if put.subject.startswith(_CREATE):
            return _refused(500, self.not_now.pop(0)) if self.not_now else _made(put.data)
        mood = self._random.choices(list(Mood), [8, 1, 1, 2, 2, 2, 2])[0]
        self.moods[mood] += 1
        if mood in _REFUSALS:
            if mood is Mood.IN_FLIGHT:
                asyncio.get_running_loop().call_later(LATER_S, self._stored, put)
            return _REFUSALS[mood]
        stored = None if mood is Mood.CUT_BEFORE else self._stored(put)
        return stored if mood is Mood.SOUND else None

    def _stored(self, put: _Put) -> bytes:
        name = put.headers["Nats-Msg-Id"]
        if name in self._ids:
            return json.dumps({"stream": "S", "seq": self._ids[name], "duplicate": True}).encode()
        numbers = [k for k, kept in enumerate(self._kept, 1) if kept.subject == put.subject]
        if int(put.headers["Nats-Expected-Last-Subject-Sequence"]) != max(numbers, default=0):
            return _refused(400, 10071)
        self._kept.append(_Kept(put.subject, put.data))
        self._ids[name] = len(self._kept)
        return json.dumps({"stream": "S", "seq": len(self._kept)}).encode()

    def _got(self, which: dict[str, Any]) -> bytes:
        numbered = list(enumerate(self._kept, 1))
        if "last_by_subj" in which:
            numbered.reverse()
        subject = which.get("last_by_subj", which.get("next_by_subj"))
        for seq, kept in numbered:
            if kept.subject == subject and seq >= which.get("seq", 0):
                data = base64.b64encode(kept.data).decode()
                told = {"subject": kept.subject, "seq": seq, "data": data, "time": _TIME}
                return json.dumps({"message": told}).encode()
        return _refused(404, 10037)


def _made(config: bytes) -> bytes:
    counts = ("messages", "bytes", "first_seq", "last_seq", "consumer_count")
    told = {"config": json.loads(config), "state": dict.fromkeys(counts, 0), "created": _TIME}
    return json.dumps(told).encode()


def _refused(status: int, code: int) -> bytes:
    error = {"code": status, "err_code": code, "description": "moody"}
    return json.dumps({"error": error}).encode()


_REFUSALS = {
    Mood.IN_FLIGHT: _refused(400, 10158),
    Mood.CONFLICT: _refused(400, 10164),
    Mood.AWAY: _refused(503, 10008),
    Mood.NOBODY: b"",
}


async def _read(reader: asyncio.StreamReader, line: list[str]) -> _Put:
    data = (await reader.readexactly(int(line[-1]) + 2))[:-2]
    headers: dict[str, str] = {}
    has_headers = line[0] == "HPUB"
    if has_headers:
        size = int(line[-2])
        for header in data[:size].decode().split("\r\n")[1:]:
            name, _, value = header.partition(": ")
            headers[name] = value
        data = data[size:]
    has_reply = len(line) == (5 if has_headers else 4)
    return _Put(line[1], line[2] if has_reply else "", headers, data)


def _send(
    writer: asyncio.StreamWriter, inboxes: dict[str, str], reply: str, answer: bytes
) -> None:
    sid = next((sid for prefix, sid in inboxes.items() if reply.startswith(prefix)), None)
    if sid is None:
        return
    if answer:
        writer.write(f"MSG {reply} {sid} {len(answer)}\r\n".encode() + answer + b"\r\n")
    else:
        status = b"NATS/1.0 503\r\n\r\n"
        head = f"HMSG {reply} {sid} {len(status)} {len(status)}\r\n".encode()
        writer.write(head + status + b"\r\n")


@contextlib.asynccontextmanager
async def moody_engine(seed: int) -> AsyncIterator[MoodyEngine]:
    """Run an engine of a seed's moods."""
    engine = MoodyEngine(seed)
    server = await asyncio.start_server(engine.handle, "127.0.0.1", 0)
    engine.port = server.sockets[0].getsockname()[1]
    try:
        yield engine
    finally:
        server.close()
        await engine.end()

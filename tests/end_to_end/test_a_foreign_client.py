"""A client of another make: plain MessagePack or JSON and nothing of this project."""

import asyncio
import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, final

import msgpack  # type: ignore[import-untyped]
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from builders.servers import ServerProcess
from documents.doctables import PROTOCOL, fenced
from sunglare_arena.verify import main as verify

PACKED = "sunglare.v1"
JSON = "sunglare.v1.json"
COMPACT = "sunglare.v1.compact"
WAIT_S = 90.0
TURNS = 3

Message = dict[str, Any]

CODE = next(code for code in fenced(PROTOCOL, "python") if code.startswith('"""Keep the chain'))
"""What the page gives to whoever keeps the chain of frames."""

PAGE: dict[str, Any] = {}
exec(CODE, PAGE)  # noqa: S102 - the page's own lines, tried as they stand
LINK = PAGE["link"]
FOLD = next(code for code in fenced(PROTOCOL, "python") if code.startswith('"""Make a frame'))
"""What it gives to whoever takes the compact form."""

exec(FOLD, PAGE)  # noqa: S102 - the page's own lines, tried as they stand
EDITED = PAGE["edited"]


@final
class Foreigner:
    """A client that knows the messages from their description only."""

    def __init__(self, socket: ClientConnection) -> None:
        """Talk over an open socket."""
        self.socket = socket
        self.is_json = socket.subprotocol == JSON
        self.frame: Message = {}
        self.frames = 0
        self.changes = 0
        self.over: Message = {}
        self.chain = bytes(16)
        self.log: list[Message] = []
        self._number = 0
        self._pledges: dict[str, str] = {}
        self._is_asked = False

    async def ask(self, kind: str, /, **fields: object) -> Message:
        """Send a message and return its answer, taking in what comes between."""
        self._number += 1
        message = {"t": kind, "id": self._number, **fields}
        await self.socket.send(json.dumps(message) if self.is_json else msgpack.packb(message))
        while True:
            answer = await self.take()
            if answer.get("id") == self._number:
                return answer

    async def take(self) -> Message:
        """Take in the next message and return it."""
        async with asyncio.timeout(WAIT_S):
            data = await self.socket.recv()
        assert isinstance(data, str) is self.is_json
        message: Message = json.loads(data) if self.is_json else _unpacked(data)
        if message["t"] == "change":
            assert (message["match"], message["on"]) == (self.frame["match"], self.frame["seq"])
            message = {**EDITED(self.frame, message["edit"]), "seq": message["seq"]}
            self.changes += 1
        if message["t"] == "frame":
            message.pop("pad", None)
            self.frame = message
            self.frames += 1
            self.chain = LINK(self.chain, message)
            self._note(message, chain=self.chain.hex(), window=message["window"], since=1)
        if message["t"] == "over":
            self.over = message
            self._note(message, seed=message["seed"], head=message["head"])
        if message["t"] == "news":
            self._hear(message.get("text", ""), message.get("side", ""))
        return message

    def _hear(self, text: str, side: str) -> None:
        if text.startswith("pledge "):
            self._pledges[side] = text.removeprefix("pledge ")
        self._is_asked = self._is_asked or text == "reveal"

    def _note(self, message: Message, **fields: object) -> None:
        self.log.append({"t": message["t"], "seq": message["seq"], **fields})

    async def join(self, match: str, side: str, entropy: bytes) -> Message:
        """Take a seat with a pledge, and note it."""
        pledge = pledge_of(entropy)
        self.log.append({"t": "pledge", "pledge": pledge})
        seated = await self.ask("join", match=match, side=side, pledge=pledge)
        told = {key: seated[key] for key in ("match", "side", "commitment")}
        self.log.append({"t": "seat", "version": 2, **told})
        return seated

    async def begin(self, match: str, entropy: bytes) -> None:
        """Say ready, reveal what was pledged once it is asked for, and wait for the start."""
        assert (await self.ask("ready", match=match))["t"] == "accepted"
        while not self._is_asked:
            await self.take()
        told = {"entropy": entropy.hex(), "pledges": self._pledges}
        self.log.append({"t": "reveal", **told})
        answer = await self.ask("reveal", match=match, entropy=entropy.hex())
        assert answer["t"] == "accepted"
        await self.window_beside("")

    async def window_beside(self, window: str) -> None:
        """Take in what comes until another window is open."""
        while self.frame.get("window", window) == window:
            await self.take()

    async def record(self, match: str) -> bytes:
        """Return the record of a match that is over."""
        piece = await self.ask("record", match=match)
        data = self._bytes(piece)
        while not piece.get("last"):
            piece = await self.take()
            data += self._bytes(piece)
        return data

    def _bytes(self, piece: Message) -> bytes:
        data = piece["data"]
        return base64.b64decode(data) if self.is_json else bytes(data)


def pledge_of(entropy: bytes) -> str:
    """Return the pledge of some entropy, as the page describes it."""
    parts = (b"sunglare pledge", entropy)
    counted = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return hashlib.blake2b(counted, digest_size=32).hexdigest()


def _unpacked(data: str | bytes) -> Message:
    assert isinstance(data, bytes)
    message = msgpack.unpackb(data, max_map_len=4096, max_array_len=4096, max_ext_len=0)
    assert isinstance(message, dict)
    return message


def plotted(view: Message) -> list[Message]:
    """Return orders of the PLOT window: deploy and look out at first, a turn later on."""
    ships = [ship["id"] for ship in view["own"] if ship.get("fate", "in_play") == "in_play"]
    if view["stage"]["turn"] > 1:
        return [{"t": "turn", "ship": ship, "steps": 1} for ship in ships]
    column, row = ord(view["zone"][0][0]) - ord("A"), int(view["zone"][0][1:]) - 1
    places = [[5 * column + index, 5 * row] for index in range(len(ships))]
    deployed = [
        {"t": "deploy", "ship": ship, "at": at, "vector": [0, 0], "facing": "SE"}
        for ship, at in zip(ships, places, strict=True)
    ]
    return [*deployed, *({"t": "sensors", "ship": ship, "out": True} for ship in ships)]


def scanned(view: Message) -> list[Message]:
    """Return a scan of the middle of the map by the first ship."""
    ship = view["own"][0]["id"]
    return [{"t": "scan", "ship": ship, "type": "ir", "size": "3box", "at": "D4", "sense": True}]


def fired(view: Message) -> list[Message]:
    """Return one shot at the first thing held, whether or not it bears."""
    held = [contact["handle"] for contact in view.get("contacts", ()) if "handle" in contact]
    ship = view["own"][0]
    if not held:
        return []
    return [{"t": "fire", "ship": ship["id"], "weapon": ship["weapons"][0]["id"], "at": held[0]}]


async def give(client: Foreigner, orders: list[Message], rev: int) -> Message:
    """Give orders for the open window and lock; return the answer."""
    return await client.ask(
        "orders",
        match=client.frame["match"],
        window=client.frame["window"],
        rev=rev,
        orders=orders,
        lock=True,
    )


async def play_window(client: Foreigner) -> tuple[str, str]:
    """Play the open window; return its phase and what became of the orders meant for it."""
    view = client.frame["view"]
    stage, window = view["stage"], client.frame["window"]
    phase = stage["phase"]
    done = "none"
    if phase != "scan" or stage["slot"] == view["audience"]:
        made = {"plot": plotted, "scan": scanned, "engage": fired}.get(phase)
        orders = made(view) if made else []
        answer = await give(client, orders, 1)
        done = answer["t"]
        if done == "refused":
            # A shot may not bear; an empty set of orders always stands.
            assert phase == "engage", answer
            assert answer["at"].startswith("$.orders")
            assert (await give(client, [], 2))["t"] == "accepted"
    await client.window_beside(window)
    return phase, done


@pytest.mark.parametrize("spoken", [PACKED, JSON, COMPACT])
async def test_a_client_of_another_make_plays_against_a_house_bot(
    server: ServerProcess, spoken: str, tmp_path: Path
) -> None:
    async with connect(
        server.url, subprotocols=[Subprotocol(spoken)], compression=None, proxy=None
    ) as socket:
        client = Foreigner(socket)
        welcome = await client.ask("hello", v=1, client="foreign", name=spoken)
        assert welcome["t"] == "welcome"
        assert "random" in welcome["bots"]
        # Filled up, for the chain leaves that out.
        options = {"clock": "test", "pad_frames": "yes"}
        created = await client.ask("create", scenario="shadow-of-ceres", options=options)
        match = created["match"]
        entropy = spoken.encode().ljust(32)
        seated = await client.join(match, "A", entropy)
        assert (seated["t"], seated["side"]) == ("seated", "A")
        assert (await client.ask("bot", match=match, name="random"))["t"] == "accepted"
        await client.begin(match, entropy)
        phases: list[tuple[str, str]] = []
        while client.frame["turn"] <= TURNS:
            phases.append(await play_window(client))
        legal = await client.ask("ask", match=match, kind="legal")
        assert legal["t"] == "answer"
        assert (await client.ask("resign", match=match))["t"] == "accepted"
        while not client.over:
            await client.take()
        record = await client.record(match)
    assert {phase for phase, _ in phases} == {"plot", "scan", "detect", "engage"}
    assert ("plot", "accepted") in phases
    assert ("scan", "accepted") in phases
    assert client.frames == 5 * TURNS + 1
    assert client.changes == (client.frames - 1 if spoken == COMPACT else 0)
    assert client.over["result"]["winner"] == "B"
    file, log = tmp_path / "match.sgr", tmp_path / "match.log"
    file.write_bytes(record)
    log.write_text("".join(f"{json.dumps(line)}\n" for line in client.log), encoding="utf-8")
    assert verify([str(file), "--mine", str(log)]) == 0
    log.write_text(log.read_text().replace(client.chain.hex(), "00" * 16), encoding="utf-8")
    assert verify([str(file), "--mine", str(log)]) == 1


def test_the_page_needs_ten_lines_for_the_chain() -> None:
    lines = [line for line in CODE.splitlines()[1:] if line.strip()]
    assert len(lines) <= 10


async def test_a_client_that_names_no_subprotocol_is_spoken_to_in_messagepack(
    server: ServerProcess,
) -> None:
    async with connect(server.url, compression=None, proxy=None) as socket:
        client = Foreigner(socket)
        assert socket.subprotocol is None
        assert (await client.ask("ping"))["t"] == "pong"


async def test_a_client_that_names_other_subprotocols_alone_is_turned_away(
    server: ServerProcess,
) -> None:
    with pytest.raises(InvalidStatus) as turned:
        await connect(server.url, subprotocols=[Subprotocol("chess.v1")], proxy=None)
    assert turned.value.response.status_code == 400


async def test_all_numbers_on_the_wire_are_safe_for_any_language(server: ServerProcess) -> None:
    async with connect(
        server.url, subprotocols=[Subprotocol(JSON)], compression=None, proxy=None
    ) as socket:
        client = Foreigner(socket)
        for answer in (await client.ask("hello", v=1), await client.ask("ping")):
            assert all(number < 2**53 for number in numbers(answer))


def numbers(value: object) -> Iterator[int]:
    """Yield every number in a message."""
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, int):
        yield value

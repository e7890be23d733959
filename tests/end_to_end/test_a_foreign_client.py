"""A client of another make: plain MessagePack or JSON and nothing of this project."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any, final

import msgpack  # type: ignore[import-untyped]
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from serverrigs import ServerProcess, server_process

PACKED = "sunglare.v1"
JSON = "sunglare.v1.json"
WAIT_S = 90.0
TURNS = 3

Message = dict[str, Any]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("server")) as running:
        yield running


@final
class Foreigner:
    """A client that knows the messages from their description only."""

    def __init__(self, socket: ClientConnection) -> None:
        """Talk over an open socket."""
        self.socket = socket
        self.is_json = socket.subprotocol == JSON
        self.frame: Message = {}
        self.frames = 0
        self.over: Message = {}
        self._number = 0

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
        if message["t"] == "frame":
            self.frame = message
            self.frames += 1
        if message["t"] == "over":
            self.over = message
        return message

    async def window_beside(self, window: str) -> None:
        """Take in what comes until another window is open."""
        while self.frame.get("window", window) == window:
            await self.take()


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
    held = [each["handle"] for each in view.get("contacts", ()) if "handle" in each]
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


@pytest.mark.parametrize("spoken", [PACKED, JSON])
async def test_a_client_of_another_make_plays_against_a_house_bot(
    server: ServerProcess, spoken: str
) -> None:
    async with connect(
        server.url, subprotocols=[Subprotocol(spoken)], compression=None, proxy=None
    ) as socket:
        client = Foreigner(socket)
        welcome = await client.ask("hello", v=1, client="foreign", name=f"foreign {spoken}")
        assert welcome["t"] == "welcome"
        assert "random" in welcome["bots"]
        created = await client.ask("create", scenario="shadow-of-ceres", options={"clock": "test"})
        match = created["match"]
        seated = await client.ask("join", match=match, side="A")
        assert (seated["t"], seated["side"]) == ("seated", "A")
        assert (await client.ask("bot", match=match, name="random"))["t"] == "accepted"
        assert (await client.ask("ready", match=match))["t"] == "accepted"
        await client.window_beside("")
        phases: list[tuple[str, str]] = []
        while client.frame["turn"] <= TURNS:
            phases.append(await play_window(client))
        legal = await client.ask("ask", match=match, kind="legal")
        assert legal["t"] == "answer"
        assert (await client.ask("resign", match=match))["t"] == "accepted"
        while not client.over:
            await client.take()
        piece = await client.ask("record", match=match)
    assert {phase for phase, _ in phases} == {"plot", "scan", "detect", "engage"}
    assert ("plot", "accepted") in phases
    assert ("scan", "accepted") in phases
    assert client.frames == 5 * TURNS + 1
    assert client.over["result"]["winner"] == "B"
    assert (piece["t"], piece["from_byte"]) == ("piece", 0)


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
        for each in value.values():
            yield from numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from numbers(each)
    elif isinstance(value, int):
        yield value

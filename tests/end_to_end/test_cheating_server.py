"""A server that leaves the seats' entropies out of the dice is found by both verifiers."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from builders.commandlines import sunglare
from builders.players import created, seated
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import met
from sunglare_arena.verify import main
from sunglare_client import Seat, connect
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.matchlog import MatchLog
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Over
from sunglare_protocol.seals import commitment, pledge
from sunglare_server.base.library import Library
from sunglare_server.lobby.starting import Starting
from sunglare_server.match.record import Opened
from sunglare_server.match.record import Seat as Sat
from sunglare_server.ports.opening_record import opened_by
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime import registry as matches

PROGRAM = Path(__file__).parents[2] / "protocol" / "verify_dice.py"
A, B = Side("A"), Side("B")
ENTROPY = {A: b"a" * 32, B: b"b" * 32}
CHOSEN = b"c" * 32

Cheat = Callable[[pytest.MonkeyPatch], None]


def _with_seats(change: Callable[[Sat], Sat]) -> Cheat:
    """Return a cheat that opens the match with other seats than had been taken."""

    def opened(room: Room, library: Library) -> Opened:
        body = opened_by(room, library)
        return replace(body, seats=tuple(map(change, body.seats)))

    return lambda patch: patch.setattr(matches, "opened_by", opened)


def honest(_: pytest.MonkeyPatch) -> None:
    """Leave the server as it is."""


def never_asks(patch: pytest.MonkeyPatch) -> None:
    """Start without a word of pledges."""

    async def start(self: Starting, match: MatchId, _: int) -> None:
        await self._matches.start(self._rooms.own[match])

    patch.setattr(Starting, "_start", start)


def _bare(seat: Sat) -> Sat:
    return replace(seat, entropy=b"")


def _forgotten(seat: Sat) -> Sat:
    return replace(seat, entropy=b"", pledge=None)


def _own(seat: Sat) -> Sat:
    return replace(seat, entropy=CHOSEN, pledge=pledge(CHOSEN))


CHEATS: dict[str, tuple[Cheat, bool]] = {
    "never asks": (never_asks, False),
    "puts its own in their place": (_with_seats(_own), True),
    "takes them and leaves them out": (_with_seats(_bare), False),
    "forgets that anybody pledged": (_with_seats(_forgotten), False),
}
"""What a server may do, and whether any entropy is in the dice then."""


class Played(NamedTuple):
    """The record, the logs and the commitment of a match, and what the seats doubted."""

    record: Path
    logs: dict[Side, Path]
    told: str
    doubts: list[str | None]


async def played(folder: Path, cheat: Cheat) -> Played:
    """Play a match on a server that may cheat, and save what is left of it."""
    logs = {side: folder / f"{side}.log" for side in ENTROPY}
    with pytest.MonkeyPatch.context() as patch:
        cheat(patch)
        async with running_app(folder) as app, met(app.url) as host:
            match = await created(host)
            seats = [
                await Seat.join(
                    await connect(app.url),
                    match=match,
                    side=side,
                    entropy=entropy,
                    hooks=Hooks(log=lambda _, path=logs[side]: MatchLog(path)),  # type: ignore[misc]
                )
                for side, entropy in ENTROPY.items()
            ]
            for seat in seats:
                await seat.ready()
            doubts = [await _begun(seat) for seat in seats]
            await seats[0].resign()
            for seat in seats:
                await _over(seat)
                await seat.close()
            data = await host.record(match)
            room = await app.lobby.registry.find(match)
            assert isinstance(room, Room)
            told = commitment(room.server_seed)
    record = folder / "match.sgr"
    record.write_bytes(data)
    return Played(record, logs, told, doubts)


async def _begun(seat: Seat) -> str | None:
    async with asyncio.timeout(15):
        while seat.picture.frame is None:
            await anext(seat)
    return seat.dice_doubt


async def _over(seat: Seat) -> None:
    async with asyncio.timeout(15):
        while not isinstance(await anext(seat), Over):
            pass


def dice_checked(*words: str | Path) -> tuple[int, str]:
    """Return the exit code of the checker of the dice, and what it said."""
    command = [sys.executable, "-I", "-S", PROGRAM, *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout + done.stderr


async def test_an_honest_match_is_good_for_both_verifiers(tmp_path: Path) -> None:
    record, logs, told, doubts = await played(tmp_path, honest)
    assert doubts == [None, None]
    for side, log in logs.items():
        assert main([str(record), "--mine", str(log)]) == 0
        mine = pledge(ENTROPY[side])
        code, said = await asyncio.to_thread(dice_checked, record, told, "--pledge", mine)
        assert (code, "all as the seed gives\n" in said) == (0, True)


@pytest.mark.parametrize("name", CHEATS)
async def test_a_server_that_leaves_entropy_out_is_found_by_both_verifiers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    cheat, has_some = CHEATS[name]
    record, logs, told, doubts = await played(tmp_path, cheat)
    assert all(doubts) is (name == "never asks")
    for side, log in logs.items():
        assert main([str(record), "--mine", str(log)]) == 1
        assert "of your log: the entropy that you pledged" in capsys.readouterr().out
        mine = pledge(ENTROPY[side])
        code, said = await asyncio.to_thread(dice_checked, record, told, "--pledge", mine)
        assert (code, "NOT PROVED" in said) == (1, True)
    # Whoever has pledged nothing is told at least that nothing is proved.
    assert main([str(record)]) == 0
    assert ("NOT PROVED" in capsys.readouterr().out) is not has_some
    code, said = await asyncio.to_thread(dice_checked, record, told)
    assert (code, "NOT PROVED" in said) == (0, not has_some)


async def test_the_terminal_says_at_turn_1_that_nothing_is_proved_and_offers_to_leave(
    venue: Venue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_asks(monkeypatch)
    boris = await venue.one()
    match = await created(boris)
    other = await seated(boris, match, "B")
    await boris.ready(match)
    words = ("play", "--url", venue.app.url, "--match", match)
    done = await sunglare(*words, home=tmp_path, typed="resign yes\n")
    assert (await other.over()).result.winner == B
    assert "NOT PROVED: the server never asked for the entropy that you pledged" in done.out
    assert done.out.index("To leave it, say: resign yes") < done.out.index("You have resigned.")

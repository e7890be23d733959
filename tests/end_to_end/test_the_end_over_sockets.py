"""The end of a rated match over real sockets: its last frames and its end come on the beat."""

import asyncio
from pathlib import Path

from builders.fakeclock import FakeClock
from builders.openlimits import OPEN
from builders.players import created, seated
from builders.runners import runners_of
from builders.servers import STOP_S, quick_storage
from builders.wires import WAIT_S, met
from sunglare_protocol.messages import FetchRecord, Frame, Over, Piece
from sunglare_server.app import App
from sunglare_server.config import Settings

BEAT_MS = 250
SHORT = """
title = "One turn"
brief = "Two corvettes pass."
turns = 1
fixed = true

[sides.A]
ships = [{ name = "Dash", type = "corvette", at = [5, 5] }]

[sides.B]
ships = [{ name = "Dot", type = "corvette", at = [20, 20] }]
"""


async def test_the_last_window_of_a_rated_match_is_shown_before_its_record(tmp_path: Path) -> None:
    scenarios = tmp_path / "own" / "scenarios"
    scenarios.mkdir(parents=True)
    (scenarios / "short.toml").write_text(SHORT)
    clock = FakeClock(1_000_000)
    settings = Settings(
        port=0, journal=tmp_path / "journal.db", bots=(), data=tmp_path / "own", **OPEN
    )
    app = App(settings, clock, open_storage=quick_storage)
    await app.start()
    try:
        async with met(app.url) as anna, met(app.url) as boris:
            match = await created(anna, scenario="short", options={"clock": "blitz"})
            players = [await seated(talker, match) for talker in (anna, boris)]
            for player in players:
                await player.talker.ready(match)
            async with asyncio.timeout(WAIT_S):
                while match not in runners_of(app.lobby.matches):  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.01)
            runner = runners_of(app.lobby.matches)[match]
            # Between the beats, so that a close and its release are never in one stride.
            await clock.run_for(BEAT_MS // 2)
            async with asyncio.timeout(WAIT_S):
                while not runner.state.is_over:
                    await clock.run_for(BEAT_MS)
            early = await anna.expect(Piece, FetchRecord, match=match)
            assert b"sunglare-frames" in early.data[:60]
            await clock.run_for(2 * BEAT_MS)
            for player in players:
                await player.over()
                *_, last, end = player.posts
                assert isinstance(last, Frame)
                assert isinstance(end, Over)
                assert (last.window, end.seq) == ("1.over", last.seq + 1)
            late = await anna.expect(Piece, FetchRecord, match=match)
            assert b"sunglare-record" in late.data[:60]
    finally:
        async with asyncio.timeout(STOP_S):
            await app.stop()
            assert app.storage.database is not None
            await app.storage.database.close()

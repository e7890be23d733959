"""How large the files are at most that people save, and what is left out of larger ones."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.archived import played
from builders.players import all_ready, created, play_on, seated
from builders.replays import values_of
from builders.servers import running_app
from builders.wires import met
from sunglare_protocol.ids import MatchId
from sunglare_server.archive import files


async def saved(folder: Path, match: MatchId) -> bytes:
    """Return the record file that a server gives that starts now."""
    async with running_app(folder) as app, met(app.url) as stranger:
        return await stranger.record(match)


async def test_a_file_is_no_larger_than_readers_take_and_of_one_that_is_not_nothing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archived = await played(tmp_path)
    most = len(archived.record)
    for limit in (most, most - 1):
        monkeypatch.setattr(files, "FILE_BYTES_MOST", limit)
        with capture_logs() as lines:
            data = await saved(tmp_path, archived.match)
        assert (data == archived.record) is (limit == most)
        assert len(data) <= limit
        assert [line for line in lines if "archive" in line["event"]] == []


async def test_of_own_frames_that_no_reader_takes_more_than_half_is_left_out_from_the_oldest_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        running_app(tmp_path) as app,
        met(app.url, "anna") as anna,
        met(app.url, "boris") as boris,
    ):
        match = await created(anna, options={"clock": "test"})
        players = [await seated(talker, match) for talker in (anna, boris)]
        await all_ready(players)
        await play_on(players, 6)
        room, side = app.lobby.rooms[match], players[0].side
        whole = await app.lobby.files.frames(room, side)
        frames = values_of(whole)[1:]
        assert len(frames) > 5
        for limit, left in (
            (len(whole), frames),
            (len(whole) - 1, frames[len(frames) // 2 + 1 :]),
        ):
            monkeypatch.setattr(files, "FILE_BYTES_MOST", limit)
            assert values_of(await app.lobby.files.frames(room, side))[1:] == left

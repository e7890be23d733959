"""`sunglare replay`: a person goes through a match window by window; else all of it is printed."""

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.commandlines import sunglare as program
from builders.players import play_on
from builders.servers import running_app
from builders.terminals import MATCH, Paper
from builders.transports import until
from client.test_cli_server import answers, serving
from page.files import match_file
from page.watching import playing, resigned
from sunglare_client.__main__ import main
from sunglare_client.link import identity, records
from sunglare_client.link.connection import connect
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_client.replays.verbs import ROWS, Leave, ReplayVerb, help_lines, obey
from sunglare_client.replays.viewer import Viewer
from sunglare_client.terminal.screen import Screen
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import ClientMessage, FetchRecord, Piece, ServerMessage
from sunglare_protocol.replay.file import FILE_BYTES_MOST

NAME = "shadow-of-ceres"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the client a home and a folder of its own."""
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path / "home"))
    (tmp_path / "other").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def file(home: Path) -> Path:
    path = home / "match.sgr"
    path.write_bytes(match_file(NAME))
    return path


@cache
def recording() -> Recording:
    return read_recording(match_file(NAME))


def viewer(eyes: str = "omni", index: int = 0) -> Viewer:
    return Viewer(recording(), eyes, index, Screen(Paper(), ascii_only=True))


# --- going through it


def test_an_empty_line_goes_on_to_the_next_window() -> None:
    shown = viewer()
    lines = obey(shown, "")
    assert shown.index == 1
    assert "window 2 of" in lines[0]
    assert any(line.startswith("-- turn 1 of") for line in lines)


def test_one_goes_back_to_a_turn_to_a_moment_and_to_either_end() -> None:
    shown = viewer()
    obey(shown, "turn 3")
    assert recording().steps[shown.index].window == "3.plot"
    obey(shown, "back 2")
    assert recording().steps[shown.index].turn == 2
    assert obey(shown, "moment")[0].startswith("key moment: ")
    assert "THE END" in "\n".join(obey(shown, "last"))
    assert shown.index == len(recording().steps) - 1
    assert obey(shown, "next")[-1] == "That was the last window."
    obey(shown, "first")
    assert obey(shown, "b")[-1] == "This is the first window."


def test_other_eyes_see_the_same_moment() -> None:
    shown = viewer()
    assert "B.S1" in "\n".join(obey(shown, "pieces"))
    lines = obey(shown, "eyes a")
    assert "eyes: side A" in lines[0]
    assert shown.index == 0
    assert "B.S1" not in "\n".join((*lines, *obey(shown, "pieces")))
    assert [line.split()[0] for line in obey(shown, "eyes")] == list(recording().eyes)


def test_the_map_is_drawn_around_a_place_and_at_two_scales() -> None:
    shown = viewer()
    assert "A.S1" in "\n".join(obey(shown, "map A.S1"))
    assert obey(shown, "map nowhere")[0].startswith("E-ARG")
    assert obey(shown, "map 99999,1")[0].startswith("E-ARG")
    small = obey(shown, "zoom 0")
    assert max(map(len, small)) < 60
    assert obey(shown, "map ceres") == obey(shown, "map D4")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("trun 3", "Did you mean turn?"),
        ("mo", "Did you mean moment or moments?"),
        ("turn", "E-MISSING"),
        ("turn x", "'x' is no turn"),
        ("turn 99", "there is no turn 99, only 1 to"),
        ("eyes C", "Choices: omni, A, B, public"),
        ("first now", "'now' is too much"),
    ],
)
def test_a_wrong_line_is_told_what_would_be_right(line: str, said: str) -> None:
    assert said in "\n".join(obey(viewer(), line))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_command_of_the_help_does_what_its_example_says(row: ReplayVerb) -> None:
    shown = viewer("A")
    if row.name == "quit":
        with pytest.raises(Leave):
            obey(shown, row.example)
        return
    lines = obey(shown, row.example)
    assert lines
    assert not lines[0].startswith("E-")
    assert any(row.name in line and row.meaning in line for line in help_lines())


def test_no_two_commands_have_the_same_word() -> None:
    words = [word for row in ROWS for word in (row.name, row.alias) if word]
    assert len(words) == len(set(words))


@given(st.text(max_size=30), st.deferred(lambda: st.sampled_from(recording().eyes)))
def test_whatever_is_typed_is_answered(line: str, eyes: str) -> None:
    if line.strip()[:1].lower() not in ("q", "#"):
        assert obey(viewer(eyes, 4), line)


# --- printing it


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(["replay", *words]) == code
    said = capsys.readouterr()
    return said.out, said.err


def test_where_nobody_types_all_of_it_is_printed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = printed(capsys, str(file))
    assert err == ""
    assert out.count(": PLOT") == recording().steps[-1].turn
    assert "THE END" in out


def test_some_turns_and_eyes_alone_are_printed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = printed(capsys, str(file), "--eyes", "b", "--turn", "2-3")
    assert "side B" in out.splitlines()[0]
    assert "-- turn 2 of" in out
    assert "-- turn 4 of" not in out
    assert "A.S1" not in out


def test_a_cut_file_is_printed_up_to_its_last_whole_window_with_one_sentence(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, _ = printed(capsys, str(file))
    file.write_bytes(file.read_bytes()[:-40_000])
    out, err = printed(capsys, str(file))
    assert err == "sunglare: This file was cut: its end is missing.\n"
    assert whole.startswith(out)
    assert "-- turn 1 of" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("foreign.sgr",), "This is no record of a match."),
        (
            ("match.sgr", "--eyes", "C"),
            "There are no eyes 'C' here; choose from omni, A, B, public.",
        ),
        (("match.sgr", "--turn", "99"), "It has no such turn, only 1 to"),
        (("huge.sgr",), "This file is too large: 64 MiB are the most."),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_what_cannot_be_shown_is_told_in_one_sentence(
    words: tuple[str, ...], said: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.with_name("foreign.sgr").write_bytes(b"not at all")
    with file.with_name("huge.sgr").open("wb") as huge:
        huge.truncate(FILE_BYTES_MOST + 1)
    out, err = printed(capsys, *words, code=2)
    assert out == ""
    assert err.startswith(f"sunglare: {said}")
    assert err.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = printed(capsys, "nowhere.sgr", code=1)
    assert "nowhere.sgr" in err
    assert err.count("\n") == 1


def test_a_match_that_was_played_here_is_shown_by_the_beginning_of_its_id(
    capsys: pytest.CaptureFixture[str],
) -> None:
    records.keep(MatchId(recording().match), match_file(NAME))
    out, _ = printed(capsys, recording().match[:5], "--turn", "1")
    assert "-- turn 1 of" in out


# --- from a server


async def test_one_finds_ones_own_match_that_is_over_and_sees_it(home: Path) -> None:
    async with running_app(home) as app, playing(app.url, ("Ada", "Bo")) as players:
        match = players[0].match
        identity.save(app.url, players[0].talker.token)
        early = await program("replay", match, "--url", app.url, home=home / "home")
        await play_on(players, 2)
        own = await program("replay", match[:6], "--url", app.url, home=home / "home")
        strange = await program("replay", match, "--url", app.url, home=home / "other")
        none = await program("matches", "--over", "--url", app.url, home=home / "home")
        await resigned(players[1], [players[0]])
        # The seats hear of the end first; the lists have it once the room is kept as over.
        await until(lambda: match not in app.lobby.rooms)
        listed = await program("matches", "--over", "--url", app.url, home=home / "home")
        shown = await program("replay", match[:6], "--url", app.url, home=home / "other")
    assert early.code == 0, early.err
    assert own.out.startswith("a match: side A")
    assert strange.code == 1
    assert strange.err.startswith("sunglare: ")
    assert strange.err.count("\n") == 1
    assert none.out.endswith("  none\n")
    assert f"  {match}  shadow-of-ceres" in listed.out
    assert "sunglare replay ID" in listed.out
    assert shown.out.startswith("shadow of ceres: the truth")
    assert "A (Ada) wins" in shown.out


async def test_what_was_played_here_is_listed_with_its_result(home: Path) -> None:
    records.keep(MatchId(recording().match), match_file(NAME))
    records.keep(MatchId("broken"), b"not at all")
    async with running_app(home) as app:
        listed = await program("matches", "--over", "--url", app.url, home=home / "home")
    row = next(line for line in listed.out.splitlines() if recording().match in line)
    result = r"  (a draw|[AB] wins) \(points: A \d+, B \d+\)$"
    assert re.search("  shadow-of-ceres  A .*, B .*" + result, row)
    assert "  broken  This is no record of a match." in listed.out


async def test_no_more_than_a_replay_may_have_is_taken_from_a_server() -> None:
    def endless(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if not isinstance(message, FetchRecord):
            return answers(message)
        part = Piece(id=message.id, match=MATCH, from_byte=0, data=bytes(1000))
        return (*(part,) * 9, Piece(id=message.id, match=MATCH, from_byte=0, data=b"", last=True))

    async with serving(endless) as (url, _), await connect(url) as connection:
        assert len(await connection.record(MATCH, most=2_500)) == 2_500
        assert len(await connection.record(MATCH)) == 9_000

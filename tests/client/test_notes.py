"""What a bot notes for itself: bounded, kept with the own log and replay, and sent to nobody."""

import asyncio
import base64
import gzip
import logging
import os
import re
import stat
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.commandlines import sunglare as program
from builders.fakeserver import CARD
from builders.players import created
from builders.proxies import proxied
from builders.servers import running_app
from builders.terminals import Paper
from builders.wires import met
from page.files import match_file
from sunglare_arena.verify import verified
from sunglare_client.__main__ import main
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, play
from sunglare_client.bots import RandomLegal
from sunglare_client.errors import BotError
from sunglare_client.export.exporting import Wanted, made_of
from sunglare_client.link.matchlog import LogError, MatchLog, kept_log, read_log
from sunglare_client.replays.own import noted_in, recording_with
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_client.replays.telling import note_lines
from sunglare_client.replays.viewer import Viewer
from sunglare_client.terminal.screen import Screen
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import SIDES, MatchId, Side
from sunglare_protocol.messages import Over, Resumed, ResumeKind
from sunglare_protocol.orders import Order
from sunglare_protocol.replay.notes import NOTE_LETTERS_MOST, NOTES_MOST, Note, with_notes
from sunglare_protocol.replay.values import ReplayError
from sunglare_protocol.views import View

NAME = "shadow-of-ceres"
A = Side("A")
CANARY = "canary-7f3a"


@lru_cache(maxsize=1)
def recording_of_match() -> Recording:
    """Return the recording of a whole match."""
    return read_recording(match_file(NAME))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own."""
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Scribe(RandomLegal):
    """Notes something in each of its methods."""

    def on_start(self, match: BotMatch) -> None:
        """Note the side."""
        self.note(f"{CANARY} plays {match.side}")
        super().on_start(match)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Note and mark something."""
        self.note(f"{CANARY} in {view.stage.window}")
        for ship in advice.ships()[:1]:
            self.mark(ship.square, f"{CANARY} stands here")
        return super().on_window(view, advice)

    def on_end(self, over: Over) -> None:
        """Note the end."""
        self.note(f"{CANARY} {over.result.ending.value}")


# --- noting


def test_notes_stand_under_the_window_in_which_they_were_made() -> None:
    bot = Bot()
    bot.note("early")
    bot.notebook.turn_to(3, "3.scan.1")
    bot.mark(Square(7, 27), "there")
    bot.mark(Square(7, 28))
    assert bot.notebook.notes == [
        Note(seq=1, text="early"),
        Note(seq=2, turn=3, window="3.scan.1", text="there", at=Square(7, 27)),
        Note(seq=3, turn=3, window="3.scan.1", text="", at=Square(7, 28)),
    ]
    bot.notebook.begin()
    bot.note("another match")
    assert bot.notebook.notes == [Note(seq=1, text="another match")]


def test_a_long_note_is_cut_and_what_no_file_can_hold_is_replaced() -> None:
    bot = Bot()
    bot.note("a" * 1_000 + CANARY)
    bot.note("half \ud800 a letter")
    assert [note.text for note in bot.notebook.notes] == [
        "a" * NOTE_LETTERS_MOST,
        "half ? a letter",
    ]


def test_more_notes_than_the_most_are_dropped_and_the_log_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bot = Bot()
    with caplog.at_level(logging.WARNING):
        for number in range(NOTES_MOST + 10):
            bot.note(str(number))
    assert [note.text for note in bot.notebook.notes] == [str(n) for n in range(NOTES_MOST)]
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@pytest.mark.parametrize(
    "square", [(1,), (1, 2, 3), "x", 7, (-1, 0), (0, 10**30), ("a", "b")], ids=str
)
def test_a_mark_at_no_square_of_any_board_is_told(square: object) -> None:
    with pytest.raises(BotError, match=r"no square|no board"):
        Bot().mark(square, "there")  # type: ignore[arg-type]


def test_a_bot_that_makes_itself_without_the_class_above_may_note_too() -> None:
    class Bare(Bot):
        def __init__(self) -> None:
            self.mine = 1

    bot = Bare()
    bot.note("fine")
    assert [note.text for note in bot.notebook.notes] == ["fine"]


# --- over the wire


def kept_in(folder: Path, pattern: str) -> tuple[bool, ...]:
    """Return of every such file whether a note stands in it."""
    return tuple(CANARY.encode() in path.read_bytes() for path in folder.glob(pattern))


async def test_what_a_bot_notes_is_in_its_own_log_and_in_nothing_that_anybody_is_sent(
    home: Path,
) -> None:
    async with running_app(home) as app, proxied(app.url) as proxy, met(app.url) as host:
        match = await created(host, scenario=NAME)
        bots = [
            play(Scribe(1), proxy.url, match=match, side=A, log=kept_log("a.log")),
            play(RandomLegal(2), proxy.url, match=match, side=Side("B"), log=kept_log("b.log")),
        ]
        await asyncio.gather(*bots)
        record = await host.record(match)
    passed = [data for line in proxy.lines for data in (*line.up, *line.down)]
    assert len(passed) > 100
    assert not any(CANARY.encode() in data for data in (*passed, record))
    assert kept_in(home, "b.log") == (False,)
    assert kept_in(home, "a.log") == (True,)
    notes = noted_in(Path("a.log")).notes
    assert notes[0] == Note(seq=1, text=f"{CANARY} plays A")
    assert {note.text for note in notes} > {f"{CANARY} in 1.plot", f"{CANARY} stands here"}
    assert all(note.window in note.text for note in notes if " in " in note.text)
    assert set(kept_in(home, "journal*")) == {False}
    assert verified(with_notes(record, A, notes))[-1].startswith(f"notes    A {len(notes)}: ")


# --- in the own replay


def log_with(path: Path, *notes: Note, match: str = "") -> Path:
    """Write the log of a seat of the match, with these notes."""
    log = MatchLog(path)
    named = MatchId(match or recording_of_match().match)
    taken = Resumed(
        id=1,
        match=named,
        side=A,
        ticket=None,
        kind=ResumeKind.EXACT,
        since_ms=0,
        last_id=0,
        card=CARD,
        rev=0,
    )
    log.seated(taken)
    for note in notes:
        log.noted(note)
    return path


PLOT = Note(seq=1, turn=2, window="2.plot", text=f"{CANARY} is a frigate", at=Square(7, 27))
EARLY = Note(seq=2, text=f"{CANARY} begins")


def test_a_replay_shows_the_notes_of_a_side_through_its_eyes_alone() -> None:
    recording = read_recording(with_notes(match_file(NAME), A, (PLOT, EARLY)))
    index = recording.index_of_turn(2)
    assert index is not None
    assert note_lines(recording, "A", index) == [f"A marked 7,27 B6: {CANARY} is a frigate"]
    assert note_lines(recording, "A", 0) == [f"A noted: {CANARY} begins"]
    viewer = Viewer(recording, "A", index, Screen(Paper(), ascii_only=True))
    assert f"A marked 7,27 B6: {CANARY} is a frigate" in viewer.story_lines()
    for eyes in ("B", "omni", "public"):
        viewer.look_through(eyes)
        assert CANARY not in "\n".join(viewer.story_lines())


HOSTILE = st.text(max_size=NOTE_LETTERS_MOST) | st.sampled_from(
    ["\x1b[2J\x1b]0;gone\x07", "one\ntwo\r\n", "\u202egnp.exe", "\x9b31m", "\x00"]
)


@given(HOSTILE)
def test_a_note_is_shown_as_one_line_that_no_terminal_obeys(text: str) -> None:
    bot = Bot()
    bot.note(text)
    recording = recording_of_match().noting(A, bot.notebook.notes)
    (line,) = note_lines(recording, "A", 0)
    assert line.startswith("A noted: ")
    # Blanks of other alphabets are no letters to Python, and nothing to a terminal.
    assert all(letter.isprintable() or category(letter) == "Zs" for letter in line)


def test_a_note_that_makes_no_sense_is_left_out_and_the_match_is_shown() -> None:
    made = with_notes(match_file(NAME), A, (Note(seq=1, text="a" * 400), EARLY))
    recording = read_recording(made)
    assert note_lines(recording, "A", 0) == [f"A noted: {CANARY} begins"]
    assert recording.fault == ""


def test_no_more_notes_are_read_than_anybody_keeps() -> None:
    many = [Note(seq=n, text=str(n)) for n in range(1, NOTES_MOST + 50)]
    recording = read_recording(with_notes(match_file(NAME), A, many))
    assert len(note_lines(recording, "A", 0)) == NOTES_MOST


@pytest.mark.parametrize("kind", ["html", "txt", "svg"])
@pytest.mark.parametrize("eyes", [None, "A"])
def test_nothing_that_is_exported_has_a_note(kind: str, eyes: str | None) -> None:
    noted = with_notes(match_file(NAME), A, (PLOT, EARLY))
    assert CANARY.encode() in noted
    made = made_of(noted, "match", kind, Wanted(eyes=eyes))
    assert made == made_of(match_file(NAME), "match", kind, Wanted(eyes=eyes))
    packed = re.findall(rb'id="replay"[^>]*>([^<]+)<', made)
    assert len(packed) == (kind == "html")
    for data in (made, *(gzip.decompress(base64.b64decode(part)) for part in packed)):
        assert CANARY.encode() not in data


def test_a_log_shows_its_notes_beside_a_replay_that_has_none(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "match.sgr").write_bytes(match_file(NAME))
    log_with(home / "a.log", PLOT)
    words = ["replay", "match.sgr", "--eyes", "A", "--turn", "2"]
    assert main(words) == 0
    assert CANARY not in capsys.readouterr().out
    assert main([*words, "--mine", "a.log"]) == 0
    assert f"A marked 7,27 B6: {CANARY} is a frigate\n" in capsys.readouterr().out


def test_a_log_of_another_match_and_what_is_no_log_are_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "match.sgr").write_bytes(match_file(NAME))
    log_with(home / "other.log", PLOT, match="z" * 26)
    (home / "none.log").write_text("hello\n")
    for log, said in (("other.log", "of match zzz"), ("none.log", "is no line of a match log")):
        assert main(["replay", "match.sgr", "--mine", log]) == 1
        err = capsys.readouterr().err
        assert said in err
        assert err.count("\n") == 1


def test_the_notes_of_a_seat_that_was_taken_again_are_counted_on(home: Path) -> None:
    path = log_with(home / "a.log", PLOT)
    log_with(path, PLOT)
    assert [note.seq for note in noted_in(path).notes] == [1, 2]
    index = recording_of_match().index_of_turn(2)
    assert index is not None
    assert len(note_lines(recording_with(recording_of_match(), path), "A", index)) == 2


async def test_a_record_is_saved_with_the_own_notes_in_it_when_the_match_is_over(
    home: Path,
) -> None:
    async with running_app(home) as app, met(app.url) as host:
        match = await created(host, scenario=NAME)
        bots = [
            play(Scribe(n), app.url, match=match, side=side, log=kept_log(f"home/{side}.log"))
            for n, side in enumerate(SIDES[:2])
        ]
        await asyncio.gather(*bots)
        words = ("record", match, "--out", "match.sgr", "--url", app.url)
        done = await program(*words, "--mine", "A.log", home=home / "home")
        plain = await host.record(match)
    assert done.code == 0, done.err
    assert stat.S_IMODE(os.stat(home / "home" / "match.sgr").st_mode) == 0o600
    noted = (home / "home" / "match.sgr").read_bytes()
    notes = noted_in(home / "home" / "A.log").notes
    assert noted == with_notes(plain, A, notes)
    shown = await program("replay", "match.sgr", "--eyes", "A", home=home / "home")
    assert shown.out.count(f"A noted: {CANARY}") == sum(note.at is None for note in notes)


def test_a_log_that_holds_a_note_too_long_is_told(home: Path) -> None:
    path = log_with(home / "a.log", Note(seq=1, text="a" * 400))
    with pytest.raises(ReplayError, match="larger than any"):
        noted_in(path)
    assert len(read_log(path)) == 2
    (home / "empty.log").write_text("")
    with pytest.raises(LogError):
        noted_in(home / "empty.log")

"""What a finished match's file says is checked from the seed on, and a difference is named."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import sunglare_server.match
from builders.records import link, read_record
from builders.scenarios import scenarios
from builders.verified import A, Finished, brief, finished, short
from sunglare_arena.matchfile import DifferenceError, UnfitError, read_file, with_trailer
from sunglare_arena.verify import main, verified
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match.dice import Dice, Purpose

LONG = "SUNGLARE_LONG" in os.environ
FLIPS = 1000 if LONG else 200
PATIENCE_S = 300 if LONG else 240
RUNS = FLIPS if LONG else 8
"""So many of the changed files are checked to the end, the others by their bytes alone."""


SORTED = msgspec.msgpack.Encoder(order="sorted")


def difference(data: bytes) -> DifferenceError:
    """Return what is found wrong with a file."""
    with pytest.raises(DifferenceError) as caught:
        verified(data)
    return caught.value


SHORT = ("duel", "gunnery", "stalk-2", "siege", "orlog", "parade", "hunt")


@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("name", sorted(scenarios()) if LONG else SHORT)
def test_a_match_is_what_its_file_says(name: str) -> None:
    match = finished(name)
    found = verified(match.data)
    assert f"{len(match.journal)}: each follows from the last" in found[1]
    assert "A revealed as pledged, B pledged, not revealed, left out" in found[3]


def test_a_match_with_filled_up_frames_is_what_its_file_says() -> None:
    match = short(clock="blitz")
    frames = [post for post in match.posts(A) if isinstance(post, Frame)]
    assert any(frame.pad for frame in frames)
    verified(match.data)


def test_the_chains_are_those_of_the_frames_that_were_sent() -> None:
    match = finished("duel")
    trailer = read_record(match.data).trailer
    assert set(trailer["chains"]) == set(match.sent) >= {PUBLIC, OMNI}
    for audience, sent in match.sent.items():
        chain, links = bytes(16), []
        for data in sent:
            message = msgspec.msgpack.decode(data)
            if message["t"] == "frame":
                message.pop("pad", None)
                chain = link(chain + SORTED.encode(message))
                links.append([message["seq"], message["window"], chain])
        assert trailer["chains"][audience] == links


def test_the_trailer_lists_each_roll_once_and_of_many_kinds() -> None:
    rolls = [tuple(roll[:6]) for name in ("siege", "stalk-2") for roll in _rolls(name)]
    purposes = {str(roll[0]) for roll in rolls}
    assert purposes <= {purpose.value for purpose in Purpose}
    assert purposes > {"initiative", "handle", "fire", "sense", "passive", "tie"}
    assert all(len(set(rolls)) == len(rolls) for rolls in map(_rolls, ("siege", "stalk-2")))


@cache
def _rolls(name: str) -> list[tuple[Any, ...]]:
    return [tuple(roll) for roll in read_record(finished(name).data).trailer["rolls"]]


def test_no_die_has_two_numbers_of_sides_under_one_key() -> None:
    for name in ("siege", "stalk-2", "gunnery"):
        keys = [roll[:5] for roll in _rolls(name) if roll[5]]
        assert len(set(keys)) == len(keys)


def test_nobody_but_the_start_and_the_flow_of_a_step_makes_dice() -> None:
    # Else a die could be looked up that no trailer lists; scans that nobody made need no proof.
    core = Path(str(sunglare_server.match.__path__[0]))
    makers = {
        path.name
        for path in core.rglob("*.py")
        if "Dice(seed=" in (text := path.read_text()) or "state.dice" in text
    }
    assert makers == {"start.py", "flow.py", "state.py", "dice.py", "bestscans.py"}


# --- one changed byte


@pytest.mark.timeout(PATIENCE_S)
def test_a_changed_byte_is_found_wherever_it_stands() -> None:
    data, rng = short().data, Random(1)
    for number in range(FLIPS):
        damaged = bytearray(data)
        damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        if number < RUNS:
            with pytest.raises((DifferenceError, UnfitError)):
                verified(bytes(damaged))
        else:
            assert _is_seen_in_the_bytes(bytes(damaged))


def _is_seen_in_the_bytes(data: bytes) -> bool:
    try:
        return with_trailer(read_file(data)).unsealed is not None
    except (DifferenceError, UnfitError):
        return True


def _hash_ends(data: bytes) -> list[int]:
    """Return where something ends that looks as the end of a file does: a hash."""
    return [at + 18 for at in range(len(data) - 18) if data[at : at + 2] == b"\xc4\x10"]


@pytest.mark.parametrize("name", ["duel", "siege"])
def test_a_file_that_was_cut_anywhere_is_told_as_that(name: str) -> None:
    data, rng = finished(name).data, Random(2)
    places = [*(rng.randrange(len(data)) for _ in range(60)), *range(30)]
    places += [*range(len(data) - 60, len(data)), *rng.sample(_hash_ends(data), 40)]
    for place in places:
        with pytest.raises(UnfitError) as caught:
            with_trailer(read_file(data[:place]))
        assert ("was cut" in str(caught.value)) is (place > 0)


def test_the_exit_code_of_a_cut_file_is_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, rng, file = brief().data, Random(3), tmp_path / "match.sgr"
    for place in (0, 1, *(rng.randrange(len(data)) for _ in range(10)), len(data) - 1):
        file.write_bytes(data[:place])
        assert main([str(file)]) == 2
        assert capsys.readouterr().err.startswith(f"sunglare verify: {file}: This ")


def test_a_length_that_was_changed_is_a_difference_and_no_cut() -> None:
    match = brief()
    for start, _ in _spans(match)[3:40:5]:
        damaged = bytearray(match.data)
        # The two bytes before a record are its length.
        assert damaged[start - 3] == 0xC5 or damaged[start - 2] == 0xC4
        damaged[start - (2 if damaged[start - 3] == 0xC5 else 1)] = 0xFF
        with pytest.raises(DifferenceError):
            with_trailer(read_file(bytes(damaged)))


def test_a_changed_byte_of_a_record_names_the_record() -> None:
    match = short()
    spans = _spans(match)
    rng = Random(4)
    for number in (1, 2, 17, 30, len(spans)):
        start, end = spans[number - 1]
        for _ in range(10):
            damaged = bytearray(match.data)
            damaged[rng.randrange(start, end)] ^= 1 << rng.randrange(8)
            assert difference(bytes(damaged)).where == f"record {number}"


def _spans(match: Finished) -> list[tuple[int, int]]:
    """Return where the bytes of each record begin and end in the file."""
    spans: list[tuple[int, int]] = []
    for blob in match.journal:
        start = match.data.index(blob, spans[-1][1] if spans else 0)
        spans.append((start, start + len(blob)))
    return spans


# --- forgeries whose hashes fit


def _dropped(records: list[bytes]) -> None:
    del records[6]


def _swapped(records: list[bytes]) -> None:
    records[6], records[7] = records[7], records[6]


ALONE = "header   'names', 'bots', 'hall': the server's word alone, nothing vouches for it"


FORGED = {"names": {"A": "Nobody"}, "trailer": False}
FIELDS = """
    format version rules match scenario names bots winner ending points records trailer hall
"""


def test_the_fields_of_a_header_are_all_forged_below() -> None:
    assert {*read_record(brief().data).header, "hall"} == set(FIELDS.split())


@pytest.mark.parametrize("field", FIELDS.split())
def test_a_forged_field_of_the_header_is_a_difference_or_named_as_the_servers_word(
    field: str,
) -> None:
    def forgery(header: dict[str, Any]) -> None:
        header["hall"] = "of fame"
        header[field] = FORGED.get(field, "forged")

    data = finished(turns=1).forged(header=forgery)
    try:
        found = verified(data)
    except (DifferenceError, UnfitError):
        assert f"'{field}'" not in ALONE
    else:
        assert f"'{field}'" in ALONE
        assert ALONE in found


@pytest.mark.parametrize("forgery", [_dropped, _swapped])
def test_a_record_that_is_missing_or_out_of_place_is_named(
    forgery: Callable[[list[bytes]], None],
) -> None:
    found = difference(brief().forged(records=forgery))
    assert (found.where, found.what) == ("record 7", "it is numbered 8")


def test_a_changed_roll_is_named_with_its_key() -> None:
    def loaded(trailer: dict[str, Any]) -> None:
        roll = next(roll for roll in trailer["rolls"] if roll[0] == "fire")
        roll[6] = 7 - roll[6]
        loaded_rolls.append(roll)

    loaded_rolls: list[list[Any]] = []
    found = difference(brief().forged(trailer=loaded))
    _, _, piece, turn, index, _, result = loaded_rolls[0]
    assert found.where == f"the roll fire of {piece}, turn {turn}, number {index}"
    assert found.what == f"the file says {result}, the seed gives {7 - result}"


def test_a_roll_that_is_left_out_or_added_is_named() -> None:
    match = brief()

    first = str(Dice(seed=with_trailer(read_file(match.data)).trailer.seed).token("A", 0))

    def added(trailer: dict[str, Any]) -> None:
        trailer["rolls"].append(["handle", "A", "", 0, 0, 0, first])

    left_out = match.forged(trailer=lambda trailer: trailer["rolls"].pop(20))
    assert "record" in difference(left_out).what
    found = difference(match.forged(trailer=added))
    assert found.where == "the roll handle of A, turn 0, number 0"
    assert found.what == "the trailer has it, no record makes it"


@pytest.mark.parametrize("audience", ["A", "B", "public", "omni"])
def test_a_changed_frame_hash_names_frame_audience_and_window(audience: str) -> None:
    def changed(trailer: dict[str, Any]) -> None:
        trailer["chains"][audience][11][2] = bytes(16)
        names.append(trailer["chains"][audience][11][:2])

    names: list[list[Any]] = []
    found = difference(short().forged(trailer=changed))
    seq, window = names[0]
    assert found.where == f"frame {seq} of {audience} (window {window})"


def test_another_server_seed_does_not_fit_the_commitment() -> None:
    def other_seed(record: dict[str, Any]) -> None:
        if record["n"] == 1:
            record["b"]["server_seed"] = bytes(32)

    found = difference(brief().forged(record=other_seed))
    assert found.where == "the trailer"
    assert "commitment" in found.what


def test_another_match_seed_does_not_follow_from_the_seats() -> None:
    seeded = brief().forged(trailer=lambda trailer: trailer.update(seed=bytes(32)))
    assert "match seed" in difference(seeded).what


def test_entropy_that_was_not_pledged_is_named() -> None:
    def poured(record: dict[str, Any]) -> None:
        if record["n"] == 1:
            record["b"]["seats"][1]["entropy"] = b"c" * 32

    found = difference(brief().forged(record=poured))
    assert (found.where, "seat B" in found.what) == ("record 1", True)


def test_orders_that_were_taken_away_are_found_by_what_follows() -> None:
    def silent(record: dict[str, Any]) -> None:
        if record["n"] > 4 and record["k"] == "cmd" and record["b"].get("orders"):
            record["b"]["orders"] = []

    found = difference(brief().forged(record=silent))
    assert found.where.startswith(("the roll", "frame", "record"))


def test_orders_that_are_not_legal_are_named() -> None:
    def cheating(record: dict[str, Any]) -> None:
        if record["k"] == "cmd" and record["b"]["t"] == "orders" and record["s"] == "A":
            record["b"]["orders"] = [{"t": "sensors", "ship": "S9", "out": True}]

    found = difference(brief().forged(record=cheating))
    assert found.where == "record 2 (window 1.plot)"
    assert "orders of A that are not legal" in found.what


@pytest.mark.parametrize(
    ("key", "value"),
    [("winner", "B"), ("ending", "resigned"), ("scenario", "melee"), ("points", {"A": 99})],
)
def test_a_header_that_says_otherwise_than_the_records_is_named(key: str, value: object) -> None:
    boasting = brief().forged(header=lambda header: header.update({key: value}))
    found = difference(boasting)
    assert found.where == "the header"
    assert found.what.startswith(f"{key}: ")


def test_an_audience_that_is_not_of_the_match_is_found() -> None:
    def watched(trailer: dict[str, Any]) -> None:
        trailer["chains"]["Z"] = []

    assert difference(brief().forged(trailer=watched)).where == "the trailer"


def test_a_match_that_goes_on_is_no_finished_one() -> None:
    def cut(records: list[bytes]) -> None:
        del records[-2:]

    def counted(header: dict[str, Any]) -> None:
        header["records"] -= 2

    found = difference(brief().forged(records=cut, header=counted))
    assert found.where.startswith(("the roll", "frame", "record"))


# --- the program


def test_the_exit_code_tells_whether_all_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.sgr"
    file.write_bytes(brief().data)
    assert main([str(file)]) == 0
    assert capsys.readouterr().out.startswith("duel, match aaaa")
    file.write_bytes(brief().forged(records=_dropped))
    assert main([str(file)]) == 1
    assert capsys.readouterr().out == f"DIFFERENT  {file}: record 7: it is numbered 8\n"
    assert main([str(tmp_path / "none.sgr")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("sunglare verify: ")

"""Playing on from a turn of another match: what is taken over, what is new, what is refused."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from builders.matches import opened, view_of
from builders.played import START_MS, Rig, rig, wire
from builders.scenarios import scenarios
from builders.truths import MATCH, seed_of
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import PUBLIC, Audience, Handle, MatchId, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match import frames, past
from sunglare_server.match.absorb.handles import mint_handle
from sunglare_server.match.data import options
from sunglare_server.match.data.options import MatchOptions, OptionValue
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.space import Held
from sunglare_server.match.past import folding, past_of, played_on, records_of
from sunglare_server.match.record import (
    RECORD_VERSION,
    Kind,
    Past,
    PlayedOn,
    Record,
    RecordError,
    Resigned,
    packed,
    unpacked,
)
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step

OTHER = MatchId("b" * 26)
NAMES = ("duel", "shadow-of-ceres", "picket-line")


def beginnings(match: Rig) -> dict[int, tuple[int, MatchState]]:
    """Return, for every turn, how many records began it and the state there."""
    found: dict[int, tuple[int, MatchState]] = {}
    state: MatchState | None = None
    for number, blob in enumerate(match.journal, 1):
        before = match.journal[number - 2] if number > 1 else b""
        state = step(state, unpacked(blob, number, before)).state
        if not state.is_over:
            found.setdefault(state.standing.turn, (number, state))
    return found


def forked(match: Rig, turn: int, seed: int = 99, **wish: str) -> PlayedOn:
    """Return the opening of a match that is played on from a turn of `match`."""
    return forked_at(match, turn, beginnings(match)[turn], seed, **wish)


def forked_at(
    match: Rig, turn: int, at: tuple[int, MatchState], seed: int = 99, **wish: str
) -> PlayedOn:
    """Return the same, the turn having begun with so many records and in that state."""
    number, state = at
    held = past_of(MATCH, turn, tuple(match.journal[:number]))
    assert held is not None
    chosen = msgspec.convert({**msgspec.to_builtins(state.options), **wish}, MatchOptions)
    body = unpacked(match.journal[0], 1, b"").b
    scenario = body.scenario  # type: ignore[union-attr]
    return played_on(opened(scenario, chosen, seed_of(seed)), held)


def begun(opening: PlayedOn) -> Stepped:
    """Return the first step of a match, its opening stored and read again."""
    record = Record(v=RECORD_VERSION, m=OTHER, n=1, k=Kind.OPEN, t=START_MS, b=opening)
    return step(None, unpacked(packed(record), 1, b""))


def played(name: str, seed: int, windows: int = 24) -> Rig:
    """Return a match that was played with random orders."""
    match = rig(scenarios()[name], seed, PUBLIC)
    match.play(Random(seed), windows)
    return match


@pytest.mark.parametrize("name", NAMES)
def test_at_every_turn_truth_and_what_each_side_knows_are_what_they_were(name: str) -> None:
    match = played(name, 3, 40)
    for turn, at in beginnings(match).items():
        now, then = begun(forked_at(match, turn, at)).state, at[1]
        assert (now.truth, now.intel, now.standing) == (then.truth, then.intel, then.standing)


def test_each_side_is_shown_the_frame_of_that_turn_again() -> None:
    match = played("duel", 5)
    turn, (_, then) = list(beginnings(match).items())[-1]
    stepped = begun(forked(match, turn))
    for side in match.sides:
        audience = audience_of(side)
        (post,) = frames.posted(OTHER, stepped, audience, "")
        assert isinstance(post, Frame)
        assert post.seq == 1
        assert post.view == view_of(then, audience)
        assert post.notices == then.intel[audience].told
        wire(post)


def test_what_is_no_truth_and_no_knowledge_begins_anew() -> None:
    match = rig(scenarios()["four-corners"], 1, PUBLIC)
    match.put(Resigned(), match.sides[0])
    match.play(Random(1), 8)
    then = match.state
    now = begun(forked(match, then.standing.turn, clock="friendly")).state
    fresh = rig(scenarios()["four-corners"], 99, PUBLIC, clock="friendly").state
    assert then.table.resigned
    assert not now.table.resigned
    for field in ("clocks", "attendance", "shown_banks", "seqs", "opened_ms", "taken", "staged"):
        assert getattr(now, field) == getattr(fresh, field), field
    assert now.seed == fresh.seed != then.seed


def test_no_die_is_rolled_for_the_opening_and_every_later_one_by_the_new_seed() -> None:
    match = played("duel", 2, 20)
    turn = match.state.standing.turn
    assert begun(forked(match, turn)).rolls == ()
    states = [begun(forked(match, turn, seed)).state for seed in range(8)]
    drawn = [tuple(roll_of(state, number) for number in range(4)) for state in states]
    assert len(dict.fromkeys(drawn)) > 1


def roll_of(state: MatchState, number: int) -> int:
    """Return a die of the turn to come."""
    return state.dice.d6(state.standing.turn + 1, Purpose.INITIATIVE, "A", number)


def test_a_handle_that_is_still_held_is_not_given_out_again() -> None:
    dice = Dice(seed=b"s" * 32)
    intel = played("duel", 4).state.intel[Audience("A")]
    number = intel.handles
    known = Held(
        handle=Handle(dice.token("A", number)),
        label="C9",
        fix=Fix.CONTACT,
        square=Square(1, 1),
        turn=1,
    )
    holding = msgspec.structs.replace(intel, held={PieceId("B/S9"): known})
    after, handle = mint_handle(holding, dice)
    assert handle == dice.token("A", number + 1)
    assert after.handles == number + 2


def test_a_match_that_was_played_on_is_played_on_in_its_turn() -> None:
    match = played("duel", 6, 12)
    second = Rig(forked(match, 2), (PUBLIC,))
    second.play(Random(6), 10)
    turn, (_, then) = list(beginnings(second).items())[-1]
    assert turn > 2
    now = begun(forked(second, turn)).state
    assert (now.truth, now.intel) == (then.truth, then.intel)


def test_playing_on_ends_at_some_depth() -> None:
    opening = forked(played("duel", 6, 12), 2)
    for _ in range(past.DEPTH_MOST - 1):
        opening = forked(Rig(opening, (PUBLIC,)), 2)
    deepest = Rig(opening, (PUBLIC,))
    assert past_of(MATCH, 2, tuple(deepest.journal)) is None


def test_a_past_is_folded_in_slices_and_once() -> None:
    match = played("duel", 7)
    turn = max(beginnings(match))
    opening = forked(match, turn, 7)
    assert len(list(folding(opening, step))) == len(records_of(opening.past))
    assert list(folding(opening, step)) == []


def _other_turn(opening: PlayedOn) -> PlayedOn:
    bad = msgspec.structs.replace(opening.past, turn=opening.past.turn + 1)
    return msgspec.structs.replace(opening, past=bad)


def _cut(opening: PlayedOn) -> PlayedOn:
    held = records_of(opening.past)[:-1]
    return msgspec.structs.replace(opening, past=past_of(MATCH, opening.past.turn, held))


def _gap(opening: PlayedOn) -> PlayedOn:
    held = records_of(opening.past)
    past_with_gap = past_of(MATCH, opening.past.turn, (held[0], *held[2:]))
    return msgspec.structs.replace(opening, past=past_with_gap)


def _no_records(opening: PlayedOn) -> PlayedOn:
    return msgspec.structs.replace(opening, past=Past(match=MATCH, turn=2, packed=b"\x00" * 9))


def _other_match(opening: PlayedOn) -> PlayedOn:
    bad = msgspec.structs.replace(opening.past, match=OTHER)
    return msgspec.structs.replace(opening, past=bad)


def _other_scenario(opening: PlayedOn) -> PlayedOn:
    return msgspec.structs.replace(opening, scenario=scenarios()["picket-line"])


def _other_rules(opening: PlayedOn) -> PlayedOn:
    options = msgspec.structs.replace(opening.options, tracker_mode="dice")
    return msgspec.structs.replace(opening, options=options)


@pytest.mark.parametrize(
    "change",
    [_other_turn, _cut, _gap, _no_records, _other_match, _other_scenario, _other_rules],
)
def test_an_opening_that_does_not_fit_its_past_is_refused(
    change: Callable[[PlayedOn], PlayedOn],
) -> None:
    opening = forked(played("duel", 8, 12), 3)
    begun(opening)
    with pytest.raises(RecordError):
        begun(change(opening))


# --- options


def test_rules_stay_and_clock_and_audiences_are_chosen_anew() -> None:
    old = MatchOptions(clock="standard", tracker_mode="dice", afk="pause")
    found = options_of(old, {}, {"readiness": "named"})
    wanted = MatchOptions(clock="friendly", tracker_mode="dice", readiness="named")
    assert (found.clock, found.tracker_mode, found.afk, found.readiness) == (
        wanted.clock,
        wanted.tracker_mode,
        wanted.afk,
        wanted.readiness,
    )
    assert options_of(old, {"clock": "blitz"}, {}).clock == "friendly"
    assert options_of(old, {"clock": "demo"}, {}).clock == "demo"
    assert options_of(old, {}, {"tracker_mode": "dice"}).tracker_mode == "dice"


@pytest.mark.parametrize(
    ("wish", "at"),
    [
        ({"clock": "blitz"}, "$.options.clock"),
        ({"clock": "correspondence"}, "$.options.clock"),
        ({"clock": "sundial"}, "$.options.clock"),
        ({"tracker_mode": "window"}, "$.options.tracker_mode"),
        ({"gravity": "low"}, "$.options.gravity"),
    ],
)
def test_what_does_not_go_with_playing_on_is_named(wish: dict[str, OptionValue], at: str) -> None:
    refused = options.played_on(MatchOptions(tracker_mode="dice"), {}, wish)
    assert isinstance(refused, Rejected)
    assert refused.at == at


def options_of(
    old: MatchOptions, base: dict[str, OptionValue], wish: dict[str, OptionValue]
) -> MatchOptions:
    """Return the options of a match that is played on."""
    found = options.played_on(old, base, wish)
    assert isinstance(found, MatchOptions)
    return found

"""DETECT as it is resolved: passive rolls, sweeps, trackers, jams, and who takes part."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest
from msgspec.structs import replace

from huntrigs import RAIDER, hider, many_dice, seeker
from sunglare_protocol.geometry import Compass, Landing
from sunglare_protocol.huntwords import TrackerMode
from sunglare_protocol.ladder import Fate, Fix
from sunglare_protocol.orders import Listen, Sweep
from sunglare_protocol.pieces import PieceKind
from sunglare_rules.cloak import passive_chance
from sunglare_rules.sweeps import sweep_chances
from sunglare_server.match.dice import Dice
from sunglare_server.match.events import Event
from sunglare_server.match.huntevents import (
    CloakSwitched,
    HuntEnded,
    HuntStepped,
    PassiveRolled,
    SpaceJammed,
    SweepRolled,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.options import MatchOptions
from sunglare_server.match.resolve.hunting import (
    DetectOrders,
    declarations,
    endings,
    jamming,
    passive_rolls,
    steps,
    sweeps,
    uncloakings,
)
from sunglare_server.match.truth import Nova, ShipTruth, Truth
from truthrigs import A1, A2, B1, B2, C1, DICE, A, B, C, D, applied, only, ship, truth_of

NO_ORDERS: DetectOrders = {}
OPTIONS = MatchOptions()
WINDOW, BY_DICE = TrackerMode.WINDOW, TrackerMode.DICE


def heard(
    truth: Truth,
    dice: Dice = DICE,
    options: MatchOptions = OPTIONS,
    orders: DetectOrders = NO_ORDERS,
) -> list[PassiveRolled]:
    return list(passive_rolls(truth, orders, options, dice))


def active(truth: Truth, *pieces: PieceId) -> Truth:
    orders: DetectOrders = {each: Sweep(ship=truth.ships[each].own) for each in pieces}
    return applied(truth, declarations(truth, orders))


def swept(truth: Truth, dice: Dice = DICE, *, strict: bool = False) -> list[SweepRolled]:
    return list(sweeps(truth, truth.sides, dice, strict=strict))


# Passive detection.


@pytest.mark.parametrize("used", range(9))
def test_a_die_below_the_detection_value_finds_and_no_other(used: int) -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), used))
    rolls = [roll for dice in many_dice(200) for roll in heard(truth, dice)]
    assert len(rolls) == 200
    assert all((roll.found == (B1,)) == (roll.die < used) for roll in rolls)
    found = Fraction(sum(bool(roll.found) for roll in rolls), 200)
    assert abs(found - passive_chance(used)) < Fraction(1, 8)


def test_a_drifting_cloaked_ship_is_never_heard_however_near() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (10, 20), 0))
    assert not any(roll.found for dice in many_dice(100) for roll in heard(truth, dice))


def test_the_noise_of_the_scanner_itself_counts_twice() -> None:
    truth = truth_of(seeker(A, 1, (10, 20), used=2), hider(B, 1, (12, 5), 6))
    rolls = [roll for dice in many_dice(100) for roll in heard(truth, dice)]
    assert all(bool(roll.found) == (roll.die < 6 - 2 - 2) for roll in rolls)


def test_the_loudest_uncloaked_ship_of_any_side_drowns_everybody() -> None:
    loud = replace(ship(C, at=(30, 30)), thrust_used=3)
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 6), loud)
    rolls = [roll for dice in many_dice(100) for roll in heard(truth, dice) if roll.piece == A1]
    assert all(bool(roll.found) == (roll.die < 3) for roll in rolls)


@pytest.mark.parametrize(
    "quiet",
    [
        pytest.param(replace(hider(C, 1, (30, 30), 9), side=C), id="a cloaked one"),
        pytest.param(
            replace(
                ship(C, at=(30, 30)),
                thrust_used=9,
                type=replace(RAIDER, kind=PieceKind.MISSILE),
            ),
            id="a missile",
        ),
        pytest.param(
            replace(ship(C, at=(30, 30)), thrust_used=9, fate=Fate.DESTROYED), id="a wreck"
        ),
    ],
)
def test_what_is_no_ship_in_the_open_drowns_nobody(quiet: ShipTruth) -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 7), quiet)
    assert all(B1 in roll.found or C1 in roll.found for roll in heard(truth) if roll.piece == A1)


def test_the_nearest_that_the_die_beats_is_revealed_or_by_option_all() -> None:
    near, far = hider(B, 1, (10, 17), 4), hider(B, 2, (10, 5), 9)
    truth = truth_of(seeker(A, 1, (10, 20)), near, far)
    both = MatchOptions(passive_reveals="all")
    for dice in many_dice(60):
        [one], [every] = heard(truth, dice), heard(truth, dice, both)
        assert one.die == every.die
        assert one.found == ((B1,) if one.die < 4 else (B2,))
        assert every.found == ((B1, B2) if one.die < 4 else (B2,))


def test_the_finds_of_one_scanner_are_one_die_and_so_fully_correlated() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (10, 17), 3), hider(B, 2, (10, 5), 5))
    both = MatchOptions(passive_reveals="all")
    counts = Counter(roll.found for dice in many_dice(300) for roll in heard(truth, dice, both))
    # Dice of their own would give 2/6 * 4/6; the weaker chance alone is 2/6.
    assert abs(counts[(B1, B2)] / 300 - 1 / 3) < 0.07
    assert counts[(B1,)] == 0


def test_a_ship_under_thrust_hears_nothing_behind_it() -> None:
    astern, abeam = hider(B, 1, (10, 30), 9), hider(B, 2, (20, 20), 9)
    burning = truth_of(seeker(A, 1, (10, 20), used=1, spent=1), astern, abeam)
    turning = truth_of(seeker(A, 1, (10, 20), used=1), astern)
    every = MatchOptions(passive_reveals="all")
    assert [roll.found for roll in heard(burning, options=every)] == [(B2,)]
    assert [roll.found for roll in heard(turning, options=every)] == [(B1,)]


@pytest.mark.parametrize(
    "unfit",
    [
        pytest.param(replace(ship(A), powered=False), id="without power"),
        pytest.param(replace(ship(A), landing=Landing(body="R", sector=Compass.N)), id="landed"),
        pytest.param(replace(ship(A, kind=RAIDER), cloaked=True, cloaks=1), id="cloaked"),
        pytest.param(ship(A, kind=replace(RAIDER, kind=PieceKind.DECOY)), id="a decoy"),
        pytest.param(ship(A, kind=replace(RAIDER, kind=PieceKind.FIGHTER)), id="a fighter"),
        pytest.param(replace(ship(A), fate=Fate.ESCAPED), id="gone"),
    ],
)
def test_only_a_shown_powered_ship_in_space_listens(unfit: ShipTruth) -> None:
    truth = truth_of(unfit, hider(B, 1, (12, 5), 9))
    assert [roll for roll in heard(truth) if roll.piece == A1] == []


def test_a_ship_that_is_told_not_to_listen_does_not() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 9))
    listen = {A1: Listen(ship=truth.ships[A1].own, on=True)}
    deaf = {A1: Listen(ship=truth.ships[A1].own, on=False)}
    assert len(heard(truth, orders=listen)) == 1
    assert heard(truth, orders=deaf) == []


@pytest.mark.parametrize(("noise", "ears"), [("self", [A2]), ("all", [])])
def test_the_noise_of_a_sweep_deafens_the_sweeper_or_by_option_everybody(
    noise: str, ears: list[PieceId]
) -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), seeker(A, 2, (20, 20)), hider(B, 1, (12, 5), 9))
    options = MatchOptions(noise_blinds="all" if noise == "all" else "self")
    assert [roll.piece for roll in heard(active(truth, A1), options=options)] == ears


def test_a_nova_in_play_and_a_jam_deafen_all() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 9), turn=4)
    nova = Nova(piece=B1, weapon="N1", turn=3, square=truth.ships[B1].square, facing=Compass.N)
    assert heard(truth)
    assert not heard(replace(truth, novas=(nova,)))
    assert not heard(replace(truth, jam_end=4))
    assert heard(replace(truth, jam_end=3))


def test_a_wave_gun_deafens_only_where_the_option_says_so() -> None:
    truth = replace(truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 9)), wave_until=1)
    assert heard(truth)
    assert not heard(truth, options=MatchOptions(wave_gun_blinds="yes"))


# Sweeps.


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("there", [1, 2, 3])
def test_a_sweep_finds_as_often_as_the_table_says(there: int, strict: bool) -> None:
    hiders = [hider(B, number, (10, 20 - 3 * number)) for number in range(1, there + 1)]
    truth = active(truth_of(seeker(A, 1, (10, 20)), *hiders), A1)
    counts = Counter(
        len(roll.found) for dice in many_dice(600) for roll in swept(truth, dice, strict=strict)
    )
    for found, chance in enumerate(sweep_chances(there, strict)):
        assert abs(counts[found] / 600 - chance) < 0.07


def test_a_sweep_finds_the_nearest_first_whatever_the_range() -> None:
    truth = active(truth_of(seeker(A, 1, (0, 39)), hider(B, 1, (39, 0)), hider(B, 2, (9, 9))), A1)
    for dice in many_dice(40):
        [roll] = swept(truth, dice)
        assert roll.found[0] == B2
        assert len(roll.dice) == 2


def test_later_ships_of_a_side_roll_only_for_what_is_left() -> None:
    truth = truth_of(
        seeker(A, 1, (10, 20)),
        seeker(A, 2, (12, 20)),
        hider(B, 1, (10, 17)),
        hider(B, 2, (10, 5)),
    )
    for dice in many_dice(40):
        first, second = swept(active(truth, A1, A2), dice)
        assert (first.piece, second.piece) == (A1, A2)
        assert len(second.dice) == 2 - len(first.found)
        assert set(first.found) | set(second.found) == {B1, B2}


def test_sides_sweep_in_turn_from_the_initiative_winner_and_find_for_themselves() -> None:
    truth = truth_of(
        seeker(A, 1, (10, 20)),
        seeker(A, 2, (12, 20)),
        seeker(B, 1, (30, 20)),
        hider(C, 1, (10, 17)),
    )
    rolled = list(sweeps(active(truth, A1, A2, B1), (B, A, C), DICE, strict=False))
    assert [roll.piece for roll in rolled] == [B1, A1, A2]
    assert [roll.found for roll in rolled] == [(C1,), (C1,), ()]


def test_a_sweep_where_nobody_hides_is_a_sweep_all_the_same() -> None:
    truth = active(truth_of(seeker(A, 1, (10, 20)), ship(B, at=(12, 5))), A1)
    assert swept(truth) == [SweepRolled(piece=A1, dice=(), found=())]
    assert truth.active == (A1,)


@pytest.mark.parametrize(("ships", "before"), [(1, 0), (2, 0), (2, 9)])
def test_jammed_space_lasts_a_die_for_each_sweep_from_the_next_turn_on(
    ships: int, before: int
) -> None:
    truth = truth_of(seeker(A, 1, (1, 1)), seeker(A, 2, (3, 1)), ship(B), turn=5)
    noisy = replace(active(truth, *(A1, A2)[:ships]), jam_end=before)
    [jam] = jamming(noisy, DICE)
    assert len(jam.dice) == ships
    assert jam.until == max(before, 5) + sum(jam.dice)
    assert list(jamming(truth, DICE)) == []


# Trackers.


def step(truth: Truth, finds: Sequence[Event], mode: TrackerMode = WINDOW) -> Truth:
    return applied(truth, steps(truth, finds, mode))


def finds(history: str, turn: int) -> list[Event]:
    """Return the rolls of a turn: as many ears as its digit says."""
    ears = 0 if history[turn] == "-" else 2 if history[turn] == "D" else int(history[turn])
    return [PassiveRolled(piece=each, die=1, found=(B1,)) for each in (A1, A2)[:ears]]


HUNTED = truth_of(seeker(A, 1, (10, 20)), seeker(A, 2, (12, 20)), hider(B, 1, (12, 5), 5))


@pytest.mark.parametrize(
    ("history", "by_window", "by_dice"),
    [
        pytest.param("2", False, False, id="a first detection is none"),
        pytest.param("22", True, True, id="two pairs in a row"),
        pytest.param("2-2", True, True, id="two of three"),
        pytest.param(
            "221", True, False, id="2 2 1: the turns say yes, the pair dice have dropped"
        ),
        pytest.param("DDD--D", False, True, id="DDD--D: the dice forget which turn was a hit"),
        pytest.param("11111", False, False, id="one ship alone five times"),
        pytest.param("111111", True, True, id="one ship alone six times"),
        pytest.param("222---2", False, False, id="too long ago"),
    ],
)
def test_turns_and_dice_decide_as_the_rule_book_says(
    history: str, by_window: bool, by_dice: bool
) -> None:
    truth, last = HUNTED, None
    for turn in range(len(history)):
        events = tuple(steps(truth, finds(history, turn), WINDOW))
        [last] = only(events, HuntStepped)
        truth = applied(truth, events)
    assert last is not None
    assert (last.solution_window, last.solution_dice) == (by_window, by_dice)
    assert last.fix is (Fix.SOLUTION if by_window else Fix.DETECTED)


def test_the_option_lets_the_dice_decide() -> None:
    truth = step(step(HUNTED, finds("2", 0), BY_DICE), finds("2", 0), BY_DICE)
    [one] = only(steps(truth, finds("1", 0), BY_DICE), HuntStepped)
    assert (one.fix, one.solution_window, one.solution_dice) == (Fix.DETECTED, True, False)


def test_a_solution_takes_a_detection_this_turn() -> None:
    truth = step(step(HUNTED, finds("2", 0)), finds("2", 0))
    [missed] = only(steps(truth, (), WINDOW), HuntStepped)
    assert missed.fix is None
    assert not missed.solution_window


def test_a_sweep_fills_both_trackers_and_is_a_solution_whatever_else_heard() -> None:
    found = [SweepRolled(piece=A1, dice=(3,), found=(B1,)), *finds("2", 0)[1:]]
    [one] = only(steps(HUNTED, found, WINDOW), HuntStepped)
    assert one.fix is Fix.SOLUTION
    assert [(each.count, each.turns) for each in (one.trackers.multi, one.trackers.single)] == [
        (3, 3),
        (10, 10),
    ]


def test_a_side_without_a_find_has_no_hunt() -> None:
    assert list(steps(HUNTED, (), WINDOW)) == []


def test_a_hunt_ends_ten_turns_after_its_only_find() -> None:
    truth = step(HUNTED, finds("1", 0))
    for _ in range(9):
        events = tuple(steps(truth, (), WINDOW))
        assert only(events, HuntEnded) == []
        truth = applied(truth, events)
    events = tuple(steps(truth, (), WINDOW))
    assert len(only(events, HuntEnded)) == 1
    assert applied(truth, events).hunts_of(A) == {}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"cloaked": False}, id="uncloaks"),
        pytest.param({"fate": Fate.ESCAPED}, id="leaves"),
        pytest.param({"fate": Fate.DESTROYED}, id="dies unseen"),
        pytest.param({"cloaks": 2}, id="has cloaked again"),
    ],
)
def test_a_ship_that_is_no_longer_there_to_hear_is_missed(change: dict[str, object]) -> None:
    truth = step(HUNTED, finds("2", 0))
    gone = replace(truth.ships[B1], **change)
    after = replace(truth, ships={**truth.ships, B1: gone})
    [one] = only(steps(after, (), WINDOW), HuntStepped)
    assert (one.quarry, one.fix) == (truth.ships[B1].quarry, None)


def test_a_ship_that_cloaks_again_is_a_new_quarry_with_new_trackers() -> None:
    truth = step(HUNTED, finds("2", 0))
    off, on = CloakSwitched(piece=B1, on=False), CloakSwitched(piece=B1, on=True)
    again = applied(truth, (off, on))
    events = only(steps(again, finds("2", 0), WINDOW), HuntStepped)
    assert [each.fix for each in events] == [None, Fix.DETECTED]
    assert events[0].quarry != events[1].quarry


def test_empty_trackers_and_a_jam_end_with_the_turn() -> None:
    truth = replace(step(HUNTED, finds("1", 0)), jam_end=1)
    assert [type(each).__name__ for each in endings(truth, WINDOW)] == ["JamEnded"]
    assert [type(each).__name__ for each in endings(replace(truth, jam_end=2), WINDOW)] == []


# Uncloaking.


@pytest.mark.parametrize(
    ("watcher", "sees"),
    [
        pytest.param(ship(A, at=(10, 20)), True, id="near"),
        pytest.param(ship(A, at=(25, 5)), True, id="15 squares"),
        pytest.param(ship(A, at=(26, 5)), False, id="16 squares"),
        pytest.param(replace(ship(A, at=(10, 6)), powered=False), False, id="without power"),
        pytest.param(hider(A, 1, (10, 6)), False, id="cloaked itself"),
        pytest.param(
            ship(A, at=(10, 6), kind=replace(RAIDER, kind=PieceKind.DECOY)), False, id="a decoy"
        ),
    ],
)
def test_who_is_near_and_awake_sees_a_ship_uncloak(watcher: ShipTruth, sees: bool) -> None:
    truth = truth_of(watcher, ship(B, at=(10, 5), kind=RAIDER), ship(D, at=(39, 39)))
    seen = list(uncloakings(truth, [CloakSwitched(piece=B1, on=False)]))
    assert [each.side for each in seen] == ([A] if sees else [])
    assert list(uncloakings(truth, [CloakSwitched(piece=B1, on=True)])) == []


def test_a_jam_is_an_event_only_of_its_variant() -> None:
    truth = active(truth_of(seeker(A, 1, (1, 1)), ship(B)), A1)
    assert [type(each) for each in jamming(truth, DICE)] == [SpaceJammed]

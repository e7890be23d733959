"""DETECT as it is resolved: passive rolls, sweeps, jams, and who takes part."""

from collections import Counter
from fractions import Fraction

import pytest
from msgspec.structs import replace

from builders.hunts import RAIDER, hider, many_dice, seeker
from builders.truths import A1, A2, B1, B2, C1, DICE, A, B, C, D, applied, ship, truth_of
from sunglare_protocol.geometry import Compass, Landing
from sunglare_protocol.orders import Listen, Sweep
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.cloak.cloak import passive_chance
from sunglare_rules.cloak.sweeps import sweep_chances
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.cloak import (
    CloakSwitched,
    PassiveRolled,
    SpaceJammed,
    SweepRolled,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.cloak import (
    DetectOrders,
    declarations,
    jamming,
    passive_rolls,
    sweeps,
    uncloakings,
)
from sunglare_server.match.truth.truth import Nova, ShipTruth, Truth

NO_ORDERS: DetectOrders = {}
OPTIONS = MatchOptions()


def heard(
    truth: Truth,
    dice: Dice = DICE,
    options: MatchOptions = OPTIONS,
    orders: DetectOrders = NO_ORDERS,
) -> list[PassiveRolled]:
    return list(passive_rolls(truth, orders, options, dice))


def active(truth: Truth, *pieces: PieceId) -> Truth:
    orders: DetectOrders = {piece: Sweep(ship=truth.ships[piece].own) for piece in pieces}
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
        *(
            pytest.param(
                replace(ship(C, at=(30, 30)), thrust_used=9, type=replace(RAIDER, kind=kind)),
                id=f"a {kind.value}",
            )
            for kind in PieceKind
            if kind is not PieceKind.STARSHIP
        ),
        pytest.param(
            replace(ship(C, at=(30, 30)), thrust_used=9, fate=Fate.DESTROYED), id="a wreck"
        ),
    ],
)
def test_what_is_no_starship_in_the_open_drowns_nobody(quiet: ShipTruth) -> None:
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
        seeker(A, 1, (10, 20)), seeker(A, 2, (12, 20)), hider(B, 1, (10, 17)), hider(B, 2, (10, 5))
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
    assert [event.side for event in seen] == ([A] if sees else [])
    assert list(uncloakings(truth, [CloakSwitched(piece=B1, on=True)])) == []


def test_a_jam_is_an_event_only_of_its_variant() -> None:
    truth = active(truth_of(seeker(A, 1, (1, 1)), ship(B)), A1)
    assert [type(event) for event in jamming(truth, DICE)] == [SpaceJammed]

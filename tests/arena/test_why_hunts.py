"""Why a cloaked ship was heard or swept up, or was not: every reason, with die and value."""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from builders.hunts import hider, seeker
from builders.truths import A1, A2, B1, BOARD, DICE, A, B, applied, dice_where, truth_of
from sunglare_arena.hindsight.hunts import hunt_lines
from sunglare_protocol.orders import Listen, Sweep
from sunglare_protocol.words.cloak import NoiseBlinds
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.cloak import PassiveRolled, SweepRolled
from sunglare_server.match.events.space import Event
from sunglare_server.match.resolve.cloak import DetectOrders, declarations, passive_rolls, sweeps
from sunglare_server.match.truth.truth import Nova, Truth

OPTIONS = MatchOptions()


def said(
    truth: Truth,
    dice: Dice = DICE,
    orders: DetectOrders | None = None,
    options: MatchOptions = OPTIONS,
) -> str:
    """Return what is said of B1 after the DETECT that the resolver makes of it."""
    given = orders or {}
    declared = list(declarations(truth, given))
    ready = applied(truth, declared)
    events: Sequence[Event] = (
        *declared,
        *sweeps(ready, ready.sides, dice, strict=False),
        *passive_rolls(ready, given, options, dice),
    )
    return "\n".join(hunt_lines(ready, A, ready.ships[B1], events, options))


def rolling(truth: Truth, good: Callable[[int], bool]) -> Dice:
    """Return dice with which the die of A1's passive roll is good."""

    def fits(dice: Dice) -> bool:
        rolled = [e for e in passive_rolls(truth, {}, OPTIONS, dice) if e.piece == A1]
        return good(rolled[0].die)

    return dice_where(fits)


def test_a_ship_that_is_heard_is_told_with_the_value_that_the_die_stays_below() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 4))
    dice = rolling(truth, lambda die: die == 3)
    assert "S1 listened with a 3 against 4 - 0 - 0 = 4: HEARD" in said(truth, dice)
    dice = rolling(truth, lambda die: die == 4)
    assert "with a 4 against 4 - 0 - 0 = 4: not heard, the die is not below" in said(truth, dice)


def test_what_lies_astern_of_the_drive_is_told_so() -> None:
    truth = truth_of(seeker(A, 1, (10, 20), 0, spent=1), hider(B, 1, (10, 30), 9))
    assert "60 degrees astern" in said(truth)


def test_what_a_planet_hides_is_told_with_its_name() -> None:
    # Ceres stands on 15,12; north and south of it, one of them in its well.
    truth = truth_of(seeker(A, 1, (15, 15)), hider(B, 1, (15, 2), 9), board=BOARD)
    assert "not heard, hidden by Ceres" in said(truth)
    assert "hidden by Ceres" in said(truth, orders={A1: Sweep(ship=truth.ships[A1].own)})


def test_the_farther_of_two_that_a_die_beats_is_told_of_the_nearer_one() -> None:
    near, far = hider(B, 2, (10, 18), 9), hider(B, 1, (10, 5), 9)
    truth = truth_of(seeker(A, 1, (10, 20)), near, far)
    assert "not heard, a nearer one was heard" in said(truth)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"jam_end": 3}, "space was jammed up to turn 3", id="jammed"),
        pytest.param({}, "it was told not to", id="told not to"),
    ],
)
def test_a_ship_that_did_not_listen_is_told_why(change: dict[str, int], words: str) -> None:
    truth = replace(truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 4)), **change)
    silent = {A1: Listen(ship=truth.ships[A1].own, on=False)}
    assert f"S1 did not listen: {words}" in said(truth, orders=silent)


def test_a_cold_ship_does_not_listen_and_noise_may_deafen_all() -> None:
    cold = replace(seeker(A, 1, (10, 20)), powered=False)
    assert "S1 did not listen: plant off" in said(truth_of(cold, hider(B, 1, (12, 5), 4)))
    truth = truth_of(seeker(A, 1, (10, 20)), seeker(A, 2, (11, 20)), hider(B, 1, (12, 5), 4))
    loud = replace(OPTIONS, noise_blinds=NoiseBlinds.ALL.value)
    swept = said(truth, orders={A2: Sweep(ship=truth.ships[A2].own)}, options=loud)
    assert "S1 did not listen: the noise of sweeps" in swept


def test_a_nova_gun_that_spoils_listening_is_named() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), hider(B, 1, (12, 5), 4), turn=3)
    gun = truth.ships[A1]
    fired = Nova(piece=A1, weapon="N1", turn=2, square=gun.square, facing=gun.facing)
    assert "nova" in said(replace(truth, novas=(fired,)))


def test_a_sweep_says_where_its_dice_ended() -> None:
    near, far = hider(B, 2, (10, 18)), hider(B, 1, (10, 5))
    truth = truth_of(seeker(A, 1, (10, 20)), near, far)
    orders: DetectOrders = {A1: Sweep(ship=truth.ships[A1].own)}

    def rolled(dice: Dice) -> tuple[int, ...]:
        ready = applied(truth, declarations(truth, orders))
        (event,) = sweeps(ready, ready.sides, dice, strict=False)
        assert isinstance(event, SweepRolled)
        return tuple(sorted(event.dice))

    # The nearest needs 6 or less, the next one 5 or less.
    missed = said(truth, dice_where(lambda dice: rolled(dice) == (2, 6)), orders)
    assert "swept with dice 2 6" in missed
    assert "ended at ship 2 by distance, whose 6 is above 5" in missed
    assert "FOUND" in said(truth, dice_where(lambda dice: rolled(dice) == (2, 5)), orders)


def test_a_second_sweep_says_that_the_first_had_found_it() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), seeker(A, 2, (11, 20)), hider(B, 1, (10, 5)))
    orders: DetectOrders = {piece: Sweep(ship=truth.ships[piece].own) for piece in (A1, A2)}
    lines = said(truth, orders=orders).splitlines()
    assert ["FOUND" in line for line in lines] == [True, False]
    assert "had found it before" in lines[1]


def test_of_a_ship_that_is_not_cloaked_detect_says_nothing() -> None:
    truth = truth_of(seeker(A, 1, (10, 20)), seeker(B, 1, (12, 5)))
    event = PassiveRolled(piece=A1, die=1, found=())
    assert list(hunt_lines(truth, A, truth.ships[B1], [event], OPTIONS)) == []

"""How likely listeners are to hear a cloaked ship after a plan: the dice have no better chance."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.hunts import hider
from builders.orders import Written, read
from builders.ordnance import Battle
from builders.truths import A1, A, B, ship
from builders.views import S1, S2, own_ship, view
from sunglare_client.advice import Advice
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order, Thrust, Turn
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.odds.hearing import HeardOdds, heard_odds
from sunglare_rules.cloak.cloak import detection_value, passive_chance
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.resolve.cloak import loudest

HIDDEN = own_ship(id=S1, cloak=True, cloaked=True, thrust=4)
SHOWN = own_ship(id=S2, thrust=4)


def odds(plan: Written = "", *others: OwnView, mine: OwnView = HIDDEN) -> HeardOdds | None:
    seen = view(Phase.PLOT, mine, *others)
    return heard_odds(seen, mine, read(plan) if plan else ())


def test_a_drifting_ship_and_one_that_uses_one_point_are_never_heard() -> None:
    drifting, creeping = odds(), odds("thrust S1 N")
    assert drifting is not None
    assert creeping is not None
    assert (drifting.used, creeping.used) == (0, 1)
    assert drifting.hundredths[:2] == (0, 0)


def test_each_point_more_lets_one_face_more_of_the_die_hear_it() -> None:
    found = odds("thrust S1 N N N")
    assert found is not None
    assert found.used == 3
    assert found.hundredths[:5] == (0, 0, 17, 33, 50)
    # Four points of thrust and one step of turning.
    assert len(found.hundredths) == 4 + 1 + 1


def test_a_turn_counts_as_thrust_used() -> None:
    found = odds("turn S1 1; thrust S1 NE NE")
    assert found is not None
    assert found.used == 3


@pytest.mark.parametrize("plan", ["thrust S2 N N", "turn S2 1; thrust S2 NE"])
def test_the_noise_of_an_own_ship_that_is_not_cloaked_hides_a_cloaked_one(plan: str) -> None:
    found = odds(f"thrust S1 N N N; {plan}", SHOWN)
    assert found is not None
    assert (found.used, found.loudest) == (3, 2)
    assert found.hundredths[:5] == (0, 0, 0, 0, 17)


@pytest.mark.parametrize(
    "quiet",
    [
        replace(SHOWN, cloak=True, cloaked=True),
        replace(SHOWN, kind=PieceKind.DECOY),
        replace(SHOWN, kind=PieceKind.FIGHTER),
    ],
    ids=["cloaked", "decoy", "fighters"],
)
def test_what_is_cloaked_or_no_starship_makes_no_noise(quiet: OwnView) -> None:
    found = odds("thrust S2 N N", quiet)
    assert found is not None
    assert found.loudest == 0


def test_a_ship_that_will_not_be_cloaked_has_no_odds() -> None:
    assert odds("cloak S1 off") is None
    assert odds(mine=replace(HIDDEN, cloaked=False)) is None
    assert odds("cloak S1 on", mine=replace(HIDDEN, cloaked=False)) is not None


PLANS = st.tuples(st.integers(-1, 1), st.integers(0, 3), st.integers(0, 3))


@given(PLANS)
def test_the_dice_have_no_better_chance_than_was_foretold(plan: tuple[int, int, int]) -> None:
    steps, points, noise = plan
    fight = Battle(
        hider(A, 1, (10, 20)),
        ship(A, 2, (20, 20)),
        ship(B, 1, (10, 10)),
        options=MatchOptions(clock="test"),
    )
    mine = fight.own(A, OwnId("S1"))
    facing = mine.facing.turned(steps)
    orders: tuple[Order, ...] = (
        Turn(ship=S1, steps=steps),
        Thrust(ship=S1, to=(facing,) * points),
        Thrust(ship=S2, to=(facing,) * noise if steps == 0 else ()),
    )
    assume(Advice(fight.view(A)).check(orders) is None)
    foretold = Advice(fight.view(A)).heard_odds(mine, orders)
    assert foretold is not None
    fight.plot({A: orders})
    hidden = fight.truth.ships[A1]
    assert foretold.used == hidden.thrust_used
    value = detection_value(hidden.thrust_used, 0, loudest(fight.truth))
    assert foretold.hundredths[foretold.used] >= round(100 * passive_chance(value))

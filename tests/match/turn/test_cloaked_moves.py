"""What a cloaked ship does in a movement, and what others learn of that: nothing; cloak §4, §5."""

import pytest
from msgspec.structs import replace

from builders.advice import assert_refused
from builders.hunts import RAIDER, hider
from builders.matches import Course, scenario_of
from builders.ordnance import S1, S2, Battle, keen, placed
from builders.truths import A1, A2, B2, BOARD, CRUISER, FRIGATE, A, B, C, only, ship
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import PUBLIC, Audience, Side
from sunglare_protocol.orders import Cloak, Deploy
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal, shots
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario, ScenarioData, ShipEntry, SideSetup
from sunglare_server.match.events.cloak import PassiveRolled
from sunglare_server.match.events.space import ShipDestroyed, ShipEscaped
from sunglare_server.match.resolve.scanning import sunfactor_of

TEST, BLITZ = MatchOptions(clock="test"), MatchOptions(clock="blitz")


def sent(course: Course, audience: Audience) -> list[bytes]:
    """Return all that an audience was sent, in both forms."""
    return [encode_server(post, form) for post in course.sent[audience] for form in Form]


def others(course: Course) -> dict[Audience, list[bytes]]:
    """Return what everybody but A, whose the cloaked ship is, and `omni` was sent."""
    audiences = [audience for audience in course.state.intel if audience in ("B", "C", PUBLIC)]
    return {audience: sent(course, audience) for audience in audiences}


def flown(orders: str, *sides: Side, at: tuple[int, int] = (10, 3), turns: int = 3) -> Course:
    """Return a match in which A's raider flies so every turn, and nobody listens."""
    ships = [hider(A, 1, at, kind=RAIDER), ship(A, 2, (35, 35), RAIDER)]
    ships += [ship(side, 1, (12, 20 + 4 * n)) for n, side in enumerate(sides)]
    course = Course(scenario_of(*ships, board=BOARD))
    for _ in range(turns):
        is_there = course.state.truth.ships[A1].in_play
        course.close_with(Phase.PLOT, {A: orders if is_there else ""})
        course.close_with(Phase.DETECT, dict.fromkeys(sides, "listen S1 off"))
        course.close_with(Phase.ENGAGE)
    return course


DRIFT = ""
FLIGHTS = [
    pytest.param("turn S1 1", (10, 3), None, id="it turns"),
    pytest.param("thrust S1 NE", (10, 25), None, id="it thrusts"),
    pytest.param("thrust S1 N N N", (10, 3), Fate.ESCAPED, id="it leaves the map"),
    pytest.param("thrust S1 N", (15, 14), Fate.DESTROYED, id="a body kills it"),
]


@pytest.mark.parametrize("sides", [(B,), (B, C)], ids=["two sides", "three sides"])
@pytest.mark.parametrize(("orders", "at", "fate"), FLIGHTS)
def test_nobody_else_learns_how_a_cloaked_ship_moves(
    orders: str, at: tuple[int, int], fate: Fate | None, sides: tuple[Side, ...]
) -> None:
    course = flown(orders, *sides, at=at)
    assert course.state.truth.ships[A1].fate is (fate or Fate.IN_PLAY)
    if fate is not None:
        kind = ShipEscaped if fate is Fate.ESCAPED else ShipDestroyed
        assert [event for taken in course.steps for event in only(taken.events, kind)]
    assert others(course) == others(flown(DRIFT, *sides))


def test_its_owner_sees_where_it_is_and_how_much_thrust_it_used() -> None:
    course = flown("turn S1 1; thrust S1 NE", B, turns=1)
    own = course.view("A").own[0]
    assert (own.cloaked, own.square, own.thrust_used) == (True, Square(11, 2), 2)


# The same shape of view, hidden or not.


def idle(course: Course) -> Course:
    """Play two turns without orders."""
    for _ in range(2):
        course.close_with(Phase.ENGAGE)
    return course


@pytest.mark.parametrize("options", [TEST, BLITZ], ids=["plain", "padded"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_views_have_the_same_bytes_with_cloaked_ships_about_and_without(
    options: MatchOptions, count: int
) -> None:
    known = (ship(A, 1, (35, 35), RAIDER), ship(B, 1, (12, 20)))
    hidden = [hider(A, number, (12, 17 + number)) for number in range(2, 2 + count)]
    bare = idle(Course(scenario_of(*known), options))
    full = idle(Course(scenario_of(*known, *hidden), options))
    assert len(full.state.truth.ships) == len(bare.state.truth.ships) + count
    assert others(full) == others(bare)
    assert list(legal(full.view("B"))) == list(legal(bare.view("B")))


# When the loudest ship is looked for.


def chase(seed: int) -> Battle:
    """Return a match in which B's corvette is about to shoot a skiff, and B hides a raider."""
    return Battle(
        ship(A, 1, (10, 20)),
        ship(A, 2, (20, 31), replace(FRIGATE, name="skiff", hull=1)),
        placed(B, 1, keen("corvette"), (20, 30)),
        hider(B, 2, (12, 24)),
        seed=bytes([seed]) * 32,
    )


FLEES = "thrust S2 N N N"
HIDES = "turn S2 1; thrust S2 NE NE NE"


def heard(fight: Battle) -> PassiveRolled:
    """Play DETECT and return the roll of A's first ship, which stands still."""
    [roll] = [event for event in only(fight.detect(), PassiveRolled) if event.piece == A1]
    return roll


def shoot(fight: Battle) -> None:
    """Let B's corvette fire all it can."""
    fight.course.close_until(Phase.ENGAGE)
    fight.engage({B: tuple(shots(fight.view(B)))})


def test_the_loudest_ship_counts_in_the_turn_in_which_it_is_destroyed_and_no_longer() -> None:
    fallen = 0
    for seed in range(30):
        fight = chase(seed)
        fight.plot({A: FLEES, B: HIDES})
        assert fight.truth.ships[B2].thrust_used == 4
        fight.scan(B)
        # 4 less 3 for the skiff: no die is below 1.
        assert heard(fight).found == ()
        shoot(fight)
        if fight.truth.ships[A2].in_play:
            continue
        fallen += 1
        fight.plot({B: HIDES})
        roll = heard(fight)
        assert bool(roll.found) is (roll.die < 4)
    assert fallen > 5


def test_the_thrust_that_counts_is_that_of_this_turn_s_movement() -> None:
    for seed in range(12):
        fight = chase(seed)
        fight.plot({A: FLEES})
        fight.engage()
        # The skiff drifts now, and only what it used last turn was loud.
        fight.plot({B: HIDES})
        roll = heard(fight)
        assert bool(roll.found) is (roll.die < 4)


# Cloaked from the start.


def zoned() -> Course:
    """Return a match whose ships may be deployed in turn 1: A's raider and frigate, B's ship."""
    data = ScenarioData(
        title="Zones",
        sides={
            A: SideSetup(
                zone=("B2",),
                ships=(
                    ShipEntry(name="Wolf", type="raider"),
                    ShipEntry(name="Ox", type="frigate"),
                ),
            ),
            B: SideSetup(zone=("B6",), ships=(ShipEntry(name="Elk", type="frigate"),)),
        },
    )
    classes = {"raider": RAIDER, "frigate": FRIGATE}
    return Course(Scenario(name="zones", data=data, classes=classes))


def test_a_ship_is_deployed_cloaked_if_its_class_may() -> None:
    course = zoned()
    wolf = Deploy(ship=S1, at=Square(6, 6), cloaked=True)
    assert check(course.view("A"), (wolf,)) is None
    assert_refused(
        check(course.view("A"), (replace(wolf, ship=S2),)), Code.ORDER_CLOAK, "$.orders[0].cloaked"
    )
    course.orders(A, wolf)
    course.close()
    assert course.view("A").own[0].cloaked
    assert course.state.truth.ships[A1].cloaked


def test_that_a_ship_was_deployed_cloaked_tells_the_others_nothing() -> None:
    worlds = []
    for cloaked in (True, False):
        course = zoned()
        course.orders(A, Deploy(ship=S1, at=Square(6, 6), cloaked=cloaked))
        course.close()
        worlds.append(others(course))
    assert worlds[0] == worlds[1]


@pytest.mark.parametrize("cloaked", [True, False])
def test_a_cloaked_ship_gives_no_shadow_to_one_beside_it(cloaked: bool) -> None:
    big = replace(CRUISER, cloak=True)
    fight = Battle(ship(A, 1, (10, 20)), ship(A, 2, (10, 20), big), ship(B, 1, (30, 30)))
    fight.plot({A: (Cloak(ship=S2, on=cloaked),)})
    assert (sunfactor_of(fight.truth, fight.truth.ships[A1]) > 0) is cloaked

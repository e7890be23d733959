"""The bots: their orders are legal, follow from seed and views alone, and make some sense."""

import pytest

from builders.bots import BOARD, contact, corvette, frigate, seen
from builders.fakeserver import CARD, MATCH, SIDE
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch, as_orders, decide
from sunglare_client.bots import BOTS
from sunglare_client.bots.lurker import hiding_place
from sunglare_client.bots.movement.steering import CRASH, courses, danger
from sunglare_client.bots.scans.looking import find_chance
from sunglare_client.bots.seeker import Seeker
from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.link.patience import Patience
from sunglare_protocol.botnames import SHIPPED
from sunglare_protocol.geometry import Area, Board, Box, Compass, Landing, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices import Notice, RadarSeen, ScanAnswered, ShotSeen
from sunglare_protocol.orders import Deploy, Fire, Land, Lift, Power, Scan, Sensors, Thrust
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType
from sunglare_rules.sensors.masks import area_mask, mask_of
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.movement import Flight
from sunglare_server.cli import read_settings
from sunglare_server.config import Settings

QUICK = Patience(first_s=0.01, most_s=0.02, give_up_after_s=2)
MATCH_TOLD = BotMatch(match=MATCH, side=SIDE, card=CARD)


EARLY, LATE = 3, 9
"""Turns, of 20, in which the lurker hides and hides no longer."""

HIDDEN = corvette(
    Square(27, 25), powered=False, popped_out=False, landed=Landing(body="Rock", sector=Compass.N)
)

SITUATIONS = {
    "set-up": seen(
        Phase.PLOT,
        (corvette(Square(2, 2)), frigate(Square(2, 2))),
        turn=1,
        zone=("A1", "B1", "A2"),
    ),
    "open space": seen(Phase.PLOT, (corvette(Square(9, 9), Vector(2, 2)), frigate(Square(5, 12)))),
    "the edge ahead": seen(Phase.PLOT, (corvette(Square(37, 5), Vector(2, 0)),)),
    "the planet ahead": seen(Phase.PLOT, (corvette(Square(16, 18), Vector(2, 0)),)),
    "cold": seen(Phase.PLOT, (corvette(Square(9, 9), powered=False, popped_out=False),)),
    "on an asteroid": seen(
        Phase.PLOT,
        (
            corvette(
                Square(27, 25), popped_out=False, landed=Landing(body="Rock", sector=Compass.N)
            ),
        ),
        turn=LATE,
    ),
    "at rest over an asteroid": seen(Phase.PLOT, (corvette(Square(27, 25)),), turn=EARLY),
    "lying in wait": seen(Phase.PLOT, (HIDDEN,), turn=EARLY),
    "lying in wait, an enemy near": seen(
        Phase.PLOT, (HIDDEN,), (contact(Square(30, 28), Fix.TRACKED, EARLY),), turn=EARLY
    ),
    "in the shadow": seen(Phase.PLOT, (corvette(Square(20, 30), Vector(0, 1)),), turn=EARLY),
    "in pursuit": seen(
        Phase.PLOT, (frigate(Square(20, 30)),), (contact(Square(34, 33), Fix.TRACKED),)
    ),
    "one ship lost": seen(
        Phase.PLOT, (corvette(Square(9, 9)), frigate(Square(5, 5), fate=Fate.DESTROYED))
    ),
    "a scan": seen(Phase.SCAN, (corvette(Square(9, 9)), frigate(Square(5, 12)))),
    "a scan from the well": seen(Phase.SCAN, (corvette(Square(18, 20)), frigate(Square(20, 35)))),
    "a folded scan": seen(Phase.SCAN, (corvette(Square(9, 9), popped_out=False),)),
    "nothing to detect": seen(Phase.DETECT, (corvette(Square(9, 9)),)),
    "a shot": seen(
        Phase.ENGAGE,
        (corvette(Square(9, 9)), frigate(Square(12, 5))),
        (contact(Square(13, 9)), contact(Square(12, 8))),
    ),
    "nothing in range": seen(
        Phase.ENGAGE, (corvette(Square(9, 9)),), (contact(Square(39, 39), Fix.TRACKED),)
    ),
    "a memory": seen(
        Phase.ENGAGE, (corvette(Square(9, 9)),), (contact(Square(12, 9), Fix.MEMORY, 4),)
    ),
    "nobody left": seen(Phase.ENGAGE, ()),
    "no bodies": seen(Phase.PLOT, (corvette(Square(9, 9)),), board=Board()),
}


def fresh(name: str, seed: int = 3) -> Bot:
    bot = BOTS[name](seed)
    bot.on_start(MATCH_TOLD)
    return bot


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.proof) for seed in (1, 2))]
)
def test_every_bot_gives_legal_orders_in_every_situation(name: str, seed: int) -> None:
    refused = {
        situation: problem
        for situation, view in SITUATIONS.items()
        if (problem := problem_of(fresh(name, seed), view)) is not None
    }
    assert not refused


def problem_of(bot: Bot, view: View) -> Rejected | None:
    """Return why the orders of a bot are refused, or None."""
    advice = Advice(view)
    return advice.check(as_orders(bot.on_window(view, advice)))


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_and_views_give_the_same_orders(name: str) -> None:
    first, second = fresh(name), fresh(name)
    for situation in SITUATIONS.values():
        assert decide(first, situation) == decide(second, situation)


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_deploys_all_its_ships_in_the_set_up(name: str) -> None:
    orders = decide(fresh(name), SITUATIONS["set-up"], strict=True)
    assert [order.ship for order in orders if isinstance(order, Deploy)] == ["S1", "S2"]


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_scans_with_every_ship_that_can(name: str) -> None:
    orders = decide(fresh(name), SITUATIONS["a scan"], strict=True)
    assert [order.ship for order in orders if isinstance(order, Scan)] == ["S1", "S2"]


@pytest.mark.parametrize("name", ["lurker", "scout", "hunter"])
def test_a_good_shot_is_fired(name: str) -> None:
    orders = decide(fresh(name), SITUATIONS["a shot"], strict=True)
    assert ("S1", "beam1") in [
        (order.ship, order.weapon) for order in orders if type(order) is Fire
    ]


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("situation", ["the edge ahead", "the planet ahead"])
def test_no_bot_flies_to_its_death_where_it_can_turn_away(name: str, situation: str) -> None:
    ahead = SITUATIONS[situation]
    (ship,) = ahead.own
    orders = decide(fresh(name), ahead, strict=True)
    moves = tuple(order for order in orders if not isinstance(order, Power | Sensors))
    chosen = [course for course in courses(Advice(ahead), ship) if course.orders == moves]
    assert [danger(ahead.board, course.flight) < CRASH for course in chosen] == [True]


@pytest.mark.parametrize("name", ["lurker", "scout", "hunter"])
def test_a_landed_ship_lifts_off(name: str) -> None:
    orders = decide(fresh(name), SITUATIONS["on an asteroid"], strict=True)
    assert [type(order) for order in orders] == [Lift]


def test_the_lurker_hides_in_shadow_outside_the_well() -> None:
    situation = SITUATIONS["open space"]
    hide = hiding_place(situation, situation.own[0])
    assert in_shadow(BOARD, hide)
    assert hide.distance_squared(Square(20, 18)) > 20


def test_the_lurker_in_the_shadow_drifts_on_cold_with_folded_sensors() -> None:
    orders = decide(fresh("lurker"), SITUATIONS["in the shadow"], strict=True)
    assert orders == (Power(ship=OwnId("S1"), on=False), Sensors(ship=OwnId("S1"), out=False))


def test_the_lurker_lands_on_the_side_of_an_asteroid_that_the_enemy_does_not_see() -> None:
    orders = decide(fresh("lurker"), SITUATIONS["at rest over an asteroid"], strict=True)
    # The enemy starts in the boxes G7 to H8, south-east of the asteroid.
    assert orders[0] == Land(ship=OwnId("S1"), body="Rock", sector=Compass.NW)
    assert Power(ship=OwnId("S1"), on=False) in orders


def test_the_lurker_on_an_asteroid_stays_until_an_enemy_is_near() -> None:
    assert decide(fresh("lurker"), SITUATIONS["lying in wait"], strict=True) == ()
    woken = decide(fresh("lurker"), SITUATIONS["lying in wait, an enemy near"], strict=True)
    assert woken == (Power(ship=OwnId("S1"), on=True),)


def test_the_lurker_without_shadow_goes_to_the_middle() -> None:
    situation = SITUATIONS["no bodies"]
    assert hiding_place(situation, situation.own[0]) == Square(19, 19)


def test_a_seeker_pops_out_its_sensors_and_flies_towards_a_track() -> None:
    situation, seeker = SITUATIONS["in pursuit"], Seeker(3)
    seeker.on_start(MATCH_TOLD)
    orders = decide(seeker, situation, strict=True)
    assert Sensors(ship=OwnId("S2"), out=True) in orders
    thrust = next(order for order in orders if isinstance(order, Thrust))
    assert sum(heading.step.dx for heading in thrust.to) > 0


def test_the_scout_first_scans_where_the_enemy_starts() -> None:
    scout = fresh("scout")
    orders = decide(scout, SITUATIONS["a scan"], strict=True)
    first = next(order for order in orders if isinstance(order, Scan))
    assert first.at in ("G7", "H7", "G8", "H8")


@pytest.mark.parametrize(
    "notice",
    [ShotSeen(square=Square(33, 6)), RadarSeen(square=Square(33, 6))],
    ids=["a shot", "a radar scan"],
)
def test_the_scout_scans_where_a_ship_gave_itself_away(notice: Notice) -> None:
    scout = fresh("scout")
    decide(scout, SITUATIONS["a scan"])
    scout.on_notice(notice)
    first = next(iter(decide(scout, SITUATIONS["a scan"], strict=True)))
    assert isinstance(first, Scan)
    assert first.at in ("F1", "G1", "H1", "F2", "G2", "H2", "F3", "G3", "H3")


def test_the_scout_draws_conclusions_from_the_answers_of_the_enemy() -> None:
    scout = fresh("scout")
    answers = Answers(glare=False, from_well=True, touches_well=True)
    scout.on_notice(
        ScanAnswered(
            side=Side("B"),
            type=ScanType.VISUAL,
            size=ScanSize.BOX,
            at="D4",
            strength=2,
            answers=answers,
            effective=2,
        )
    )
    open_space = SITUATIONS["a scan"]
    assert decide(scout, open_space, strict=True) != ()


def test_a_belief_sums_up_to_one_and_moves_to_what_was_seen() -> None:
    belief = Belief(BOARD)
    belief.start_in([Box(7, 7)])
    assert belief.peak(Square(0, 0)) == Box(7, 7).centre
    belief.seen(Square(1, 1))
    belief.spread(1)
    assert belief.peak(Square(0, 0)) == Box(0, 0).centre
    assert belief.share(area_mask(BOARD, BOARD.area)) == pytest.approx(1, abs=0.05)


def test_a_search_in_vain_makes_the_belief_look_elsewhere() -> None:
    belief = Belief(BOARD)
    belief.start_in([Box(0, 0), Box(1, 0)])
    belief.searched(area_mask(BOARD, Area(0, 0, 4, 4)), 0.9)
    assert belief.peak(Square(0, 0)) == Box(1, 0).centre


def test_a_stronger_scan_finds_no_fewer_ships() -> None:
    chances = [find_chance(ScanType.VISUAL, strength, 6) for strength in range(-6, 3)]
    assert chances == sorted(chances)
    assert (chances[0], chances[-1]) == (0.0, 1.0)


def test_a_crash_is_the_worst_of_dangers() -> None:
    crash = danger(BOARD, Flight(Square(20, 18), Vector(0, 0), Compass.N))
    leaves = danger(BOARD, Flight(Square(40, 5), Vector(0, 0), Compass.N))
    risky = danger(BOARD, Flight(Square(38, 5), Vector(2, 0), Compass.N))
    calm = danger(BOARD, Flight(Square(9, 9), Vector(1, 0), Compass.N))
    assert crash == leaves > risky > calm == 0


def test_a_ship_with_little_thrust_should_fly_slowly() -> None:
    fast = Flight(Square(9, 9), Vector(3, 0), Compass.E)
    assert danger(BOARD, fast, thrust=4) == 0 < danger(BOARD, fast, thrust=2)


def test_the_share_of_an_area_is_that_of_its_squares() -> None:
    belief = Belief(BOARD)
    belief.start_in([Box(6, 6)])
    belief.seen(Square(3, 9))
    belief.spread(2)
    for area in (BOARD.area, Area(0, 0, 4, 4), Area(2, 8, 2, 8), Area(30, 28, 39, 39)):
        assert belief.share_in(area) == pytest.approx(belief.share(area_mask(BOARD, area)))


def test_a_belief_spreads_over_as_many_squares_along_each_axis() -> None:
    belief = Belief(BOARD)
    belief.seen(Square(20, 20))
    for _ in range(12):
        belief.seen(Square(20, 20))
    belief.spread(2)
    inside = belief.share(area_mask(BOARD, Area(18, 18, 22, 22)))
    assert inside == pytest.approx(1, abs=0.05)
    assert belief.share(mask_of(BOARD, [Square(18, 22)])) == pytest.approx(inside / 25, abs=0.005)


def test_some_ships_of_the_random_bot_are_drawn_to_an_asteroid_and_land_there() -> None:
    landed = 0
    for seed in range(40):
        bot = fresh("random", seed)
        decide(bot, SITUATIONS["set-up"], strict=True)
        orders = decide(bot, SITUATIONS["at rest over an asteroid"], strict=True)
        landed += any(isinstance(order, Land) and order.body == "Rock" for order in orders)
    assert 0 < landed < 20


def test_the_bots_are_known_by_name() -> None:
    assert tuple(BOTS) == SHIPPED


def test_a_server_seats_every_bot_that_is_shipped() -> None:
    assert Settings().bots == read_settings([]).bots == tuple(BOTS)

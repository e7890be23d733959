"""What a side may ask of capital fire: odds, legal orders, commands of the terminal, lists."""

import pytest
from msgspec.structs import replace

from builders.ground import BG1, FAR_SITE, SITE, ground_truth, planet, seeing, unit
from builders.sieges import MONITOR, handle, view
from builders.terminals import frame
from builders.truths import B1, CRUISER, A, B, holding, ship
from sunglare_client.command import Give, Weigh
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.owned import draw_own
from sunglare_client.terminal.staging import added
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.verbs.written import odds_lines, order_text
from sunglare_protocol.geometry import Planet, Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import BombardOdds
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import bombardments, legal, shots
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.truth.truth import Truth

S1, G1 = OwnId("S1"), OwnId("G1")
OPEN = planet(*(["............"] * 6))


def above(at: tuple[int, int] = (15, 11), kind: ShipClass = MONITOR) -> Truth:
    return ground_truth(ships=(ship(A, 1, at, kind),), body=OPEN)


def odds(seen: View, order: Bombard) -> BombardOdds:
    found = answer(seen, Question.ODDS, order)
    assert isinstance(found, BombardOdds)
    return found


def call(weapon: str = "C1", site: Site = SITE, ship_: OwnId = S1) -> Bombard:
    return Bombard(ship=ship_, weapon=weapon, at=site, cell=Cell(5, 2))


@pytest.mark.parametrize(
    ("at", "needed", "hundredths", "guided"),
    [((15, 11), 4, 92, 97), ((15, 10), 7, 58, 83)],
    ids=["central", "inner"],
)
def test_the_odds_of_fire_from_above_with_and_without_a_beam(
    at: tuple[int, int], needed: int, hundredths: int, guided: int
) -> None:
    found = odds(view(above(at), A), call())
    assert (found.needed, found.hundredths, found.guided_hundredths) == (
        needed,
        hundredths,
        guided,
    )
    assert (found.damage, found.lands) == (6, None)


def test_the_odds_of_what_is_not_allowed_say_why() -> None:
    found = answer(view(above((15, 30)), A), Question.ODDS, call())
    assert isinstance(found, Rejected)
    assert found.code is Code.ORDER_RANGE
    beam = Fire(ship=G1, weapon="TAG", point=Cell(5, 2))
    truth = ground_truth(unit(A, at=(4, 2), kind="hover-scout"), body=OPEN)
    assert isinstance(answer(view(truth, A), Question.ODDS, beam), Rejected)


def test_legal_orders_name_every_token_held_or_the_middle_of_a_map() -> None:
    blind = {(order.weapon, order.at, order.cell) for order in bombardments(view(above(), A))}
    middles = {SITE: OPEN.environs[0].middle, FAR_SITE: OPEN.environs[1].middle}
    assert blind >= {("C1", SITE, middles[SITE]), ("M1", FAR_SITE, middles[FAR_SITE])}
    truth = ground_truth(unit(B, at=(3, 1)), ships=(ship(A, 1, (15, 11), MONITOR),), body=OPEN)
    held = {
        order.cell for order in bombardments(view(seeing(truth, A, BG1), A)) if order.at == SITE
    }
    assert held == {Cell(3, 1)}


def test_every_legal_order_of_capital_fire_is_allowed() -> None:
    truth = ground_truth(
        unit(A, 1, (3, 1), "defence-missiles"),
        unit(A, 2, (4, 1), "hover-scout"),
        unit(B, at=(5, 1)),
        ships=(ship(A, 1, (15, 11), MONITOR), ship(B, 1, (15, 7), CRUISER)),
        body=OPEN,
    )
    seen = view(holding(seeing(truth, A, BG1), A, B1, Fix.TRACKED), A)
    found = legal(seen)
    assert all(check(seen, (order,)) is None for order in found)
    kinds = {(order.ship, order.weapon) for order in found if isinstance(order, Fire | Bombard)}
    assert kinds >= {("S1", "C1"), ("S1", "M1"), ("G1", "D1"), ("G2", "TAG"), ("G2", "G1")}
    assert {shot.point for shot in shots(seen) if shot.weapon == "TAG"} == {Cell(5, 1)}


# The terminal.


def given(line: str, seen: View) -> object:
    command = parse(line, seen)
    assert isinstance(command, Give), command
    return command.orders[0]


def besieging() -> View:
    truth = ground_truth(
        unit(A, 1, (3, 1), "defence-missiles"),
        unit(A, 2, (4, 1), "hover-scout"),
        ships=(ship(A, 1, (15, 11), MONITOR), ship(B, 1, (15, 7), CRUISER)),
        body=OPEN,
    )
    return view(holding(truth, A, B1, Fix.TRACKED), A)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("bombard S1.C1 Ceres 1 F3", call()),
        ("bo S1 C1 Ceres 1 F3", call()),
        ("bombard G1.D1 F3", call("D1", ship_=G1)),
        ("bombard G1.D1 Ceres 2 F3", call("D1", FAR_SITE, G1)),
        ("fire G2.TAG F3", Fire(ship=OwnId("G2"), weapon="TAG", point=Cell(5, 2))),
        ("fire G1.D1 C1", Fire(ship=G1, weapon="D1", at=handle(B1))),
    ],
)
def test_a_line_gives_the_order_it_means(line: str, order: object) -> None:
    assert given(line, besieging()) == order


def test_a_line_that_an_order_is_written_as_gives_that_order() -> None:
    seen = besieging()
    orders: list[Order] = [*bombardments(seen), *(shot for shot in shots(seen) if shot.point)]
    for order in orders:
        assert given(order_text(order), seen) == order


def test_the_desk_tells_the_odds_and_a_beam_always_succeeds() -> None:
    seen = besieging()
    session = TurnSession(frame(1, seen), seen)
    lines = session.order(Give((call(),)))
    assert "needs 4, 92 % (97 % with a beam on it), damage 6" in lines[1]
    beam = Fire(ship=OwnId("G2"), weapon="TAG", point=Cell(5, 2))
    assert "always succeeds" in odds_lines(seen, beam)[0]
    assert parse("odds bombard S1.C1 Ceres 1 F3", seen) == Weigh(call())


def test_a_weapon_is_planned_for_a_piece_or_for_a_point() -> None:
    shot = Fire(ship=S1, weapon="C1", at=handle(B1))
    assert added((shot,), Give((call(),))) == (call(),)


def test_the_list_of_ships_shows_the_damage_of_capital_weapons() -> None:
    rows = "\n".join(draw_own(besieging()))
    assert "C1 cap 6/4/2/0 full front; M1 msl 4/4/4/4" in rows


def test_a_planet_far_away_takes_no_fire() -> None:
    far: Planet = replace(OPEN, name="Vesta", at=Square(32, 32))
    truth = above()
    truth = replace(truth, board=replace(truth.board, planets=(OPEN, far)))
    assert {order.at.body for order in bombardments(view(truth, A))} == {"Ceres"}

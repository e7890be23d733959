"""Fire of all weapons from cover: no shot gives away a piece that is still unseen."""

from msgspec.structs import replace

from builders.ground import planet
from builders.groundadvice import G1, G2, H1, ground_view, token
from builders.terminals import GUARD
from builders.views import C1, S1, S2, contact, own_ship, view
from sunglare_client.command import Give, Problem
from sunglare_client.terminal.input.parser import parse
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.orders import Fire
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.views import CloakRules, View
from sunglare_protocol.views.ground import ArmView, GroundView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.plans.fire import fire_all, shots_from_cover
from sunglare_rules.advice.seen.lookup import SWEEP_SIGNATURE

RIFLE = ArmView(id="R1", kind=Arm.DIRECT, damage=(2, 1, 0, 0))
SHOWN = replace(GUARD, weapons=(RIFLE,), hidden=False)
HIDDEN = replace(SHOWN, id=G2, cell=Cell(3, 2), hidden=True)
OPEN = Board(planets=(planet(*(["............"] * 6)),))
OF_SHOWN = Fire(ship=G1, weapon="R1", at=H1)
OF_HIDDEN = Fire(ship=G2, weapon="R1", at=H1)


def fight(*units: GroundView) -> View:
    """Return an ENGAGE in which units hold a token in reach of all of them."""
    return ground_view(Phase.ENGAGE, *units, board=OPEN, surfaces=(token((4, 2)),))


def test_units_in_hiding_do_not_fire_with_all_others() -> None:
    seen = fight(SHOWN, HIDDEN)
    assert check(seen, (OF_SHOWN, OF_HIDDEN)) is None
    assert fire_all(seen) == (OF_SHOWN,)
    assert shots_from_cover(seen) == (OF_HIDDEN,)


def test_what_was_told_to_fire_from_hiding_is_not_left_out() -> None:
    seen = fight(SHOWN, HIDDEN)
    assert fire_all(seen, (OF_HIDDEN,)) == (OF_SHOWN,)
    assert shots_from_cover(seen, (OF_HIDDEN,)) == ()


def test_cloaked_ships_do_not_fire_with_all_others() -> None:
    ships = (own_ship(), own_ship(id=S2, cloak=True, cloaked=True, popped_out=False))
    swept = contact(square=Square(7, 25), signatures=(SWEEP_SIGNATURE,), turn=3)
    fought = view(Phase.ENGAGE, *ships, contacts=(swept,), turn=3)
    seen = replace(fought, cloak_rules=CloakRules(cloaks=True))
    from_cloak = Fire(ship=S2, weapon="beam", at=C1)
    assert check(seen, (from_cloak,)) is None
    assert {shot.ship for shot in fire_all(seen)} == {S1}
    assert {shot.ship for shot in shots_from_cover(seen)} == {S2}


def test_fire_all_says_which_pieces_it_leaves_out_and_how_they_fire_all_the_same() -> None:
    seen = fight(SHOWN, HIDDEN)
    given = parse("fire all", seen)
    assert isinstance(given, Give)
    assert given.orders == (OF_SHOWN,)
    assert "left out: G2 is hidden" in given.remark
    assert legal_text(OF_HIDDEN, seen) in given.remark
    assert parse(legal_text(OF_HIDDEN, seen), seen) == Give((OF_HIDDEN,))


def test_where_all_are_hidden_fire_all_names_them() -> None:
    alone = parse("fire all", fight(HIDDEN))
    assert isinstance(alone, Problem)
    assert "G2 is hidden" in alone.wrong


def test_where_none_is_hidden_none_is_left_out() -> None:
    given = parse("fire all", fight(SHOWN))
    assert given == Give((OF_SHOWN,))

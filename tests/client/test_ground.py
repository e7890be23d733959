"""The surface at the plain terminal: lists, the map, and the words of its commands."""

import msgspec
import pytest

from builders.terminals import S1, view, with_ground
from sunglare_client.command import Clear, Give, Problem, ShowSurface
from sunglare_client.map.groundchart import ground_chart
from sunglare_client.map.surface import draw_surface
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.owned import draw_ground
from sunglare_client.text.lists.ground import draw_tokens
from sunglare_client.verbs.written import legal_text, odds_lines, order_text
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Fire, Land
from sunglare_protocol.orders.ground import GroundOrder, Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.bodies import body_facts

G1, P1 = OwnId("G1"), OwnId("P1")
SITE = Site("Ceres", 1)
SEEN = with_ground(view(Phase.PLOT, turn=1))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("station G1 C4", Station(ship=G1, at=SITE, cell=Cell(2, 3))),
        ("st g1 c4 hidden", Station(ship=G1, at=SITE, cell=Cell(2, 3), hidden=True)),
        ("station G1 Ceres 2 A1", Station(ship=G1, at=Site("Ceres", 2), cell=Cell(0, 0))),
        ("station P1 Ceres 1", Station(ship=P1, at=SITE)),
        ("station P1 with G1", Station(ship=P1, at=SITE, stacked=G1)),
        ("move G1 C4 D5", Move(ship=G1, path=(Cell(2, 3), Cell(3, 4)))),
        ("m G1 C4 token", Move(ship=G1, path=(Cell(2, 3),), token=True)),
        ("move G1 jump E4", Move(ship=G1, path=(Cell(4, 3),), jump=True)),
        ("move G1 load S1", Move(ship=G1, load=S1)),
        ("move G1 unload", Move(ship=G1, unload=True)),
    ],
)
def test_a_line_gives_the_order_it_means_and_the_order_reads_as_a_line(
    line: str, order: GroundOrder
) -> None:
    command = parse(line, SEEN)
    assert isinstance(command, Give), command
    assert command.orders == (order,)
    again = parse(order_text(order), SEEN)
    assert isinstance(again, Give), again
    assert again.orders == (order,)


def test_a_landing_may_be_typed_with_a_cell() -> None:
    command = parse("land S1 Ceres 1 C4", SEEN)
    assert isinstance(command, Give)
    assert command.orders == (Land(ship=S1, body="Ceres", environs=1, cell=Cell(2, 3)),)


def test_a_unit_fires_at_a_token_by_its_label() -> None:
    seen = with_ground(view(Phase.ENGAGE))
    command = parse("fire G1.R1 C6", seen)
    assert isinstance(command, Give)
    assert command.orders == (Fire(ship=G1, weapon="R1", at=Handle("tt4tt4")),)
    assert legal_text(command.orders[0], seen) == "fire G1.R1 C6"
    assert odds_lines(seen, command.orders[0]) == ["G1.R1 at C6: needs 4, 92 %, damage 2"]


@pytest.mark.parametrize(
    ("line", "phase", "word"),
    [
        ("move G1 4C", Phase.PLOT, "not a cell"),
        ("move G1", Phase.PLOT, "needs <cell>"),
        ("move G9 C4", Phase.PLOT, "ground unit"),
        ("station G1 C4 covered", Phase.PLOT, "word after the cell"),
        ("fire G1.R1 C7", Phase.ENGAGE, "memory"),
        ("fire G1.R9 C6", Phase.ENGAGE, "weapon of G1"),
        ("fire G1.R1 C9", Phase.ENGAGE, "token"),
    ],
)
def test_a_wrong_word_is_answered_with_what_would_be_right(
    line: str, phase: Phase, word: str
) -> None:
    found = parse(line, with_ground(view(phase)))
    assert isinstance(found, Problem)
    assert word in found.text


def test_a_unit_takes_back_what_it_was_told() -> None:
    command = parse("clear G1", SEEN)
    assert isinstance(command, Clear)
    assert command.ship == G1


def test_the_surface_is_drawn_with_own_pieces_and_tokens() -> None:
    command = parse("surface Ceres 1", SEEN)
    assert command == ShowSurface(SITE)
    rows = draw_surface(SEEN, SITE)
    assert "Ceres 1, sector SW" in rows[0]
    assert rows[1].split() == [chr(ord("A") + column) for column in range(18)]
    guard = next(row for row in rows if row.startswith(" 3 "))
    token = next(row for row in rows if row.startswith(" 5 "))
    assert guard[3 + 2 * 4 :].startswith(".G1")
    assert token[3 + 4 * 4 :].startswith(".C6")


def test_the_head_of_a_surface_and_its_cells_say_what_is_lit() -> None:
    assert "lit" not in draw_surface(SEEN, SITE)[0]
    (body,) = (planet for planet in SEEN.board.planets if planet.name == SITE.body)
    lamps = ((0, 0, 2, 1), (4, 4, 4, 4))
    places = tuple(
        msgspec.structs.replace(place, lit=lamps) if place.number == SITE.environs else place
        for place in body.environs
    )
    planet = msgspec.structs.replace(body, environs=places)
    board = msgspec.structs.replace(SEEN.board, planets=(planet,))
    night = msgspec.structs.replace(SEEN, board=board)
    assert draw_surface(night, SITE)[0].endswith(", lit A1 to C2, E5 to E5")
    chart = ground_chart(night, SITE)
    assert chart is not None
    assert sum(place.is_lit for row in chart.rows for place in row) == 7
    assert any("lit A1 to C2, E5 to E5" in fact for fact in body_facts(night, planet))


def test_the_lists_name_units_agents_and_tokens_with_their_state_in_words() -> None:
    plan = (Move(ship=G1, path=(Cell(3, 2),)),)
    ground = draw_ground(SEEN, plan)
    assert any("G1 Guard" in row and "on Ceres 1 C3" in row for row in ground)
    assert any("plan: move G1 D3" in row for row in ground)
    assert any("P1 Agent" in row for row in ground)
    tokens = draw_tokens(SEEN)
    assert any("C6" in row and "blip" in row for row in tokens)
    assert any("C7" in row and "side B, tank" in row for row in tokens)


def test_a_side_without_ground_pieces_has_no_list_of_them() -> None:
    assert draw_ground(view()) == []
    assert draw_tokens(view()) == []


def test_pieces_on_one_cell_of_a_surface_are_all_named() -> None:
    surface = SEEN.surfaces[0]
    held = surface.tokens[0]
    beside = msgspec.structs.replace(held, label="C8", handle=Handle("uu5uu5"))
    crowded = msgspec.structs.replace(surface, tokens=(*surface.tokens, beside))
    seen = msgspec.structs.replace(SEEN, surfaces=(crowded,))
    rows = draw_surface(seen, surface.site)
    assert f"{held.label} C8 on {held.cell.name}" in rows[-2]
    assert not any(" on " in row for row in draw_surface(SEEN, surface.site)[1:])

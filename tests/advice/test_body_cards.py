"""The cards on planets and asteroids: what the board has of them, and who is known to be there."""

import pytest
from msgspec.structs import replace

from builders.desks import SCENES, frames_of, view_in
from builders.sections import HEADINGS, cited, lines
from builders.terminals import AGENT, CONTACT, GUARD, KITE, ship, view, with_ground
from sunglare_protocol.geometry import Compass, Landing, PlanetSize, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.views import ObjectiveView, View
from sunglare_protocol.views.agents import AlertView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.cards.bodies import body_at, body_named
from sunglare_rules.advice.cards.why import look, why
from sunglare_rules.sensors.sectors import in_body

SEEN = with_ground(view())
CERES, ROCK = SEEN.board.planets[0], SEEN.board.asteroids[0]
A = Side("A")


def facts(seen: View, name: str) -> str:
    return "\n".join(lines(look(seen, name)))


def test_a_planet_is_described_as_the_board_has_it() -> None:
    card = facts(SEEN, CERES.name)
    assert f"planet at {CERES.at.x},{CERES.at.y} (box " in card
    for environs in CERES.environs:
        assert f"Environs {environs.number}: sector {environs.sector.value}, size " in card
    assert "Its rules: sensors §1 and §2, turn §5; of its ground: blips §2" in card
    bare = replace(SEEN.board, planets=(replace(CERES, environs=()),))
    assert "sensors §1 and §2, turn §5." in facts(replace(SEEN, board=bare), CERES.name)


@pytest.mark.parametrize(
    ("size", "covers", "well", "shadow"),
    [(PlanetSize.SMALL, "1 square", 20, 1), (PlanetSize.LARGE, "3 by 3 squares", 30, 3)],
)
def test_a_planet_has_body_well_and_shadow_by_its_size(
    size: PlanetSize, covers: str, well: int, shadow: int
) -> None:
    board = replace(SEEN.board, planets=(replace(CERES, size=size),))
    card = facts(replace(SEEN, board=board), CERES.name)
    where = "its gravity well is where dx² + dy² from its centre is at most"
    assert f"It takes up {covers}; {where} {well}.\n" in card
    assert f"Its shadow is {shadow} wide and runs to the south edge.\n" in card
    assert card.startswith(f"{size.value.capitalize()} planet")


def test_an_asteroid_has_a_short_shadow_and_no_well() -> None:
    card = facts(SEEN, ROCK.name)
    assert card.startswith(f"Asteroid at {ROCK.at.x},{ROCK.at.y} (box ")
    assert "Its shadow is 1 wide and 5 long; it has no gravity well." in card


def test_who_is_known_to_be_there_is_named_and_nobody_who_is_gone() -> None:
    landed = Landing(body=CERES.name, sector=Compass.SW, environs=1)
    down = ship(KITE, landed=landed)
    theirs = replace(CONTACT, landed=landed)
    there = replace(SEEN, own=(down,), contacts=(theirs,))
    assert "Yours there: S1, G1, P1." in facts(there, CERES.name)
    assert "Held or remembered there: C5, C6, C7." in facts(there, CERES.name)
    lost = replace(
        there,
        own=(replace(down, fate=Fate.DESTROYED),),
        ground=(replace(GUARD, fate=Fate.DESTROYED),),
        agents=(replace(AGENT, fate=Fate.DESTROYED),),
        contacts=(),
        surfaces=(),
    )
    assert "there:" not in facts(lost, CERES.name)
    assert "there:" not in facts(there, ROCK.name)


def test_its_objectives_and_the_alerts_near_it_are_on_the_card() -> None:
    aims = (
        ObjectiveView(kind=ObjectiveKind.HOLD, at=Site(CERES.name, 2)),
        ObjectiveView(kind=ObjectiveKind.IDENTIFY, piece="Argo"),
    )
    alerts = (
        AlertView(side=Side("B"), planet=CERES.name, environs=2),
        AlertView(side=Side("C"), planet=CERES.name),
        AlertView(side=Side("D"), planet="Juno"),
    )
    card = facts(replace(SEEN, objectives=aims, alerts=alerts), CERES.name)
    assert "Hold Ceres 2 at the end, with no enemy troops there: 3 points." in card
    assert "Agents of B are near environs 2.\nAgents of C are near its orbit." in card
    assert "Argo" not in card
    assert "of D" not in card


@pytest.mark.parametrize("name", [CERES.name, ROCK.name])
def test_why_a_body_says_what_it_does_to_ships_with_sections_that_exist(name: str) -> None:
    reasons = lines(why(SEEN, name))
    assert reasons[0].startswith("A ship in its shadow column is neither lit nor dazzled.")
    assert "To land: start in" in reasons[-1]
    assert all(cited(line) and cited(line) <= HEADINGS for line in reasons)


def test_a_planet_also_hides_and_pulls_and_an_asteroid_does_not() -> None:
    hides, pulls, lands = lines(why(SEEN, CERES.name))[1:]
    assert hides.startswith("It hides from each other what lies in opposite sectors")
    assert pulls.startswith("It pulls a ship that starts in its gravity well one square")
    assert "have 1 point of thrust" in lands
    assert len(lines(why(SEEN, ROCK.name))) == 2


def test_a_piece_goes_before_a_body_of_the_same_name() -> None:
    named = replace(SEEN, contacts=(replace(CONTACT, label=ROCK.name),))
    assert look(named, ROCK.name) != look(SEEN, ROCK.name)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_a_square_of_a_board_is_that_of_one_body_or_of_none(
    scene: tuple[str, int, int],
) -> None:
    board = view_in(frames_of(*scene)[A][0]).board
    rocks = {asteroid.at for asteroid in board.asteroids}
    for square in board.area.squares():
        body = body_at(board, square)
        assert (body is not None) == (in_body(board, square) or square in rocks)
        assert body is None or body_named(board, body.name) is body


def test_beside_an_asteroid_there_is_nothing() -> None:
    assert body_at(SEEN.board, ROCK.at) is ROCK
    assert body_at(SEEN.board, ROCK.at.moved(Vector(1, 0))) is None
    assert body_named(SEEN.board, "old rock") is None

"""When the shipped bots give up."""

from dataclasses import dataclass

import msgspec
import pytest

from builders.bots import corvette, frigate, seen
from sunglare_client.bots import BOTS
from sunglare_client.bots.outcome.beaten import is_beaten
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.views import ObjectiveView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind

SOUND = corvette(Square(9, 9))
LOST = frigate(Square(9, 9), fate=Fate.DESTROYED)
AWAY = frigate(Square(9, 9), fate=Fate.ESCAPED)
VOLLEY_AWAY = msgspec.structs.replace(AWAY, kind=PieceKind.MISSILE)
DISARMED = msgspec.structs.replace(
    SOUND, weapons=tuple(msgspec.structs.replace(weapon, works=False) for weapon in SOUND.weapons)
)


@dataclass(frozen=True)
class Case:
    """Own ships in a turn, and whether they are beaten."""

    ships: tuple[OwnView, ...]
    beaten: bool
    turn: int = 5


CASES = {
    "a sound ship": Case((SOUND, LOST), beaten=False),
    "no ship": Case((LOST,), beaten=True),
    "no weapon": Case((DISARMED,), beaten=True),
    "a decoy": Case((msgspec.structs.replace(SOUND, kind=PieceKind.DECOY),), beaten=True),
    "a volley that has left": Case((LOST, VOLLEY_AWAY), beaten=True),
    "the first turn": Case((), beaten=False, turn=1),
}


def shown(case: Case) -> View:
    return seen(Phase.PLOT, case.ships, turn=case.turn)


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_gives_up_without_a_ship_that_can_fight(bot: str) -> None:
    given_up = {name: BOTS[bot]().gives_up(shown(case)) for name, case in CASES.items()}
    assert given_up == {name: case.beaten for name, case in CASES.items()}


def test_a_ship_that_scores_by_leaving_needs_no_weapons() -> None:
    goal = ObjectiveView(kind=ObjectiveKind.ESCAPE, edge=Compass.S)
    view = msgspec.structs.replace(shown(CASES["no weapon"]), objectives=(goal,))
    assert not is_beaten(view)
    gone = msgspec.structs.replace(shown(CASES["no ship"]), objectives=(goal,))
    assert is_beaten(gone)


def test_a_ship_that_has_left_where_it_was_to_leave_is_not_lost() -> None:
    goal = ObjectiveView(kind=ObjectiveKind.ESCAPE, edge=Compass.S)
    view = msgspec.structs.replace(shown(Case((LOST, AWAY), beaten=False)), objectives=(goal,))
    assert not is_beaten(view)
    assert not is_beaten(view, waits_for_points=False)


def test_a_side_whose_ships_have_left_may_wait_for_its_points() -> None:
    view = shown(Case((LOST, AWAY), beaten=False))
    assert not is_beaten(view)
    assert is_beaten(view, waits_for_points=False)
    assert BOTS["random"]().gives_up(view)
    assert not BOTS["scout"]().gives_up(view)

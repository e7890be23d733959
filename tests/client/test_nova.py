"""Nova guns of bots: when one is fired instead of all other guns, and how a ship is brought to."""

import pytest
from msgspec.structs import replace

from builders.terminals import CONTACT, LANCER, S1, TRACK, VOLLEY, view
from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.fire.nova import novas
from sunglare_client.bots.limits import view_without
from sunglare_client.bots.movement.hunting import attack, quarries
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.orders import Fire
from sunglare_protocol.views import ContactView, OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.fire.nova import touches

NOVA = Fire(ship=S1, weapon="N1")
BEAM = Fire(ship=S1, weapon="B1", at=TRACK.handle)
STILL = replace(LANCER, vector=Vector(0, 0))


def fired(*contacts: ContactView, own: tuple[OwnView, ...] = (STILL,)) -> tuple[Fire, ...]:
    """Return what is fired where a beam would be, if every point of damage counts alike."""
    seen = view(Phase.ENGAGE, own=own, contacts=contacts)
    given = (BEAM,) if TRACK.handle in [contact.handle for contact in contacts] else ()
    return novas(Advice(seen), given, lambda _, damage: damage)


def test_a_nova_gun_is_fired_alone_at_what_stands_in_its_line() -> None:
    assert fired(TRACK) == (NOVA,)


def test_what_stands_off_its_line_is_left_to_the_other_guns() -> None:
    assert fired(replace(TRACK, square=Square(8, 22), vector=Vector(0, 0))) == (BEAM,)


def test_a_nova_gun_is_fired_at_where_a_piece_will_be_when_a_later_sweep_comes() -> None:
    far = replace(CONTACT, square=Square(7, 12), vector=Vector(0, 0))
    assert fired(far) == (NOVA,)
    assert fired(replace(far, square=Square(12, 11))) == ()


@pytest.mark.parametrize(
    ("square", "vector", "shots"),
    [
        (Square(7, 24), Vector(0, 0), (BEAM,)),
        (Square(10, 15), Vector(-3, 0), (BEAM,)),
        (Square(10, 15), Vector(0, 0), (NOVA,)),
    ],
    ids=["in the way", "on its way into the next sweep", "off the line"],
)
def test_a_nova_gun_is_not_fired_where_an_own_piece_drifts_into_a_sweep(
    square: Square, vector: Vector, shots: tuple[Fire, ...]
) -> None:
    assert fired(TRACK, own=(STILL, replace(VOLLEY, square=square, vector=vector))) == shots


@pytest.mark.parametrize("has_nova", [True, False])
def test_a_ship_stays_where_its_nova_gun_may_hit_and_closes_in_without_one(has_nova: bool) -> None:
    track = replace(TRACK, square=Square(7, 21), vector=Vector(0, 0))
    seen = view(Phase.PLOT, own=(replace(STILL, facing=Compass.NE),), contacts=(track,))
    seen = view_without(seen, () if has_nova else (Ability.NOVA,))
    (ship,), (quarry,) = seen.own, quarries(seen)
    end = after_plot(seen, ship, attack(Advice(seen), ship, quarry))
    assert (end.square == ship.square and end.facing is Compass.N) is has_nova
    assert touches(end.square, end.facing, 0, track.square) is has_nova

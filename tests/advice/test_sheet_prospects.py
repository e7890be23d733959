"""The fire from the ends of a course: what the shots from there would do to what only drifts."""

from collections import Counter
from typing import Final

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.views import contact, own_ship, view
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import Sheet
from sunglare_protocol.messages.sheets import CourseEnd
from sunglare_protocol.orders import Order, Rotate
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_rules.advice.sheets.sheet import sheet
from sunglare_rules.turn.movement import drifted

KITE: Final = own_ship()

NEAR: Final = st.builds(Square, st.integers(3, 12), st.integers(18, 30))

VECTORS: Final = st.builds(Vector, st.integers(-2, 2), st.integers(-2, 2))


@st.composite
def held(draw: st.DrawFn, handle: Handle) -> ContactView:
    """Draw a contact or track near the frigate."""
    fix = draw(st.sampled_from([Fix.CONTACT, Fix.TRACKED]))
    vector = draw(VECTORS) if fix is Fix.TRACKED else None
    return contact(label=handle, handle=handle, fix=fix, square=draw(NEAR), vector=vector)


def ends_of(seen: View, ship: OwnId, *plan: Order) -> tuple[CourseEnd, ...]:
    """Return the ends of a ship's courses."""
    told = sheet(seen, ship, plan)
    assert isinstance(told, Sheet)
    return told.courses


def adrift(seen: View, one: ContactView) -> Square:
    """Return where a piece is after the next move, if it only drifts."""
    return one.square if one.vector is None else drifted(seen.board, one.square, one.vector)


def shot_from(
    ship: OwnView, end: CourseEnd, targets: tuple[ContactView, ...]
) -> dict[Handle, int]:
    """Return the mean damage of all shots once the ship is there, and its targets have drifted."""
    moved = replace(ship, square=end.to, facing=end.facing)
    told = sheet(view(Phase.ENGAGE, moved, contacts=targets), ship.id)
    assert isinstance(told, Sheet)
    sums = Counter[Handle]()
    for shot in told.shots:
        if shot.at is not None:
            sums[shot.at] += shot.mean_hundredths
    return {handle: mean for handle, mean in sums.items() if mean}


@given(st.tuples(held(Handle("a")), held(Handle("b"))))
def test_it_is_the_sum_of_the_shots_from_there_at_what_has_drifted(
    targets: tuple[ContactView, ...],
) -> None:
    seen = view(Phase.PLOT, KITE, contacts=targets)
    later = tuple(replace(one, square=adrift(seen, one)) for one in targets)
    for end in ends_of(seen, KITE.id):
        if end.fate is Fate.IN_PLAY:
            assert end.fire == shot_from(KITE, end, later)


def test_turrets_count_as_the_plan_rotates_them() -> None:
    ahead = contact(square=KITE.square.moved(Vector(0, -6)), fix=Fix.TRACKED, vector=Vector(0, 0))
    seen = view(Phase.PLOT, replace(KITE, vector=Vector(0, 0)), contacts=(ahead,))
    (turret,) = KITE.turrets
    other = next(arc for arc in Arc if arc in {Arc.REAR, Arc.FRONT} - set(turret.arcs))
    rotate = Rotate(ship=KITE.id, turret=turret.id, to=other)
    before = [end.fire for end in ends_of(seen, KITE.id)]
    after = [end.fire for end in ends_of(seen, KITE.id, rotate)]
    assert before != after


def test_a_memory_is_no_target() -> None:
    gone = contact(fix=Fix.MEMORY, handle=None)
    seen = view(Phase.PLOT, KITE, contacts=(gone,))
    assert not any(end.fire for end in ends_of(seen, KITE.id))

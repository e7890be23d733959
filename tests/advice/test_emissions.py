"""What an own ship gives off as its owner reckons it, and how far a hunt has come, in words."""

import pytest
from msgspec.structs import replace

from builders.views import ON_CERES, ON_ROCK, ROCK, S2, contact, own_ship, view
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.views import ContactView, OwnView, TrackersView, TrackerView, VolleyView
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import Drive, Echo, Signature
from sunglare_rules.advice.cards.trails import pips, tracker_lines
from sunglare_rules.advice.seen.emissions import own_signatures, shadows_larger

SUN = 6
OUT = 1

PLAIN = own_ship(popped_out=False)
HULL = {Signature.VISUAL_HULL: -6 + SUN, Signature.RADAR_HULL: -4, Signature.MASS_HULL: -7}
PLANT = {Signature.IR_POWER: -2, Signature.NEUTRINO_POWER: -3}
BURNING = {Signature.VISUAL_THRUST: 1, Signature.IR_POWER: -2, Signature.IR_THRUST: 2}
MISSILE_HULL = {Signature.VISUAL_HULL: -9 + SUN, Signature.RADAR_HULL: -6}


def given_off(ship: OwnView, *others: OwnView) -> dict[Signature, int]:
    return own_signatures(view(Phase.PLOT, ship, *others), ship)


def changed(ship: OwnView, **fields: object) -> OwnView:
    return replace(ship, **fields)


FIGHTER = changed(PLAIN, kind=PieceKind.FIGHTER, echo=Echo.MISSILE)
VOLLEY = changed(
    FIGHTER, kind=PieceKind.MISSILE, volley=VolleyView(missiles=3, aim=Square(7, 27), movements=1)
)


OUT_HULL = {Signature.VISUAL_HULL: -6 + SUN + OUT, Signature.RADAR_HULL: -4 + OUT}
IMPULSE = {Signature.VISUAL_THRUST: 0, Signature.IR_THRUST: 2}
FUSION = {Signature.VISUAL_THRUST: 4, Signature.IR_THRUST: 1}
FUSED = changed(PLAIN, thrust_spent=1, drive=Drive.FUSION)
IN_SHADOW = changed(PLAIN, square=Square(15, 20), powered=False)
ON_A_ROCK = changed(PLAIN, square=ROCK.at, landed=ON_ROCK, powered=False)

GIVEN_OFF: dict[str, tuple[OwnView, dict[Signature, int]]] = {
    "a small ship in the sun": (PLAIN, {**HULL, **PLANT}),
    "without power": (changed(PLAIN, powered=False), HULL),
    "with its sensors out": (own_ship(powered=False), {**HULL, **OUT_HULL}),
    "a drive of two points": (changed(PLAIN, thrust_spent=2), {**HULL, **PLANT, **IMPULSE}),
    "a fusion plume": (FUSED, {**HULL, **PLANT, **FUSION}),
    "cloaked": (changed(PLAIN, cloak=True, cloaked=True), {}),
    "on a planet": (changed(PLAIN, square=Square(14, 13), landed=ON_CERES), {}),
    "on an asteroid as usual": (ON_A_ROCK, HULL),
    "in the planet's shadow column": (IN_SHADOW, {**HULL, Signature.VISUAL_HULL: -6}),
    "a fighter that drifts": (FIGHTER, MISSILE_HULL),
    "a fighter that burns": (changed(FIGHTER, thrust_spent=1), {**MISSILE_HULL, **BURNING}),
    "a volley that burns": (VOLLEY, {**MISSILE_HULL, **BURNING}),
}


@pytest.mark.parametrize(("ship", "expected"), GIVEN_OFF.values(), ids=GIVEN_OFF)
def test_an_own_piece_gives_this_off(ship: OwnView, expected: dict[Signature, int]) -> None:
    assert given_off(ship) == expected


# Shadowing: the same square, vector and facing as a larger ship.

SHADED = changed(PLAIN, vector=Vector(1, 0), facing=Compass.E)
LARGER = changed(SHADED, id=S2, echo=Echo.MEDIUM)


@pytest.mark.parametrize(
    ("other", "hides"),
    [
        pytest.param(LARGER, True, id="a larger one"),
        pytest.param(changed(LARGER, echo=Echo.SMALL), False, id="one as small"),
        pytest.param(changed(LARGER, vector=Vector(0, 0)), False, id="another vector"),
        pytest.param(changed(LARGER, facing=Compass.N), False, id="another facing"),
        pytest.param(changed(LARGER, square=Square(8, 27)), False, id="another square"),
        pytest.param(changed(LARGER, cloaked=True), False, id="a cloaked one"),
        pytest.param(changed(LARGER, landed=ON_ROCK), False, id="a landed one"),
        pytest.param(changed(LARGER, fate=Fate.DESTROYED), False, id="a wreck"),
    ],
)
def test_a_ship_hides_from_the_sun_behind_a_larger_own_ship(other: OwnView, hides: bool) -> None:
    assert shadows_larger(view(Phase.PLOT, SHADED, other), SHADED) is hides
    assert given_off(SHADED, other)[Signature.VISUAL_HULL] == (-6 if hides else -6 + SUN)


TRACK = contact(
    fix=Fix.TRACKED,
    square=SHADED.square,
    vector=SHADED.vector,
    facing=SHADED.facing,
    size=Echo.MEDIUM,
)


def hides_behind(track: ContactView) -> bool:
    """Return whether the ship hides behind that foreign one."""
    return shadows_larger(view(Phase.PLOT, SHADED, contacts=(track,)), SHADED)


def test_a_ship_hides_from_the_sun_behind_a_larger_live_track() -> None:
    assert hides_behind(TRACK)


@pytest.mark.parametrize(
    "change",
    [
        {"fix": Fix.COASTING},
        {"fix": Fix.CONTACT},
        {"fate": Fate.ESCAPED},
        {"size": Echo.SMALL},
        {"size": None},
        {"vector": None},
        {"facing": None},
        {"landed": ON_ROCK},
    ],
    ids=str,
)
def test_of_nothing_less_than_a_larger_live_track_in_space_the_shadow_is_known(
    change: dict[str, object],
) -> None:
    assert not hides_behind(replace(TRACK, **change))


# Trackers: turns heard out of the last three and ten, or as the dice count them.

TRACKERS = TrackersView(
    multi=TrackerView(count=3, turns=2, hits=(True, False)),
    single=TrackerView(count=5, turns=7, hits=(True, True, False, True)),
)


@pytest.mark.parametrize(
    ("mode", "multi", "single"),
    [
        (TrackerMode.WINDOW, "1 of the last 3 turns", "3 of the last 10 turns"),
        (TrackerMode.DICE, "3 on the COUNT die", "5 on the COUNT die"),
    ],
)
def test_both_trackers_say_what_they_have_and_need_by_the_mode_in_force(
    mode: TrackerMode, multi: str, single: str
) -> None:
    assert tracker_lines(replace(TRACKERS, mode=mode)) == (
        f"Heard by several ships: {multi}, 2 are needed; turns D-, COUNT 3, TURNS 2.",
        f"Heard by one ship: {single}, 6 are needed; turns DD-D, COUNT 5, TURNS 7.",
    )


def test_a_tracker_that_remembers_no_turn_says_so() -> None:
    assert pips(TrackerView()) == "none"

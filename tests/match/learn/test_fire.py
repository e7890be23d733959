"""Who is told what of fire and of the hunt in the rarer cases, and what the truth feed is told."""

import pytest
from msgspec.structs import replace

from builders.blips import remote
from builders.capital import FIRED, FLIGHT, STRUCK
from builders.ground import AG1, BG1, SITE, ground_truth, seeing, unit
from builders.hunts import RAIDER, hider
from builders.learned import contact, shot, tracked
from builders.perceived import TWO as SHIPS
from builders.perceived import held, omni, own, told
from builders.truths import A1, B1, A, B, C, holding, only, ship, truth_of, with_ship
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import (
    BlastSeen,
    OwnBlasted,
    OwnDesignated,
    OwnDestroyed,
    OwnMissileSent,
    OwnNoticed,
    OwnShelled,
    ShotSeen,
    TruthBlast,
    TruthDesignated,
    TruthGone,
    TruthHeld,
    TruthHunt,
    TruthMissile,
    TruthShot,
)
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc
from sunglare_rules.cloak.trackers import Tracker, Trackers
from sunglare_server.match.events.capital import (
    BatteryExposed,
    FighterOverflew,
    MissileSent,
    PointDesignated,
)
from sunglare_server.match.events.cloak import (
    CloakedFired,
    CloakSwitched,
    PassiveRolled,
    SweepRolled,
    UncloakingSeen,
)
from sunglare_server.match.events.space import Event, ShipDestroyed, TrackEnded
from sunglare_server.match.facts.capital import BlastReported, Overflown
from sunglare_server.match.facts.space import (
    Announced,
    Exposed,
    Followed,
    Located,
    Lost,
    OwnCounted,
    Recognised,
    SeenDestroyed,
    ShotReported,
    Vanished,
)
from sunglare_server.match.ids import quarry_id
from sunglare_server.match.kinds import Harmed, Noticed
from sunglare_server.match.truth.truth import Hunt, Truth

S1, G1 = OwnId("S1"), OwnId("G1")


# The end of a ship: turn §6.


def test_a_side_that_destroys_its_own_ship_is_told_as_its_owner_alone() -> None:
    event = ShipDestroyed(piece=A1, cause="fire", killers=(A, B))
    dead = own(OwnDestroyed(ship=S1, cause="fire"))
    assert told(SHIPS, event) == {"A": [dead], "B": [SeenDestroyed(piece=A1)]}
    assert omni(SHIPS, event) == [TruthGone(side=A, piece=S1, cause="fire")]


def test_the_owner_of_a_remote_sensor_is_never_told_what_ended_it() -> None:
    probe = remote(A, (5, 5))
    truth = truth_of(ship(A), probe, ship(B, at=(12, 10)))
    event = ShipDestroyed(piece=probe.id, cause="fire", killers=())
    assert told(truth, event) == {"A": [own(OwnDestroyed(ship=probe.own, cause="lost"))]}
    assert omni(truth, event) == [TruthGone(side=A, piece=probe.own, cause="fire")]


# What the truth feed is told.


@pytest.mark.parametrize(
    ("truth", "event", "fix"),
    [
        (SHIPS, contact(A1, B), "contact"),
        (SHIPS, tracked(A1, B), "tracked"),
        (held(Fix.COASTING), TrackEnded(piece=A1, side=B), "lost"),
    ],
    ids=["contact", "track", "lost"],
)
def test_the_truth_feed_is_told_who_holds_what(truth: Truth, event: Event, fix: str) -> None:
    [notice] = omni(truth, event)
    assert isinstance(notice, TruthHeld)
    assert (notice.side, notice.owner, notice.piece) == (B, A, S1)
    assert (notice.fix, notice.square) == (fix, Square(10, 10))
    names = tuple(signature.value for signature in getattr(event, "signatures", ()))
    assert (notice.signatures, notice.roll) == (names, getattr(event, "roll", None))


def test_the_owner_of_a_ship_that_is_gone_is_not_told_that_a_track_of_it_ended() -> None:
    gone = with_ship(held(Fix.COASTING), A1, fate=Fate.DESTROYED)
    lost = told(gone, TrackEnded(piece=A1, side=B))
    assert lost == {"B": [Lost(piece=A1)], "public": [Lost(piece=A1)]}


def test_the_truth_feed_is_told_of_every_shot() -> None:
    [notice] = omni(SHIPS, shot(A1, B1, 3))
    assert notice == TruthShot(
        side=A, ship=S1, weapon="B1", owner=B, target=S1, damage=3, dice=(5, 4), arc=Arc.FULL_FRONT
    )


# The hunt: cloak hunting §4.

HIDDEN = truth_of(hider(A, 1, (10, 10), 3), ship(B, at=(12, 10)), ship(C, at=(30, 10)))
OPEN = truth_of(ship(A, kind=RAIDER), ship(B, at=(12, 10)))
QUARRY = quarry_id(A1, 1)


def test_a_ship_that_uncloaks_is_told_to_nobody_whatever_was_held() -> None:
    for fix in Fix:
        assert told(holding(OPEN, B, A1, fix), CloakSwitched(piece=A1, on=False)) == {}


def test_a_contact_of_this_turn_vanishes_for_its_holder_and_not_in_public() -> None:
    seen = told(holding(OPEN, B, A1, Fix.CONTACT), CloakSwitched(piece=A1, on=True))
    assert seen == {"B": [Vanished(piece=A1)], "A": [Exposed(ship=S1, side=B, fix=None)]}


def test_an_uncloaking_ship_is_a_contact_by_name_for_the_truth_feed() -> None:
    [notice] = omni(OPEN, UncloakingSeen(piece=A1, side=B))
    assert notice == TruthHeld(
        side=B, owner=A, piece=S1, fix="contact", square=Square(10, 10), signatures=("uncloaking",)
    )


@pytest.mark.parametrize("found", [(), (A1,)])
def test_dice_and_what_they_found_are_for_the_truth_feed(found: tuple[object, ...]) -> None:
    ships = tuple((A, S1) for _ in found)
    sweep = SweepRolled(piece=B1, dice=(3, 5), found=found)  # type: ignore[arg-type]
    listened = PassiveRolled(piece=B1, die=2, found=found)  # type: ignore[arg-type]
    heard = TruthHunt(side=B, ship=S1, sweep=False, dice=(2,), found=ships)
    assert omni(HIDDEN, sweep) == [
        TruthHunt(side=B, ship=S1, sweep=True, dice=(3, 5), found=ships)
    ]
    assert omni(HIDDEN, listened) == [heard]


def test_a_hunted_ship_that_fires_shows_its_owner_the_trackers_there_were() -> None:
    trackers = Trackers(multi=Tracker(count=2, turns=1), single=Tracker())
    hunts = {B: {QUARRY: Hunt(piece=A1, trackers=trackers)}}
    grants = told(replace(HIDDEN, hunts=hunts), CloakedFired(piece=A1, side=B))["A"]
    [counted] = only(grants, OwnCounted)
    assert (counted.trackers, counted.fix) == (trackers, Fix.DETECTED)
    assert not counted.solution_window
    assert not counted.solution_dice


# Capital fire: capital weapons §3.

BATTERY = unit(A, kind="defence-missiles")
GROUND = ground_truth(BATTERY, unit(B, at=(2, 0)), ships=(ship(B, 1, (15, 11)),))
HERE = Square(15, 11)


@pytest.mark.parametrize("fix", [None, Fix.CONTACT, Fix.TRACKED, Fix.COASTING])
def test_a_fighter_overhead_is_told_to_the_side_below_alone(fix: Fix | None) -> None:
    truth = GROUND if fix is None else holding(GROUND, A, B1, fix)
    one = truth.ships[B1]
    seen = Overflown(piece=B1, square=HERE, side=B, type=one.type.type_shown)
    again = Followed(piece=B1, square=HERE, vector=one.vector, facing=one.facing)
    expected = [seen, again] if fix is Fix.COASTING else [seen]
    assert told(truth, FighterOverflew(piece=B1, side=A)) == {"A": expected}


@pytest.mark.parametrize("stopped", [False, True])
def test_a_battery_s_shot_is_told_to_its_side_and_to_the_owner_of_the_ship(
    *, stopped: bool
) -> None:
    event = replace(FIRED, stopped=stopped)
    report = ShotReported(
        ship=G1, weapon="D1", target=B1, damage=2, dice=(4, 3), stopped=1 if stopped else None
    )
    hit = OwnShelled(ship=S1, weapon=Arm.SDS_CM, damage=2, spent=1, stopped=int(stopped))
    shown = TruthShot(side=A, ship=G1, weapon="D1", owner=B, target=S1, damage=2, dice=(4, 3))
    assert told(GROUND, event) == {"A": [report], "B": [own(hit)]}
    assert omni(GROUND, event) == [shown]


@pytest.mark.parametrize("witnesses", [(), (B,)])
def test_a_battery_that_fired_is_known_to_witnesses_and_a_square_to_others(
    witnesses: tuple[str, ...],
) -> None:
    event = BatteryExposed(piece=AG1, square=HERE, witnesses=witnesses)  # type: ignore[arg-type]
    public = Announced(notice=ShotSeen(square=HERE))
    known = Recognised(piece=AG1, square=HERE, side=A, type=BATTERY.type.type)
    fact = known if witnesses else Located(piece=AG1, square=HERE)
    assert told(GROUND, event) == {"A": [public], "B": [public, fact], "public": [public]}


NOTICED = (Noticed(BG1, 120), Noticed(B1, 30))
HEARD = [own(OwnNoticed(ship=G1, bearing=120)), own(OwnNoticed(ship=S1, bearing=30))]


def test_a_designator_is_told_to_its_owner_and_as_a_bearing_to_those_near_it() -> None:
    event = PointDesignated(piece=AG1, site=SITE, cell=Cell(3, 4), noticed=NOTICED)
    owner = own(OwnDesignated(ship=G1, site=SITE, cell=Cell(3, 4)))
    assert told(GROUND, event) == {"A": [owner], "B": HEARD}
    truth = TruthDesignated(side=A, ship=G1, at=SITE, cell=Cell(3, 4))
    assert omni(GROUND, event) == [truth]


def test_a_missile_is_told_to_its_owner_and_its_launch_as_a_bearing() -> None:
    event = MissileSent(flight=FLIGHT, noticed=NOTICED)
    place = {"weapon": "D1", "at": SITE, "cell": Cell(4, 4), "lands": 2}
    owner = own(OwnMissileSent(ship=G1, **place))  # type: ignore[arg-type]
    assert told(GROUND, event) == {"A": [owner], "B": HEARD}
    assert omni(GROUND, event) == [TruthMissile(side=A, ship=G1, **place)]  # type: ignore[arg-type]


def test_fire_that_came_down_off_the_map_is_told_to_who_fired_alone() -> None:
    report = BlastReported(ship=G1, weapon="D1", site=SITE, dice=(4, 3), harmed=())
    event = replace(STRUCK, impact=None, harmed=())
    assert told(GROUND, event) == {"A": [report]}
    truth = TruthBlast(side=A, ship=G1, weapon="D1", site=SITE, dice=(4, 3), point=None)
    assert omni(GROUND, event) == [truth]


@pytest.mark.parametrize("seen", [False, True])
def test_an_impact_tells_who_fired_of_held_tokens_alone_and_the_harmed_their_damage(
    *, seen: bool
) -> None:
    at, both = (4_000, 5_000), (Harmed(BG1, 2), Harmed(B1, 3))
    truth = seeing(GROUND, A, BG1) if seen else GROUND
    harmed = both[:1] if seen else ()
    report = BlastReported(ship=G1, weapon="D1", site=SITE, dice=(4, 3), harmed=harmed, point=at)
    hurt = [
        own(OwnBlasted(ship=G1, damage=2, site=SITE, point=at)),
        own(OwnBlasted(ship=S1, damage=3, site=SITE, point=at)),
    ]
    event = replace(STRUCK, impact=at, harmed=both)
    witnessed = [own(BlastSeen(site=SITE, point=at)), *hurt]
    assert told(truth, event) == {"A": [report], "B": witnessed}
    shown = TruthBlast(side=A, ship=G1, weapon="D1", site=SITE, dice=(4, 3), point=at)
    assert omni(truth, event) == [shown]
    assert told(truth, replace(event, heard=()))["B"] == hurt

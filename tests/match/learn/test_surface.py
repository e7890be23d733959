"""Who is told what of a surface, grant by grant, and what the truth feed is told of it."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from builders.ground import (
    AG1,
    AP1,
    BG1,
    FAR_SITE,
    GROUND_SHOT,
    SITE,
    ground_truth,
    landed,
    plain_agent,
    seeing,
    unit,
)
from builders.learned import granted
from builders.perceived import omni, own, told
from builders.truths import A1, B1, BOARD, A, B, C, ship, truth_of
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices import (
    ImpactSeen,
    MoveFault,
    Notice,
    OwnDestroyed,
    OwnGroundHit,
    OwnHalted,
    OwnIdentified,
    OwnKilled,
    OwnUncovered,
    TokenEnd,
    TruthGone,
    TruthHeld,
    TruthIdentified,
    TruthProbed,
    TruthShot,
    TruthToken,
)
from sunglare_protocol.surface import Arm, Build, Cell, GroundKind
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.spotting import Method
from sunglare_server.match.events.blips import PieceProbed, PieceSpotted
from sunglare_server.match.events.ground import (
    AttackerRevealed,
    HiddenExposed,
    MapClosed,
    MapOpened,
    PieceIdentified,
    TakenAlong,
    TokenEnded,
    TokenGained,
    UnitDestroyed,
    UnitMoved,
)
from sunglare_server.match.events.space import TrackMissed
from sunglare_server.match.facts.ground import (
    GroundShotReported,
    MapHidden,
    MapShown,
    TokenMoved,
    TokenNamed,
    TokenShown,
    TokenTaken,
)
from sunglare_server.match.truth.truth import Truth

G1, P1, S1 = OwnId("G1"), OwnId("P1"), OwnId("S1")
UNIT = unit(A, 1, (1, 2))
KIND = UNIT.type.type
BARE = seeing(ground_truth(UNIT, unit(B, at=(2, 0)), agents=(plain_agent(A),)), A, BG1)
SEEN = seeing(BARE, B, AG1)
KNOWN = seeing(BARE, B, AG1, identified=True)
HERE = Cell(1, 2)
SHOWN = TokenShown(
    piece=AG1, site=SITE, cell=HERE, side=A, type=KIND, build=Build.INFANTRY, footprint=0
)
NAMED = TokenNamed(piece=AG1, side=A, type=KIND, build=Build.INFANTRY, footprint=0)


def token(how: str) -> list[Notice]:
    return [TruthToken(side=B, owner=A, piece=G1, how=how)]


def test_a_move_is_told_to_who_holds_the_token_and_a_halt_to_the_owner() -> None:
    went = UnitMoved(piece=AG1, cells=(Cell(1, 3), Cell(1, 4)))
    moved = TokenMoved(piece=AG1, cell=Cell(1, 4))
    assert told(SEEN, went) == {"B": [moved]}
    assert told(BARE, went) == {}
    fault = MoveFault.TERRAIN
    halted = own(OwnHalted(ship=G1, why=fault, cell=Cell(1, 4)))
    assert told(SEEN, replace(went, fault=fault)) == {"B": [moved], "A": [halted]}
    stayed = own(OwnHalted(ship=G1, why=fault, cell=HERE))
    assert told(SEEN, UnitMoved(piece=AG1, cells=(), fault=fault)) == {"A": [stayed]}
    assert omni(SEEN, went) == []


def test_a_map_is_told_to_who_sees_it_alone() -> None:
    assert told(SEEN, MapOpened(side=B, site=FAR_SITE)) == {"B": [MapShown(site=FAR_SITE)]}
    assert told(SEEN, MapClosed(side=B, site=SITE)) == {"B": [MapHidden(site=SITE)]}


@pytest.mark.parametrize("known", [False, True])
def test_a_token_shows_where_it_stands_and_what_it_is_only_if_identified(*, known: bool) -> None:
    event = TokenGained(piece=AG1, side=B, identified=known)
    blip = TokenShown(piece=AG1, site=SITE, cell=HERE)
    assert told(BARE, event) == {"B": [SHOWN if known else blip]}
    assert omni(BARE, event) == token("identified" if known else "seen")


@pytest.mark.parametrize("how", list(TokenEnd))
def test_only_what_lifts_off_shows_what_it_was(how: TokenEnd) -> None:
    lifted = how is TokenEnd.LIFTED
    gone = TokenTaken(piece=AG1, how=how)
    if lifted:
        gone = replace(gone, side=A, type=KIND, build=Build.INFANTRY, footprint=0)
    event = TokenEnded(piece=AG1, side=B, how=how)
    assert told(SEEN, event) == {"B": [gone]}
    assert omni(SEEN, event) == token(how.value)


@pytest.mark.parametrize(
    ("kind", "build", "footprint"),
    [
        ("lancer", Build.MECH, 0),
        ("battle-tank", Build.VEHICLE, 0),
        ("crawler", Build.LARGE_VEHICLE, 2),
        ("defence-cannon", Build.VERY_LARGE, 2),
        ("ground-sensor", Build.REMOTE, 0),
    ],
)
def test_who_identifies_a_unit_learns_how_it_is_built_and_how_wide_it_is(
    kind: str, build: Build, footprint: int
) -> None:
    truth = seeing(ground_truth(unit(A, at=(1, 2), kind=kind), unit(B, at=(2, 0))), B, AG1)
    [named] = told(truth, PieceIdentified(piece=AG1, side=B, is_told=False))["B"]
    assert isinstance(named, TokenNamed)
    assert (named.build, named.footprint) == (build, footprint)


@pytest.mark.parametrize("powered", [True, False])
@pytest.mark.parametrize(
    ("size", "specials", "build", "footprint"),
    [
        (BaseSize.SMALL, (), Build.AERODYNE, 0),
        (BaseSize.MEDIUM, (), Build.AERODYNE, 2),
        (BaseSize.LARGE, (Special.ECM,), Build.SPHEROID, 4),
        (BaseSize.LARGE, (Special.SLG,), Build.SPHEROID, 6),
    ],
)
def test_a_landed_ship_is_as_large_as_its_base_or_its_class_says_whatever_its_state(
    size: BaseSize, specials: Specials, build: Build, footprint: int, *, powered: bool
) -> None:
    made = landed(ship(A), (3, 3))
    kind = replace(made.type, size=size, specials=specials)
    down = replace(made, type=kind, powered=powered)
    truth = seeing(ground_truth(unit(B), ships=(down,)), B, down.id)
    [named] = told(truth, PieceIdentified(piece=down.id, side=B, is_told=False))["B"]
    assert isinstance(named, TokenNamed)
    assert (named.build, named.footprint) == (build, footprint)


@pytest.mark.parametrize("heard", [False, True])
def test_the_owner_is_told_of_an_identification_if_a_spotter_is_in_the_open(
    *, heard: bool
) -> None:
    event = PieceIdentified(piece=AG1, side=B, is_told=heard)
    owner = {"A": [own(OwnIdentified(ship=G1))]} if heard else {}
    assert told(SEEN, event) == {"B": [NAMED], **owner}
    assert omni(SEEN, event) == token("identified")


@pytest.mark.parametrize(("truth", "facts"), [(BARE, [SHOWN]), (SEEN, [NAMED]), (KNOWN, [])])
def test_who_fires_or_is_exposed_is_made_known_to_who_did_not_know_it(
    truth: Truth, facts: list[object]
) -> None:
    fired = told(truth, AttackerRevealed(piece=AG1, side=B))
    assert fired == ({"B": facts} if facts else {})
    event = HiddenExposed(piece=AG1, side=B)
    owner = {"A": [own(OwnUncovered(ship=G1))]}
    assert told(truth, event) == {**({"B": facts} if facts else {}), **owner}
    assert omni(truth, event) == token("exposed")


@pytest.mark.parametrize(
    ("kind", "indirect"), [(Arm.DIRECT, False), (Arm.INDIRECT, False), (Arm.INDIRECT, True)]
)
@pytest.mark.parametrize("heard", [(), (C,)])
def test_an_attack_is_told_to_both_and_where_indirect_fire_falls_to_who_sees_it(
    kind: Arm, indirect: bool, heard: Iterable[Side]
) -> None:
    third = ground_truth(UNIT, unit(B, at=(2, 0)), ships=(ship(C, at=(30, 30)),))
    event = replace(GROUND_SHOT, kind=kind, indirect=indirect, heard=tuple(heard))
    report = GroundShotReported(ship=G1, weapon="R1", target=AG1, damage=1, dice=(4, 3))
    hit = own(OwnGroundHit(ship=G1, weapon=kind, damage=1, site=SITE, cell=HERE))
    seen = {"C": [own(ImpactSeen(site=SITE, cell=HERE))]}
    falls = seen if heard and indirect else {}
    assert told(third, event) == {"B": [report], "A": [hit], **falls}
    shown = TruthShot(side=B, ship=G1, weapon="R1", owner=A, target=G1, damage=1, dice=(4, 3))
    assert omni(third, event) == [shown]


def test_a_destroyed_unit_is_told_to_its_owner_with_the_cause() -> None:
    event = UnitDestroyed(piece=AG1, killers=(B,), cause="sabotage")
    assert told(SEEN, event) == {"A": [own(OwnDestroyed(ship=G1, cause="sabotage"))]}
    assert omni(SEEN, event) == [TruthGone(side=A, piece=G1, cause="sabotage")]


def test_the_owner_of_a_remote_sensor_is_never_told_what_ended_it() -> None:
    kind = replace(UNIT.type, kind=GroundKind.REMOTE)
    truth = ground_truth(replace(UNIT, type=kind), unit(B, at=(2, 0)))
    event = UnitDestroyed(piece=AG1, killers=(B,), cause="fire")
    assert told(truth, event) == {"A": [own(OwnDestroyed(ship=G1, cause="lost"))]}
    assert omni(truth, event) == [TruthGone(side=A, piece=G1, cause="fire")]


def test_who_was_lost_with_a_ship_is_told_to_the_owner_alone() -> None:
    gone = TakenAlong(piece=AG1, fate=Fate.DESTROYED, killers=(B,))
    assert told(SEEN, gone) == {"A": [own(OwnDestroyed(ship=G1, cause="with its ship"))]}
    assert omni(SEEN, gone) == [TruthGone(side=A, piece=G1, cause="with its ship")]
    killed = replace(gone, piece=AP1)
    assert told(SEEN, killed) == {"A": [own(OwnKilled(ship=P1))]}
    assert omni(SEEN, killed) == [TruthGone(side=A, piece=P1, cause="with its ship")]
    for piece in (AG1, AP1):
        assert granted(SEEN, TakenAlong(piece=piece, fate=Fate.ESCAPED)) == []


def test_a_piece_that_stands_nowhere_is_shown_to_nobody() -> None:
    aboard = ground_truth(unit(A, 1, "A/S9"), unit(B))
    with pytest.raises(ValueError, match="stands on no surface map"):
        granted(aboard, TokenGained(piece=AG1, side=B, identified=False))


# Spotting, data scans and misses, for the truth feed.

SHIPS = truth_of(ship(A), ship(B, at=(12, 10)), board=BOARD)


def test_the_truth_feed_is_told_how_a_piece_was_identified() -> None:
    event = PieceSpotted(piece=A1, side=B, methods=(Method.SENSOR,))
    told_so = TruthIdentified(side=B, owner=A, piece=S1, methods=(Method.SENSOR.value,))
    assert omni(SHIPS, event) == [told_so]


@pytest.mark.parametrize("probe", [False, True])
def test_the_truth_feed_is_told_what_a_data_scan_came_to(*, probe: bool) -> None:
    event = PieceProbed(
        piece=A1, target=B1, outcome=Outcome.ILLEGAL, by_probe=probe, dossier=None, noticed=()
    )
    answer = TruthProbed(
        side=A, ship=S1, owner=B, target=S1, outcome=Outcome.ILLEGAL, by_probe=probe
    )
    assert omni(SHIPS, event) == [answer]
    assert ("B" in told(SHIPS, event)) is probe


def test_the_truth_feed_is_told_that_a_track_coasts() -> None:
    [notice] = omni(SHIPS, TrackMissed(piece=A1, side=B, misses=1))
    assert isinstance(notice, TruthHeld)
    assert (notice.fix, notice.side, notice.owner) == ("coasting", B, A)
    assert omni(SHIPS, TrackMissed(piece=A1, side=B, misses=2)) == []

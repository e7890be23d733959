"""A fact changes what it says in what an audience knows, and nothing else of it."""

import pytest
from msgspec.structs import replace

from builders.intels import HELD, remembered
from builders.truths import A1, DICE, A, B, C
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import OMNI, Handle, OwnId, audience_of
from sunglare_protocol.notices import (
    BombardResult,
    ContactIdentified,
    ContactSeen,
    DataScanned,
    FighterSeen,
    GroundShotResult,
    JamSet,
    NovaSeen,
    ScanResult,
    ShooterKnown,
    ShotResult,
    ShotSeen,
    TokenEnd,
    TokenGone,
    TokenIdentified,
    TokenSeen,
    TrackGained,
    TruthGone,
    TruthHeld,
)
from sunglare_protocol.surface import Build, Cell, Site
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Echo
from sunglare_server.match.absorb.perceived import perceived
from sunglare_server.match.absorb.space import absorb
from sunglare_server.match.facts.capital import BlastReported, Overflown
from sunglare_server.match.facts.ground import (
    GroundShotReported,
    MapHidden,
    MapShown,
    TokenMoved,
    TokenNamed,
    TokenShown,
    TokenTaken,
)
from sunglare_server.match.facts.space import (
    Announced,
    Answered,
    ContactsFaded,
    Exposed,
    Fact,
    Followed,
    Grant,
    Identified,
    Located,
    Recognised,
    ScanReported,
    Scored,
    SeenDestroyed,
    ShotReported,
    Sighted,
    Tracked,
    TruthTold,
)
from sunglare_server.match.ids import piece_id
from sunglare_server.match.intel.ground import HeldToken, TokenMarker
from sunglare_server.match.intel.space import Held, Intel, Marker
from sunglare_server.match.kinds import Harmed

S1 = OwnId("S1")
TURN = 4
THERE = Square(20, 21)
OLD = ShotSeen(square=Square(1, 2))
OTHER = piece_id(A, OwnId("S2"))
TRACK = replace(HELD, turn=TURN - 1, side=None, type=None)
SECOND = replace(TRACK, handle=Handle("bbbbbb"), label="C10")
MEMORY = Marker(label="C1", square=Square(5, 5), turn=1)
SITE, FURTHER = Site("Ceres", 1), Site("Ceres", 2)
TOKEN = HeldToken(handle=Handle("cccccc"), label="C11", site=SITE, cell=Cell(3, 4), turn=TURN - 2)
UNIT, NEXT = piece_id(A, OwnId("G1")), piece_id(A, OwnId("G2"))
KNOWN = Intel(
    audience=audience_of(B),
    turn=TURN,
    held={A1: TRACK, OTHER: SECOND},
    markers=(MEMORY,),
    record=(OLD,),
    told=(OLD,),
    exposed={S1: {A: Fix.TRACKED, C: Fix.CONTACT}, OwnId("S2"): {C: Fix.TRACKED}},
    points=2,
    handles=7,
    labels=20,
    sites=(SITE,),
    tokens={UNIT: TOKEN, NEXT: replace(TOKEN, handle=Handle("dddddd"), label="C12")},
)


def learned(fact: Fact, known: Intel = KNOWN) -> Intel:
    """Return what is known after one more fact."""
    return absorb(known, fact, DICE)


def having(held: Held, *told: object, known: Intel = KNOWN) -> Intel:
    """Return what is known with A's ship held so and these notices told as the last ones."""
    return replace(known, held={**known.held, A1: held}, told=(*known.told, *told))


# Contacts and tracks: sensors §5.


def seen_now(*signatures: str) -> ContactSeen:
    return ContactSeen(handle=TRACK.handle, label="C2", square=THERE, signatures=signatures)


def test_a_contact_on_a_track_of_an_earlier_turn_shows_the_signatures_of_this_one() -> None:
    fact = Sighted(piece=A1, square=THERE, signatures=("radar",), signal=5)
    held = replace(TRACK, square=THERE, turn=TURN, signatures=("radar",), signal=5)
    assert learned(fact) == having(held, seen_now("radar"))


def test_a_second_contact_of_the_turn_adds_only_names_that_are_new() -> None:
    known = having(replace(TRACK, turn=TURN, signatures=("mass", "radar")))
    fact = Sighted(piece=A1, square=THERE, signatures=("radar", "visual_hull"))
    names = ("mass", "radar", "visual_hull")
    held = replace(TRACK, square=THERE, turn=TURN, signatures=names, signal=None)
    assert learned(fact, known) == having(held, seen_now("radar", "visual_hull"))


MOVED = {"square": THERE, "vector": Vector(0, -1), "facing": Compass.SW}


@pytest.mark.parametrize(("turn", "old"), [(TURN - 1, True), (TURN, False)])
def test_a_track_that_goes_on_keeps_its_size_and_the_signatures_of_this_turn(
    turn: int, *, old: bool
) -> None:
    known = having(replace(TRACK, turn=turn, fix=Fix.COASTING))
    fact = Followed(piece=A1, square=THERE, vector=Vector(0, -1), facing=Compass.SW)
    held = replace(TRACK, **MOVED, turn=TURN)
    expected = replace(held, signatures=(), signal=None) if old else held
    assert learned(fact, known) == having(expected)


@pytest.mark.parametrize(("turn", "old"), [(TURN - 1, True), (TURN, False)])
@pytest.mark.parametrize("size", [Echo.SMALL, None])
def test_a_track_gained_tells_its_size_or_that_it_is_not_known(
    size: Echo | None, turn: int, *, old: bool
) -> None:
    known = having(replace(TRACK, turn=turn, fix=Fix.CONTACT))
    fact = Tracked(piece=A1, square=THERE, vector=Vector(0, -1), facing=Compass.SW, size=size)
    held = replace(TRACK, **MOVED, turn=TURN, size=size)
    expected = replace(held, signatures=(), signal=None) if old else held
    notice = TrackGained(handle=TRACK.handle, label="C2", square=THERE)
    assert learned(fact, known) == having(expected, notice)


# Shots: turn §6.


def test_a_shot_of_a_held_ship_shows_its_square_of_now_and_to_witnesses_what_it_is() -> None:
    held = replace(TRACK, square=THERE, turn=TURN)
    assert learned(Located(piece=A1, square=THERE)) == having(held)
    fact = Recognised(piece=A1, square=THERE, side=A, type="frigate")
    notice = ShooterKnown(label="C2", square=THERE, side=A, type="frigate")
    assert learned(fact) == having(replace(held, side=A, type="frigate"), notice)


@pytest.mark.parametrize("fix", [Fix.COASTING, Fix.MEMORY])
def test_a_shot_of_a_ship_out_of_sight_is_a_new_marker_whatever_was_held(fix: Fix) -> None:
    known = having(replace(TRACK, fix=fix))
    marker = Marker(label="C21", square=THERE, turn=TURN)
    after = replace(known, markers=(MEMORY, marker), labels=21)
    assert learned(Located(piece=A1, square=THERE), known) == after
    fact = Recognised(piece=A1, square=THERE, side=A, type="frigate")
    seen = replace(marker, side=A, type="frigate")
    notice = ShooterKnown(label="C21", square=THERE, side=A, type="frigate")
    expected = replace(after, markers=(MEMORY, seen), told=(OLD, notice))
    assert learned(fact, known) == expected


def test_a_shot_is_reported_on_the_handle_of_its_target() -> None:
    fact = ShotReported(ship=S1, weapon="B1", target=A1, damage=4, dice=(5, 3))
    result = ShotResult(ship=S1, weapon="B1", at=TRACK.handle, damage=4, dice=(5, 3), stopped=0)
    assert learned(fact) == replace(KNOWN, told=(OLD, result))
    through = replace(result, arc=Arc.LEFT)
    assert learned(replace(fact, arc=Arc.LEFT)) == replace(KNOWN, told=(OLD, through))
    stopped = replace(result, stopped=2)
    assert learned(replace(fact, stopped=2)) == replace(KNOWN, told=(OLD, stopped))


def test_a_scan_is_reported_with_handles_in_the_order_of_their_labels() -> None:
    fact = ScanReported(ship=S1, found=(OTHER, A1), tracked=(OTHER,), roll=9)
    result = ScanResult(
        ship=S1, found=(TRACK.handle, SECOND.handle), tracked=(SECOND.handle,), roll=9
    )
    assert learned(fact) == replace(KNOWN, told=(OLD, result))


# Identity: blips §3.


def test_an_identification_stays_with_the_handle() -> None:
    notice = ContactIdentified(handle=TRACK.handle, label="C2", side=A, type="frigate")
    held = replace(TRACK, side=A, type="frigate")
    assert learned(Identified(piece=A1, side=A, type="frigate")) == having(held, notice)


def test_an_answer_without_a_dossier_leaves_what_is_held() -> None:
    fact = Answered(ship=S1, target=A1, outcome=Outcome.INCONCLUSIVE)
    notice = DataScanned(ship=S1, at=TRACK.handle, outcome=Outcome.INCONCLUSIVE)
    assert learned(fact) == having(TRACK, notice)


def test_a_full_answer_stays_with_the_handle_and_with_the_memory_after_it() -> None:
    dossier = Dossier(turn=TURN, variant="frigate-2", damage=3)
    fact = Answered(ship=S1, target=A1, outcome=Outcome.FULL, dossier=dossier)
    notice = DataScanned(ship=S1, at=TRACK.handle, outcome=Outcome.FULL, dossier=dossier)
    known = learned(fact)
    assert known == having(replace(TRACK, dossier=dossier), notice)
    assert learned(SeenDestroyed(piece=A1), known).markers[-1].dossier == dossier


def test_a_fighter_that_flies_over_is_known_by_side_and_type() -> None:
    fact = Overflown(piece=A1, square=THERE, side=A, type="fighter")
    notice = FighterSeen(handle=TRACK.handle, label="C2", square=THERE, side=A, type="fighter")
    held = replace(TRACK, square=THERE, turn=TURN, side=A, type="fighter")
    assert learned(fact) == having(held, notice)


# What ends: turn §8 and §9.


def test_a_ship_that_is_gone_leaves_all_that_was_known_of_it_beside_the_other_memories() -> None:
    known = having(replace(TRACK, side=A, type="frigate"))
    marker = remembered(known.held[A1], fate=Fate.DESTROYED)
    after = learned(SeenDestroyed(piece=A1), known)
    assert after.held == {OTHER: SECOND}
    assert after.markers == (MEMORY, marker)


def test_the_end_of_a_turn_keeps_tracks_and_makes_contacts_memories_by_their_labels() -> None:
    third = piece_id(A, OwnId("S3"))
    contacts = {OTHER: replace(SECOND, fix=Fix.CONTACT), A1: replace(TRACK, fix=Fix.CONTACT)}
    known = replace(KNOWN, held={**contacts, third: replace(TRACK, label="C3")})
    after = learned(ContactsFaded(turn=TURN), known)
    assert list(after.held) == [third]
    assert [marker.label for marker in after.markers] == ["C1", "C2", "C10"]
    assert after.exposed == {S1: {A: Fix.TRACKED}, OwnId("S2"): {C: Fix.TRACKED}}
    assert (after.record, after.turn, after.told) == ((), TURN + 1, (OLD,))


def test_what_the_truth_feed_is_told_at_once_comes_in_the_order_of_cause() -> None:
    # By what they say the end of the ship would come first.
    held = TruthHeld(side=B, owner=A, piece=S1, fix="contact", square=THERE)
    gone = TruthGone(side=A, piece=S1, cause="fire")
    feed = Intel(audience=OMNI, turn=TURN)
    for notices in ((held, gone), (gone, held)):
        grants = [Grant(OMNI, "omni", TruthTold(notice=notice)) for notice in notices]
        assert perceived({OMNI: feed}, grants, DICE)[OMNI].told == (held, gone)


def test_points_add_up() -> None:
    assert learned(Scored(points=3)) == replace(KNOWN, points=5)
    perhaps = learned(Scored(at_most=4))
    assert perhaps == replace(KNOWN, points_up_to=4)
    assert learned(Scored(at_most=2), perhaps).points_up_to == 6


@pytest.mark.parametrize(
    ("fix", "left"), [(None, {C: Fix.CONTACT}), (Fix.CONTACT, {A: Fix.CONTACT, C: Fix.CONTACT})]
)
def test_who_holds_an_own_ship_is_kept_for_each_side(
    fix: Fix | None, left: dict[object, Fix]
) -> None:
    after = learned(Exposed(ship=S1, side=A, fix=fix))
    assert after.exposed == {S1: left, OwnId("S2"): {C: Fix.TRACKED}}


@pytest.mark.parametrize(("until", "blinded"), [(6, 9), (12, 12)])
def test_of_two_novas_the_one_that_blinds_longer_counts(until: int, blinded: int) -> None:
    notice = NovaSeen(until=until)
    heard = replace(KNOWN, record=(OLD, notice), told=(OLD, notice), nova_until=blinded)
    assert learned(Announced(notice=notice), replace(KNOWN, nova_until=9)) == heard


def test_what_is_public_stands_in_the_record_of_the_turn_and_is_told() -> None:
    notice = ShotSeen(square=THERE)
    heard = replace(KNOWN, record=(OLD, notice), told=(OLD, notice))
    assert learned(Announced(notice=notice)) == heard
    jam = JamSet(until=8)
    heard = replace(KNOWN, record=(OLD, jam), told=(OLD, jam), jammed=8)
    assert learned(Announced(notice=jam)) == heard


# Surfaces: blips §3.8.


def test_maps_come_and_go_in_the_order_of_their_sites() -> None:
    both = learned(MapShown(site=FURTHER))
    assert both.sites == (SITE, FURTHER)
    assert learned(MapShown(site=SITE), replace(KNOWN, sites=(FURTHER,))).sites == both.sites
    assert learned(MapHidden(site=SITE), both).sites == (FURTHER,)
    assert len(learned(MapHidden(site=SITE), both).told) == 3


def test_a_token_is_shown_named_and_moved_under_its_handle() -> None:
    moved = learned(TokenMoved(piece=UNIT, cell=Cell(9, 9))).tokens
    assert moved == {**KNOWN.tokens, UNIT: replace(TOKEN, cell=Cell(9, 9), turn=TURN)}
    fact = TokenNamed(piece=UNIT, side=A, type="rifles", build=Build.MECH, footprint=2)
    named = learned(fact)
    token = replace(TOKEN, side=A, type="rifles", build=Build.MECH, footprint=2, turn=TURN)
    notice = TokenIdentified(handle=TOKEN.handle, label="C11", side=A, type="rifles")
    assert named == replace(KNOWN, tokens={**KNOWN.tokens, UNIT: token}, told=(OLD, notice))


@pytest.mark.parametrize(("side", "kind"), [(A, "rifles"), (None, None)])
def test_a_new_token_gets_the_next_handle_and_label(side: str | None, kind: str | None) -> None:
    new = piece_id(A, OwnId("G9"))
    build, footprint = (Build.INFANTRY, 4) if side else (None, None)
    fact = TokenShown(piece=new, site=SITE, cell=Cell(1, 1), side=A if side else None, type=kind)
    after = learned(replace(fact, build=build, footprint=footprint))
    token = after.tokens[new]
    assert (token.label, token.turn, token.side, token.type) == ("C21", TURN, side, kind)
    assert (token.build, token.footprint) == (build, footprint)
    assert (after.labels, after.handles) == (21, 8)
    assert token.handle == DICE.token(audience_of(B), 7)
    assert (token.site, token.cell) == (SITE, Cell(1, 1))
    assert after.told[-1] == TokenSeen(
        handle=token.handle, label="C21", site=SITE, cell=Cell(1, 1), side=token.side, type=kind
    )
    assert after.tokens.keys() == {UNIT, NEXT, new}


@pytest.mark.parametrize("how", list(TokenEnd))
def test_a_token_that_goes_leaves_a_memory_of_this_turn(how: TokenEnd) -> None:
    after = learned(TokenTaken(piece=UNIT, how=how))
    fate = Fate.DESTROYED if how is TokenEnd.DESTROYED else Fate.IN_PLAY
    marker = TokenMarker(label="C11", site=SITE, cell=TOKEN.cell, turn=TURN, fate=fate)
    assert after.tokens.keys() == {NEXT}
    assert after.token_markers == (marker,)
    assert after.told == (OLD, TokenGone(label="C11", how=how))


def test_a_token_that_goes_keeps_what_was_known_of_it_or_is_told_with_its_end() -> None:
    named = TokenNamed(piece=UNIT, side=A, type="rifles", build=Build.MECH, footprint=2)
    known = learned(named)
    (marker,) = learned(TokenTaken(piece=UNIT, how=TokenEnd.DESTROYED), known).token_markers
    assert (marker.side, marker.type) == (A, "rifles")
    assert (marker.build, marker.footprint) == (Build.MECH, 2)
    fact = TokenTaken(
        piece=UNIT, how=TokenEnd.LIFTED, side=C, type="shuttle", build=Build.AERODYNE, footprint=0
    )
    after = learned(fact, replace(known, token_markers=(marker,)))
    assert after.token_markers[0] == marker
    assert (after.token_markers[1].side, after.token_markers[1].type) == (C, "shuttle")
    assert (after.token_markers[1].build, after.token_markers[1].footprint) == (Build.AERODYNE, 0)
    assert after.told[-1] == TokenGone(label="C11", how=TokenEnd.LIFTED, side=C, type="shuttle")


def test_a_shot_on_the_ground_is_reported_on_the_handle_of_the_token() -> None:
    fact = GroundShotReported(ship=OwnId("G1"), weapon="rifle", target=UNIT, damage=2, dice=(4,))
    result = GroundShotResult(
        ship=OwnId("G1"), weapon="rifle", at=TOKEN.handle, damage=2, dice=(4,)
    )
    assert learned(fact) == replace(KNOWN, told=(OLD, result))


def test_a_blast_is_reported_with_the_tokens_it_harmed_by_their_labels() -> None:
    blast = {"weapon": "B1", "site": SITE, "dice": (1, 2), "point": (2_000, 2_000)}
    fact = BlastReported(ship=S1, harmed=(Harmed(NEXT, 5), Harmed(UNIT, 3)), **blast)  # type: ignore[arg-type]
    handles = (TOKEN.handle, Handle("dddddd"))
    result = BombardResult(ship=S1, harmed=handles, damage=(3, 5), **blast)  # type: ignore[arg-type]
    assert learned(fact) == replace(KNOWN, told=(OLD, result))

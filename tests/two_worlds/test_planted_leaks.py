"""Faults planted in the server, each of which the paired worlds must find by themselves.

The plants keep to what the ledger allows, so that no other safeguard can find them first.
"""

import os
from collections.abc import Iterator

import msgspec
import pytest

from builders.plants import Plant, Real, in_place_of
from builders.played import unread
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips.dossiers import DossierAnswer
from sunglare_rules.blips.spotting import is_stealthy
from sunglare_server.match.absorb import perceived as perception
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.blips import PieceSpotted
from sunglare_server.match.events.cloak import HuntStepped
from sunglare_server.match.events.space import ContactMade, ShipLifted, ShipMoved
from sunglare_server.match.facts.space import Fact, Followed, Found, Grant, Identified, Sighted
from sunglare_server.match.intel.space import Intel, OwnPiece
from sunglare_server.match.learn import blips as spotting
from sunglare_server.match.learn import cloak as hunting
from sunglare_server.match.learn import movement as moving
from sunglare_server.match.learn import sensors as scanning
from sunglare_server.match.learn.audiences import followed, to_sides
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.resolve import probing
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn import flow
from two_worlds import parts as worldparts
from two_worlds.course import Campaign, LeakError
from two_worlds.twistkinds import Twist
from two_worlds.twists import CATALOGUE

LONG = bool(os.environ.get("SUNGLARE_LONG"))
SEEDS = (1, 2) if LONG else (3,)
"""The campaigns in which every plant must be found."""

PAIRS_MOST = 6_000 if LONG else 1_500
"""How many pairs are compared at most: the rarer kinds of hidden difference need some matches."""

IN_SPACE = ("duel", "parade", "melee", "parade", "broadside", "gunnery")
"""Where ships scan and fire at each other."""

IN_HIDING = ("stalk-2", "stalk-3")
"""Where ships hunt each other under their cloaks."""


def made_by(*modules: str) -> tuple[Twist, ...]:
    """Return the twists that these modules make, and those that concern orders alone."""
    rooms = {f"two_worlds.{module}" for module in (*modules, "twistkinds")}
    return tuple(twist for twist in CATALOGUE if twist.apply.__module__ in rooms)


OF_SPACE = made_by("otherplaces", "otherpieces", "otherknowledge")
OF_HIDING = made_by("othercloaks")

_replace = msgspec.structs.replace


@in_place_of(scanning, "of_contact")
def _tell_motion(
    real: Real[Iterator[Grant]], event: ContactMade, before: Truth, after: Truth, *, values: bool
) -> Iterator[Grant]:
    """Yield what a contact grants, and vector and facing, as if it had coasted."""
    yield from real(event, before, after, values=values)
    ship = after.ships[event.piece]
    yield from to_sides((event.side,), "scanner", followed(ship.id, ship))


@in_place_of(scanning, "of_contact")
def _plant_signal(
    real: Real[Iterator[Grant]], event: ContactMade, before: Truth, after: Truth, *, values: bool
) -> Iterator[Grant]:
    """Yield what a contact grants, with the signal whether the option says so or not."""
    for grant in real(event, before, after, values=values):
        is_scanners = grant.role == "scanner" and isinstance(grant.fact, Sighted)
        fact = _replace(grant.fact, signal=event.signal) if is_scanners else grant.fact
        yield Grant(grant.audience, grant.role, fact)


def _own_marked(truth: Truth, side: Side) -> tuple[OwnPiece, ...]:
    """Return own pieces whose names tell that an enemy has identified them."""
    known = {piece for by, pieces in truth.identified.items() if by != side for piece in pieces}
    marked = {ship.own for ship in truth.ships.values() if ship.side == side and ship.id in known}
    pieces = own_pieces(truth, side)
    return tuple(
        _replace(piece, name=f"{piece.name}!") if piece.id in marked else piece for piece in pieces
    )


@in_place_of(flow, "renewed")
def _renew_marked(
    _real: object, _own: object, _before: Truth, after: Truth, side: Side
) -> tuple[OwnPiece, ...]:
    return _own_marked(after, side)


def _plant_mark(plant: pytest.MonkeyPatch) -> None:
    _renew_marked(plant)
    plant.setattr(worldparts, "own_pieces", _own_marked)


@in_place_of(moving, "of_move")
def _tell_coasting(
    real: Real[Iterator[Grant]], event: ShipMoved | ShipLifted, before: Truth, after: Truth
) -> Iterator[Grant]:
    """Yield a move for live tracks, and for those that coast as well."""
    yield from real(event, before, after)
    ship = after.ships[event.piece]
    coasting = before.holders(event.piece, Fix.COASTING)
    yield from to_sides(coasting, "holder", followed(ship.id, ship))


@in_place_of(perception, "absorb")
def _absorb_motion(real: Real[Intel], intel: Intel, fact: Fact, dice: Dice) -> Intel:
    """Take in the motion of a contact, which stays a contact."""
    learned = real(intel, fact, dice)
    if isinstance(fact, Followed) and intel.held[fact.piece].fix is Fix.CONTACT:
        seen = _replace(learned.held[fact.piece], fix=Fix.CONTACT)
        return _replace(learned, held={**learned.held, fact.piece: seen})
    return learned


@in_place_of(perception, "absorb")
def _absorb_coasting(real: Real[Intel], intel: Intel, fact: Fact, dice: Dice) -> Intel:
    """Take in a move of a coasting track: its square changes, it goes on coasting."""
    if isinstance(fact, Followed):
        held = intel.held[fact.piece]
        if held.fix is Fix.COASTING and held.turn < intel.turn:
            crept = _replace(held, square=fact.square)
            return _replace(intel, held={**intel.held, fact.piece: crept})
    return real(intel, fact, dice)


@in_place_of(spotting, "of_spotting")
def _plant_variant(
    real: Real[Iterator[Grant]], event: PieceSpotted, before: Truth
) -> Iterator[Grant]:
    """Yield what an identification grants, with the class for the type."""
    for grant in real(event, before):
        known = isinstance(grant.fact, Identified)
        name = before.ships[event.piece].type.name
        fact = _replace(grant.fact, type=name) if known else grant.fact
        yield Grant(grant.audience, grant.role, fact)


@in_place_of(probing, "data_scan")
def _plant_stealth(
    real: Real[DossierAnswer], *, target: Specials, **given: object
) -> DossierAnswer:
    """Return the answer to a request for data; of stealthy targets that they are out of reach."""
    answer = real(target=target, **given)
    if answer.outcome is Outcome.INCONCLUSIVE and is_stealthy(target):
        return DossierAnswer(Outcome.OUT_OF_REACH, answer.means)
    return answer


def _plant_motion(plant: pytest.MonkeyPatch) -> None:
    _tell_motion(plant)
    _absorb_motion(plant)


def _plant_creep(plant: pytest.MonkeyPatch) -> None:
    _tell_coasting(plant)
    _absorb_coasting(plant)


@in_place_of(hunting, "of_step")
def _plant_misses(
    real: Real[list[Grant]], event: HuntStepped, before: Truth, mode: TrackerMode
) -> list[Grant]:
    """Return the step of a hunt, and where the ship is also in a turn that missed it."""
    told = real(event, before, mode)
    ship = before.ships[event.piece]
    if event.fix is None and ship.cloaked and ship.quarry == event.quarry:
        plain = Found(piece=event.quarry, fix=Fix.DETECTED, square=ship.square, vector=ship.vector)
        return [Grant(audience_of(event.side), "hunter", plain), *told]
    return told


PLANTS: dict[str, Plant] = {
    "a contact tells its vector": _plant_motion,
    "an own piece tells that it is identified": _plant_mark,
    "an identified blip tells its class": _plant_variant,
    "stealth reads unlike a jammed probe": _plant_stealth,
    "a coasting track is kept up to date": _plant_creep,
    "a hunted ship is shown where it was missed": _plant_misses,
    "a contact tells its signal, half of all matches may": _plant_signal,
}

SOUGHT_LONG = (
    "a contact tells its vector",
    "stealth reads unlike a jammed probe",
    "a coasting track is kept up to date",
    "a contact tells its signal, half of all matches may",
)
"""The plants that are found in the long form alone, as they take hundreds of pairs."""

PLANTED = {name: PLANTS[name] for name in PLANTS if LONG or name not in SOUGHT_LONG}


@pytest.mark.timeout(900 if LONG else 240)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("plant", PLANTED.values(), ids=PLANTED)
def test_the_paired_worlds_find_a_planted_leak(
    plant: Plant, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    unread(monkeypatch)
    is_hunt = plant is _plant_misses
    chosen = (IN_HIDING, OF_HIDING) if is_hunt else (IN_SPACE, OF_SPACE)
    campaign = Campaign(seed, *chosen)
    with pytest.raises(LeakError):
        campaign.run(10**9, pairs_most=PAIRS_MOST)
    assert campaign.pairs <= PAIRS_MOST

"""Faults planted in the server, each of which the paired worlds must find by themselves.

The plants keep to what the ledger allows, so that no other safeguard can find them first.
"""

import os
from collections.abc import Callable, Iterator

import msgspec
import pytest

from builders.played import unread
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips import dossiers
from sunglare_rules.blips.dossiers import DossierAim, DossierAnswer
from sunglare_rules.blips.spotting import is_stealthy
from sunglare_server.match.absorb import perceived as perception
from sunglare_server.match.absorb.space import absorb
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.blips import (
    PieceSpotted,
)
from sunglare_server.match.events.cloak import HuntStepped
from sunglare_server.match.events.space import (
    ContactMade,
    ShipLifted,
    ShipMoved,
)
from sunglare_server.match.facts.space import Fact, Followed, Found, Grant, Identified, Sighted
from sunglare_server.match.intel.space import Intel, OwnPiece
from sunglare_server.match.learn import blips as spotting
from sunglare_server.match.learn import cloak as hunting
from sunglare_server.match.learn import movement as moving
from sunglare_server.match.learn import sensors as scanning
from sunglare_server.match.learn.roles import followed, to_sides
from sunglare_server.match.own.ships import own_pieces
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
_of_contact, _of_move, _of_step = scanning.of_contact, moving.of_move, hunting.of_step
_of_spotting, _data_scan = spotting.of_spotting, dossiers.data_scan


def _contact_with_motion(
    event: ContactMade, before: Truth, after: Truth, *, values: bool
) -> Iterator[Grant]:
    """Yield what a contact grants, and vector and facing, as if it had coasted."""
    yield from _of_contact(event, before, after, values=values)
    ship = after.ships[event.piece]
    yield from to_sides((event.side,), "scanner", followed(ship.id, ship))


def _contact_with_signal(
    event: ContactMade, before: Truth, after: Truth, *, values: bool
) -> Iterator[Grant]:
    """Yield what a contact grants, with the signal whether the option says so or not."""
    for grant in _of_contact(event, before, after, values=values):
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


def _renewed_marked(
    _own: tuple[OwnPiece, ...], _before: Truth, after: Truth, side: Side
) -> tuple[OwnPiece, ...]:
    return _own_marked(after, side)


def _move_with_coasting(
    event: ShipMoved | ShipLifted, before: Truth, after: Truth
) -> Iterator[Grant]:
    """Yield a move for live tracks, and for those that coast as well."""
    yield from _of_move(event, before, after)
    ship = after.ships[event.piece]
    coasting = before.holders(event.piece, Fix.COASTING)
    yield from to_sides(coasting, "holder", followed(ship.id, ship))


def _absorb_motion(intel: Intel, fact: Fact, dice: Dice) -> Intel:
    """Take in the motion of a contact, which stays a contact."""
    learned = absorb(intel, fact, dice)
    if isinstance(fact, Followed) and intel.held[fact.piece].fix is Fix.CONTACT:
        seen = _replace(learned.held[fact.piece], fix=Fix.CONTACT)
        return _replace(learned, held={**learned.held, fact.piece: seen})
    return learned


def _absorb_coasting(intel: Intel, fact: Fact, dice: Dice) -> Intel:
    """Take in a move of a coasting track: its square changes, it goes on coasting."""
    if isinstance(fact, Followed):
        held = intel.held[fact.piece]
        if held.fix is Fix.COASTING and held.turn < intel.turn:
            crept = _replace(held, square=fact.square)
            return _replace(intel, held={**intel.held, fact.piece: crept})
    return absorb(intel, fact, dice)


def _spotted_with_variant(event: PieceSpotted, before: Truth) -> Iterator[Grant]:
    """Yield what an identification grants, with the class for the type."""
    for grant in _of_spotting(event, before):
        known = isinstance(grant.fact, Identified)
        name = before.ships[event.piece].type.name
        fact = _replace(grant.fact, type=name) if known else grant.fact
        yield Grant(grant.audience, grant.role, fact)


def _plain_about_stealth(
    *, requested: bool, legal: bool, scanner: Specials, target: Specials, aim: DossierAim
) -> DossierAnswer:
    """Return the answer to a request for data; of stealthy targets that they are out of reach."""
    answer = _data_scan(requested=requested, legal=legal, scanner=scanner, target=target, aim=aim)
    if answer.outcome is Outcome.INCONCLUSIVE and is_stealthy(target):
        return DossierAnswer(Outcome.OUT_OF_REACH, answer.means)
    return answer


def _plant_variant(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(spotting, "of_spotting", _spotted_with_variant)


def _plant_stealth(plant: pytest.MonkeyPatch) -> None:
    plant.setattr("sunglare_server.match.resolve.probing.data_scan", _plain_about_stealth)


def _plant_motion(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(scanning, "of_contact", _contact_with_motion)
    plant.setattr(perception, "absorb", _absorb_motion)


def _plant_signal(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(scanning, "of_contact", _contact_with_signal)


def _plant_mark(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(flow, "renewed", _renewed_marked)
    plant.setattr(worldparts, "own_pieces", _own_marked)


def _plant_creep(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(moving, "of_move", _move_with_coasting)
    plant.setattr(perception, "absorb", _absorb_coasting)


def _step_with_misses(event: HuntStepped, before: Truth, mode: TrackerMode) -> list[Grant]:
    """Return the step of a hunt, and where the ship is also in a turn that missed it."""
    told = _of_step(event, before, mode)
    ship = before.ships[event.piece]
    if event.fix is None and ship.cloaked and ship.quarry == event.quarry:
        plain = Found(piece=event.quarry, fix=Fix.DETECTED, square=ship.square, vector=ship.vector)
        return [Grant(audience_of(event.side), "hunter", plain), *told]
    return told


def _plant_misses(plant: pytest.MonkeyPatch) -> None:
    plant.setattr(hunting, "of_step", _step_with_misses)


Plant = Callable[[pytest.MonkeyPatch], None]

PLANTS: dict[str, tuple[Plant, int]] = {
    "a contact tells its vector": (_plant_motion, PAIRS_MOST),
    "an own piece tells that it is identified": (_plant_mark, PAIRS_MOST),
    "an identified blip tells its class": (_plant_variant, PAIRS_MOST),
    "stealth reads unlike a jammed probe": (_plant_stealth, PAIRS_MOST),
    "a coasting track is kept up to date": (_plant_creep, PAIRS_MOST),
    "a hunted ship is shown where it was missed": (_plant_misses, PAIRS_MOST),
    "a contact tells its signal, half of all matches may": (_plant_signal, PAIRS_MOST),
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
@pytest.mark.parametrize(("plant", "pairs_most"), PLANTED.values(), ids=PLANTED)
def test_the_paired_worlds_find_a_planted_leak(
    plant: Plant, pairs_most: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    unread(monkeypatch)
    is_hunt = plant is _plant_misses
    chosen = (IN_HIDING, OF_HIDING) if is_hunt else (IN_SPACE, OF_SPACE)
    campaign = Campaign(seed, *chosen)
    with pytest.raises(LeakError):
        campaign.run(10**9, pairs_most=pairs_most)
    assert campaign.pairs <= pairs_most

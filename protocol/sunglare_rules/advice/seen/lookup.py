"""Finding things in a view by the names that an order or a question uses.

What is unknown, foreign, dead or hidden is not found, all in the same way.
"""

from sunglare_protocol.geometry import Place
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.refusing import refused

TARGETABLE = (Fix.CONTACT, Fix.TRACKED, Fix.DETECTED, Fix.SOLUTION)
"""OWN: the rungs on which a piece is placed well enough to be fired at by some weapon."""

SWEEP_SIGNATURE = "sweep"
"""What a contact on a ship is named by that swept."""


def swept_now(view: View, contact: ContactView) -> bool:
    """Return whether the piece gave itself away by an active sweep this turn."""
    return SWEEP_SIGNATURE in contact.signatures and contact.turn == view.stage.turn


def ships_in_play(view: View) -> tuple[OwnView, ...]:
    """Return the viewer's own ships that take orders and are in play, in the view's order."""
    return tuple(
        ship
        for ship in view.own
        if ship.fate is Fate.IN_PLAY and ship.kind is not PieceKind.REMOTE
    )


def remotes_in_play(view: View) -> tuple[OwnView, ...]:
    """Return the viewer's own remote sensors that are still in play."""
    return tuple(
        piece
        for piece in view.own
        if piece.fate is Fate.IN_PLAY and piece.kind is PieceKind.REMOTE
    )


def own_ship(view: View, ship: OwnId) -> OwnView | Rejected:
    """Return the own ship in play with that id, or a refusal that lists the right ones."""
    for own in view.own:
        if own.id == ship and own.fate is Fate.IN_PLAY:
            return own
    choices = tuple(own.id for own in ships_in_play(view))
    return refused(Code.ORDER_SHIP, ".ship", choices=choices)


def own_ids(view: View) -> tuple[str, ...]:
    """Return the ids of all own pieces in play: ships, ground units, agents."""
    ships = tuple(ship.id for ship in ships_in_play(view))
    units = tuple(unit.id for unit in view.ground if unit.fate is Fate.IN_PLAY)
    return (*ships, *units, *(agent.id for agent in view.agents if agent.fate is Fate.IN_PLAY))


def own_weapon(ship: OwnView, weapon: str) -> WeaponView | Rejected:
    """Return the ship's working weapon of that name, or a refusal that lists those that work."""
    for fitted in ship.weapons:
        if fitted.id == weapon and fitted.works:
            return fitted
    choices = tuple(choice.id for choice in ship.weapons if choice.works)
    return refused(Code.ORDER_WEAPON, ".weapon", choices=choices)


_ASKED_ABOUT = (Fix.CONTACT, Fix.TRACKED)
"""What can be scanned for data; of cloaked ships, however well found, nothing is learned."""


def targets(view: View) -> tuple[ContactView, ...]:
    """Return the contacts and live tracks in play, which are all that may be fired at."""
    return tuple(
        contact
        for contact in view.contacts
        if contact.handle is not None
        and contact.fix in TARGETABLE
        and contact.fate is Fate.IN_PLAY
    )


def identified(view: View) -> tuple[ContactView, ...]:
    """Return the contacts and live tracks that are identified, which may be asked about."""
    return tuple(
        target
        for target in targets(view)
        if target.side is not None and target.fix in _ASKED_ABOUT
    )


def own_target(view: View, handle: Handle | None) -> ContactView | Rejected:
    """Return what the viewer holds by that handle, or why it is nothing to fire at.

    The choices are the handles that may be fired at; a dead handle is like an unknown one.
    """
    for contact in view.contacts:
        if contact.handle == handle and handle is not None and contact.fate is Fate.IN_PLAY:
            return (
                contact if contact.fix in TARGETABLE else not_targetable(view, contact, TARGETABLE)
            )
    return refused(Code.ORDER_HANDLE, ".at", choices=_target_handles(view))


def not_targetable(view: View, contact: ContactView, rungs: tuple[Fix, ...]) -> Rejected:
    """Return the refusal of a target that is not held on one of the `rungs` a weapon needs."""
    takes = " or ".join(_RUNG_WORDS[rung] for rung in rungs)
    detail = f"{contact.label} is {contact.fix.value}; this takes {takes}."
    return refused(Code.ORDER_STATE, ".at", detail, _target_handles(view, rungs))


_RUNG_WORDS = {
    Fix.CONTACT: "a contact",
    Fix.TRACKED: "a live track",
    Fix.DETECTED: "a detected ship",
    Fix.SOLUTION: "a solution",
}


def _target_handles(view: View, rungs: tuple[Fix, ...] = TARGETABLE) -> tuple[str, ...]:
    return tuple(
        target.handle
        for target in targets(view)
        if target.handle is not None and target.fix in rungs
    )


def place_of(piece: OwnView | ContactView) -> Place:
    """Return where the piece is, as lines of sight ask for it."""
    return Place(piece.square, piece.landed)

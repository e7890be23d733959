"""Verbs of fire: weapons aimed, kept for an answer or called down on a point, point defence."""

import math

from msgspec.structs import replace

from sunglare_client.command import Command, Give, HoldAll, Problem
from sunglare_client.text.cards import refused
from sunglare_client.text.labels import label_of
from sunglare_client.text.printable import one_word, printable
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import ANY, ENGAGE, Verb, Written, giving
from sunglare_client.verbs.words import MISSING, Misread
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages.answers import GroundOdds, ShotOdds
from sunglare_protocol.orders import Bombard, Defend, Fire, Hold
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.word import spoken
from sunglare_protocol.words.armament import DefencePolicy, SystemAim, WeaponKind
from sunglare_rules.advice.cards.ground import ground_odds
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.advice.check.ground import unit_named
from sunglare_rules.advice.odds.fire import odds_of_bombardment, shot_odds
from sunglare_rules.advice.plans.fire import fire_all, shots_from_cover
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.capital.capital import CLASS_OF_ARM


def fire_order(reader: Reader) -> Fire:
    """Read a weapon and what it fires at, and perhaps the system that it aims at."""
    if reader.names_unit:
        return _fire_of_unit(reader)
    ship, weapon = reader.mount()
    kinds = {fitted.id: fitted.kind for fitted in ship.weapons}
    if kinds[weapon] is WeaponKind.NOVA and not reader.more:
        return Fire(ship=ship.id, weapon=weapon)
    target = reader.held()
    systems: dict[str, SystemAim | None] = {spoken(one): one for one in SystemAim}
    system = reader.pick("system to aim at", systems) if reader.more else None
    return Fire(ship=ship.id, weapon=weapon, at=target, system=system)


def _fire_of_unit(reader: Reader) -> Fire:
    """Read a unit with a weapon, as `G1.R1` or as two words, and what it fires at.

    That is a token, of a designator a cell, of a battery a contact.
    """
    unit, weapon = reader.unit_mount()
    if weapon in DESIGNATORS:
        return Fire(ship=unit.id, weapon=weapon, point=reader.cell())
    if any(arm.id == weapon and arm.kind in CLASS_OF_ARM for arm in unit.weapons):
        contact = reader.contact()
        if contact.handle is None:
            reader.fail("E-ARG", f"{contact.label} is a memory; nothing can be aimed at it")
        return Fire(ship=unit.id, weapon=weapon, at=contact.handle)
    return Fire(ship=unit.id, weapon=weapon, at=reader.held_token(unit.site))


def _fire(reader: Reader) -> Command:
    """Read a shot, or `all` for the best one of every weapon that is free."""
    if not reader.more:
        reader.fail(MISSING, "needs <ship.weapon> next", ("all", *_ships(reader)))
    if reader.peek().lower() != "all":
        return Give((fire_order(reader),))
    reader.word("all")
    shots = fire_all(reader.view, reader.plan)
    left = _left_out(reader)
    if not shots:
        wrong = left or "no weapon that is free bears on anything that you hold"
        reader.fail("E-ARG", wrong)
    return Give(shots, left)


def _left_out(reader: Reader) -> str:
    """Return which pieces do not fire with all others, and why; empty if none is left out."""
    cloaked = [ship.id for ship in ships_in_play(reader.view) if ship.cloaked]
    return "; ".join(
        f"left out: {shot.ship} is {'cloaked' if shot.ship in cloaked else 'hidden'}, and a shot "
        f"gives it away: fire {_fire_words(_labelled(reader.view, shot))} fires all the same"
        for shot in shots_from_cover(reader.view, reader.plan)
    )


def _labelled(view: View, shot: Fire) -> Fire:
    """Return a shot at the label that the lists show."""
    return shot if shot.at is None else replace(shot, at=Handle(label_of(view, shot.at)))


_POLICY = {"all": True, "off": False}
"""The words of `hold` that are a policy, and whether it is on."""


def _ships(reader: Reader) -> tuple[str, ...]:
    return tuple(ship.id for ship in ships_in_play(reader.view))


def _hold(reader: Reader) -> Command:
    if not reader.more:
        reader.fail(MISSING, "needs <ship.weapon> next", (*_POLICY, *_ships(reader)))
    if reader.peek().lower() in _POLICY:
        return HoldAll(reader.pick("word", _POLICY))
    if not reader.names_mount:
        raise Misread(_taken_back(reader.own_id()))
    kept, weapon = reader.mount()
    return Give(
        (Hold(ship=kept.id, weapon=weapon),), "answers a cloaked ship that fires, if it can"
    )


def _taken_back(own: OwnId) -> Problem:
    """Return the error of `hold` with a piece alone, which took its orders back once."""
    right = f"To take back what {own} was told, say: clear {own}."
    return Problem("E-MISSING", "hold: needs <ship.weapon> next.", right)


def bombard_order(reader: Reader) -> Bombard:
    """Read a ship or unit with a weapon, a planet and environs, and a cell."""
    if reader.names_unit:
        unit, weapon = reader.unit_mount()
        own, home = unit.id, unit.site
    else:
        ship, weapon = reader.mount()
        own, home = ship.id, None if ship.landed is None else ship.landed.site
    sites = reader.sites()
    site = reader.site(home or (sites[0] if len(sites) == 1 else None))
    return Bombard(ship=own, weapon=weapon, at=site, cell=reader.cell())


def _defend_order(reader: Reader) -> Defend:
    ship = reader.ship()
    policy = reader.pick("policy", {choice.value: choice for choice in DefencePolicy})
    return Defend(ship=ship.id, policy=policy)


def _fire_words(order: Fire) -> str:
    target = order.at or (order.point.name if order.point else "")
    system = spoken(order.system) if order.system is not None else ""
    words = (f"{order.ship}.{one_word(order.weapon)}", target, system)
    return " ".join(word for word in words if word)


def _bombard_words(order: Bombard) -> str:
    site = f"{one_word(order.at.body)} {order.at.environs}"
    return f"{order.ship}.{one_word(order.weapon)} {site} {order.cell.name}"


def _fire_odds(view: View, order: Fire) -> list[str]:
    """Return how a shot bears and what it does on average, or why it cannot be fired."""
    if order.point is not None:
        return ["  a beam on a point in sight always succeeds, for fire within 2 inches of it"]
    unit = unit_named(view, order.ship)
    odds = shot_odds(view, order) if unit is None else ground_odds(view, unit, order)
    match odds:
        case Rejected():
            return [refused(odds)]
        case GroundOdds():
            return [_ground_row(odds, view)]
        case ShotOdds():
            return [_shot_row(odds, view)]


def _shot_row(odds: ShotOdds, view: View) -> str:
    mean = odds.mean_hundredths / 100
    if odds.at is None:
        return f"{odds.ship}.{odds.weapon}: mean damage {mean:.2f} to all that is held in its way"
    ship = next(ship for ship in view.own if ship.id == odds.ship)
    target = next(contact for contact in view.contacts if contact.handle == odds.at)
    # Rounded up, as in the refusal of a shot that does not reach so far.
    tenths = math.ceil(10 * math.sqrt(ship.square.distance_squared(target.square)))
    return printable(
        f"{odds.ship}.{odds.weapon} at {label_of(view, odds.at)}: {tenths / 10} squares away, "
        f"target {spoken(odds.relation)}, mean damage {mean:.2f} (its screens are not known)"
    )


def _ground_row(odds: GroundOdds, view: View) -> str:
    shot = f"{odds.ship}.{odds.weapon} at {label_of(view, odds.at)}"
    return printable(f"{shot}: needs {odds.needed}, {odds.hundredths} %, damage {odds.damage}")


def _bombard_odds(view: View, order: Bombard) -> list[str]:
    odds = odds_of_bombardment(view, order)
    if isinstance(odds, Rejected):
        return [refused(odds)]
    shot = f"{odds.ship}.{odds.weapon} at {odds.at.body} {odds.at.environs} {odds.cell.name}"
    lands = f"; lands in turn {odds.lands}" if odds.lands is not None else ""
    chance = f"{odds.hundredths} % ({odds.guided_hundredths} % with a beam on it)"
    return [printable(f"{shot}: needs {odds.needed}, {chance}, damage {odds.damage}{lands}")]


_MORE_ON_FIRE = (
    (
        "A needle beam may name a system: fire S1.N1 C3 drive. A nova gun names nothing at all, a "
        "volley its weapon as any ship: fire M1.M1 C3. A ground unit fires at a token, a battery "
        "at a contact; a designator is put on a cell: fire G1.TAG C4. fire all: every weapon that "
        "is free and bears fires at what it damages most on average, but for hidden units and "
        "cloaked ships, which a shot would give away."
    ),
)

_MORE_ON_HOLD = (
    (
        "A dumb weapon waits for the nearest cloaked ship that fires and that it can hit. hold "
        "all holds every one that does not fire, in each ENGAGE until hold off. To take orders "
        "back, say: clear S1."
    ),
)

ROWS = (
    Verb(
        "fire",
        "fi",
        ENGAGE,
        "<ship.weapon> <contact> [system], or all",
        "fire S1.B1 C3",
        "fire one weapon at a contact, a live track or a find",
        _fire,
        order=Written(Fire, _fire_words, _fire_odds, _fire_odds),
        more=_MORE_ON_FIRE,
    ),
    Verb(
        "hold",
        "ho",
        ANY,
        "<ship.weapon>, or all, or off",
        "hold S1.B1",
        "hold a weapon to return fire; all: each free one, every turn",
        _hold,
        order=Written(Hold, lambda order: f"{order.ship}.{one_word(order.weapon)}"),
        more=_MORE_ON_HOLD,
    ),
    Verb(
        "bombard",
        "bo",
        ENGAGE,
        "<ship.weapon> [planet environs] <cell>",
        "bombard S1.C1 Ceres 1 C4",
        "fire a capital weapon at a point of a surface map",
        giving(bombard_order),
        order=Written(Bombard, _bombard_words, _bombard_odds, _bombard_odds),
        more=(
            (
                "The point is the middle of a cell, seen or not; a miss comes down elsewhere. "
                "All pieces near it are hit, friend or foe. From the ground missiles fly for a "
                "turn or two."
            ),
        ),
    ),
    Verb(
        "defend",
        "df",
        ENGAGE,
        "<ship> all|hold",
        "defend S1 hold",
        "set what point defence fires at",
        giving(_defend_order),
        order=Written(Defend, lambda order: f"{order.ship} {order.policy.value}"),
    ),
)

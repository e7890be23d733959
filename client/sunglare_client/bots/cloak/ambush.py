"""An ambush: a side lies still and listens where cloaked ships must come, and sweeps when it pays.

Theory of operation. All sides know the places to collect at, so posts and pickets lie at rest
around these: the thrust of one of them would deafen all. They shoot at what they hear, at long
range. A sweep finds the nearest ship for certain, but shows the one that sweeps, and all hidden
ships may fire at it. So a side sweeps when what it heard lately should be in reach of its guns,
and every few turns while it hears nothing, since a slow ship is never heard.
"""

from collections.abc import Iterator
from random import Random

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.prowling import enemies
from sunglare_client.bots.movement.formation import squares_of
from sunglare_client.bots.movement.measures import ahead
from sunglare_client.bots.movement.steering import distance
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.orders import Deploy, Listen, Order, Sensors, Sweep
from sunglare_protocol.views import ContactView, OwnView, View

IN_REACH = 10.0
"""Squares within which guns do enough to a ship that a sweep has found."""

FIRST_SWEEP = 5
"""In this turn cloaked ships may have come so near that a sweep in the dark pays."""

EVERY = 3
"""While nothing is heard, a side sweeps every so many turns from then on."""

LATELY = 2
"""What was found so many turns ago is still about where it should be."""

SPOTS = 30
"""A ship lies at one of so many squares nearest to its place, which others cannot foresee."""


def lies_in_wait(view: View) -> bool:
    """Return whether a side with listening posts is to hunt cloaked ships."""
    return view.cloak_rules.cloaks and any(_is_post(ship) for ship in view.own)


def posted(view: View, ship: OwnView, rng: Random) -> tuple[Order, ...]:
    """Return a start at rest near an asteroid: posts at each in turn, and so the pickets."""
    alike = [own.id for own in view.own if _is_post(own) is _is_post(ship)]
    rocks = [asteroid.at for asteroid in view.board.asteroids] or [ship.square]
    rock = rocks[alike.index(ship.id) % len(rocks)]
    near = sorted(
        squares_of(view.zone), key=lambda square: (square.distance_squared(rock), square)
    )[:SPOTS]
    deploy = Deploy(ship=ship.id, at=rng.choice(near), facing=Compass.N)
    return (deploy, Sensors(ship=ship.id, out=False))


def searches(advice: Advice) -> Iterator[Order]:
    """Yield who sweeps, if that pays, and who listens: all others that can."""
    ears = [ship for ship in advice.ships() if advice.listen_odds(ship.id) is not None]
    guns = [ship for ship in ears if ship.weapons]
    eyes = [ship for ship in guns if ship.sensors]
    sweeper = _sweeper(advice, eyes) if eyes and advice.may(Ability.SWEEPS) else None
    for ship in ears:
        yield Sweep(ship=ship.id) if ship is sweeper else Listen(ship=ship.id)


def _sweeper(advice: Advice, guns: list[OwnView]) -> OwnView | None:
    """Return the armed ship that sweeps: sound, and far from where the enemy should be."""
    view = advice.view
    marks = [_by_now(view, enemy) for enemy in enemies(view) if _is_late(view, enemy)]
    for at in marks:
        if any(distance(ship.square, at) <= IN_REACH for ship in guns):
            return max(guns, key=lambda ship: (-ship.damage, distance(ship.square, at), ship.id))
    turns = view.stage.turn - FIRST_SWEEP
    is_due = turns % EVERY == 0 or not advice.may(Ability.LISTENING)
    return guns[turns // EVERY % len(guns)] if not marks and turns >= 0 and is_due else None


def _is_post(ship: OwnView) -> bool:
    return not ship.thrust and not ship.weapons


def _is_late(view: View, enemy: ContactView) -> bool:
    return enemy.turn >= view.stage.turn - LATELY


def _by_now(view: View, enemy: ContactView) -> Square:
    return ahead(view, enemy, 0)

"""Salvos: a side's fire put together on one target after the other, each until it likely falls."""

from collections.abc import Callable
from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Fire
from sunglare_protocol.views import ContactView

Gun = tuple[OwnId, str]
"""A weapon, by its ship or unit and its name."""

ENOUGH = 1.2
"""A target has had enough if the salvo does so many times what it has left, on average."""


class Mean(NamedTuple):
    """A shot with the damage that it does on average."""

    damage: float
    shot: Fire


Aims = dict[Gun, dict[Handle, Mean]]
"""What each weapon may fire at, with what that does."""


def aims(advice: Advice, quiet: tuple[OwnId, ...] = ()) -> Aims:
    """Return what each weapon may fire at, of all that is held in space; `quiet` ships at nothing.

    A shot without any chance is left out.
    """
    held = [contact.handle for contact in advice.view.contacts if contact.handle is not None]
    found: Aims = {}
    for shot in advice.shots():
        if shot.at in held and shot.ship not in quiet:
            odds = advice.odds(shot)
            damage = 0.0 if odds is None else odds.mean_hundredths / 100
            if damage > 0:
                found.setdefault((shot.ship, shot.weapon), {})[shot.at] = Mean(damage, shot)
    return found


def salvos(
    found: Aims,
    held: dict[Handle, ContactView],
    worth: Callable[[ContactView], float],
    left: Callable[[ContactView], float],
) -> tuple[Fire, ...]:
    """Return the shots of all weapons, at the target first that promises most points.

    `worth` says what a piece scores, `left` how much damage it still takes. Weapons that no
    target needs any more fire at what they do most to.
    """
    free, given = dict(found), list[Fire]()
    targets = dict.fromkeys([at for options in found.values() for at in options])
    while targets and free:
        totals = {at: _total(free, at) for at in targets}
        best = max(targets, key=lambda at: _promise(totals[at], held[at], worth, left))
        del targets[best]
        given += _salvo(free, best, ENOUGH * left(held[best]))
    rest = [max(options.values(), key=lambda mean: mean.damage) for options in free.values()]
    return (*given, *(mean.shot for mean in rest))


def _total(free: Aims, at: Handle) -> float:
    """Return what all weapons that are free would do to a target."""
    total = 0.0
    for options in free.values():
        total += options[at].damage if at in options else 0.0
    return total


def _promise(
    damage: float,
    target: ContactView,
    worth: Callable[[ContactView], float],
    left: Callable[[ContactView], float],
) -> float:
    """Return what a salvo promises: more than its part of the damage if it may be the last one."""
    part = min(1.0, damage / left(target))
    return worth(target) * part * (1 + part) / 2


def _salvo(free: Aims, at: Handle, wanted: float) -> list[Fire]:
    """Take the weapons that do most to a target out of those that are free, as many as wanted."""
    able = sorted((gun for gun in free if at in free[gun]), key=lambda gun: -free[gun][at].damage)
    given: list[Fire] = []
    for gun in able:
        if wanted <= 0:
            break
        mean = free.pop(gun)[at]
        wanted -= mean.damage
        given.append(mean.shot)
    return given

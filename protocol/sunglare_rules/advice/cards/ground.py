"""Odds of ground attacks, and the cards on units and tokens, from the view alone.

Source: surface play of our rule book, blips §2.4, and the rules of spotting, blips §1 and §3.
"""

from sunglare_protocol.messages.answers import GroundOdds
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Build, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView, TokenView
from sunglare_protocol.word import spoken
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.specials import NUMBERED
from sunglare_rules.advice.cards.contacts import dossier_lines, dossier_reasons
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.check.ground_fire import ground_fire_problem
from sunglare_rules.advice.odds.capital import battery_odds
from sunglare_rules.advice.refusing import refused
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.blips.heights import HEIGHTS
from sunglare_rules.blips.spotting import SENSOR_INCHES
from sunglare_rules.capital.capital import CLASS_OF_ARM
from sunglare_rules.ground.attacks import (
    ALWAYS_MISSES,
    CLOSE_ARMS,
    Aimed,
    bracket_of,
    damage_at,
    needs,
)
from sunglare_rules.ground.plane import apart
from sunglare_rules.ground.terrain import terrain_at

_TOTALS = tuple(a + b for a in range(1, 7) for b in range(1, 7))


def ground_odds(view: View, unit: GroundView, order: Fire) -> GroundOdds | Rejected:
    """Return what an attack needs on two dice, its chance and damage, or why it cannot be made.

    As far as the view goes: seen directly, and a blip no remote sensor; indirect fire that only a
    friend directs needs one more.
    """
    problem = ground_fire_problem(view, unit, order)
    if problem is not None:
        return problem
    # Of all that is allowed only a beam names no target.
    if order.at is None or unit.site is None or unit.cell is None:
        return refused(Code.ASK_ABOUT, ".point", "A beam on a point in sight always succeeds.")
    weapon = next(arm for arm in unit.weapons if arm.id == order.weapon)
    if weapon.kind in CLASS_OF_ARM:
        return battery_odds(view, unit, order)
    token = next(held for held in tokens(view, unit.site) if held.handle == order.at)
    environs = view.board.environs_at(unit.site)
    bracket = None if weapon.kind in CLOSE_ARMS else bracket_of(apart(unit.cell, token.cell))
    cover = environs is not None and terrain_at(environs, token.cell).is_cover
    remote = token.build is Build.REMOTE
    needed = needs(unit.gunnery, bracket, Aimed(cover=cover, remote=remote))
    hits = sum(total >= needed and total != ALWAYS_MISSES for total in _TOTALS)
    damage = weapon.damage[0] if bracket is None else damage_at(weapon.damage, bracket)
    return GroundOdds(
        ship=unit.id,
        weapon=weapon.id,
        at=order.at,
        needed=needed,
        hundredths=round(100 * hits / len(_TOTALS)),
        damage=damage,
    )


def unit_facts(view: View, unit: GroundView) -> tuple[str, ...]:
    """Return what an own ground unit is, where it stands and what it carries, a line each."""
    if unit.fate is not Fate.IN_PLAY:
        return (f"{unit.type} ({unit.variant}): {unit.fate.value}.",)
    arms = ", ".join(
        f"{weapon.id} {spoken(weapon.kind)} {'/'.join(map(str, weapon.damage))}"
        for weapon in unit.weapons
    )
    specials = special_words(unit) + _jammer_words(unit)
    return (
        f"{unit.type} ({unit.variant}), {spoken(unit.kind)}, worth {unit.points}.",
        _where(unit),
        f"Moves {unit.move} inches, {unit.mode.value}; jumps {unit.jump}.",
        f"Damage {unit.damage} of {unit.toughness}, gunnery {unit.gunnery}.",
        f"Weapons at short/medium/long/extreme range: {arms or 'none'}.",
        *((f"Abilities: {specials}.",) if specials else ()),
        *_terrain_words(view, unit),
    )


def unit_reasons(unit: GroundView) -> tuple[str, ...]:
    """Return what shows the unit to enemies, each line with its rule."""
    if unit.hidden:
        return (
            "Hidden: no token until it moves. Alpha Strike, hidden units (blips §1 and §2).",
            "An enemy within 2 inches in sight, or a probe, exposes it to that side (blips §2).",
        )
    return (
        (
            "Whoever sees the map sees its token: where, never what. Alpha Strike, blip "
            "counters (blips §1)."
        ),
        (
            "Eyes in range and sight, sensors within 10 inches (probes further) identify it "
            "(blips §3)."
        ),
        "So does a fighter right above by day. Alpha Strike, aerospace spotting (blips §1).",
        (
            "An attack on what it sees itself reveals it; indirect fire does not. Alpha Strike, "
            "self-revelation (blips §1)."
        ),
    )


def token_facts(token: TokenView, site: Site) -> tuple[str, ...]:
    """Return what the viewer knows of a token, a line each."""
    held = "Held" if token.handle is not None else "Remembered"
    lines = [f"{held}, as of turn {token.turn}, on {token.cell.name} of {site.name}."]
    if token.type is None:
        lines.append("A blip: where, not what.")
    else:
        lines.append(f"Side {token.side}, type {token.type}{_size_words(token)}.")
    lines.extend(dossier_lines(token.dossier))
    if token.fate is Fate.DESTROYED:
        lines.append("It is destroyed.")
    return tuple(lines)


def _size_words(token: TokenView) -> str:
    if token.build is None:
        return ""
    wide = f" and {token.footprint} wide" if token.footprint else ""
    return f", stands {HEIGHTS[token.build]} inches high{wide}"


def token_reasons(token: TokenView) -> tuple[str, ...]:
    """Return why the viewer knows what it knows of a token."""
    if token.handle is None:
        return _memory_reasons(token)
    if token.type is None:
        return (
            (
                "You see its map; nothing has identified it yet: eyes in range and sight would, "
                f"or sensors within {SENSOR_INCHES} inches, probes farther. Alpha Strike, blip "
                "counters (blips §3)."
            ),
        )
    why = (
        "It was seen, sensed, exposed, or revealed itself. Alpha Strike, blip counters (blips §1)."
    )
    return (why, *dossier_reasons(token.dossier))


def _memory_reasons(token: TokenView) -> tuple[str, ...]:
    """Return since when a token is remembered, what it was, and why it is held no more."""
    was = "a blip" if token.type is None else f"identified as {token.type}"
    over = {
        Fate.IN_PLAY: "none of your pieces has seen the map since, or it has left the map",
        Fate.DESTROYED: "it is destroyed",
        Fate.ESCAPED: "it has left the map",
    }
    return (
        (
            f"A memory of turn {token.turn}, when it was {was}: {over[token.fate]}. Ladder of "
            "knowledge (turn §3)."
        ),
        *dossier_reasons(token.dossier),
    )


def special_words(unit: GroundView) -> str:
    """Return the abilities of an own ground unit, those with a number with it."""
    words = [special.value for special in unit.specials if special not in NUMBERED]
    words += [f"RSD {unit.dispensers}"] if unit.dispensers else []
    return " ".join(words)


def _jammer_words(unit: GroundView) -> str:
    return ", its jammer off" if has_jammer(unit.specials) and not unit.ecm_on else ""


def _where(unit: GroundView) -> str:
    if unit.aboard is not None:
        return f"Aboard {unit.aboard}."
    if unit.site is None or unit.cell is None:
        return "Nowhere."
    state = ", hidden" if unit.hidden else ""
    return f"On {unit.cell.name} of {unit.site.name}{state}."


def _terrain_words(view: View, unit: GroundView) -> tuple[str, ...]:
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if environs is None or unit.cell is None:
        return ()
    terrain = terrain_at(environs, unit.cell)
    level = f" {terrain.level}" if terrain.level else ""
    lit = ", lit" if environs.is_lit(unit.cell) else ""
    return (f"Terrain: {spoken(terrain.kind)}{level}{lit}.",)

"""The index tables of the rules page: orders, distances, what no scenario reaches."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from documents.wirewords import table
from sunglare_client.verbs.table import VERBS
from sunglare_client.verbs.verb import Verb
from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.blips.dossiers import SCAN_INCHES, SHORT_INCHES
from sunglare_rules.blips.ecm import JAMMERS
from sunglare_rules.blips.spotting import (
    PROBE_INCHES,
    REMOTE_HEARING_INCHES,
    REMOTE_SEEING_INCHES,
    SENSOR_INCHES,
)
from sunglare_rules.blips.visual_ranges import LIGHT_ROWS, Eyes, Light
from sunglare_rules.cloak.cloak import UNCLOAKING_MU
from sunglare_rules.fire.missiles import AIM_MU, ATTACK_MU
from sunglare_rules.fire.packs import PACK_BANDS
from sunglare_rules.fire.special_weapons import ONE_DIE_REACH_MU
from sunglare_rules.fire.weapons import BEAM_BAND_MU, TORPEDO_BANDS
from sunglare_rules.ground.attacks import BRACKET_INCHES
from sunglare_rules.turn.metric import SPACE
from sunglare_rules.turn.scale import MU_PER_BOX
from sunglare_rules.turn.windows import ALLOWED

TESTS: Final = Path(__file__).parents[1]

ORDER_SECTIONS: dict[str, str] = {
    "deploy": "turn §7",
    "burn": "turn §5",
    "face": "turn §5",
    "turn": "turn §5",
    "thrust": "turn §5",
    "drift": "turn §5",
    "power": "turn §5",
    "ecm": "turn §5, blips §3",
    "sensors": "turn §5, sensors §5",
    "cloak": "cloak §1",
    "rotate": "arcs §2",
    "land": "turn §5",
    "lift": "turn §5",
    "launch": "turn §5, turn §6, blips §2",
    "aim": "turn §6",
    "shadow": "sensors §2",
    "station": "turn §7",
    "move": "blips §2",
    "walk": "search §2",
    "board": "search §2",
    "leave": "search §2",
    "mission": "search §2",
    "stand": "search §2",
    "scan": "sensors §5",
    "listen": "cloak §2",
    "sweep": "cloak §4",
    "probe": "blips §3",
    "fire": "turn §6, blips §2, capital §3",
    "hold": "cloak §5",
    "bombard": "capital §2, capital §3",
    "defend": "turn §6",
    "search": "search §2",
}
"""Where the rules of each order stand, by its word in the terminal, in the order of the help."""


def words_of_kind(kind: WeaponKind) -> str:
    """Return a kind of weapon in words."""
    return kind.value.replace("k_gun", "K-gun").replace("mkp", "MKP").replace("_", " ")


def order_verbs() -> tuple[Verb, ...]:
    """Return the verbs of the terminal that give orders."""
    return tuple(verb for verb in VERBS if verb.order is not None or verb.aids is not None)


def _window_of(verb: Verb) -> str:
    kind = verb.aids if verb.order is None else verb.order.kind
    (phase,) = (phase for phase, kinds in ALLOWED.items() if kind in kinds)
    return phase.value.upper()


def _orders() -> str:
    rows = (
        (f"`{verb.name}`", _window_of(verb), verb.meaning, f"`{verb.example}`", section)
        for verb, section in ((verb, ORDER_SECTIONS[verb.name]) for verb in order_verbs())
    )
    return table(("order", "window", "what it does", "typed", "rules"), rows)


def in_squares(inches: int) -> str:
    """Return a distance in space in squares, rounded down to a tenth; mu and inches are alike."""
    tenths = 10 * inches * SPACE.units // SPACE.inches
    return f"{tenths // 10}.{tenths % 10}".removesuffix(".0")


def _distance(what: str, inches: int, where: str) -> tuple[str, str, str, str]:
    return (what, f"{inches}", in_squares(inches), where)


def _distances() -> str:
    rows = [_distance("one range band, one box", MU_PER_BOX, "turn §1")]
    rows += [
        _distance(f"beam of class {rank}: the last die", rank * BEAM_BAND_MU, "turn §6")
        for rank in range(1, 5)
    ]
    rows += [
        _distance(f"torpedo hits on {needed}+", reach, "turn §6")
        for reach, needed in TORPEDO_BANDS
    ]
    rows += [
        _distance(f"{words_of_kind(kind)}, dice: {dice}", reach, "turn §6")
        for kind, bands in PACK_BANDS.items()
        for reach, dice in bands
    ]
    rows += [
        _distance("needle beam, MKP, leech", ONE_DIE_REACH_MU, "turn §6"),
        _distance("from the move's end to a volley's square", AIM_MU, "turn §6"),
        _distance("a volley attacks", ATTACK_MU, "turn §6"),
        _distance("a ship notices another that uncloaks", UNCLOAKING_MU, "cloak §1"),
    ]
    rows += [
        _distance(f"capital weapons, {bracket.value} range", reach, "capital §1")
        for bracket, reach in BRACKET_INCHES.items()
    ]
    rows += [
        _distance(f"a ship sees, {word}", LIGHT_ROWS[light][Eyes.LARGE_CRAFT], "blips §5")
        for word, light in (("in sunlight", Light.MOONLESS), ("in shadow", Light.PITCH_BLACK))
    ]
    rows += [
        _distance("a remote sensor sees", REMOTE_SEEING_INCHES, "blips §3"),
        _distance("a remote sensor senses unseen", REMOTE_HEARING_INCHES, "blips §3"),
        _distance("sensors identify without a probe", SENSOR_INCHES, "blips §3"),
        _distance("data scan without a probe", SHORT_INCHES, "blips §3"),
    ]
    rows += [
        _distance(f"sensors identify with {probe.value}", reach, "blips §3")
        for probe, reach in PROBE_INCHES.items()
    ]
    rows += [
        _distance(f"data scan with {probe.value}", reach, "blips §3")
        for probe, reach in SCAN_INCHES.items()
    ]
    rows += [
        _distance(f"{special.value} covers", made.radius, "blips §3")
        for special, made in JAMMERS.items()
    ]
    return table(("in space", "mu or inches", "squares", "rules"), rows)


def _unreached() -> str:
    found = tomllib.loads((TESTS / "scenarios/unreached.toml").read_text(encoding="utf-8"))
    rows = (
        (kind, f"`{name}`", reason)
        for kind, names in found.items()
        for name, reason in names.items()
    )
    return table(("kind", "name", "why no shipped scenario has it"), rows)


INDEX_TABLES: dict[str, Callable[[], str]] = {
    "orders index": _orders,
    "distances": _distances,
    "unreached": _unreached,
}

"""The cards on a planet or an asteroid: what the board has of it, who is there, and its rules.

Source: the rules it names; movement, sensors and landing of our rule book.
"""

from sunglare_protocol.geometry import Asteroid, Board, Environs, Planet, Square
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.cards.own import place_words
from sunglare_rules.advice.cards.tallies import site_goals
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.ground.daylight import lit_words
from sunglare_rules.sensors.sectors import BODY_REACH, WELL_RADIUS_SQUARED, Zone, zone
from sunglare_rules.sensors.sunlight import ASTEROID_SHADOW_LENGTH
from sunglare_rules.turn.movement import LANDING_SPEED_MOST, PLANET_LANDING_THRUST

Body = Planet | Asteroid


def body_named(board: Board, name: str) -> Body | None:
    """Return the planet or asteroid of that name, or None if the board has none."""
    bodies: tuple[Body, ...] = (*board.planets, *board.asteroids)
    return next((body for body in bodies if body.name == name), None)


def body_at(board: Board, square: Square) -> Body | None:
    """Return the planet that takes up a square, or the asteroid on it, or None."""
    there = (planet for planet in board.planets if zone(planet, square) is Zone.BODY)
    rocks = (asteroid for asteroid in board.asteroids if asteroid.at == square)
    return next(there, None) or next(rocks, None)


def body_facts(view: View, body: Body) -> tuple[str, ...]:
    """Return what a body is, who is known to be on it and what it is worth, a line each."""
    return (
        *(_planet_facts(body) if isinstance(body, Planet) else _asteroid_facts(body)),
        *_present_words(view, body.name),
        *site_goals(view, body.name),
        *_alert_words(view, body.name),
        f"Its rules: sensors §1 and §2, turn §5{_ground_rules(body)}.",
    )


def body_reasons(body: Body) -> tuple[str, ...]:
    """Return what a body does to ships, each line with its rule."""
    light = (
        "A ship in its shadow column is neither lit nor dazzled. Intercept sensors part 2, shadow "
        "(sensors §2)."
    )
    if isinstance(body, Asteroid):
        return (light, "To land: start in its square, at rest. Landing (turn §5).")
    return (
        light,
        (
            "It hides from each other what lies in opposite sectors, at least one of them near. "
            "Intercept sensors part 2, planet LOS sectors (sensors §2)."
        ),
        (
            "It pulls a ship that starts in its gravity well one square towards it, and destroys "
            "one that ends its move in it. Movement (turn §5)."
        ),
        (
            "To land: start in a square that touches it, move at most "
            f"{LANDING_SPEED_MOST} square along each axis, and have {PLANET_LANDING_THRUST} "
            "point of thrust; choose an environs in the sector of that square. Landing (turn §5)."
        ),
    )


def _planet_facts(planet: Planet) -> tuple[str, ...]:
    width = 1 + 2 * BODY_REACH[planet.size]
    covers = "1 square" if width == 1 else f"{width} by {width} squares"
    return (
        f"{planet.size.value.capitalize()} planet at {place_words(planet.at)}.",
        (
            f"It takes up {covers}; its gravity well is where dx² + dy² from "
            f"its centre is at most {WELL_RADIUS_SQUARED[planet.size]}."
        ),
        f"Its shadow is {width} wide and runs to the south edge.",
        *map(_environs_words, planet.environs),
    )


def _environs_words(environs: Environs) -> str:
    lit = lit_words(environs)
    return (
        f"Environs {environs.number}: sector {environs.sector.value}, size {environs.size}, air "
        f"{environs.pressure.value}, weather {environs.weather.value}, map {environs.width} by "
        f"{environs.height} inches{f', {lit}' if lit else ''}."
    )


def _asteroid_facts(asteroid: Asteroid) -> tuple[str, ...]:
    return (
        f"Asteroid at {place_words(asteroid.at)}.",
        f"Its shadow is 1 wide and {ASTEROID_SHADOW_LENGTH} long; it has no gravity well.",
    )


def _present_words(view: View, name: str) -> tuple[str, ...]:
    """Return the own pieces on a body, and the foreign ones that are held or remembered there."""
    ships = [ship.id for ship in ships_in_play(view) if ship.landed and ship.landed.body == name]
    units = [unit.id for unit in view.ground if _is_on(unit.site, unit.fate, name)]
    agents = [agent.id for agent in view.agents if _is_on(agent.site, agent.fate, name)]
    own = (*ships, *units, *agents)
    held = [one.label for one in view.contacts if one.landed and one.landed.body == name]
    for surface in view.surfaces:
        held += [token.label for token in surface.tokens if surface.site.body == name]
    return (
        *((f"Yours there: {', '.join(own)}.",) if own else ()),
        *((f"Held or remembered there: {', '.join(held)}.",) if held else ()),
    )


def _alert_words(view: View, name: str) -> tuple[str, ...]:
    return tuple(
        f"Agents of {alert.side} are near "
        f"{'its orbit' if alert.environs is None else f'environs {alert.environs}'}."
        for alert in view.alerts
        if alert.planet == name
    )


def _is_on(site: Site | None, fate: Fate, name: str) -> bool:
    return fate is Fate.IN_PLAY and site is not None and site.body == name


def _ground_rules(body: Body) -> str:
    """Return the sections on surface maps, for a planet that has any."""
    has_map = isinstance(body, Planet) and body.environs
    return "; of its ground: blips §2, capital §3, search §1" if has_map else ""

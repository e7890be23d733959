"""Verbs that show something: cards, notes, maps and lists."""

from sunglare_client.command import FIT, Command, ShowMap, ShowSurface, Travel
from sunglare_client.map.layers import LAYERS
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import ANY, Verb, named, plain
from sunglare_rules.advice.plans.routes import Waypoint
from sunglare_rules.advice.seen.lookup import ships_in_play

WHY_WORDS = "[thing, or last, record, points, agents, rolls, told, answer, 1, 2...]"
"""What `why` may be about, as its help has it."""


def _map(reader: Reader) -> Command:
    if not reader.more:
        return ShowMap()
    named = reader.peek().lower()
    ship = next((own.id for own in reader.view.own if own.id.lower() == named), None)
    return ShowMap(reader.spot(), ship=ship)


def _go(reader: Reader) -> Command:
    """Read a place to show; or a ship, where it shall go, and perhaps `stop`."""
    own = {ship.id.lower(): ship.id for ship in ships_in_play(reader.view)}
    ship = own.get(reader.peek().lower())
    at = reader.spot()
    if ship is None or not reader.more:
        return ShowMap(at)
    to = reader.spot()
    stops = reader.more
    if stops:
        reader.pick("word to end a route", {"stop": True})
    return Travel(ship, Waypoint(to, stops))


def _zoom(reader: Reader) -> Command:
    return ShowMap(zoom=reader.pick("scale", {"0": 0, "1": 1, "2": 2, "fit": FIT}))


def _legend(reader: Reader) -> Command:
    del reader
    return ShowMap(legend=True)


def _layer(reader: Reader) -> Command:
    layer = reader.pick("layer", {layer: layer for layer in LAYERS})
    return ShowMap(layer=layer, is_on=reader.state() if reader.more else None)


def _surface(reader: Reader) -> Command:
    """Read a planet and the number of an environs, if any is named; draw its surface map."""
    known = [surface.site for surface in reader.view.surfaces]
    known += [unit.site for unit in reader.view.ground if unit.site is not None]
    known += reader.sites()
    if not reader.more and not known:
        reader.fail("E-ARG", "this map has no planet with a surface")
    planets = {site.body for site in reader.sites()}
    if reader.more and not reader.begins(planets):
        names = tuple(sorted(planets))
        reader.fail("E-ARG", f"'{reader.peek()}' is no planet with a surface", names)
    return ShowSurface(reader.site(known[0] if known else None))


ROWS = (
    Verb(
        "why",
        "y",
        ANY,
        WHY_WORDS,
        "why last",
        "show the rule behind a result, and its section",
        named("thing", "last"),
        more=(
            "`map` draws what has a place: a scan's box, a shot's line, a square.",
            "why land shows the rules of a command, why gravity those on a word: see rules.",
        ),
    ),
    Verb(
        "rules",
        "ru",
        ANY,
        "[chapter, section, or any word]",
        "rules turn 5",
        "the rule book: its chapters, a section, or a word",
        named("word", ""),
        always=True,
        more=(
            (
                "rules lists the chapters, rules sensors 5 shows a section of one, and rules "
                "landing or rules cruiser what the rules say of that."
            ),
        ),
    ),
    Verb(
        "look",
        "x",
        ANY,
        "<thing>",
        "look C3",
        "what you know of a ship, a contact or a body",
        named("thing"),
    ),
    Verb(
        "note",
        "n",
        ANY,
        "<contact> [text]",
        "note C3 probably frigate",
        "add a private mark",
        named("contact"),
    ),
    Verb(
        "map", "ma", ANY, "[ship, contact, box or x,y]", "map S1", "the map, a ship's arcs", _map
    ),
    Verb(
        "go",
        "g",
        ANY,
        "[ship] <ship, contact, box or x,y> [stop]",
        "go E4",
        "centre the map there; with a ship before it, fly there",
        _go,
        more=(
            (
                "go S1 11,11 has a ship fly there, in as many turns as it takes; with stop it "
                "comes to rest there. Each PLOT begins with its orders, until it is there or you "
                "order otherwise."
            ),
        ),
    ),
    Verb(
        "layer",
        "ly",
        ANY,
        "<layer> [on|off]",
        "layer ghosts",
        "draw more on the map, or no more",
        _layer,
        always=True,
        more=(
            "ghosts: where your ships will be by your orders, and tracks if they drift.",
            "glare: the sunglare column of your ships, which a scan must not touch.",
            "places: all squares where a lost contact, or a ship that scanned, may be.",
            "sectors: the borders of each planet's eight sectors, which block lines of sight.",
            "arcs: your firing arcs, and the front arc of every contact whose facing you know.",
        ),
    ),
    Verb("surface", "su", ANY, "[planet environs]", "surface", "draw a surface map", _surface),
    Verb(
        "zoom",
        "z",
        ANY,
        "0|1|2|fit",
        "zoom 0",
        "0: a cell is a box; 1, 2: columns a square",
        _zoom,
        more=("fit: as large as lets the whole width of the board be seen, as in the beginning.",),
    ),
    Verb("legend", "", ANY, "", "legend", "the shapes on the map now", _legend),
    Verb("contacts", "c", ANY, "", "contacts", "list what you hold and remember", plain),
    Verb("ships", "sh", ANY, "", "ships", "list your ships and their plan", plain),
    Verb("goals", "", ANY, "", "goals", "what gives you points", plain),
)

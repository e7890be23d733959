"""The command language as a table: each verb with its fixed alias, its window and an example."""

import difflib
from typing import final

import msgspec

from sunglare_protocol.words.ladder import Phase

PLOT = (Phase.PLOT,)
SCAN = (Phase.SCAN,)
DETECT = (Phase.DETECT,)
ENGAGE = (Phase.ENGAGE,)
ANY: tuple[Phase, ...] = ()

WHY_WORDS = "[thing, or last, record, points, agents, rolls, told, answer, 1, 2...]"
"""What `why` may be about, as its help has it."""


@final
class Verb(msgspec.Struct, frozen=True, kw_only=True):
    """A command: its name and alias, the windows that take it (none: all), and how it is used."""

    name: str
    alias: str = ""
    windows: tuple[Phase, ...] = ANY
    usage: str = ""
    example: str
    meaning: str


def _verb(
    name: str, alias: str, windows: tuple[Phase, ...], usage: str, example: str, meaning: str
) -> Verb:
    return Verb(
        name=name, alias=alias, windows=windows, usage=usage, example=example, meaning=meaning
    )


VERBS: tuple[Verb, ...] = (
    _verb(
        "deploy",
        "de",
        PLOT,
        "<ship> <x,y> [vector dx,dy] [facing dir] [landed body sector] [cloaked|shown]",
        "deploy S1 7,27 vector 1,-1 facing NE",
        "turn 1: put a ship on a square of your zone",
    ),
    _verb("burn", "b", PLOT, "<ship> <dx,dy>", "burn S1 +2,-1", "change the vector by thrust"),
    _verb("face", "f", PLOT, "<ship> <direction>", "face S1 NE", "turn to a compass point"),
    _verb("turn", "t", PLOT, "<ship> <steps>", "turn S1 +1", "turn by steps of 45 degrees"),
    _verb(
        "thrust",
        "th",
        PLOT,
        "<ship> <direction> ...",
        "thrust S1 N N NE",
        "spend thrust points, one direction each",
    ),
    _verb("drift", "d", PLOT, "<ship>", "drift S1", "no thrust on purpose"),
    _verb(
        "power",
        "p",
        PLOT,
        "<ship> on|off [ecm on|off]",
        "power S1 off",
        "power plant; it changes the signature",
    ),
    _verb(
        "ecm",
        "e",
        PLOT,
        "<ship or unit> on|off",
        "ecm S1 off",
        "the jammer; on at the start, and nobody is told",
    ),
    _verb(
        "sensors", "sn", PLOT, "<ship> out|in", "sensors S1 out", "pop hull sensors out, fold them"
    ),
    _verb(
        "cloak",
        "k",
        PLOT,
        "<ship> on|off",
        "cloak S1 on",
        "vanish from the start of the movement on, or show yourself",
    ),
    _verb(
        "rotate",
        "rot",
        PLOT,
        "<ship> <turret> <arc>",
        "rotate S1 T1 left",
        "point a turret at another arc",
    ),
    _verb(
        "land",
        "la",
        PLOT,
        "<ship> <body> [sector|environs [cell]]",
        "land S1 Ceres 1",
        "land on an asteroid (a sector) or a planet (an environs)",
    ),
    _verb("lift", "li", PLOT, "<ship>", "lift S1", "lift off"),
    _verb(
        "launch",
        "ln",
        PLOT,
        "<ship.launcher> <x,y> [cold] | <ship> fighter | <ship or unit> remote [n]",
        "launch S1.M1 12,30",
        "launch missiles, fighters aboard, or remote sensors",
    ),
    _verb("aim", "am", PLOT, "<volley> <x,y>", "aim M1 14,30", "send a volley elsewhere"),
    _verb(
        "shadow",
        "w",
        PLOT,
        "<ship> <contact or own ship>",
        "shadow S1 C3",
        "end the move where a larger ship does, turned as it is",
    ),
    _verb(
        "station",
        "st",
        PLOT,
        "<unit or agent> [planet environs] <cell> [hidden] | [with unit]",
        "station G1 C4 hidden",
        "turn 1: put a ground unit on a cell, an agent with a unit",
    ),
    _verb(
        "move",
        "m",
        PLOT,
        "<unit> <cell> ... | jump <cell> | load <ship> | unload, [token]",
        "move G1 C4 C5",
        "move a ground unit cell by cell, or into or out of a landed ship",
    ),
    _verb(
        "walk",
        "wk",
        PLOT,
        "<agent> <environs>",
        "walk P1 2",
        "walk to an adjacent environs; an agent makes two steps a turn",
    ),
    _verb(
        "board",
        "bd",
        PLOT,
        "<agent> <ship or unit>",
        "board P1 S1",
        "a step into a landed ship, a shuttle's ship, or a stack of troops",
    ),
    _verb(
        "leave",
        "lv",
        PLOT,
        "<agent> [environs]",
        "leave P1",
        "a step out of a ship (from orbit by shuttle) or out of a stack",
    ),
    _verb(
        "mission",
        "mi",
        PLOT,
        "<agent> <kind> [token or name] [silence] [with agents]",
        "mission P1 spy",
        "send a group: spy, sabotage, steal, deliver or free",
    ),
    _verb(
        "stand",
        "sd",
        PLOT,
        "<agent, ship or side> <what> <how>",
        "stand P1 fight screen",
        "standing orders: fight, wounds, hides; bound; strike",
    ),
    _verb(
        "scan",
        "s",
        SCAN,
        "<ship> <type> <size> <box or x,y> [sense]",
        "scan S1 visual 3box E4 sense",
        "scan; everybody hears the three public answers",
    ),
    _verb(
        "preview",
        "pv",
        ANY,
        "<ship> <type> <size> <box or x,y>",
        "preview S1 ir 1box D4",
        "what all others would learn from such a scan",
    ),
    _verb(
        "listen",
        "l",
        DETECT,
        "<ship> [on|off]",
        "listen S1 off",
        "listen for cloaked ships; every ship does that is not told otherwise",
    ),
    _verb(
        "sweep",
        "sw",
        DETECT,
        "<ship>",
        "sweep S1",
        "find cloaked ships for sure, and tell everybody where you are",
    ),
    _verb(
        "probe",
        "pr",
        DETECT,
        "<ship or unit> <contact or token>",
        "probe S1 C3",
        "ask for the concealed data of what is identified",
    ),
    _verb(
        "fire",
        "fi",
        ENGAGE,
        "<ship.weapon> <contact> [system]",
        "fire S1.B1 C3",
        "fire one weapon at a contact, a live track or a find",
    ),
    _verb(
        "hold",
        "ho",
        ANY,
        "<ship> or <ship.weapon>",
        "hold S1.B1",
        "take back what a ship was told; or hold a weapon for an answer",
    ),
    _verb(
        "bombard",
        "bo",
        ENGAGE,
        "<ship.weapon> [planet environs] <cell>",
        "bombard S1.C1 Ceres 1 C4",
        "fire a capital weapon at a point of a surface map",
    ),
    _verb("defend", "df", ENGAGE, "<ship> all|hold", "defend S1 hold", "what point defence does"),
    _verb(
        "search",
        "sea",
        ENGAGE,
        "<environs or piece> [leader agent] [strike patrol|agents|none]",
        "search G1 strike patrol",
        "look for agents where an alert stands and you have somebody",
    ),
    _verb("ready", "r", ANY, "", "ready", "send the orders and end your thinking"),
    _verb("unready", "un", ANY, "", "unready", "think again while the window is open"),
    _verb("undo", "u", ANY, "", "undo", "take back the last change of your orders"),
    _verb("orders", "o", ANY, "", "orders", "list what you have ordered, and the clock"),
    _verb("legal", "le", ANY, "[piece]", "legal S1", "orders that this window takes from a piece"),
    _verb(
        "odds",
        "od",
        ANY,
        "<an order: fire, scan, search, mission, walk, board or leave>",
        "odds fire S1.B1 C3",
        "chances, from what you know; nobody learns that you asked",
    ),
    _verb("why", "y", ANY, WHY_WORDS, "why last", "the rule behind a result, and its section"),
    _verb("look", "x", ANY, "<thing>", "look C3", "what you know of a ship or contact"),
    _verb("note", "n", ANY, "<contact> [text]", "note C3 probably frigate", "a mark for yourself"),
    _verb("map", "ma", ANY, "[ship, contact, box or x,y]", "map S1", "the map, a ship's arcs"),
    _verb("go", "g", ANY, "<ship, contact, box or x,y>", "go E4", "centre the map there"),
    _verb("surface", "su", ANY, "[planet environs]", "surface", "draw a surface map"),
    _verb("zoom", "z", ANY, "0|1", "zoom 0", "0: a cell is a box; 1: a cell is a square"),
    _verb("contacts", "c", ANY, "", "contacts", "list what you hold and remember"),
    _verb("ships", "sh", ANY, "", "ships", "list your ships and their plan"),
    _verb("goals", "", ANY, "", "goals", "what gives you points"),
    _verb("say", "'", ANY, "<text>", "say gl hf", "chat; everybody in the match reads it"),
    _verb("mute", "", ANY, "<side> [off]", "mute B", "hear no more chat of a side"),
    _verb("pause", "", ANY, "[off]", "pause", "ask for a pause, or agree to one; off ends it"),
    _verb("draw", "", ANY, "[yes]", "draw", "offer a draw; asks you to confirm"),
    _verb("resign", "", ANY, "[yes]", "resign", "give the match up; asks you to confirm"),
    _verb("quit", "", ANY, "[yes]", "quit", "leave the terminal; asks you to confirm"),
    _verb("help", "?", ANY, "[command]", "help scan", "this list, or one command"),
)
"""Every command there is."""

RESERVED = ("se", "pa", "ly")
"""Aliases kept for the verbs of other rule systems, so that none ever changes its meaning."""

HINTS = {
    "sense": "It is the word at the end of a scan.",
    "wait": "To give no order, say: ready.",
    "end": "To end your thinking, say: ready.",
    "done": "To end your thinking, say: ready.",
}
"""What to say of words that people try and that are no command."""

FREE_TEXT = ("say", "'", "note", "n")
"""Words after which the rest of the line is text, with `;` and `#` in it."""

_BY_WORD = {word: verb for verb in VERBS for word in (verb.name, verb.alias) if word}


def verb_called(word: str) -> Verb | tuple[Verb, ...]:
    """Return the verb of that name, alias or unambiguous prefix; else all that it may mean."""
    exact = _BY_WORD.get(word)
    if exact is not None:
        return exact
    if word in RESERVED:
        return ()
    meant = tuple(verb for verb in VERBS if verb.name.startswith(word))
    return meant[0] if len(meant) == 1 else meant


def close_to(word: str) -> tuple[str, ...]:
    """Return at most two verbs whose spelling is close to a word."""
    names = [verb.name for verb in VERBS]
    return tuple(difflib.get_close_matches(word, names, n=2, cutoff=0.55))


def verbs_now(phase: Phase) -> tuple[str, ...]:
    """Return the verbs that give orders in a window."""
    return tuple(verb.name for verb in VERBS if phase in verb.windows)

"""The help: the list of commands, and what there is to say of each."""

from sunglare_client.verbs.table import VERBS, close_to, verb_called
from sunglare_protocol.words.scans import ScanType


def help_lines(topic: str = "") -> list[str]:
    """Return the list of commands, or the help on one of them."""
    if not topic:
        rows = [
            f"  {each.name:<9}{each.alias:<5}{each.example:<38}{each.meaning}" for each in VERBS
        ]
        return ["command  short example" + " " * 31 + "meaning", *rows, *_HABITS]
    found = verb_called(topic.lower())
    if isinstance(found, tuple):
        meant = tuple(verb.name for verb in found) or close_to(topic)
        more = f" Did you mean {' or '.join(meant)}?" if meant else " Try: help"
        return [f"There is no command {topic!r}.{more}"]
    windows = " and ".join(each.value.upper() for each in found.windows) or "every"
    return [
        f"{found.name} {found.usage}".rstrip()
        + (f"   short: {found.alias}" if found.alias else ""),
        f"  {found.meaning}; {windows} window.",
        f"  e.g. {found.example}",
        *(f"  {line}" for line in _MORE.get(found.name, ())),
    ]


_HABITS = [
    "Any unambiguous beginning of a command will do. a; b gives two commands, !! repeats the",
    "last line, # starts a comment. `help scan` says more about scan.",
]

_TYPES = " ".join(each.value for each in ScanType)
_LETTERS = " ".join(each.value[0] for each in ScanType)

_MORE = {
    "scan": (
        f"types: {_TYPES} ({_LETTERS})   sizes: 1sq 3sq 1box 3box",
        "1x1 and 3x3 mean boxes; the square sizes take a square such as 12,30.",
        "visual, ir and radar need the sensors out. Radar tells everybody where the ship is.",
        "With `sense` the ship tries to turn each contact into a track.",
    ),
    "burn": (
        "It writes the thrust order for the facing after the planned turn, so turn first:",
        "face S1 NE; burn S1 +2,-1. Gravity comes on top.",
    ),
    "shadow": ("A ship only shadows another if square, vector and facing all agree.",),
    "probe": (
        "Within 6 inches (in space 2.5 squares) and in sight nobody notices; with a probe from",
        "farther off its owner and all around learn the bearing. One request a piece and turn.",
    ),
    "land": ("An asteroid takes a sector (or the way the ship faces), a planet an environs.",),
    "launch": (
        "The square lies within 24 mu (10 squares) of where the ship's move ends. A cold volley",
        "drifts in its first turn. Both move when the ships have moved. A remote sensor starts",
        "where the ship's move ends, drifts as it does, and takes no orders.",
    ),
    "fire": (
        "A needle beam may name a system: fire S1.N1 C3 drive. A nova gun names nothing at all,",
        "a volley its weapon as any ship: fire M1.M1 C3. A ground unit fires at a token, a",
        "battery at a contact; a designator is put on a cell: fire G1.TAG C4.",
    ),
    "bombard": (
        "The point is the middle of a cell, seen or not; a miss comes down elsewhere. Whoever",
        "stands near is hit, friend or foe. From the ground missiles fly for a turn or two.",
    ),
    "move": (
        "Cells are named from the south-west corner: A1, then B1 to the east, A2 to the north.",
        "A hidden unit that nobody sees moving becomes a token if you say so: move G1 C5 token.",
    ),
    "mission": (
        "spy: the troops there. sabotage: [token] [silence]. steal, deliver, free: [name].",
        "It is tried at the end of the turn, if nobody finds the group before.",
    ),
    "stand": (
        "stand P1 fight flee|screen|fight   stand P1 wounds P2 P1   stand P1 hides P2|none",
        "stand S1 bound Orlog|off|none      stand side strike patrol|agents|none",
        "What is said to an agent counts for every group that he speaks for.",
    ),
    "odds": (
        "odds scan ... shows what the scan would find and tell, odds fire ... the damage,",
        "odds listen S1 and odds sweep S1 the chances to find cloaked ships.",
    ),
    "cloak": (
        "A cloaked ship turns, thrusts and drifts, and nothing else; thrust may give it away.",
    ),
    "hold": (
        "hold S1 takes the ship's orders of this window back. hold S1.B1, in ENGAGE, holds a dumb",
        "weapon for the nearest cloaked ship that fires and that it can hit.",
    ),
}

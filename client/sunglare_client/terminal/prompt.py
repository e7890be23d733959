"""The command grammar: a line that a person typed, as a command or as an error that teaches."""

import re
from collections.abc import Callable

from sunglare_client.command import (
    Act,
    Clear,
    Command,
    Deed,
    Give,
    Preview,
    Problem,
    ShowMap,
    ShowSurface,
    Weigh,
)
from sunglare_client.terminal.examples import example_of, verbs_with_orders
from sunglare_client.verbs import agents, flight, ground
from sunglare_client.verbs.reading import MISSING, Misread, Reader
from sunglare_client.verbs.table import (
    FREE_TEXT,
    HINTS,
    Verb,
    close_to,
    verb_called,
)
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import (
    Defend,
    Fire,
    Hold,
    Listen,
    Order,
    Probe,
    Scan,
    Sweep,
)
from sunglare_protocol.views import View
from sunglare_protocol.words.armament import DefencePolicy, SystemAim, WeaponKind

__all__ = [
    "Act",
    "Clear",
    "Command",
    "Deed",
    "Give",
    "Preview",
    "Problem",
    "ShowMap",
    "ShowSurface",
    "Weigh",
    "parse",
    "split_line",
]

AGAIN = "!!"
"""What stands for the line before."""

_COMMENT = re.compile(r"(?:^|\s)#.*$")


def split_line(line: str, last: str = "") -> list[str]:
    """Return the commands of a line: parted at `;`, without comments, `!!` replaced by `last`.

    What follows `say` and `note` is text to the end of the line.
    """
    left = line.strip()
    if left == AGAIN:
        left = last.strip()
    commands: list[str] = []
    while left:
        if _takes_text(left):
            return [*commands, left]
        command, _, left = left.partition(";")
        if _COMMENT.search(command):
            command, left = _COMMENT.sub("", command), ""
        if command.strip():
            commands.append(command.strip())
        left = left.strip()
    return commands


def parse(text: str, view: View, plan: tuple[Order, ...] = ()) -> Command | Problem:
    """Return the command that one command's text means in the open window of `view`.

    `plan` is what has been ordered so far: the aids for typing build on it. Nothing is checked
    that `sunglare_rules.advice` checks.
    """
    word, words = _words(text)
    found = verb_called(word)
    if isinstance(found, tuple):
        return _unknown(word, found, view, plan)
    if found.windows and view.stage.phase not in found.windows:
        return _elsewhere(found, view)
    try:
        return _read(found, words, view, plan)
    except Misread as misread:
        return misread.problem._replace(example=example(found, view, plan))


def example(verb: Verb, view: View, plan: tuple[Order, ...]) -> str:
    """Return a line with that verb that would be taken on this view; empty if none is found."""

    def read(line: str) -> Command:
        return _read(verb, _words(line)[1], view, plan)

    if verb.windows and view.stage.phase not in verb.windows:
        return ""
    return example_of(verb, view, plan, read)


def choices_after(text: str, view: View, plan: tuple[Order, ...]) -> tuple[str, ...]:
    """Return the words that may come next in a command that is not finished."""
    word, words = _words(text)
    verb = verb_called(word)
    if isinstance(verb, tuple) or (verb.windows and view.stage.phase not in verb.windows):
        return ()
    try:
        _read(verb, words, view, plan)
    except Misread as misread:
        return misread.problem.choices if misread.problem.code == MISSING else ()
    return ()


def _read(verb: Verb, words: list[str], view: View, plan: tuple[Order, ...]) -> Command:
    """Return the command that the words after a verb mean, or raise `Misread`."""
    reader = Reader(verb, words, view, plan)
    command = _READERS[verb.name](reader)
    reader.done()
    return command


def _takes_text(text: str) -> bool:
    return text[0] == "'" or text.split()[0].lower() in FREE_TEXT


def _words(text: str) -> tuple[str, list[str]]:
    """Return the verb and the words after it; `'` and `?` need no blank behind them."""
    if text[:1] in ("'", "?") and text[1:2].strip():
        text = f"{text[0]} {text[1:]}"
    words = text.split()
    return (words[0].lower(), words[1:]) if words else ("", [])


def _unknown(word: str, meant: tuple[Verb, ...], view: View, plan: tuple[Order, ...]) -> Problem:
    if meant:
        names = " or ".join(verb.name for verb in meant)
        shown = (example(verb, view, plan) for verb in meant)
        found = next((line for line in shown if line), "")
        return Problem("E-VERB", f"'{word}' may mean {names}.", example=found)
    close = close_to(word)
    right = HINTS.get(word) or (f"Did you mean {' or '.join(close)}?" if close else "Try: help")
    return Problem("E-VERB", f"no command '{word}'.", right)


def _elsewhere(verb: Verb, view: View) -> Problem:
    windows = " and ".join(window.value.upper() for window in verb.windows)
    now = ", ".join((*verbs_with_orders(view), "ready", "look"))
    wrong = f"'{verb.name}' belongs to the {windows} window; "
    return Problem(
        "E-PHASE", f"{wrong}this is {view.stage.phase.value.upper()}.", f"Now you can: {now}."
    )


def _scan_order(reader: Reader) -> Scan:
    ship = reader.ship()
    kind = reader.scan_type()
    size, at = reader.scan_place()
    sense = reader.more and reader.pick("word to end a scan", {"sense": True})
    return Scan(ship=ship.id, type=kind, size=size, at=at, sense=sense)


def _fire_order(reader: Reader) -> Fire:
    if ground.names_unit(reader):
        return ground.fire(reader)
    ship, weapon = reader.mount()
    kinds = {each.id: each.kind for each in ship.weapons}
    if kinds[weapon] is WeaponKind.NOVA and not reader.more:
        return Fire(ship=ship.id, weapon=weapon)
    target = _held(reader)
    systems: dict[str, SystemAim | None] = {each.value: each for each in SystemAim}
    system = reader.pick("system to aim at", systems) if reader.more else None
    return Fire(ship=ship.id, weapon=weapon, at=target, system=system)


def _held(reader: Reader) -> Handle:
    target = reader.contact(aimed=True)
    if target.handle is None:
        state = target.fix.value
        reader.fail("E-ARG", f"{target.label} is a {state}; nothing can be aimed at it")
    return target.handle


def _probe(reader: Reader) -> Command:
    if ground.names_unit(reader):
        return Give((ground.probe(reader),))
    ship = reader.ship()
    token = ground.token_beside(reader, ship)
    return Give((Probe(ship=ship.id, at=_held(reader) if token is None else token),))


def _scan(reader: Reader) -> Command:
    return Give((_scan_order(reader),))


def _preview(reader: Reader) -> Command:
    return Preview(_scan_order(reader))


def _fire(reader: Reader) -> Command:
    return Give((_fire_order(reader),))


def _bombard(reader: Reader) -> Command:
    return Give((ground.bombard(reader),))


def _defend(reader: Reader) -> Command:
    ship = reader.ship()
    policy = reader.pick("policy", {each.value: each for each in DefencePolicy})
    return Give((Defend(ship=ship.id, policy=policy),))


def _odds(reader: Reader) -> Command:
    kinds: dict[str, Callable[[Reader], Command]] = {
        "fire": lambda inner: Weigh(_fire_order(inner)),
        "bombard": lambda inner: Weigh(ground.bombard(inner)),
        "listen": lambda inner: Weigh(_listen_order(inner)),
        "sweep": lambda inner: Weigh(_sweep_order(inner)),
        "scan": lambda inner: Preview(_scan_order(inner)),
        "s": lambda inner: Preview(_scan_order(inner)),
        "search": lambda inner: Weigh(agents.search_order(inner)),
        "mission": lambda inner: Weigh(agents.mission_order(inner)),
        "walk": lambda inner: Weigh(agents.walk_order(inner)),
        "board": lambda inner: Weigh(agents.board_order(inner)),
        "leave": lambda inner: Weigh(agents.leave_order(inner)),
    }
    return reader.pick("kind of order that has odds", kinds)(reader)


def _listen_order(reader: Reader) -> Listen:
    ship = reader.ship()
    is_on = not reader.more or reader.pick("state", {"on": True, "off": False})
    return Listen(ship=ship.id, on=is_on)


def _sweep_order(reader: Reader) -> Sweep:
    return Sweep(ship=reader.ship().id)


def _listen(reader: Reader) -> Command:
    return Give((_listen_order(reader),))


def _sweep(reader: Reader) -> Command:
    return Give((_sweep_order(reader),))


def _hold(reader: Reader) -> Command:
    if reader.names_mount:
        kept, weapon = reader.mount()
        return Give(
            (Hold(ship=kept.id, weapon=weapon),), "answers a cloaked ship that fires, if it can"
        )
    own = ground.own_id(reader)
    return Clear(own, (), f"{own} holds: no orders in this window")


def _map(reader: Reader) -> Command:
    if not reader.more:
        return ShowMap()
    named = reader.peek().lower()
    ship = next((each.id for each in reader.view.own if each.id.lower() == named), None)
    return ShowMap(reader.spot(), ship=ship)


def _go(reader: Reader) -> Command:
    return ShowMap(reader.spot())


def _zoom(reader: Reader) -> Command:
    return ShowMap(zoom=reader.pick("scale", {"0": 0, "1": 1}))


def _legal(reader: Reader) -> Command:
    return Act(Deed.LEGAL, ground.own_id(reader) if reader.more else "")


def _named(deed: Deed, what: str, default: str | None = None) -> Callable[[Reader], Command]:
    """Return a reader of a deed that takes the rest of the line as its text."""

    def read(reader: Reader) -> Command:
        text = reader.rest()
        if not text and default is None:
            reader.fail(MISSING, f"needs <{what}> next")
        return Act(deed, text or default or "")

    return read


def _pause(reader: Reader) -> Command:
    return Act(Deed.PAUSE, sure=not (reader.more and reader.pick("word", {"off": True})))


def _mute(reader: Reader) -> Command:
    own = str(reader.view.audience)
    others = {str(side): str(side) for side in reader.view.stage.sides if str(side) != own}
    side = reader.pick("side of somebody else", others)
    return Act(Deed.MUTE, side, sure=not (reader.more and reader.pick("word", {"off": True})))


def _plain(deed: Deed) -> Callable[[Reader], Command]:
    return lambda _: Act(deed)


def _grave(deed: Deed) -> Callable[[Reader], Command]:
    """Return a reader of a deed that must be typed in full and confirmed with `yes`."""

    def read(reader: Reader) -> Command:
        sure = reader.more and reader.pick("word to confirm", {"yes": True})
        return Act(deed, sure=sure)

    return read


_READERS: dict[str, Callable[[Reader], Command]] = {
    "deploy": flight.deploy,
    "launch": flight.launch,
    "aim": flight.aim,
    "bombard": _bombard,
    "defend": _defend,
    "burn": flight.burn,
    "face": flight.face,
    "turn": flight.turn,
    "thrust": flight.thrust,
    "drift": flight.drift,
    "power": flight.power,
    "ecm": flight.ecm,
    "sensors": flight.sensors,
    "cloak": flight.cloak,
    "rotate": flight.rotate,
    "land": flight.land,
    "lift": flight.lift,
    "shadow": flight.shadow,
    "station": ground.station,
    "move": ground.move,
    "surface": ground.surface,
    "walk": agents.walk,
    "board": agents.board,
    "leave": agents.leave,
    "mission": agents.mission,
    "stand": agents.stand,
    "search": agents.search,
    "scan": _scan,
    "preview": _preview,
    "probe": _probe,
    "listen": _listen,
    "sweep": _sweep,
    "fire": _fire,
    "hold": _hold,
    "ready": _plain(Deed.READY),
    "unready": _plain(Deed.UNREADY),
    "undo": _plain(Deed.UNDO),
    "orders": _plain(Deed.ORDERS),
    "legal": _legal,
    "odds": _odds,
    "why": _named(Deed.WHY, "thing", "last"),
    "look": _named(Deed.LOOK, "thing"),
    "note": _named(Deed.NOTE, "contact"),
    "map": _map,
    "go": _go,
    "zoom": _zoom,
    "contacts": _plain(Deed.CONTACTS),
    "ships": _plain(Deed.SHIPS),
    "goals": _plain(Deed.GOALS),
    "say": _named(Deed.SAY, "text"),
    "mute": _mute,
    "pause": _pause,
    "draw": _grave(Deed.DRAW),
    "resign": _grave(Deed.RESIGN),
    "quit": _grave(Deed.QUIT),
    "help": _named(Deed.HELP, "command", ""),
}
"""How the words after each verb are read."""

"""Verbs for the others in the match and for the terminal itself: chat, pauses, the end, help."""

from sunglare_client.command import Act, Command
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import ANY, Verb, grave, named
from sunglare_client.verbs.words import MISSING
from sunglare_protocol.ids import OMNI, Side, audience_of


def _pause(reader: Reader) -> Command:
    return Act(reader.verb, sure=not (reader.more and reader.pick("word", {"off": True})))


def _other_side(reader: Reader) -> Side:
    own = str(reader.view.audience)
    others = {str(side): side for side in reader.view.stage.sides if str(side) != own}
    return reader.pick("side of somebody else", others)


def _mute(reader: Reader) -> Command:
    side = _other_side(reader)
    is_on = not (reader.more and reader.pick("word", {"off": True}))
    return Act(reader.verb, side=side, sure=is_on)


def _report(reader: Reader) -> Command:
    side = _other_side(reader)
    if not (words := reader.rest()):
        reader.fail(MISSING, "needs <text> next")
    return Act(reader.verb, words, side=side)


def _grant(reader: Reader) -> Command:
    """Read a name, which may be of several words, and after it perhaps a feed."""
    feeds = {str(side).lower(): audience_of(side) for side in reader.view.stage.sides}
    feeds[OMNI] = OMNI
    name, _, last = reader.rest().rpartition(" ")
    if not name or last.lower() not in feeds:
        name, last = f"{name} {last}".strip(), OMNI
    if not name:
        reader.fail(MISSING, "needs <name> next")
    return Act(reader.verb, name, feed=feeds[last.lower()])


ROWS = (
    Verb(
        "say",
        "'",
        ANY,
        "<text>",
        "say gl hf",
        "chat with all players in the match",
        named("text"),
        always=True,
    ),
    Verb("mute", "", ANY, "<side> [off]", "mute B", "hide a side's chat", _mute),
    Verb(
        "report",
        "",
        ANY,
        "<side> <text>",
        "report B insults all of us",
        "report a side's player to the operator; no player learns of it",
        _report,
        always=True,
    ),
    Verb(
        "grant",
        "",
        ANY,
        "<name> [feed]",
        "grant Ada A",
        "let a spectator watch the truth late (omni), or your side's view (A); all seats see it",
        _grant,
        always=True,
    ),
    Verb(
        "revoke",
        "",
        ANY,
        "<name> [feed]",
        "revoke Ada A",
        "end a grant; a spectator of a side's view stays bound to it",
        _grant,
        always=True,
    ),
    Verb(
        "pause",
        "",
        ANY,
        "[off]",
        "pause",
        "ask for a pause, or agree to one; off ends it",
        _pause,
        always=True,
    ),
    Verb(
        "draw",
        "",
        ANY,
        "[yes]",
        "draw",
        "offer a draw, sealed until every side has offered one; asks you to confirm",
        grave,
        always=True,
    ),
    Verb(
        "resign",
        "",
        ANY,
        "[yes]",
        "resign",
        "give the match up; asks you to confirm",
        grave,
        always=True,
    ),
    Verb(
        "quit",
        "",
        ANY,
        "[yes]",
        "quit",
        "leave the terminal; asks you to confirm",
        grave,
        always=True,
    ),
    Verb(
        "help",
        "?",
        ANY,
        "[command]",
        "help scan",
        "this list, or one command",
        named("command", ""),
        always=True,
    ),
)

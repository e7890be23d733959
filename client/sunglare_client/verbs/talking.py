"""Verbs for the others in the match and for the terminal itself: chat, pauses, the end, help."""

from sunglare_client.command import Act, Command
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import ANY, Verb, grave, named


def _pause(reader: Reader) -> Command:
    return Act(reader.verb, sure=not (reader.more and reader.pick("word", {"off": True})))


def _mute(reader: Reader) -> Command:
    own = str(reader.view.audience)
    others = {str(side): str(side) for side in reader.view.stage.sides if str(side) != own}
    side = reader.pick("side of somebody else", others)
    return Act(reader.verb, side, sure=not (reader.more and reader.pick("word", {"off": True})))


ROWS = (
    Verb(
        "say",
        "'",
        ANY,
        "<text>",
        "say gl hf",
        "chat; everybody in the match reads it",
        named("text"),
        always=True,
    ),
    Verb("mute", "", ANY, "<side> [off]", "mute B", "hear no more chat of a side", _mute),
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
        "draw", "", ANY, "[yes]", "draw", "offer a draw; asks you to confirm", grave, always=True
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

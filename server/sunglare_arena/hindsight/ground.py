"""Why a ground unit or a character of a finished match was seen, found, or neither.

Source: blips of our rule book §1 to §3, search §1 and §2. From the events that the resolvers
made and from the truth when the window had closed.
"""

from collections.abc import Iterator, Sequence

from sunglare_arena.hindsight.spots import token_lines
from sunglare_protocol.ids import Side
from sunglare_protocol.ladder import Phase
from sunglare_server.match.events import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.people_events import SearchTried
from sunglare_server.match.truth import Truth
from sunglare_server.match.truth_people import CharacterTruth

LOOKED = (Phase.PLOT, Phase.ENGAGE)
"""The windows at whose end surface maps are looked at."""


def ground_lines(truth: Truth, side: Side, piece: PieceId, phase: Phase) -> Iterator[str]:
    """Yield what `side` saw of a ground unit when a window had closed, and why not more."""
    unit = truth.ground[piece]
    if phase not in LOOKED or not unit.in_play:
        return
    token = truth.surface.tokens_of(side).get(piece)
    if unit.site is None:
        yield "it was aboard a ship, on no surface map (blips §2)"
    elif unit.site not in truth.surface.maps_of(side):
        yield f"none of your working pieces saw the map of {unit.site.name} (blips §3)"
    elif token is None and unit.hidden:
        yield (
            "hidden: no token until it moves, and no piece of yours ended within 2 inches in "
            "sight, nor did a probe of yours reach it (blips §1 and §2)"
        )
    elif token is not None and not token.identified:
        yield from token_lines(truth, side, piece)


def person_lines(
    truth: Truth, side: Side, person: CharacterTruth, events: Sequence[Event], phase: Phase
) -> Iterator[str]:
    """Yield whether a character was detected, and the searches that could find him, with dice.

    `truth` is as it was when the window of `phase` had closed.
    """
    if phase is Phase.PLOT and person.in_play:
        if truth.people[person.id].detected:
            yield "detected: an alert told you of somebody, neither who nor how many (search §1)"
        else:
            yield "undetected: nobody was told of him (search §1)"
    for event in events:
        if isinstance(event, SearchTried) and event.side == side and person.id in event.group:
            yield _search_words(event)


def _search_words(event: SearchTried) -> str:
    words = f"your search of {event.site.name}, value {event.value} against hiding {event.hiding}"
    if event.die is None:
        return f"{words}: nothing was rolled (search §2)"
    found = "FOUND" if event.found else "not found"
    shows = f"the die shows {event.die}, at most {event.needed} finds"
    return f"{words}: {found}, {shows} (search §2)"

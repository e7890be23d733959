"""Why a character of a finished match was found, or was not.

Source: search of our rule book §1 and §2. From the events that the resolvers made and from the
truth when the window had closed.
"""

from collections.abc import Iterator, Sequence

from sunglare_protocol.ids import Side
from sunglare_protocol.ladder import Phase
from sunglare_server.match.events import Event
from sunglare_server.match.people_events import SearchTried
from sunglare_server.match.truth import Truth
from sunglare_server.match.truth_people import CharacterTruth


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

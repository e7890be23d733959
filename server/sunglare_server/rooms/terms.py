"""The terms of a new match, scenario, options, title, rated or not, and the room made on them."""

from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.seals import SEED_BYTES
from sunglare_protocol.text import TITLE_MOST, clean
from sunglare_server.base.entropy import Entropy, base32_id
from sunglare_server.base.library import Library
from sunglare_server.match.data.options import MatchOptions, OptionValue, chosen, played_on
from sunglare_server.match.record import Opened, Past
from sunglare_server.ports.rated_results import unrateable
from sunglare_server.ports.rooms import Room

CODE_LETTERS = 10
"""The length of a private match's code, without its hyphen: 50 bits."""

CODE_GROUP = CODE_LETTERS // 2
"""How many of them stand before the hyphen."""


@final
class ForkOrigin(NamedTuple):
    """A match that is over and is to be played on from `turn`: its opening and records.

    A match played on from a private one shows none of it to others.
    """

    match: MatchId
    turn: int
    opened: Opened
    records: tuple[bytes, ...]
    is_private: bool


@final
class Terms(NamedTuple):
    """On what a match is opened; the title is the one that is shown."""

    scenario: str
    options: MatchOptions
    title: str


def terms_of(
    library: Library,
    scenario: str,
    wish: dict[str, OptionValue],
    title: str,
    before: ForkOrigin | None,
    *,
    rated: bool,
) -> Terms | Rejected:
    """Return the terms that are wished for, of a match that is perhaps played on from `before`."""
    options = options_of(library, scenario, wish, before)
    if isinstance(options, Rejected):
        return options
    shown = clean(title, TITLE_MOST) if title else ""
    if shown is None:
        return Rejected(code=Code.TEXT_UNFIT, at="$.title")
    scenario = scenario if before is None else before.opened.scenario.name
    if rated:
        base = library.scenarios[scenario].data.options
        refused = unrateable(base, options, is_played_on=before is not None)
        if refused is not None:
            return refused
    return Terms(scenario, options, shown)


def new_room(
    terms: Terms, sides: tuple[Side, ...], host: str, past: Past | None, entropy: Entropy
) -> Room:
    """Return a room on these terms, with an id and a seed past guessing."""
    return Room(
        match=MatchId(base32_id(entropy)),
        scenario=terms.scenario,
        sides=sides,
        past=past,
        options=terms.options,
        host=host,
        server_seed=entropy.token(SEED_BYTES),
        title=terms.title,
    )


def new_code(entropy: Entropy) -> str:
    """Return the code of a private match, in two groups of letters."""
    letters = base32_id(entropy)[:CODE_LETTERS]
    return f"{letters[:CODE_GROUP]}-{letters[CODE_GROUP:]}"


def options_of(
    library: Library, scenario: str, wish: dict[str, OptionValue], before: ForkOrigin | None
) -> MatchOptions | Rejected:
    """Return the options of a match that are wished for it, be it played on from `before`."""
    known = library.scenarios
    if before is not None:
        known = {before.opened.scenario.name: before.opened.scenario}
        scenario = scenario or before.opened.scenario.name
    if scenario not in known:
        choices = tuple(known)
        return Rejected(code=Code.SCENARIO_UNKNOWN, at="$.scenario", choices=choices)
    base = known[scenario].data.options
    if before is not None:
        return played_on(before.opened.options, base, wish)
    return chosen(base, wish)

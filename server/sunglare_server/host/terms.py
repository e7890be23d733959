"""The terms of a new match: scenario, options, title, and whether it counts for ratings."""

from typing import NamedTuple, final

from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import TITLE_MOST, clean
from sunglare_server.host.library import Library
from sunglare_server.host.playingon import Before, options_of
from sunglare_server.host.rated import unrateable
from sunglare_server.match.data.options import MatchOptions, OptionValue

CODE_LETTERS = 6
"""The length of a private match's code."""


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
    before: Before | None,
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

"""The command language as a table: every verb, and how a word finds one."""

import difflib

from sunglare_client.verbs import (
    agents,
    firing,
    flight,
    ground,
    planning,
    repeating,
    searching,
    sensing,
    shadowing,
    shown,
    systems,
    talking,
)
from sunglare_client.verbs.verb import Verb

VERBS: tuple[Verb, ...] = (
    *flight.ROWS,
    *systems.ROWS,
    *shadowing.ROWS,
    *ground.ROWS,
    *agents.ROWS,
    *sensing.ROWS,
    *firing.ROWS,
    *searching.ROWS,
    *planning.ROWS,
    *repeating.ROWS,
    *shown.ROWS,
    *talking.ROWS,
)
"""Every command there is, in the order of the help."""

RESERVED = ("se", "pa")
"""Aliases kept for the verbs of other rule systems, so that none ever changes its meaning."""

HINTS = {
    "sense": "A scan senses; nosense at its end leaves it.",
    "wait": "To give no order, say: ready.",
    "end": "To end your thinking, say: ready.",
    "done": "To end your thinking, say: ready.",
    "rematch": "You are asked for one when the match is over.",
}
"""What to say of words that people try and that are no command."""

MEANING_THE_SAME = {"next": "ready"}
"""Words that many try first, by the verb that they mean."""

_GRAVE = ("quit", "resign", "draw")
"""Verbs that no misspelt word suggests."""

FREE_TEXT = ("say", "'", "note", "n", "report", "grant", "revoke")
"""Words after which the rest of the line is text, with `;` and `#` in it."""

_BY_WORD = {word: verb for verb in VERBS for word in (verb.name, verb.alias) if word}
_BY_WORD |= {word: _BY_WORD[name] for word, name in MEANING_THE_SAME.items()}


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
    names = [verb.name for verb in VERBS if verb.name not in _GRAVE]
    return tuple(difflib.get_close_matches(word, names, n=2, cutoff=0.55))

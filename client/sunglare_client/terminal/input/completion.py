"""Completions of a word that is typed: verbs, choices of the grammar, legal orders."""

from sunglare_client.terminal.examples import verbs_with_orders
from sunglare_client.terminal.input.parser import choices_after
from sunglare_client.text.labels import body_names, held, own_ids
from sunglare_client.text.rules import CHAPTERS
from sunglare_client.verbs.table import FREE_TEXT, VERBS, verb_called
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_rules.advice.legal.legal import legal

ABOUT_PIECES = ("look", "why", "map", "go")
"""Verbs of questions after which any piece may be named."""


def complete(line: str, view: View, plan: tuple[Order, ...] = ()) -> list[str]:
    """Return the words that may stand where the last, perhaps unfinished word of a line stands."""
    command = line.rpartition(";")[2].lstrip()
    before, _, last = command.rpartition(" ")
    handles = {piece.handle for piece in held(view)}
    words = dict.fromkeys(_candidates(before.strip(), view, plan))
    return [word for word in words if _begins(word, last) and word not in handles]


def _begins(word: str, last: str) -> bool:
    return word.lower().startswith(last.lower())


def _candidates(before: str, view: View, plan: tuple[Order, ...]) -> list[str]:
    if not before:
        any_time = [verb.name for verb in VERBS if not verb.windows]
        return [*verbs_with_orders(view), *any_time]
    word, _, after = before.partition(" ")
    verb = verb_called(word.lower())
    if isinstance(verb, tuple) or (verb.name in FREE_TEXT and after):
        return []
    if verb.name == "help":
        return [known.name for known in VERBS]
    if verb.name == "rules":
        return [] if after else list(CHAPTERS)
    if verb.name in (*ABOUT_PIECES, "note") and not after:
        return [*_pieces(view), *(body_names(view) if verb.name != "note" else ())]
    return [*_legal_words(verb.name, after.split(), view), *choices_after(before, view, plan)]


def _pieces(view: View) -> list[str]:
    return [*own_ids(view), *(contact.label for contact in held(view))]


def _legal_words(verb: str, after: list[str], view: View) -> list[str]:
    """Return the next words of the legal orders that begin so."""
    typed = after if verb == "odds" else [verb, *after]
    orders = (legal_text(order, view).split(" ") for order in legal(view))
    lower = [word.lower() for word in typed]
    return [
        words[len(typed)]
        for words in orders
        if len(words) > len(typed) and [word.lower() for word in words[: len(typed)]] == lower
    ]

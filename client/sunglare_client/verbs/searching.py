"""The verb of searches for agents."""

from sunglare_client.verbs.agents import answered, own_agent
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import ENGAGE, Verb, Written, giving
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders.agents import Search
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.search import Strike
from sunglare_rules.advice.check.agents import search_site
from sunglare_rules.advice.odds.agents import search_odds


def search_order(reader: Reader) -> Search:
    """Read a search."""
    places = _places(reader)
    if not places:
        reader.fail("E-ARG", "you have neither troops nor agents in any environs")
    piece = reader.pick("environs of yours, or a piece there", places)
    leader: OwnId | None = None
    strike = Strike.PATROL
    while reader.more:
        if reader.pick("word of a search", {"leader": True, "strike": False}):
            leader = own_agent(reader).id
        else:
            strike = reader.pick("way to strike", {choice.value: choice for choice in Strike})
    return Search(ship=piece, leader=leader, strike=strike)


def _places(reader: Reader) -> dict[str, OwnId]:
    """Return where this side may search: by a piece there, and by planet and number as one."""
    view = reader.view
    named: dict[str, OwnId] = {}
    for own in (*(unit.id for unit in view.ground), *(agent.id for agent in view.agents)):
        site = search_site(view, own)
        if site is not None:
            named[own] = own
            named.setdefault(site.name, own)
    return named


def _search_words(order: Search) -> str:
    leader = f" leader {order.leader}" if order.leader is not None else ""
    return f"{order.ship}{leader} strike {order.strike.value}"


def _search_odds(view: View, order: Search) -> list[str]:
    odds = search_odds(view, order)
    if isinstance(odds, Rejected):
        return answered(odds)
    return answered(
        f"your search value at {odds.site.name} is {odds.value}: {odds.least} % to {odds.most} % "
        "to find who is there, by how well they hide"
    )


ROWS = (
    Verb(
        "search",
        "sea",
        ENGAGE,
        "<environs or piece> [leader agent] [strike patrol|agents|none]",
        "search G1 strike patrol",
        "search for agents where an alert is and you have a piece",
        giving(search_order),
        order=Written(Search, _search_words, _search_odds, _search_odds),
    ),
)

"""The limits in force, as the page of the protocol gives them."""

from documents.doctables import PROTOCOL, text_of
from sunglare_protocol.messages.answers import ANSWER_BYTES
from sunglare_protocol.messages.commands import INBOUND_BYTES, ORDERS_MOST, PROTOCOL_VERSION
from sunglare_protocol.text import CHAT_MOST, NAME_MOST, TITLE_MOST
from sunglare_rules.advice.sheets.cost import SHEET_POINTS, SINGLE_POINTS
from sunglare_server.config import Settings
from sunglare_server.gateway.outbox import BYTES_MOST, MESSAGES_MOST
from sunglare_server.gateway.session import FAULTS_MOST
from sunglare_server.match.state import ANSWERS_KEPT
from sunglare_server.runtime.feed import RING
from sunglare_server.runtime.query_budget import ASK_POINTS, ASK_POINTS_PER_SECOND


def limits_in_force() -> list[str]:
    """Return how the protocol page gives each limit."""
    return [
        f"| a message to the server | {INBOUND_BYTES // 1024} KiB",
        f"| orders in a message | {ORDERS_MOST} |",
        f"| a name | {NAME_MOST} characters",
        f"| a line of chat | {CHAT_MOST} characters",
        f"| a title | {TITLE_MOST} characters",
        f"| points for answers to questions of a seat in a window | {ASK_POINTS}, of",
        f"of which {ASK_POINTS_PER_SECOND} come back each second, else",
        f"A seat has {ASK_POINTS} points in each window",
        f"and {ASK_POINTS_PER_SECOND} come back each second",
        f"{SINGLE_POINTS} points, a `sheet` {SHEET_POINTS}",
        f"| a `sheet` or `legal` | {ANSWER_BYTES // 1024} KiB of JSON text",
        f"| malformed messages of a connection | {FAULTS_MOST},",
        f"| open matches of one host | {Settings().matches_per_account}, else",
        f"opened from one address | {Settings().rooms_per_address}, else",
        f"| open matches in which one account sits | {Settings().seats_per_account}, else",
        f"| the same of an account that has said `bot` | {Settings().seats_per_bot}, else",
        f"| house bots that run for one address | {Settings().bots_per_address}, else",
        f"| house bots in rated matches that are open | {Settings().rated_bots}, else",
        f"| those who wait for a quick match | {Settings().quick_waiting}, else",
        f"| those who wait for one from one address | {Settings().quick_per_address}, else",
        f"{MESSAGES_MOST}, or {BYTES_MOST // 1024} KiB",
        f"The last {RING} posts of a seat are kept",
        f"the last {ANSWERS_KEPT} accepted commands",
        f"# The Sunglare protocol, version {PROTOCOL_VERSION}\n",
    ]


def test_the_protocol_page_gives_the_limits_in_force() -> None:
    assert not [words for words in limits_in_force() if words not in text_of(PROTOCOL)]

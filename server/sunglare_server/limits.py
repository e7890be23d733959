"""The settings that are plain numbers, each a bound: what it bounds, in words."""

from typing import Final

LINE_COUNTS: Final = {
    "connections": "most connections",
    "connections_per_address": "most connections from one address",
    "message_rate": "messages a second that a connection may send",
    "address_rate": "messages a second that one address may send",
    "openings": "new accounts and matches a minute from one address",
    "guesses": "wrong tokens, tickets and codes a minute from one address; codes of one account",
    "handshake_s": "seconds for a connection to open and send hello",
}
"""The settings that are plain numbers and bound connections, with what they bound."""

ROOM_COUNTS: Final = {
    "matches": "most open matches",
    "matches_per_account": "most open matches of one host",
    "seats_per_account": "most open matches in which one account has a seat",
    "seats_per_bot": "the same for an account that connects as a bot",
    "rooms_per_address": "most open matches from one address",
    "bots_at_once": "most running house bots",
    "bots_per_address": "most running house bots of one address",
    "rated_bots": "most house bots in rated matches that are open",
    "quick_waiting": "most players waiting for a quick match",
    "quick_per_address": "the same from one address",
    "lobby_minutes": "minutes until a room without players is closed",
}
"""Those that bound rooms, seats, house bots and those waiting for a match."""

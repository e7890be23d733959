"""The settings that are plain numbers, each a bound: what it bounds, in words."""

from typing import Final

LINE_COUNTS: Final = {
    "connections": "most connections",
    "connections_per_address": "most connections from one address",
    "message_rate": "messages a second that a connection may send",
    "address_rate": "messages a second that one address may send",
    "openings": "new people and matches a minute from one address",
    "guesses": "wrong tokens, tickets and codes a minute from one address; codes of one account",
    "handshake_s": "seconds a connection has to open, and to say hello",
}
"""The settings that are plain numbers and bound connections, with what they bound."""

ROOM_COUNTS: Final = {
    "matches": "most open matches",
    "matches_per_account": "most open matches of one host",
    "seats_per_account": "most open matches in which one account sits",
    "seats_per_bot": "the same of an account whose connection says that a bot plays",
    "rooms_per_address": "most open matches from one address",
    "bots_at_once": "most house bots that run",
    "bots_per_address": "most house bots that run for one address",
    "rated_bots": "most house bots in rated matches that are open",
    "quick_waiting": "most people who wait for a quick match",
    "quick_per_address": "most people who wait for one from one address",
    "lobby_minutes": "minutes until a room that nobody joins is closed",
}
"""Those that bound rooms, seats, house bots and those waiting for a match."""

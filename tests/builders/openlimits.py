"""Limits for servers of tests, which are many people at one address: so high that none is met."""

from typing import Any

from sunglare_server.rooms.quotas import RoomBounds

OPEN: dict[str, Any] = {
    "connections": 10_000,
    "connections_per_address": 10_000,
    "message_rate": 1_000_000,
    "address_rate": 1_000_000,
    "openings": 1_000_000,
    "guesses": 1_000_000,
    "matches_per_account": 10_000,
    "rooms_per_address": 10_000,
    "bots_per_address": 10_000,
    "seats_per_account": 10_000,
    "seats_per_bot": 10_000,
    "rated_bots": 10_000,
    "quick_per_address": 10_000,
}
"""As settings."""

FLAGS = tuple(
    part for name, most in OPEN.items() for part in (f"--{name.replace('_', '-')}", str(most))
)
"""The same on a command line."""

ROOMY = RoomBounds(
    most=1_000,
    each_account=1_000,
    each_address=1_000,
    alone_ms=10**9,
    seats=1_000,
    bot_seats=1_000,
    rated_bots=1_000,
    waiting=1_000,
    waiting_each_address=1_000,
)
"""The same for a lobby alone, whose rooms are never left by everybody for too long."""

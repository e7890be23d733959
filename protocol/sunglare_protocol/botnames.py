"""The names of the shipped bots, which seats and ladders show, and those that are retired."""

from typing import Final

SHIPPED: Final = ("random", "scout", "hunter", "lurker", "raider", "admiral")
"""The bots that come with the library; a server seats all of them unless it is told otherwise."""

RETIRED: Final = {
    "sweeper": "scout",
    "prober": "scout",
    "surveyor": "scout",
    "drifter": "lurker",
    "searcher": "raider",
    "spymaster": "raider",
    "privateer": "raider",
    "deceiver": "admiral",
    "marshal": "admiral",
}
"""Names of former bots, which are understood for one more release, and who plays in their place.

Stored rooms keep such a name, and so does a rating, which no match changes any more.
"""


def current_name(name: str) -> str:
    """Return the bot that plays under a name: that of a retired name, or the name itself."""
    return RETIRED.get(name, name)

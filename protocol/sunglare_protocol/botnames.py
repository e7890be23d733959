"""The names of the shipped bots, which seats and ladders show, and those that are retired."""

from typing import Final

SHIPPED: Final = ("random", "scout", "hunter", "lurker", "raider", "admiral")
"""The bots that come with the library; by default a server seats all of them."""

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


LEVEL_MOST: Final = 5
"""The level at which a bot does all it can; a name without a level is of this one."""

LEVELLED: Final = tuple(
    f"{name}-{level}" for name in SHIPPED if name != "random" for level in range(1, LEVEL_MOST)
)
"""The names of the bots at their lower levels, such as `hunter-2`."""

KEPT_BACK: Final = (*SHIPPED, *LEVELLED, *RETIRED)
"""The names that no account and no other bot may have."""


def split_name(name: str) -> tuple[str, int]:
    """Return the bot and the level of a shipped bot's name; any other name is of the most."""
    if name not in LEVELLED:
        return name, LEVEL_MOST
    bot, _, level = name.rpartition("-")
    return bot, int(level)


def at_level(bot: str, level: int) -> str:
    """Return the name of a bot at a level."""
    return bot if level == LEVEL_MOST else f"{bot}-{level}"

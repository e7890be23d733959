"""The orders for agents, searches and standing orders.

PLOT takes `walk`, `go_aboard`, `step_out`, `mission` and `stand`; ENGAGE takes `search`. An agent
makes two steps a turn at most: each `walk`, `go_aboard` and `step_out` is one.
"""

from typing import Annotated, final

import msgspec

from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders.base import OrderBase, ShortName
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike

__all__ = [
    "GROUP_MOST",
    "NOWHERE",
    "OFF_MAP",
    "AgentOrder",
    "GoAboard",
    "Group",
    "Mission",
    "Search",
    "Stand",
    "StepOrder",
    "StepOut",
    "Walk",
]

OFF_MAP = "off"
"""The word of `bound_for` for a ship that leaves the map."""

NOWHERE = "none"
"""The word of `bound_for` that takes the standing order back."""

GROUP_MOST = 20
"""The most agents an order names."""

Group = Annotated[tuple[OwnId, ...], msgspec.Meta(max_length=GROUP_MOST)]
"""Agents by their owner's ids."""


@final
class Walk(OrderBase, frozen=True, tag="walk"):
    """Walk to an adjacent environs of the same planet; `ship` is the agent's own id."""

    environs: int


@final
class GoAboard(OrderBase, frozen=True, tag="go_aboard"):
    """Go aboard an own ship, or into the stack of an own ground unit; `into` is its own id.

    A ship is landed in the same environs, or it is a starship over the planet with a shuttle.
    """

    into: OwnId


@final
class StepOut(OrderBase, frozen=True, tag="step_out"):
    """Step out of a ship or of a stack of troops.

    From a starship in orbit, the shuttle goes to the environs named; a landed ship is left for
    the environs where it stands, named or not.
    """

    environs: int | None = None


@final
class Mission(OrderBase, frozen=True, tag="mission"):
    """Send a group on a mission: the agent `ship` and the `others` of the group.

    `at` is the token that sabotage is for, else it is one at random; `silence` takes its weapons
    for a turn instead of doing damage. `name` is the item to steal or deliver, or the own
    agent to free or deliver; without it whatever there is.
    """

    kind: MissionKind
    others: Group = ()
    at: Handle | None = None
    silence: bool = False
    name: ShortName | None = None


@final
class Stand(OrderBase, frozen=True, tag="stand"):
    """Give a standing order, which stays until it is changed; what is absent stays as it is.

    For a ship `bound_for`: a planet, `off` the map, or `none`. For an agent what the group does
    for which it speaks: `fight`, the order in which `wounds` fall (empty: at random), and who it
    `hides_by` (its own id: itself; `none`: the best of them). For the own side, by its letter,
    `strike`: who goes when an event calls for a search.
    """

    bound_for: ShortName | None = None
    fight: FightPolicy | None = None
    wounds: Group | None = None
    hides_by: OwnId | None = None
    strike: Strike | None = None


@final
class Search(OrderBase, frozen=True, tag="search"):
    """Search the environs where the own piece `ship` stands for all agents near it.

    `leader` is an own agent who stands with troops there, `strike` who goes against agents
    that are found.
    """

    leader: OwnId | None = None
    strike: Strike = Strike.PATROL


StepOrder = Walk | GoAboard | StepOut
"""The steps of an agent."""

AgentOrder = Walk | GoAboard | StepOut | Mission | Stand | Search
"""The orders for agents, searches and standing orders."""

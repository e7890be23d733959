"""Twists of what is on the ground: units, agents, and capital weapons."""

from typing import Final

from two_worlds import otheragents as agents
from two_worlds import otherblips as blips
from two_worlds import othercapital as capital
from two_worlds import otherground as surface
from two_worlds.twistkinds import (
    Twist,
    decided_on_the_ground,
    jamming_on_the_ground,
    on_the_ground,
    twist,
    with_agents,
)

_HITS = "ShotFired/shooter ShotFired/target"
_STRUCK = "PointStruck/shooter PointStruck/target PointStruck/witness"
_PROBED = "TokenProbed/asker TokenProbed/owner TokenProbed/bystander"
_SHOTS = "GroundShotFired/shooter GroundShotFired/target GroundShotFired/witness"

_OF_UNITS = (
    twist(
        surface.move_unheld,
        "UnitMoved/holder UnitStationed/ UnitUncovered/owner SensorSown/ TokenGained/viewer "
        "HiddenExposed/viewer MapOpened/viewer PointDesignated/near PointStruck/shooter "
        "BatteryExposed/witness",
        where=on_the_ground,
    ),
    twist(
        surface.remove_unheld,
        "UnitLoaded/ UnitUnloaded/ TakenAlong/owner MapClosed/viewer",
        where=on_the_ground,
    ),
    twist(surface.add_hidden, "HiddenExposed/viewer PointStruck/shooter", where=on_the_ground),
    twist(surface.hidden_occupants, "OccupationCounted/all", where=decided_on_the_ground),
    twist(
        surface.change_blip,
        "PieceIdentified/holder AttackerRevealed/holder TokenEnded/holder",
        where=on_the_ground,
    ),
    twist(
        surface.change_condition,
        "UnitDamaged/ UnitDestroyed/owner WeaponsHeated/",
        where=on_the_ground,
    ),
    twist(
        surface.change_arms,
        f"{_SHOTS} BatteryFired/target BatteryFired/shooter",
        where=on_the_ground,
    ),
    twist(surface.know_other, "PieceIdentified/owner MapOverflown/owner", where=on_the_ground),
    twist(
        blips.switch_jammer, f"{_PROBED} PieceIdentified/holder EcmSwitched/", where=on_the_ground
    ),
    twist(blips.armoured_for_jammed, "TokenProbed/asker", where=jamming_on_the_ground),
)

_OF_AGENTS = (
    twist(surface.change_agents, "AgentStationed/", where=with_agents),
    twist(
        agents.agents_elsewhere,
        "AlertRaised/others AlertRaised/public AlertEnded/others AlertEnded/public "
        "AgentStepped/ StepFailed/owner AgentStranded/owner FlagSet/owner FlagCleared/owner "
        "FlagForgotten/",
        where=with_agents,
    ),
    twist(
        agents.agents_number,
        "AlertRaised/others SearchTried/seeker SearchTried/owner AgentWounded/",
        where=with_agents,
    ),
    twist(
        agents.agents_ratings,
        "SearchTried/seeker FightFought/seeker FightFought/owner AgentKilled/owner "
        "UnitsSpied/owner ShipAlertRaised/tracker ShipAlertEnded/tracker",
        where=with_agents,
    ),
    twist(
        agents.search_in_vain,
        "SearchTried/seeker",
        where=with_agents,
        bites=agents.searched_in_vain,
    ),
    Twist(
        name="other_missions",
        rows="MissionPlanned/ MissionTried/owner MissionsEnded/ UnitSabotaged/owner "
        "ItemTaken/owner ItemDropped/owner Delivered/owner AgentFreed/owner StanceTaken/ "
        "BoundFor/ StrikeChosen/",
        where=with_agents,
        told=agents.other_missions,
        bites=agents.missions_differ,
    ),
)

OF_GROUND: Final[tuple[Twist, ...]] = (
    *_OF_UNITS,
    *_OF_AGENTS,
    twist(capital.change_guns, f"{_STRUCK} {_HITS}"),
    twist(capital.silence_guns, "PointStruck/witness MissileSent/near MissileSent/owner"),
    twist(capital.change_flight, _STRUCK),
)
"""Twists of the ground, in the order in which they are tried."""

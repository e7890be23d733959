"""Twists of what is on the ground: units, agents, and capital weapons."""

from typing import Final

from two_worlds import otheragents as agents
from two_worlds import otherblips as blips
from two_worlds import othercapital as capital
from two_worlds import otherground as surface
from two_worlds.twistkinds import Twist, jamming_on_the_ground, on_the_ground, with_agents

_HITS = ("ShotFired/shooter", "ShotFired/target")

OF_GROUND: Final[tuple[Twist, ...]] = (
    Twist(
        name="move_unheld",
        rows=(
            "UnitMoved/holder",
            "UnitStationed/",
            "UnitUncovered/owner",
            "SensorSown/",
            "TokenGained/viewer",
            "HiddenExposed/viewer",
            "MapOpened/viewer",
            "PointDesignated/near",
            "PointStruck/shooter",
            "BatteryExposed/witness",
        ),
        where=on_the_ground,
        apply=surface.move_unheld,
    ),
    Twist(
        name="remove_unheld",
        rows=("UnitLoaded/", "UnitUnloaded/", "TakenAlong/owner", "MapClosed/viewer"),
        where=on_the_ground,
        apply=surface.remove_unheld,
    ),
    Twist(
        name="add_hidden",
        rows=("HiddenExposed/viewer", "PointStruck/shooter"),
        where=on_the_ground,
        apply=surface.add_hidden,
    ),
    Twist(
        name="change_blip",
        rows=("PieceIdentified/holder", "AttackerRevealed/holder", "TokenEnded/holder"),
        where=on_the_ground,
        apply=surface.change_blip,
    ),
    Twist(
        name="change_condition",
        rows=("UnitDamaged/", "UnitDestroyed/owner", "WeaponsHeated/"),
        where=on_the_ground,
        apply=surface.change_condition,
    ),
    Twist(
        name="change_arms",
        rows=(
            "GroundShotFired/shooter",
            "GroundShotFired/target",
            "GroundShotFired/witness",
            "BatteryFired/target",
            "BatteryFired/shooter",
        ),
        where=on_the_ground,
        apply=surface.change_arms,
    ),
    Twist(
        name="know_other",
        rows=("PieceIdentified/owner", "MapOverflown/owner"),
        where=on_the_ground,
        apply=surface.know_other,
    ),
    Twist(
        name="switch_jammer",
        rows=(
            "TokenProbed/asker",
            "TokenProbed/owner",
            "TokenProbed/bystander",
            "PieceIdentified/holder",
            "EcmSwitched/",
        ),
        where=on_the_ground,
        apply=blips.switch_jammer,
    ),
    Twist(
        name="armoured_for_jammed",
        rows=("TokenProbed/asker",),
        where=jamming_on_the_ground,
        apply=blips.armoured_for_jammed,
    ),
    Twist(
        name="change_agents",
        rows=("AgentStationed/",),
        where=with_agents,
        apply=surface.change_agents,
    ),
    Twist(
        name="agents_elsewhere",
        rows=(
            "AlertRaised/others",
            "AlertRaised/public",
            "AlertEnded/others",
            "AlertEnded/public",
            "AgentStepped/",
            "StepFailed/owner",
            "AgentStranded/owner",
            "FlagSet/owner",
            "FlagCleared/owner",
            "FlagForgotten/",
        ),
        where=with_agents,
        apply=agents.agents_elsewhere,
    ),
    Twist(
        name="agents_number",
        rows=("AlertRaised/others", "SearchTried/seeker", "SearchTried/owner", "AgentWounded/"),
        where=with_agents,
        apply=agents.agents_number,
    ),
    Twist(
        name="agents_ratings",
        rows=(
            "SearchTried/seeker",
            "FightFought/seeker",
            "FightFought/owner",
            "AgentKilled/owner",
            "UnitsSpied/owner",
            "ShipAlertRaised/tracker",
            "ShipAlertEnded/tracker",
        ),
        where=with_agents,
        apply=agents.agents_ratings,
    ),
    Twist(
        name="search_in_vain",
        rows=("SearchTried/seeker",),
        where=with_agents,
        apply=agents.hides_otherwise,
        bites=agents.searched_in_vain,
    ),
    Twist(
        name="other_missions",
        rows=(
            "MissionPlanned/",
            "MissionTried/owner",
            "MissionsEnded/",
            "UnitSabotaged/owner",
            "ItemTaken/owner",
            "ItemDropped/owner",
            "Delivered/owner",
            "AgentFreed/owner",
            "StanceTaken/",
            "BoundFor/",
            "StrikeChosen/",
        ),
        where=with_agents,
        told=agents.other_missions,
        bites=agents.missions_differ,
    ),
    Twist(
        name="change_guns",
        rows=("PointStruck/shooter", "PointStruck/target", "PointStruck/witness", *_HITS),
        apply=capital.change_guns,
    ),
    Twist(
        name="silence_guns",
        rows=("PointStruck/witness", "MissileSent/near", "MissileSent/owner"),
        apply=capital.silence_guns,
    ),
    Twist(
        name="change_flight",
        rows=("PointStruck/shooter", "PointStruck/target", "PointStruck/witness"),
        apply=capital.change_flight,
    ),
)
"""Twists of the ground, in the order in which they are tried."""

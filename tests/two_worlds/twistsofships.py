"""Twists of what is in space: ships, their secrets and holds, and what they launch."""

from typing import Final

from two_worlds import otherknowledge as knowledge
from two_worlds import otherordnance as ordnance
from two_worlds import otherpieces as pieces
from two_worlds import otherplaces as places
from two_worlds.twistkinds import Twist, always, twist, with_asteroids

_MOVES = "ShipMoved/holder ShipMoved/public ShipLifted/holder ShipLifted/public"
_DECLARED = "ScanDeclared/all"
_SILENCE = "ScanFinished/scanner ContactMade/scanner ContactMade/public"
_SPOTS = "PieceSpotted/holder PieceProbed/asker"
_NOTICED = "PieceProbed/owner PieceProbed/bystander"
_HITS = "ShotFired/shooter ShotFired/target"
_WITNESS = "ShooterExposed/witness"
_SCORED = "PointsScored/scorer"

_differ = places.silences_differ

OF_SHIPS: Final[tuple[Twist, ...]] = (
    twist(
        places.move_untracked,
        f"{_MOVES} {_DECLARED} ShipExamined/owner {_WITNESS} FighterOverflew/viewer "
        "PointStruck/witness",
    ),
    twist(places.move_coasting, f"{_MOVES} TrackMissed/holder TrackEnded/holder"),
    twist(
        places.turn_untracked,
        f"{_MOVES} ContactMade/scanner ContactMade/public RadarGaveAway/others "
        "RadarGaveAway/public",
    ),
    twist(places.absent_for_blocked, _SILENCE, bites=_differ),
    twist(places.absent_for_weak, _SILENCE, bites=_differ),
    twist(
        places.absent_for_landed, f"{_SILENCE} ShipLanded/holder ShipLanded/public", bites=_differ
    ),
    twist(pieces.change_rating, _DECLARED),
    twist(pieces.change_habit, _DECLARED),
    twist(
        pieces.change_hull_and_damage,
        f"DamageTaken/ SystemLost/owner ShipDestroyed/holder {_HITS}",
    ),
    twist(
        pieces.change_class,
        f"ShipTracked/scanner ShooterExposed/others {_WITNESS} PieceSpotted/holder",
    ),
    twist(pieces.change_variant, f"{_SPOTS} ShipHeated/ {_WITNESS}"),
    twist(pieces.switch_ecm, f"{_SPOTS} {_NOTICED} EcmSwitched/"),
    twist(pieces.change_abilities, f"{_SPOTS} {_NOTICED} SystemLost/owner"),
    twist(pieces.stealth_for_jammed, "PieceProbed/asker"),
    twist(places.move_remote, f"RemoteLaunched/ PieceSpotted/holder {_MOVES}"),
    twist(knowledge.dossiers_of_others, f"{_SPOTS} {_NOTICED}"),
    twist(pieces.change_weapons, f"{_HITS} ShooterExposed/all"),
    twist(pieces.change_power, "PowerSwitched/ SensorsSwitched/ ContactMade/scanner"),
    twist(pieces.change_crew, "ShipTracked/owner ShipTracked/scanner ScanFinished/scanner"),
    twist(pieces.rotate_hidden, "TurretRotated/"),
    twist(pieces.rename, _WITNESS),
    twist(knowledge.reorder, "ContactMade/scanner ShotFired/target TurnEnded/all"),
    twist(pieces.add_silent, f"{_SILENCE} ShipDeployed/ InitiativeRolled/all"),
    twist(pieces.remove_silent, f"{_SILENCE} InitiativeRolled/all SideWentOut/all"),
    twist(
        pieces.gone_unseen,
        "ShipEscaped/owner ShipDestroyed/owner SideWentOut/all LossCounted/all",
    ),
    twist(pieces.coasting_gone, "ShipDestroyed/holder ShipEscaped/holder TrackMissed/holder"),
    twist(knowledge.identified_by_other, f"{_WITNESS} {_SCORED}"),
    twist(
        knowledge.third_side_contacts,
        "ContactMade/scanner ShipTracked/scanner TrackEnded/owner",
        sides_least=3,
    ),
    twist(knowledge.points_of_others, _SCORED),
    twist(knowledge.objectives_of_others, _SCORED, bites=always),
    twist(knowledge.collect_unseen, f"CargoCollected/owner {_SCORED}", where=with_asteroids),
    twist(ordnance.volley_aim, "VolleyMoved/holder VolleyMoved/public ShipDestroyed/holder"),
    twist(ordnance.volley_size, f"VolleyLaunched/owner {_HITS}"),
    twist(ordnance.volley_heat, "VolleyMoved/holder ContactMade/scanner VolleyLaunched/owner"),
    twist(ordnance.change_defence, f"FighterLaunched/owner {_HITS}"),
    twist(ordnance.change_leeches, f"LeechDrained/owner ShipDestroyed/killer {_SCORED}"),
    twist(ordnance.move_nova, f"NovaFired/all {_HITS}"),
    Twist(
        name="launched_otherwise",
        rows="VolleyLaunched/owner FighterLaunched/owner",
        told=ordnance.launched_otherwise,
    ),
)
"""Twists of ships, in the order in which they are tried."""

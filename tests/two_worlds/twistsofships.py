"""Twists of what is in space: ships, their secrets and holds, and what they launch."""

from typing import Final

from two_worlds import otherknowledge as knowledge
from two_worlds import otherordnance as ordnance
from two_worlds import otherpieces as pieces
from two_worlds import otherplaces as places
from two_worlds.twistkinds import Twist, always

_MOVES = ("ShipMoved/holder", "ShipMoved/public", "ShipLifted/holder", "ShipLifted/public")
_DECLARED = ("ScanDeclared/all",)
_SILENCE = ("ScanFinished/scanner", "ContactMade/scanner", "ContactMade/public")
_SPOTS = ("PieceSpotted/holder", "PieceProbed/asker")
_NOTICED = ("PieceProbed/owner", "PieceProbed/bystander")
_HITS = ("ShotFired/shooter", "ShotFired/target")

OF_SHIPS: Final[tuple[Twist, ...]] = (
    Twist(
        name="move_untracked",
        rows=(
            *_MOVES,
            *_DECLARED,
            "ShipExamined/owner",
            "ShooterExposed/witness",
            "FighterOverflew/viewer",
            "PointStruck/witness",
        ),
        apply=places.move_untracked,
    ),
    Twist(
        name="move_coasting",
        rows=(*_MOVES, "TrackMissed/holder", "TrackEnded/holder"),
        apply=places.move_coasting,
    ),
    Twist(
        name="turn_untracked",
        rows=(
            "ContactMade/scanner",
            "ContactMade/public",
            "RadarGaveAway/others",
            "RadarGaveAway/public",
            *_MOVES,
        ),
        apply=places.turn_untracked,
    ),
    Twist(
        name="absent_for_blocked",
        rows=_SILENCE,
        apply=places.absent_for_blocked,
        bites=places.silences_differ,
    ),
    Twist(
        name="absent_for_weak",
        rows=_SILENCE,
        apply=places.absent_for_weak,
        bites=places.silences_differ,
    ),
    Twist(
        name="absent_for_landed",
        rows=(*_SILENCE, "ShipLanded/holder", "ShipLanded/public"),
        apply=places.absent_for_landed,
        bites=places.silences_differ,
    ),
    Twist(name="change_rating", rows=_DECLARED, apply=pieces.change_rating),
    Twist(name="change_habit", rows=_DECLARED, apply=pieces.change_habit),
    Twist(
        name="change_hull_and_damage",
        rows=("DamageTaken/", "SystemLost/owner", "ShipDestroyed/holder", *_HITS),
        apply=pieces.change_hull_and_damage,
    ),
    Twist(
        name="change_class",
        rows=(
            "ShipTracked/scanner",
            "ShooterExposed/others",
            "ShooterExposed/witness",
            "PieceSpotted/holder",
        ),
        apply=pieces.change_class,
    ),
    Twist(
        name="change_variant",
        rows=(*_SPOTS, "ShipHeated/", "ShooterExposed/witness"),
        apply=pieces.change_variant,
    ),
    Twist(
        name="switch_ecm",
        rows=(*_SPOTS, *_NOTICED, "EcmSwitched/"),
        apply=pieces.switch_ecm,
    ),
    Twist(
        name="change_abilities",
        rows=(*_SPOTS, *_NOTICED, "SystemLost/owner"),
        apply=pieces.change_abilities,
    ),
    Twist(
        name="stealth_for_jammed",
        rows=("PieceProbed/asker",),
        apply=pieces.stealth_for_jammed,
    ),
    Twist(
        name="move_remote",
        rows=("RemoteLaunched/", "PieceSpotted/holder", *_MOVES),
        apply=places.move_remote,
    ),
    Twist(
        name="dossiers_of_others",
        rows=(*_SPOTS, *_NOTICED),
        apply=knowledge.dossiers_of_others,
    ),
    Twist(
        name="change_weapons",
        rows=(*_HITS, "ShooterExposed/all"),
        apply=pieces.change_weapons,
    ),
    Twist(
        name="change_power",
        rows=("PowerSwitched/", "SensorsSwitched/", "ContactMade/scanner"),
        apply=pieces.change_power,
    ),
    Twist(
        name="change_crew",
        rows=("ShipTracked/owner", "ShipTracked/scanner", "ScanFinished/scanner"),
        apply=pieces.change_crew,
    ),
    Twist(name="rotate_hidden", rows=("TurretRotated/",), apply=pieces.rotate_hidden),
    Twist(name="rename", rows=("ShooterExposed/witness",), apply=pieces.rename),
    Twist(
        name="reorder",
        rows=("ContactMade/scanner", "ShotFired/target", "TurnEnded/all"),
        apply=knowledge.reorder,
    ),
    Twist(
        name="add_silent",
        rows=(*_SILENCE, "ShipDeployed/", "InitiativeRolled/all"),
        apply=pieces.add_silent,
    ),
    Twist(
        name="remove_silent",
        rows=(*_SILENCE, "InitiativeRolled/all", "SideWentOut/all"),
        apply=pieces.remove_silent,
    ),
    Twist(
        name="gone_unseen",
        rows=("ShipEscaped/owner", "ShipDestroyed/owner", "SideWentOut/all"),
        apply=pieces.gone_unseen,
    ),
    Twist(
        name="coasting_gone",
        rows=("ShipDestroyed/holder", "ShipEscaped/holder", "TrackMissed/holder"),
        apply=pieces.coasting_gone,
    ),
    Twist(
        name="identified_by_other",
        rows=("ShooterExposed/witness", "PointsScored/scorer"),
        apply=knowledge.identified_by_other,
    ),
    Twist(
        name="third_side_contacts",
        rows=("ContactMade/scanner", "ShipTracked/scanner", "TrackEnded/owner"),
        apply=knowledge.third_side_contacts,
        sides_least=3,
    ),
    Twist(
        name="points_of_others",
        rows=("PointsScored/scorer",),
        apply=knowledge.points_of_others,
    ),
    Twist(
        name="objectives_of_others",
        rows=("PointsScored/scorer",),
        apply=knowledge.objectives_of_others,
        bites=always,
    ),
    Twist(
        name="volley_aim",
        rows=("VolleyMoved/holder", "VolleyMoved/public", "ShipDestroyed/holder"),
        apply=ordnance.change_volley_aim,
    ),
    Twist(
        name="volley_size",
        rows=("VolleyLaunched/owner", *_HITS),
        apply=ordnance.change_volley_size,
    ),
    Twist(
        name="volley_heat",
        rows=("VolleyMoved/holder", "ContactMade/scanner", "VolleyLaunched/owner"),
        apply=ordnance.change_volley_heat,
    ),
    Twist(
        name="change_defence",
        rows=("FighterLaunched/owner", *_HITS),
        apply=ordnance.change_defence,
    ),
    Twist(
        name="change_leeches",
        rows=("LeechDrained/owner", "ShipDestroyed/killer", "PointsScored/scorer"),
        apply=ordnance.change_leeches,
    ),
    Twist(
        name="move_nova",
        rows=("NovaFired/all", "ShotFired/shooter", "ShotFired/target"),
        apply=ordnance.move_nova,
    ),
    Twist(
        name="launched_otherwise",
        rows=("VolleyLaunched/owner", "FighterLaunched/owner"),
        told=ordnance.launched_otherwise,
    ),
)
"""Twists of ships, in the order in which they are tried."""

"""Notices of events in space in the window that just closed, as one audience may see them.

Public notices go to all audiences and stay in the view's record for the turn; the others go to one
side; the last group goes to `omni` alone.
"""

from typing import final

from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices.agents import AgentNotice
from sunglare_protocol.notices.base import NoticeBase
from sunglare_protocol.notices.blips import (
    ContactIdentified,
    DataScanned,
    OwnProbed,
    ProbeSensed,
    TruthIdentified,
    TruthProbed,
)
from sunglare_protocol.notices.capital import CapitalNotice
from sunglare_protocol.notices.cloak import (
    CloakedFound,
    ContactCloaked,
    JamOver,
    JamSet,
    OwnFound,
    SweepSeen,
    TrailCold,
    TruthCloak,
    TruthHunt,
)
from sunglare_protocol.notices.ground import GroundNotice, Occupation
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType

__all__ = [
    "REMOTE_LOST",
    "ContactDestroyed",
    "ContactLanded",
    "ContactLeft",
    "ContactSeen",
    "InitiativeDrawn",
    "Notice",
    "NovaSeen",
    "OwnCollected",
    "OwnDestroyed",
    "OwnDrained",
    "OwnEscaped",
    "OwnHit",
    "OwnInScan",
    "OwnLaunched",
    "OwnSystemLost",
    "OwnTrackLost",
    "OwnTracked",
    "PieceLost",
    "PublicNotice",
    "RadarSeen",
    "ScanAnswered",
    "ScanResult",
    "ShooterKnown",
    "ShotResult",
    "ShotSeen",
    "SideOut",
    "TrackCoasts",
    "TrackGained",
    "TrackLost",
    "TruthCollected",
    "TruthGone",
    "TruthHeld",
    "TruthShot",
]

# For all.


@final
class InitiativeDrawn(NoticeBase, frozen=True, tag="initiative"):
    """The order of the sides this turn, winner first."""

    order: tuple[Side, ...]


@final
class ScanAnswered(NoticeBase, frozen=True, tag="scan"):
    """A declared scan with the answers to the three public questions.

    `strength` is the declared one; `effective` is what is left of it after the glare.
    """

    side: Side
    type: ScanType
    size: ScanSize
    at: str | Square
    strength: int
    answers: Answers
    effective: int


@final
class RadarSeen(NoticeBase, frozen=True, tag="radar"):
    """A radar scan has given away the square of the ship that made it."""

    square: Square


@final
class ShotSeen(NoticeBase, frozen=True, tag="shot"):
    """A direct shot has given away the square of the ship that fired."""

    square: Square


@final
class NovaSeen(NoticeBase, frozen=True, tag="nova"):
    """A nova gun was fired somewhere; passive detection fails in every turn up to `until`."""

    until: int


@final
class SideOut(NoticeBase, frozen=True, tag="side_out"):
    """A side has no piece left in play."""

    side: Side


@final
class PieceLost(NoticeBase, frozen=True, tag="piece_lost"):
    """A side has lost a piece that had to survive, by which the match ends.

    `turns` counts the turns that have ended since, the one of the loss among them; the match ends
    when they are `ends_after`.
    """

    side: Side
    piece: str
    turns: int
    ends_after: int


PublicNotice = (
    InitiativeDrawn
    | ScanAnswered
    | RadarSeen
    | ShotSeen
    | NovaSeen
    | SideOut
    | PieceLost
    | Occupation
    | SweepSeen
    | JamSet
    | JamOver
)
"""The notices that every audience receives in the same event."""


# For the side that looks.


@final
class ScanResult(NoticeBase, frozen=True, tag="result"):
    """What an own scan found, always sent and often empty; `roll` is the Sense roll, if any."""

    ship: OwnId
    found: tuple[Handle, ...] = ()
    tracked: tuple[Handle, ...] = ()
    roll: int | None = None


@final
class ContactSeen(NoticeBase, frozen=True, tag="contact"):
    """A foreign piece was seen where it is, by the signatures named."""

    handle: Handle
    label: str
    square: Square
    signatures: tuple[str, ...]


@final
class TrackGained(NoticeBase, frozen=True, tag="track"):
    """A contact is tracked from now on."""

    handle: Handle
    label: str
    square: Square


@final
class TrackCoasts(NoticeBase, frozen=True, tag="coasts"):
    """A track was missed; its last place stands until it is found again or lost."""

    handle: Handle
    label: str


@final
class TrackLost(NoticeBase, frozen=True, tag="lost"):
    """A track was missed twice and is a memory now."""

    label: str


@final
class ContactLeft(NoticeBase, frozen=True, tag="left"):
    """A tracked piece left the map."""

    label: str


@final
class ContactLanded(NoticeBase, frozen=True, tag="landed"):
    """A tracked piece landed."""

    label: str
    body: str
    sector: Compass


@final
class ContactDestroyed(NoticeBase, frozen=True, tag="destroyed"):
    """A held or attacked piece is destroyed."""

    label: str


@final
class ShooterKnown(NoticeBase, frozen=True, tag="shooter"):
    """A ship that fired in sight is known by side and type."""

    label: str
    square: Square
    side: Side
    type: str


@final
class ShotResult(NoticeBase, frozen=True, tag="shot_result"):
    """What an own shot did: its own dice and the damage; a shot that could not work is a miss.

    `arc` is the one it was made through; none of what lay beneath the base or needs no arc.
    `stopped` counts the missiles that point defence took, of a volley or a capital one.
    """

    ship: OwnId
    weapon: str
    at: Handle
    damage: int
    dice: tuple[int, ...]
    stopped: int = 0
    arc: Arc | None = None


# For the owner of the piece.


@final
class OwnInScan(NoticeBase, frozen=True, tag="own_in_scan"):
    """An own ship lay in the valid part of a scan: its best signal, and what gave it away."""

    ship: OwnId
    side: Side
    signal: int | None = None
    signatures: tuple[str, ...] = ()


@final
class OwnTracked(NoticeBase, frozen=True, tag="own_tracked"):
    """An own ship is tracked by a side and moves in the open."""

    ship: OwnId
    side: Side


@final
class OwnTrackLost(NoticeBase, frozen=True, tag="own_track_lost"):
    """An own ship is no longer tracked by a side."""

    ship: OwnId
    side: Side


@final
class OwnHit(NoticeBase, frozen=True, tag="own_hit"):
    """An own ship was fired at: the kind of weapon and the damage taken.

    `stopped` counts the missiles that its point defence took, `spent` the points of it that met
    a capital missile.
    """

    ship: OwnId
    weapon: WeaponKind
    damage: int
    stopped: int = 0
    spent: int = 0


@final
class OwnLaunched(NoticeBase, frozen=True, tag="own_launched"):
    """An own ship has launched a piece: a volley of so many missiles, or a flight of fighters."""

    ship: OwnId
    piece: OwnId
    missiles: int = 0


@final
class OwnDrained(NoticeBase, frozen=True, tag="own_drained"):
    """Leeches from earlier turns did damage to an own ship."""

    ship: OwnId
    damage: int


@final
class OwnSystemLost(NoticeBase, frozen=True, tag="own_system_lost"):
    """A threshold check of an own ship, or a needle beam, cost it a system."""

    ship: OwnId
    system: str


REMOTE_LOST = "lost"
"""The cause that is given for every remote sensor that is gone."""


@final
class OwnDestroyed(NoticeBase, frozen=True, tag="own_destroyed"):
    """An own ship or ground unit is destroyed; `cause` says how, in words.

    `fire`, `crash`, `sabotage`, `with its ship`; of a volley `spent` or `burnt out`, of a remote
    sensor always `lost`.
    """

    ship: OwnId
    cause: str


@final
class OwnEscaped(NoticeBase, frozen=True, tag="own_escaped"):
    """An own ship left the map for good."""

    ship: OwnId
    edge: Compass


@final
class OwnCollected(NoticeBase, frozen=True, tag="own_collected"):
    """An own ship came to rest at an asteroid and met the objective to collect there."""

    ship: OwnId
    body: str


# For `omni`.


@final
class TruthCollected(NoticeBase, frozen=True, tag="truth_collected"):
    """A side met its objective to collect at an asteroid, with one of its ships."""

    side: Side
    piece: OwnId
    body: str


@final
class TruthHeld(NoticeBase, frozen=True, tag="truth_held"):
    """A side gained, missed or lost hold of a piece: `fix` is a rung, or `lost`."""

    side: Side
    owner: Side
    piece: OwnId
    fix: str
    square: Square
    signatures: tuple[str, ...] = ()
    roll: int | None = None


@final
class TruthShot(NoticeBase, frozen=True, tag="truth_shot"):
    """A shot of one ship at another, the arc it was made through, and the damage it did."""

    side: Side
    ship: OwnId
    weapon: str
    owner: Side
    target: OwnId
    damage: int
    dice: tuple[int, ...]
    arc: Arc | None = None


@final
class TruthGone(NoticeBase, frozen=True, tag="truth_gone"):
    """A piece was destroyed, left the map or landed."""

    side: Side
    piece: OwnId
    cause: str


Notice = (
    PublicNotice
    | ScanResult
    | ContactSeen
    | TrackGained
    | TrackCoasts
    | TrackLost
    | ContactCloaked
    | CloakedFound
    | TrailCold
    | ContactLeft
    | ContactLanded
    | ContactDestroyed
    | ShooterKnown
    | ContactIdentified
    | DataScanned
    | ProbeSensed
    | ShotResult
    | OwnInScan
    | OwnTracked
    | OwnTrackLost
    | OwnProbed
    | OwnFound
    | OwnHit
    | OwnLaunched
    | OwnDrained
    | OwnSystemLost
    | OwnDestroyed
    | OwnEscaped
    | OwnCollected
    | TruthCollected
    | TruthHeld
    | TruthShot
    | TruthGone
    | GroundNotice
    | AgentNotice
    | TruthIdentified
    | TruthProbed
    | CapitalNotice
    | TruthCloak
    | TruthHunt
)
"""Every notice there is."""

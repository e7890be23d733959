"""What happened in the window that just closed, as one audience may be told it.

Public notices go to everybody and stay in the view's record for the turn; the others go to
one side; the last group goes to `omni` alone.
"""

from typing import final

import msgspec

from sunglare_protocol.armament import WeaponKind
from sunglare_protocol.dossier import Dossier, Outcome
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ground_notices import GroundNotice
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.people_notices import PeopleNotice
from sunglare_protocol.scanwords import Answers, ScanSize, ScanType


class _Notice(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", gc=False
):
    pass


# Told to all.


@final
class InitiativeDrawn(_Notice, frozen=True, tag="initiative"):
    """The order of the sides this turn, winner first."""

    order: tuple[Side, ...]


@final
class ScanAnswered(_Notice, frozen=True, tag="scan"):
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
class RadarSeen(_Notice, frozen=True, tag="radar"):
    """A radar scan has given away the square of the ship that made it."""

    square: Square


@final
class ShotSeen(_Notice, frozen=True, tag="shot"):
    """A direct shot has given away the square of the ship that fired."""

    square: Square


@final
class NovaSeen(_Notice, frozen=True, tag="nova"):
    """A nova gun was fired somewhere; passive detection fails in every turn up to `until`."""

    until: int


@final
class SideOut(_Notice, frozen=True, tag="side_out"):
    """A side has no piece left in play."""

    side: Side


PublicNotice = InitiativeDrawn | ScanAnswered | RadarSeen | ShotSeen | NovaSeen | SideOut
"""What every audience is told in the same event."""


# Told to the side that looks.


@final
class ScanResult(_Notice, frozen=True, tag="result"):
    """What an own scan found, always sent and often empty; `roll` is the Sense roll, if any."""

    ship: OwnId
    found: tuple[Handle, ...] = ()
    tracked: tuple[Handle, ...] = ()
    roll: int | None = None


@final
class ContactSeen(_Notice, frozen=True, tag="contact"):
    """A foreign piece was seen where it is, by the signatures named."""

    handle: Handle
    label: str
    square: Square
    signatures: tuple[str, ...]


@final
class TrackGained(_Notice, frozen=True, tag="track"):
    """A contact is tracked from now on."""

    handle: Handle
    label: str
    square: Square


@final
class TrackCoasts(_Notice, frozen=True, tag="coasts"):
    """A track was missed; its last place stands until it is found again or lost."""

    handle: Handle
    label: str


@final
class TrackLost(_Notice, frozen=True, tag="lost"):
    """A track was missed twice and is a memory now."""

    label: str


@final
class ContactLeft(_Notice, frozen=True, tag="left"):
    """A tracked piece left the map."""

    label: str


@final
class ContactLanded(_Notice, frozen=True, tag="landed"):
    """A tracked piece landed."""

    label: str
    body: str
    sector: Compass


@final
class ContactDestroyed(_Notice, frozen=True, tag="destroyed"):
    """A held or attacked piece is destroyed."""

    label: str


@final
class ShooterKnown(_Notice, frozen=True, tag="shooter"):
    """A ship that fired in sight is known by side and type."""

    label: str
    square: Square
    side: Side
    type: str


@final
class ContactIdentified(_Notice, frozen=True, tag="identified"):
    """A held piece is identified: its side and type are known while the hold lasts."""

    handle: Handle
    label: str
    side: Side
    type: str


@final
class DataScanned(_Notice, frozen=True, tag="data_scan"):
    """The answer to an own request for data; only a full one comes with a dossier."""

    ship: OwnId
    at: Handle
    outcome: Outcome
    dossier: Dossier | None = None


@final
class ProbeSensed(_Notice, frozen=True, tag="probe_sensed"):
    """An own ship noticed that a probe is at work: the bearing, rounded down to 30 degrees.

    Degrees run clockwise from north; without any the probe is in the same square.
    """

    ship: OwnId
    bearing: int | None = None


@final
class ShotResult(_Notice, frozen=True, tag="shot_result"):
    """What an own shot did: its own dice and the damage; a shot that could not work is a miss.

    `stopped` counts the missiles of a volley that point defence took.
    """

    ship: OwnId
    weapon: str
    at: Handle
    damage: int
    dice: tuple[int, ...]
    stopped: int = 0


# Told to the owner of the piece.


@final
class OwnInScan(_Notice, frozen=True, tag="own_in_scan"):
    """An own ship lay in the valid part of a scan: its best signal, and what gave it away."""

    ship: OwnId
    side: Side
    signal: int | None = None
    signatures: tuple[str, ...] = ()


@final
class OwnTracked(_Notice, frozen=True, tag="own_tracked"):
    """An own ship is tracked by a side and moves in the open."""

    ship: OwnId
    side: Side


@final
class OwnTrackLost(_Notice, frozen=True, tag="own_track_lost"):
    """An own ship is no longer tracked by a side."""

    ship: OwnId
    side: Side


@final
class OwnProbed(_Notice, frozen=True, tag="own_probed"):
    """A probe was trained on an own ship: the bearing it came from, rounded down to 30 degrees."""

    ship: OwnId
    bearing: int | None = None


@final
class OwnHit(_Notice, frozen=True, tag="own_hit"):
    """An own ship was fired at: the kind of weapon and the damage taken.

    `stopped` counts the missiles that its point defence took.
    """

    ship: OwnId
    weapon: WeaponKind
    damage: int
    stopped: int = 0


@final
class OwnLaunched(_Notice, frozen=True, tag="own_launched"):
    """An own ship has launched a piece: a volley of so many missiles, or a flight of fighters."""

    ship: OwnId
    piece: OwnId
    missiles: int = 0


@final
class OwnDrained(_Notice, frozen=True, tag="own_drained"):
    """Leeches from earlier turns did damage to an own ship."""

    ship: OwnId
    damage: int


@final
class OwnSystemLost(_Notice, frozen=True, tag="own_system_lost"):
    """A threshold check of an own ship, or a needle beam, cost it a system."""

    ship: OwnId
    system: str


@final
class OwnDestroyed(_Notice, frozen=True, tag="own_destroyed"):
    """An own ship is destroyed."""

    ship: OwnId
    cause: str


@final
class OwnEscaped(_Notice, frozen=True, tag="own_escaped"):
    """An own ship left the map for good."""

    ship: OwnId
    edge: Compass


# Told to `omni`.


@final
class TruthHeld(_Notice, frozen=True, tag="truth_held"):
    """A side gained, missed or lost hold of a piece: `fix` is a rung, or `lost`."""

    side: Side
    owner: Side
    piece: OwnId
    fix: str
    square: Square
    signatures: tuple[str, ...] = ()
    roll: int | None = None


@final
class TruthShot(_Notice, frozen=True, tag="truth_shot"):
    """A shot of one ship at another and the damage it did."""

    side: Side
    ship: OwnId
    weapon: str
    owner: Side
    target: OwnId
    damage: int
    dice: tuple[int, ...]


@final
class TruthGone(_Notice, frozen=True, tag="truth_gone"):
    """A piece was destroyed, left the map or landed."""

    side: Side
    piece: OwnId
    cause: str


@final
class TruthIdentified(_Notice, frozen=True, tag="truth_identified"):
    """A side identified a piece, and in which ways."""

    side: Side
    owner: Side
    piece: OwnId
    methods: tuple[str, ...]


@final
class TruthProbed(_Notice, frozen=True, tag="truth_probed"):
    """A ship asked for the data of another: the answer, and whether a probe was used."""

    side: Side
    ship: OwnId
    owner: Side
    target: OwnId
    outcome: Outcome
    by_probe: bool


Notice = (
    PublicNotice
    | ScanResult
    | ContactSeen
    | TrackGained
    | TrackCoasts
    | TrackLost
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
    | OwnHit
    | OwnLaunched
    | OwnDrained
    | OwnSystemLost
    | OwnDestroyed
    | OwnEscaped
    | TruthHeld
    | TruthShot
    | TruthGone
    | GroundNotice
    | PeopleNotice
    | TruthIdentified
    | TruthProbed
)
"""Every notice there is."""

"""What happened, in sentences: each notice as a line, scans with what their answers tell.

Whatever somebody else wrote goes through `printable`; see there.
"""

from collections.abc import Mapping
from typing import assert_never

from sunglare_client.text.notices.agents import agents_sentence
from sunglare_client.text.notices.blips import Learned, Probed, learned, probed, truth_probed
from sunglare_client.text.notices.capital import capital_sentence
from sunglare_client.text.notices.cloak import hunt_of_truth, hunted, noise
from sunglare_client.text.notices.ground import ground_sentence
from sunglare_client.text.places import place_text
from sunglare_client.text.printable import printable, spoken
from sunglare_protocol import notices
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Ending, Frame, Over
from sunglare_protocol.views import Stage
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Answers, Blocked
from sunglare_rules.advice.odds.candidates import gloss

Found = (
    notices.ScanResult
    | notices.ContactSeen
    | notices.TrackGained
    | notices.TrackCoasts
    | notices.TrackLost
    | notices.ContactCloaked
    | notices.CloakedFound
    | notices.TrailCold
)
"""What one's own looking brings, and how it ends."""

Fared = (
    notices.ContactLeft
    | notices.ContactLanded
    | notices.ContactDestroyed
    | notices.ShooterKnown
    | notices.ShotResult
)
"""What becomes of foreign pieces."""

Own = (
    notices.OwnInScan
    | notices.OwnTracked
    | notices.OwnTrackLost
    | notices.OwnFound
    | notices.OwnHit
    | notices.OwnDrained
    | notices.OwnLaunched
    | notices.OwnSystemLost
    | notices.OwnDestroyed
    | notices.OwnEscaped
)
"""What happens to own ships."""

OfTruth = (
    notices.TruthHeld
    | notices.TruthShot
    | notices.TruthGone
    | notices.TruthIdentified
    | notices.TruthProbed
    | notices.TruthCloak
    | notices.TruthHunt
)
"""What only `omni` is told."""

ENDINGS = {
    Ending.TURNS: "the last turn is over",
    Ending.LAST_SIDE: "only one side is left",
    Ending.RESIGNED: "the others resigned",
    Ending.DRAW: "a draw was agreed",
    Ending.ADJOURNED: "the match was broken off",
    Ending.FORFEIT: "the others were absent",
    Ending.NO_GAME: "a side was absent from turn 1, so it was no game",
}
"""Why a match ended, in words."""


def window_lines(frame: Frame) -> list[str]:
    """Return what happened in the window that closed, then a line on the one that opens."""
    board = frame.view.board
    lines = [f"  {line}" for notice in frame.notices for line in notice_lines(notice, board)]
    return [*lines, stage_line(frame.view.stage)]


def stage_line(stage: Stage) -> str:
    """Return where the match stands: the turn, the window, and whose slot it is."""
    if stage.phase is Phase.OVER:
        return f"-- turn {stage.turn} of {stage.turns}: the match is over"
    whose = f", slot of {stage.slot}" if stage.slot is not None else ""
    return f"-- turn {stage.turn} of {stage.turns}: {stage.phase.value.upper()}{whose}"


def result_lines(over: Over, names: Mapping[Side, str]) -> list[str]:
    """Return how a match ended, who won and all points, with the players' names."""
    result = over.result
    winner = "a draw" if result.winner is None else f"{_called(result.winner, names)} wins"
    tally = ", ".join(f"{_called(side, names)} {n}" for side, n in sorted(result.points.items()))
    lines = [f"THE END: {winner}; {ENDINGS[result.ending]}.", f"points: {tally}"]
    return [printable(line) for line in (*lines, f"seed {over.seed}  record {over.head}")]


def notice_lines(notice: notices.Notice, board: Board) -> list[str]:
    """Return a notice as lines: one sentence, and a second line on what a scan's answers tell."""
    if isinstance(notice, notices.ScanAnswered):
        return [printable(scan_line(notice)), printable(f"   gloss: {gloss(board, notice)}")]
    return [printable(_sentence(notice))]


def scan_line(notice: notices.ScanAnswered) -> str:
    """Return a declared scan with its three public questions and answers."""
    at = notice.at if isinstance(notice.at, str) else f"{notice.at.x},{notice.at.y}"
    answers = notice.answers
    declared = f"{notice.side} scans {notice.type.value} {notice.size.value} at {at}"
    parts = (
        f"{declared}, strength {notice.strength:+d}",
        f"glare? {'yes' if answers.glare else 'no'}",
        f"from or touching a well? {well_words(answers)}",
        f"blocked: {blocked_words(answers)}",
        f"-> {notice.effective:+d}",
    )
    return " | ".join(parts)


def well_words(answers: Answers) -> str:
    """Return the answer to the question about gravity wells in words."""
    words = []
    if answers.from_well:
        words.append("from within")
    if answers.touches_well:
        words.append("touches")
    return " and ".join(words) or "no"


def blocked_words(answers: Answers) -> str:
    """Return the answer to the question about blocked sectors in words."""
    if not (answers.from_well or answers.touches_well):
        return "not asked"
    return ", ".join(_blocked(blocked) for blocked in answers.blocked) or "nothing"


def _blocked(part: Blocked) -> str:
    return f"{'near' if part.near else 'far'} {part.sector.value} of {part.planet}"


def _sentence(notice: notices.Notice) -> str:  # noqa: C901 - an arm for every group of kinds
    if isinstance(notice, notices.PublicNotice):
        return _of_public(notice)
    if isinstance(notice, notices.AgentNotice):
        return agents_sentence(notice)
    if isinstance(notice, notices.GroundNotice):
        return ground_sentence(notice)
    if isinstance(notice, notices.CapitalNotice):
        return capital_sentence(notice)
    if isinstance(notice, Found):
        return _of_found(notice)
    if isinstance(notice, Fared):
        return _of_fared(notice)
    if isinstance(notice, Learned):
        return learned(notice)
    if isinstance(notice, Probed):
        return probed(notice)
    if isinstance(notice, Own):
        return _of_own(notice)
    return _of_truth(notice)


def _of_public(notice: notices.PublicNotice) -> str:
    match notice:
        case notices.InitiativeDrawn():
            return f"initiative: {' before '.join(notice.order)}; scans go the other way round"
        case notices.ScanAnswered():
            return scan_line(notice)
        case notices.RadarSeen():
            return f"a radar gave its ship away at {place_text(notice.square)}"
        case notices.ShotSeen():
            return f"a shot gave the ship that fired away at {place_text(notice.square)}"
        case notices.NovaSeen():
            return f"a NOVA GUN was fired: no passive detection up to turn {notice.until}"
        case notices.SideOut():
            return f"side {notice.side} has no piece left"
        case notices.SweepSeen() | notices.JamSet() | notices.JamOver():
            return noise(notice)
        case _:
            assert_never(notice)


def _of_found(notice: Found) -> str:
    match notice:
        case notices.ScanResult():
            return _scan_result(notice)
        case notices.ContactSeen():
            by = _by(notice.signatures)
            return f"CONTACT {notice.label} at {place_text(notice.square)}{by}"
        case notices.TrackGained():
            return f"TRACKED {notice.label} at {place_text(notice.square)}"
        case notices.TrackCoasts():
            return f"COASTING {notice.label}: missed; its last place stands for now"
        case notices.TrackLost():
            return f"LOST {notice.label}: only the memory is left"
        case notices.ContactCloaked() | notices.CloakedFound() | notices.TrailCold():
            return hunted(notice)
        case _:
            assert_never(notice)


def _of_fared(notice: Fared) -> str:
    match notice:
        case notices.ContactLeft():
            return f"{notice.label} left the map"
        case notices.ContactLanded():
            return f"{notice.label} landed on {notice.body}, sector {notice.sector.value}"
        case notices.ContactDestroyed():
            return f"{notice.label} is DESTROYED"
        case notices.ShooterKnown():
            at = place_text(notice.square)
            return f"{notice.label} at {at} fired: side {notice.side}, {notice.type}"
        case notices.ShotResult():
            effect = f"hits for {notice.damage}" if notice.damage else "misses"
            shot = f"{notice.ship}.{notice.weapon} at {notice.at}"
            told = f"{_through(notice.arc)} {effect}{_dice(notice.dice)}"
            return f"{shot}{told}{_stopped(notice.stopped)}"
        case _:
            assert_never(notice)


def _through(arc: Arc | None) -> str:
    return "" if arc is None else f" through the {arc.value.replace('_', ' ')} arc"


def _of_own(notice: Own) -> str:
    match notice:
        case notices.OwnInScan():
            return _in_scan(notice)
        case notices.OwnTracked() | notices.OwnTrackLost() | notices.OwnFound():
            return _of_exposure(notice)
        case notices.OwnHit() | notices.OwnDrained() | notices.OwnLaunched():
            return _of_weapons(notice)
        case notices.OwnSystemLost():
            return f"your {notice.ship} loses a system: {notice.system}"
        case notices.OwnDestroyed():
            if notice.cause == notices.REMOTE_LOST:
                return f"your sensor {notice.ship} is silent: LOST"
            return f"your {notice.ship} is DESTROYED ({notice.cause})"
        case notices.OwnEscaped():
            return f"your {notice.ship} left the map over the {notice.edge.value} edge"
        case _:
            assert_never(notice)


def _of_weapons(notice: notices.OwnHit | notices.OwnDrained | notices.OwnLaunched) -> str:
    if isinstance(notice, notices.OwnLaunched):
        what = f"a volley of {notice.missiles}" if notice.missiles else "a flight of fighters"
        return f"your {notice.ship} launches {notice.piece}, {what}"
    if isinstance(notice, notices.OwnDrained):
        return f"your {notice.ship} takes {notice.damage} damage from leeches"
    shot = f"your {notice.ship} is fired at ({spoken(notice.weapon.value)})"
    met = f"; point defence spends {notice.spent}" if notice.spent else ""
    return f"{shot} and takes {notice.damage} damage{met}{_stopped(notice.stopped)}"


def _stopped(missiles: int) -> str:
    return f"; point defence stops {missiles}" if missiles else ""


def _of_exposure(notice: notices.OwnTracked | notices.OwnTrackLost | notices.OwnFound) -> str:
    match notice:
        case notices.OwnTracked():
            return f"your {notice.ship} is TRACKED by {notice.side}"
        case notices.OwnTrackLost():
            return f"your {notice.ship} is no longer tracked by {notice.side}"
        case notices.OwnFound():
            return f"your {notice.ship} is found under its cloak: {notice.fix.value.upper()}"
        case _:
            assert_never(notice)


def _of_truth(notice: OfTruth) -> str:
    match notice:
        case notices.TruthHeld():
            piece = f"{notice.owner}.{notice.piece} at {place_text(notice.square)}"
            roll = f", Sense roll {notice.roll}" if notice.roll is not None else ""
            rung = notice.fix.upper()
            return f"{notice.side}: {rung} {piece}{_by(notice.signatures)}{roll}"
        case notices.TruthShot():
            shot = f"{notice.side}.{notice.ship}.{notice.weapon}"
            effect = f"HITS for {notice.damage}" if notice.damage else "misses"
            shot += f" fires at {notice.owner}.{notice.target}{_through(notice.arc)}"
            return f"{shot}: {effect}{_dice(notice.dice)}"
        case notices.TruthIdentified():
            ways = " and ".join(notice.methods)
            return f"{notice.side}: IDENTIFIED {notice.owner}.{notice.piece} by {ways}"
        case notices.TruthProbed():
            return truth_probed(notice)
        case notices.TruthGone():
            return f"{notice.side}.{notice.piece} is out: {notice.cause}"
        case notices.TruthCloak() | notices.TruthHunt():
            return hunt_of_truth(notice)
        case _:
            assert_never(notice)


def _scan_result(notice: notices.ScanResult) -> str:
    if not notice.found:
        return f"your scan by {notice.ship} found nothing"
    tracked = len(notice.tracked)
    roll = f", Sense roll {notice.roll}" if notice.roll is not None else ""
    count = len(notice.found)
    contacts = "1 contact" if count == 1 else f"{count} contacts"
    return f"your scan by {notice.ship} found {contacts}, {tracked} tracked{roll}"


def _in_scan(notice: notices.OwnInScan) -> str:
    given = f", given away{_by(notice.signatures)}" if notice.signatures else ", not noticed"
    signal = f" with signal {notice.signal:+d}" if notice.signal is not None else ""
    return f"your {notice.ship} lay in a scan of {notice.side}{signal}{given}"


def _by(signatures: tuple[str, ...]) -> str:
    return f" by {' and '.join(map(spoken, signatures))}" if signatures else ""


def _dice(dice: tuple[int, ...]) -> str:
    return f" (dice {' '.join(str(die) for die in dice)})" if dice else ""


def _called(side: Side, names: Mapping[Side, str]) -> str:
    name = names.get(side, "")
    return f"{side} ({name})" if name else str(side)

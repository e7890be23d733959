"""The newest entries of the public record in words, with the rule that made each public.

Source: the rules it names; sensors §6 and turn §4 and §9 of our rule book.
"""

from typing import assert_never

from sunglare_protocol import notices
from sunglare_protocol.geometry import Board
from sunglare_protocol.views import View
from sunglare_rules.advice.cards.own import place_words
from sunglare_rules.advice.odds.candidates import gloss

ENTRIES_MOST = 6
"""OWN: `last` explains at most this many entries, the newest first."""


def record_reasons(view: View, most: int | None = None) -> tuple[str, ...]:
    """Return a line for each of the newest entries of the turn's public record, all or `most`.

    Then what was made public in an earlier turn and still holds: a nova gun, jammed space.
    """
    newest = tuple(reversed(view.record))[:most]
    lines = (*(public_reason(view.board, notice) for notice in newest), *_standing_lines(view))
    return lines or ("Nothing yet this turn. What the public sees (turn §9).",)


def _standing_lines(view: View) -> tuple[str, ...]:
    turn, lines = view.stage.turn, []
    told = {type(notice) for notice in view.record}
    if notices.NovaSeen not in told and turn <= view.nova_until:
        lines.append(_nova_line(view.nova_until))
    if notices.JamSet not in told and turn <= view.cloak_rules.jammed:
        lines.append(_jam_line(view.cloak_rules.jammed))
    return tuple(lines)


def _nova_line(until: int) -> str:
    return (
        f"A nova gun was fired: no passive detection up to turn {until}. Fire, nova gun (turn §6)."
    )


def _jam_line(until: int) -> str:
    return (
        f"Space is jammed: nobody hears cloaked ships up to turn {until}. Cloak detection, "
        "jamming (cloak §4)."
    )


def public_reason(board: Board, notice: notices.PublicNotice) -> str:
    """Return an entry of the public record in a line, with the rule that made it public."""
    match notice:
        case notices.InitiativeDrawn():
            order = ", ".join(notice.order)
            return (
                f"Initiative {order}: two dice and the best commander; scans go the other way "
                "round. Intercept sensors, reverse initiative (turn §4)."
            )
        case notices.ScanAnswered():
            return (
                f"{_scan_words(notice)}: {gloss(board, notice)}. Intercept sensors part 2 "
                "(sensors §6)."
            )
        case notices.RadarSeen():
            return (
                f"A radar ship at {place_words(notice.square)}: radar gives its own square to "
                "all. Intercept sensors, radar (sensors §5)."
            )
        case notices.ShotSeen():
            return (
                f"A shot from {place_words(notice.square)}: direct fire gives the square to all. "
                "Fire, what a shot tells (turn §6)."
            )
        case notices.NovaSeen():
            return _nova_line(notice.until)
        case notices.SweepSeen() | notices.JamSet() | notices.JamOver():
            return _hunt_line(notice)
        case notices.SideOut() | notices.PieceLost() | notices.Occupation():
            return f"{_victory_words(notice)} Victory (turn §8)."
        case _:
            assert_never(notice)


def _victory_words(notice: notices.SideOut | notices.PieceLost | notices.Occupation) -> str:
    if isinstance(notice, notices.SideOut):
        return f"Side {notice.side} has no piece left in play."
    if isinstance(notice, notices.PieceLost):
        lost = f"Side {notice.side} has lost {notice.piece}"
        return f"{lost}: turn {notice.turns} of {notice.ends_after} before the match ends."
    hidden = "Hidden ones count at the end of the match alone."
    if not notice.turns:
        who = f"sides {' and '.join(notice.sides)}" if notice.sides else "no side"
        return f"Troops standing openly on {notice.site.name}: of {who}. {hidden}"
    turns = "one turn" if notice.turns == 1 else f"{notice.turns} turns on end"
    alone = f"for {turns} of side {notice.sides[0]} alone"
    end = f"; after {notice.ends_after} the match ends" if notice.ends_after else ""
    return f"Troops standing openly on {notice.site.name}: {alone}{end}. {hidden}"


def _hunt_line(notice: notices.SweepSeen | notices.JamSet | notices.JamOver) -> str:
    match notice:
        case notices.SweepSeen():
            return (
                f"A sweep from {place_words(notice.square)}: it gives the square to all. "
                "Cloak detection, active sweeps (cloak §4)."
            )
        case notices.JamSet():
            return _jam_line(notice.until)
        case notices.JamOver():
            return "Space is jammed no longer. Cloak detection, jamming (cloak §4)."
        case _:
            assert_never(notice)


def _scan_words(notice: notices.ScanAnswered) -> str:
    at = notice.at if isinstance(notice.at, str) else f"{notice.at.x},{notice.at.y}"
    strength = f"{notice.strength:+d}"
    if notice.effective != notice.strength:
        strength += f", {notice.effective:+d} after the glare"
    return f"Side {notice.side}, {notice.type.value} {notice.size.value} at {at}, {strength}"

"""The story in sentences: each notice as a line, scans with what their answers reveal.

Text by others goes through `printable`; see there.
"""

from sunglare_client.text.players import Names, called
from sunglare_client.text.printable import printable
from sunglare_client.text.sentences import sentence
from sunglare_protocol import notices
from sunglare_protocol.geometry import Board
from sunglare_protocol.messages import Ending, Frame, Over, Result
from sunglare_protocol.views import Stage
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.odds.candidates import gloss

ENDINGS = {
    Ending.TURNS: "the last turn is over",
    Ending.LAST_SIDE: "only one side is left",
    Ending.OCCUPIED: "one side has stood alone for long enough on the ground that decides",
    Ending.PIECE_LOST: "a piece is lost that had to survive",
    Ending.RESIGNED: "all other sides resigned",
    Ending.DRAW: "a draw was agreed",
    Ending.ADJOURNED: "the match was broken off",
    Ending.FORFEIT: "all other sides were absent",
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


def result_lines(over: Over, names: Names) -> list[str]:
    """Return how a match ended, who won and all points, with the players' names."""
    result = over.result
    tally = ", ".join(f"{called(side, names)} {n}" for side, n in sorted(result.points.items()))
    lines = [
        f"THE END: {winner_text(result, names)}; {ENDINGS[result.ending]}.",
        f"points: {tally}",
    ]
    return [printable(line) for line in lines]


def winner_text(result: Result, names: Names) -> str:
    """Return who won, with the player's name, or that it is a draw."""
    return "a draw" if result.winner is None else f"{called(result.winner, names)} wins"


def checksum_line(over: Over) -> str:
    """Return the seed of a match and the last hash of its record, by which they are checked."""
    return printable(f"seed {over.seed}  record {over.head}")


def notice_lines(notice: notices.Notice, board: Board) -> list[str]:
    """Return a notice as lines: one sentence, and a second line on what a scan's answers mean."""
    if isinstance(notice, notices.ScanAnswered):
        return [printable(sentence(notice)), printable(f"   gloss: {gloss(board, notice)}")]
    return [printable(sentence(notice))]

"""The results of a contest as lines of JSON: one for each match as it ends, and the totals."""

from collections.abc import Sequence
from typing import Any

import msgspec

from sunglare_arena.contest import Result
from sunglare_arena.findings import Findings
from sunglare_arena.player import Fault, Thinking


def match_line(findings: Findings, result: Result) -> str:
    """Return the line of one match; but for `thinking` it is the same in every run."""
    outcome, names = result.outcome, findings.labels
    line: dict[str, Any] = {
        "match": outcome.game.number,
        "scenario": findings.contest.scenarios[result.bout.scenario].name,
        "seats": {side: names[entrant] for side, entrant in outcome.game.seats},
        "winner": None if outcome.winner is None else names[outcome.winner],
        "side": outcome.result.winner,
        "ending": outcome.result.ending.value,
        "points": dict(outcome.result.points),
        "turns": outcome.turn,
        "windows": outcome.windows,
        "faults": [_fault(names, fault) for fault in outcome.faults],
        "transcript": outcome.transcript.hex(),
        "file": findings.files.get(outcome.game.number),
        "thinking": {names[place]: _thought(outcome.thinking[place]) for place in _seated(result)},
    }
    return _line(line)


def totals_line(findings: Findings) -> str:
    """Return the last line: what all matches add up to."""
    tally, ratings = findings.tally, findings.ratings
    bots = {
        score.name: {
            "matches": score.matches,
            "won": score.wins,
            "drawn": score.draws,
            "lost": score.losses,
            "crashes": score.crashes,
            "refused": score.refused,
            "late": score.late,
            "orders": dict(sorted(score.used.items())),
            "rating": ratings[place]._asdict() if ratings else None,
        }
        for place, score in enumerate(tally.scores)
    }
    against = {
        one: {
            other: [cell.wins, cell.draws, cell.losses]
            for other, cell in zip(findings.labels, row, strict=True)
            if cell.matches
        }
        for one, row in zip(findings.labels, findings.matrix, strict=True)
    }
    totals: dict[str, Any] = {
        "matches": tally.matches,
        "interrupted": findings.is_interrupted,
        "bots": bots,
        "against": against,
        "transcript": findings.transcript,
        "sprt": None if findings.sprt is None else findings.sprt.verdict.value,
    }
    return _line({"totals": totals})


def _seated(result: Result) -> list[int]:
    return sorted({entrant for _, entrant in result.outcome.game.seats})


def _fault(names: Sequence[str], fault: Fault) -> dict[str, Any]:
    return {
        "bot": names[fault.entrant],
        "window": fault.window,
        "kind": fault.kind,
        "text": fault.text,
    }


def _thought(thinking: Thinking) -> dict[str, Any]:
    return {
        "decisions": thinking.decisions,
        "cpu_s": round(thinking.cpu_s, 6),
        "slowest_s": round(thinking.slowest_s, 6),
        "slowest_in": thinking.slowest_in,
    }


def _line(value: dict[str, Any]) -> str:
    return msgspec.json.encode(value).decode() + "\n"

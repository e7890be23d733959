"""The answers of many workers put into one."""

from collections.abc import Iterable

from sunglare_server.ops.control.answers import EnginesLine, MatchRow, Status

_SHARED = "over"
"""The state of matches that all workers know of alike: who adds them up counts each so often."""


def all_rows(answers: Iterable[tuple[MatchRow, ...]]) -> tuple[MatchRow, ...]:
    """Return a row for each match: of several the one of who has it in memory."""
    found: dict[str, MatchRow] = {}
    for rows in answers:
        for row in rows:
            known = found.get(row.match)
            if known is None or _knowledge(row) > _knowledge(known):
                found[row.match] = row
    return tuple(found.values())


def _knowledge(row: MatchRow) -> tuple[bool, bool, int]:
    # Who has just lost a match may still list it, as one that goes on.
    return row.state == _SHARED, row.age_s is not None, row.listeners


def all_matches(standings: Iterable[Status]) -> dict[str, int]:
    """Return how many matches there are in each state, with all workers."""
    total: dict[str, int] = {}
    for now in standings:
        for state, count in now.matches.items():
            known = total.get(state, 0)
            total[state] = max(known, count) if state == _SHARED else known + count
    return total


def engines_seen(standings: Iterable[Status]) -> EnginesLine | None:
    """Return what workers see of their engine's servers: away is what any of them says is away."""
    seen = [now.engines for now in standings if now.engines is not None]
    if not seen:
        return None
    told = [line for line in seen if line.answer] or seen
    names = dict.fromkeys(name for line in told for name in line.names)
    away = dict.fromkeys(name for line in told for name in line.away)
    return EnginesLine(names=(*names,), away=(*away,), answer=any(line.answer for line in seen))

"""Output of the operator's commands: a server's standing, and its matches as a table."""

from sunglare_server.accounts.role_names import SOMEONE
from sunglare_server.base.timestamps import moment
from sunglare_server.ops.cluster.merging import all_matches, engines_seen
from sunglare_server.ops.control.answers import (
    Answer,
    AuditRow,
    Cluster,
    CopyLine,
    EnginesLine,
    GatewayStanding,
    MatchRow,
    ReportRow,
    SanctionRow,
    Status,
    WorkerLine,
)

_MIB = 1024 * 1024


def answer_lines(answer: Answer) -> list[str]:
    """Return what is printed of an answer: what was asked for, or what was done."""
    if answer.standing is not None:
        return status_lines(answer.standing)
    if answer.cluster is not None:
        return cluster_lines(answer.cluster)
    if answer.gateway is not None:
        return gateway_lines(answer.gateway)
    if answer.matches is not None:
        return match_lines(answer.matches)
    return _orderly_lines(answer)


def _orderly_lines(answer: Answer) -> list[str]:
    aside = _aside_lines(answer.set_aside)
    if answer.reports is not None:
        return report_lines(answer.reports) + aside
    if answer.bans is not None:
        return ban_lines(answer.bans) + aside
    if answer.deeds is not None:
        return deed_lines(answer.deeds) + aside
    if answer.owner is not None:
        return [f"{answer.owner.mark}: {answer.owner.name}, account {answer.owner.account}"]
    return [answer.done or ""]


def status_lines(now: Status) -> list[str]:
    """Return how a server is doing, one kind of thing a line."""
    matches = ", ".join(f"{count} {state}" for state, count in now.matches.items() if count)
    latest = f", the latest {now.latest_ms} ms late" if now.releases else ""
    size = f", {now.journal_bytes // _MIB} MiB" if now.has_file else ""
    written = f"{now.records} records, {now.refused_appends} refused"
    if now.has_file:
        written = (
            f"{now.records} records in {now.commits} commits,"
            f" {now.refused_appends} refused, {now.queue} waiting"
        )
    return [
        f"server      {now.state} at {now.url}, version {now.version}, process {now.pid}",
        *_end_lines(now.ends_s),
        f"up          {age(now.uptime_s)}, {now.memory_bytes // _MIB} MiB of memory",
        f"people      {now.connections} connections, {now.muted} muted, {now.banned} banned",
        f"matches     {matches or 'none'}",
        f"journal     {now.journal}{size}",
        *_aside_lines(now.set_aside),
        *([] if now.copy is None else [f"copy        {_copied(now.copy)}"]),
        f"written     {written}",
        *_unstored_lines(now.unstored_s),
        *([] if now.engines is None else [f"engines     {_engines(now.engines)}"]),
        f"releases    {now.releases} on the beat, {now.slips} slipped{latest}",
    ]


def _aside_lines(names: tuple[str, ...]) -> list[str]:
    ways = " or ".join(f"`{names[0]} {do}`" for do in ("restore", "clear")) if names else ""
    return [f"SET ASIDE   as damaged: {', '.join(names)}; decide by {ways}"] if names else []


def _copied(copy: CopyLine) -> str:
    since = "not whole yet" if copy.behind_s is None else f"{copy.behind_s} s behind"
    return f"{copy.path}, {since}{'' if copy.error is None else f', FAILS: {copy.error}'}"


def _unstored_lines(unstored_s: int | None) -> list[str]:
    if unstored_s is None:
        return []
    return [f"NOT STORED  since {age(unstored_s)}: new players are not admitted; the log says why"]


def _engines(engines: EnginesLine) -> str:
    known, away = len(engines.names), len(engines.away)
    if not engines.answer:
        return f"NO ANSWER of one that leads; {known} were known"
    there = f"{known - away} of {known}"
    return f"{there}, AWAY OR BEHIND: {', '.join(engines.away)}" if away else there


def _end_lines(ends_s: int | None) -> list[str]:
    return [] if ends_s is None else [f"ends        in {age(ends_s)}, whatever runs then"]


def gateway_lines(now: GatewayStanding) -> list[str]:
    """Return how a gateway is doing, one kind of thing a line."""
    link = "connected" if now.is_linked else "NOT CONNECTED"
    heard = ", ".join([_heard_of(now, name) for name in now.workers]) or "none"
    where = f"at {now.url}, version {now.version}, process {now.pid}"
    return [
        f"gateway     {now.name}, {now.state} {where}",
        *_end_lines(now.ends_s),
        f"up          {age(now.uptime_s)}, {now.memory_bytes // _MIB} MiB of memory",
        f"people      {now.connections} connections",
        f"workers     {link}; heard of: {heard}",
        f"matches     no worker answers for {now.stalled}",
    ]


def _heard_of(now: GatewayStanding, worker: str) -> str:
    return f"{worker} (CANNOT STORE)" if worker in now.unable else worker


def cluster_lines(now: Cluster) -> list[str]:
    """Return a line for each worker and one for their sum, then one for each gateway."""
    standings = [line.standing for line in now.workers if line.standing is not None]
    head = ("worker", "state", "up", "memory", "people", "matches", "records", "refused", "slips")
    rows = [head, *(_worker_cells(line) for line in now.workers)]
    if len(standings) > 1:
        rows.append(_sum_cells(standings))
    lines = _table(rows)
    lines += [
        f"{line.name} has SET ASIDE as damaged: {', '.join(line.standing.set_aside)}"
        for line in now.workers
        if line.standing is not None and line.standing.set_aside
    ]
    seen = engines_seen(standings)
    if seen is not None:
        lines += ["", f"engines  {_engines(seen)}"]
    gateways = [
        (line.name, line.trust, str(line.connections), f"{line.heard_ms / 1000:.1f} s ago")
        for line in now.gateways
    ]
    if gateways:
        lines += ["", *_table([("gateway", "for", "people", "heard of"), *gateways])]
    return lines


def is_well(answer: Answer) -> bool:
    """Return whether an answer shows no server that can store nothing."""
    if answer.gateway is not None:
        workers = answer.gateway.workers
        return not workers or answer.gateway.unable != workers
    lines = () if answer.cluster is None else answer.cluster.workers
    standings = [answer.standing, *(line.standing for line in lines)]
    return all(now is None or now.unstored_s is None for now in standings)


def _worker_cells(line: WorkerLine) -> tuple[str, ...]:
    now = line.standing
    if now is None:
        return (line.name, (line.error or "tells nothing").upper())
    up, counts = age(now.uptime_s), _counts([now])
    return (line.name, now.state, up, *counts)


def _sum_cells(standings: list[Status]) -> tuple[str, ...]:
    return (f"{len(standings)} in all", "", "", *_counts(standings))


def _counts(standings: list[Status]) -> tuple[str, ...]:
    matches = all_matches(standings)
    return (
        f"{sum(now.memory_bytes for now in standings) // _MIB} MiB",
        str(sum(now.connections for now in standings)),
        ", ".join(f"{count} {state}" for state, count in matches.items() if count) or "none",
        str(sum(now.records for now in standings)),
        str(sum(now.refused_appends for now in standings)),
        str(sum(now.slips for now in standings)),
    )


def match_lines(rows: tuple[MatchRow, ...]) -> list[str]:
    """Return the matches as a table with a head."""
    if not rows:
        return ["no matches"]
    head = ("match", "scenario", "clock", "state", "age", "ears", "slips", "seats")
    lines = _table([head, *(_cells(row) for row in rows)])
    return [*lines, *(f"{row.match}: {row.why}" for row in rows if row.why is not None)]


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Return rows whose cells stand below each other; a row may end early with a long one."""
    most = len(rows[0])
    whole = [row for row in rows if len(row) == most]
    widths = [max(len(row[column]) for row in whole) for column in range(most)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def report_lines(rows: tuple[ReportRow, ...]) -> list[str]:
    """Return each report: who, of whom, where and when, the words, and what was said around it."""
    return [line for row in rows for line in _lines_of_report(row)] or ["no reports"]


def _lines_of_report(row: ReportRow) -> list[str]:
    by = row.by if row.by_side is None else f"{row.by_side} {row.by}"
    where = "" if row.window is None else f", in {row.window}"
    done = "  DONE" if row.done else ""
    head = f"{row.match}  {age(row.age_s)} ago{where}  {by} of {row.side} {row.of}{done}"
    said = [f"    {moment(word.at_ms)}  {word.side}: {word.text}" for word in row.said]
    return [head, f"  {row.text}", *said]


def ban_lines(rows: tuple[SanctionRow, ...]) -> list[str]:
    """Return the bans and mutes as a table with a head."""
    if not rows:
        return ["nobody is banned or muted"]
    head = ("kind", "whom", "since", "until", "reason")
    return _table([head, *(_ban_cells(row) for row in rows)])


def deed_lines(rows: tuple[AuditRow, ...]) -> list[str]:
    """Return each entry of the operators' log: who asked what when, and below it the outcome."""
    if not rows:
        return ["the operators' log is empty"]
    lines: list[str] = []
    for row in rows:
        lines.append(f"{moment(row.at_ms)}  {row.by}  {row.asked}")
        lines += [f"  {line}" for line in row.outcome.splitlines() or [""]]
    return lines


def _ban_cells(row: SanctionRow) -> tuple[str, ...]:
    # Of an account that has no name any more the id alone says which one it is.
    whom = f"{row.whom} ({row.account})" if row.whom == SOMEONE else row.whom
    until = "no end" if row.until_ms is None else moment(row.until_ms)
    return row.kind, whom, moment(row.since_ms), until, row.reason or "-"


def _cells(row: MatchRow) -> tuple[str, ...]:
    seats = [f"{seat.side} {seat.name}{' (bot)' if seat.bot else ''}" for seat in row.seats]
    return (
        row.match,
        row.scenario,
        row.clock,
        f"{row.state}{', private' if row.private else ''}",
        "-" if row.age_s is None else age(row.age_s),
        str(row.listeners),
        str(row.slips),
        ", ".join(seats) or "-",
    )


def age(seconds: int) -> str:
    """Return a time in its two largest units."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    if days:
        return f"{days} d {hour} h"
    if hours:
        return f"{hours} h {minute} min"
    return f"{minutes} min {second} s" if minutes else f"{second} s"

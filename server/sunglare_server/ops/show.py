"""What the operator's commands print: a server's standing, and its matches as a table."""

from sunglare_server.ops.requests import GatewayStanding, MatchRow, ReportRow, Status

_MIB = 1024 * 1024


def status_lines(now: Status) -> list[str]:
    """Return how a server is doing, one kind of thing a line."""
    matches = ", ".join(f"{count} {state}" for state, count in now.matches.items() if count)
    latest = f", the latest {now.latest_ms} ms late" if now.releases else ""
    size = f", {now.journal_bytes // _MIB} MiB" if now.has_file else ""
    written = f"{now.records} records in {now.commits} commits"
    return [
        f"server      {now.state} at {now.url}, version {now.version}, process {now.pid}",
        f"up          {age(now.uptime_s)}, {now.memory_bytes // _MIB} MiB of memory",
        f"people      {now.connections} connections, {now.muted} muted",
        f"matches     {matches or 'none'}",
        f"journal     {now.journal}{size}",
        f"written     {written}, {now.refused_appends} refused, {now.queue} waiting",
        f"releases    {now.releases} on the beat, {now.slips} slipped{latest}",
    ]


def gateway_lines(now: GatewayStanding) -> list[str]:
    """Return how a gateway is doing, one kind of thing a line."""
    link = "connected" if now.is_linked else "NOT CONNECTED"
    heard = ", ".join(now.workers) or "none"
    where = f"at {now.url}, version {now.version}, process {now.pid}"
    return [
        f"gateway     {now.name}, {now.state} {where}",
        f"up          {age(now.uptime_s)}, {now.memory_bytes // _MIB} MiB of memory",
        f"people      {now.connections} connections",
        f"workers     {link}; heard of: {heard}",
        f"matches     nobody answers for {now.stalled}",
    ]


def match_lines(rows: tuple[MatchRow, ...]) -> list[str]:
    """Return the matches as a table with a head."""
    if not rows:
        return ["no matches"]
    head = ("match", "scenario", "clock", "state", "age", "ears", "slips", "seats")
    table = [head, *(_cells(row) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]


def report_lines(rows: tuple[ReportRow, ...]) -> list[str]:
    """Return each report in two lines: who, of whom, where and when, and the words."""
    if not rows:
        return ["no reports"]
    lines: list[str] = []
    for row in rows:
        lines.append(f"{row.match}  {age(row.age_s)} ago  {row.by} of {row.side} {row.of}")
        lines.append(f"  {row.text}")
    return lines


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

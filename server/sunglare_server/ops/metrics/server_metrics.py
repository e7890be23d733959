"""The figures of a server or a worker, as they are now; none names a match."""

from typing import Final

from prometheus_client.metrics_core import Metric

from sunglare_protocol.messages.replies import ResumeKind
from sunglare_server.ops.control.answers import CopyLine, EnginesLine, Status
from sunglare_server.ops.control.overview import Installation, status
from sunglare_server.ops.metrics.memory import in_mib, memory_bytes
from sunglare_server.ops.metrics.prometheus_families import (
    counter,
    gauge,
    histogram,
    of_lines,
    of_process,
)
from sunglare_server.runtime.timing import Figures
from sunglare_server.sqlite.damaged_table_names import PARTS

AVERAGED_LEAST: Final = 10
"""OWN: of fewer matches no average is shown, or it would reveal how large one of them is."""


async def server_figures(site: Installation) -> tuple[Metric, ...]:
    """Return the figures of a server or a worker; raise `MediumError` if it can't count them."""
    now, figures = await status(site), site.lobby.matches.scheduler.figures
    far = () if site.rpc_server is None else (site.rpc_server.sessions.figures,)
    return (
        *of_process(now.uptime_s, is_draining=site.lobby.policy.is_draining, lag=figures.lag),
        *of_lines(site.gateway, figures.refused, *far),
        *_of_people(site, now),
        *_of_journal(site, now),
        *_of_copy(now.copy),
        *_of_releases(now),
        *_of_matches(site, now),
        *_of_waits(site, figures),
        *_of_cluster(site, figures),
        *_of_engines(now.engines),
    )


def _of_people(site: Installation, now: Status) -> tuple[Metric, ...]:
    returns = site.lobby.matches.scheduler.figures.returns.by_name
    kinds = {kind.value: returns.get(kind.value, 0) for kind in ResumeKind}
    text = "Feeds taken up again: exact, or a reset, as what was missed is not kept any more."
    return (
        gauge("connections", "Connections of players and spectators.", now.connections),
        gauge(
            "spectators", "Feeds that are watched.", site.lobby.matches.subscriptions.spectators
        ),
        gauge("muted", "Accounts whose chat is refused.", now.muted),
        counter("returns", text, kinds, "kind"),
    )


def _of_journal(site: Installation, now: Status) -> tuple[Metric, ...]:
    age_ms = 0.0 if site.database is None else site.database.queue_age_ms
    return (
        counter("records_appended", "Records stored.", now.records),
        counter("appends_refused", "Appends not stored.", now.refused_appends),
        counter("commits", "Transactions made durable.", now.commits),
        gauge("journal_queue", "Writes that wait for a commit.", now.queue),
        gauge("journal_queue_age_seconds", "How long the oldest has waited.", age_ms / 1000),
        gauge("journal_bytes", "Size of the database and its log.", now.journal_bytes),
        gauge(
            "set_aside",
            "1 for what is set aside as damaged, until `restore` or `clear`.",
            {name: int(name in now.set_aside) for name in PARTS},
            "what",
        ),
        gauge("storing", "1 while all that is written is stored.", int(now.unstored_s is None)),
    )


def _of_copy(copy: CopyLine | None) -> tuple[Metric, ...]:
    """Return how the copy of the database is doing, if one is kept."""
    if copy is None:
        return ()
    failing = gauge("copy_failing", "1 while the copy can't be written.", int(bool(copy.error)))
    if copy.behind_s is None:
        return (failing,)
    return (failing, gauge("copy_behind_seconds", "How far the copy is behind.", copy.behind_s))


def _of_releases(now: Status) -> tuple[Metric, ...]:
    latest_s = now.latest_ms / 1000
    return (
        counter("releases", "Windows released on the beat.", now.releases),
        counter("slips", "Releases that slipped to a later beat.", now.slips),
        gauge("release_latest_seconds", "The latest release after its beat.", latest_s),
    )


def _of_matches(site: Installation, now: Status) -> tuple[Metric, ...]:
    loaded = len(site.handles)
    shown = [gauge("matches", "Matches by state.", now.matches, "state")]
    if loaded >= AVERAGED_LEAST:
        each = in_mib(max(0, memory_bytes() - site.idle_bytes) // loaded)
        shown.append(gauge("memory_per_match_bytes", "On average, of those in memory.", each))
    return (*shown, gauge("matches_loaded", "Matches in memory.", loaded))


def _of_waits(site: Installation, figures: Figures) -> tuple[Metric, ...]:
    quick, waits = site.lobby.quick, figures.waits
    queues = {"commands": waits.taken, "quick": figures.placed}
    stored = {} if site.database is None else {"journal": site.database.waits}
    return (
        gauge("quick_waiting", "People who wait for a quick match.", quick.waiting),
        gauge("quick_age_seconds", "How long the first has waited.", quick.oldest_ms / 1000),
        histogram("queue_wait_seconds", "Waits in a queue.", {**queues, **stored}, "queue"),
        histogram(
            "append_seconds", "From the append of records to their storing.", figures.stored
        ),
        histogram("order_accepted_seconds", "From orders to `accepted`.", waits.accepted),
        histogram("close_to_frame_seconds", "From a window's end to its frames.", waits.shown),
        histogram(
            "step_seconds",
            "Work of a record, by family of scenarios, of matches that are over.",
            figures.steps,
            "family",
        ),
    )


def _of_cluster(site: Installation, figures: Figures) -> tuple[Metric, ...]:
    """Return what there is where workers share their matches."""
    if site.signs is None:
        return ()
    age_ms, gaps = site.signs()
    return (
        counter("takeovers", "Matches taken over that nobody owned.", figures.takeovers),
        counter("fenced", "Matches lost to another owner.", figures.fenced),
        counter("gaps", "Times that something of the engine did not come.", gaps),
        gauge("heartbeat_age_seconds", "Age of the last own beat that was heard.", age_ms / 1000),
    )


def _of_engines(engines: EnginesLine | None) -> tuple[Metric, ...]:
    """Return which servers of an engine are there; nothing while none of them can say."""
    if engines is None or not engines.answer:
        return ()
    known, away = len(engines.names), len(engines.away)
    return (
        gauge("engines", "Engines that keep the records, those that are away included.", known),
        gauge("engines_away", "Engines that are away, or behind the others.", away),
    )

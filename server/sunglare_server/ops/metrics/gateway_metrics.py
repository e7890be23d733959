"""The figures of a gateway: its connections, and what it knows of workers; it knows no match."""

from typing import final

import msgspec
from prometheus_client.metrics_core import Metric

from sunglare_server.base.clock import Clock
from sunglare_server.base.histograms import CounterByName, Histogram
from sunglare_server.gateway.gateway import Gateway
from sunglare_server.gateway.remote.service import RemoteService
from sunglare_server.ops.metrics.prometheus_families import counter, gauge, of_lines, of_process


@final
class GatewaySite(msgspec.Struct, frozen=True):
    """The parts of a running gateway whose figures are shown; `lag` is that of its loop."""

    gateway: Gateway
    service: RemoteService
    clock: Clock
    started_ms: int
    lag: Histogram


async def gateway_figures(site: GatewaySite) -> tuple[Metric, ...]:
    """Return the figures of a gateway as they are now."""
    uptime_s = (site.clock.now_ms() - site.started_ms) // 1000
    service = site.service
    ages = {worker: ms / 1000 for worker, ms in service.silences_ms.items()}
    return (
        # One that ends has no port any more at which it would be asked.
        *of_process(uptime_s, is_draining=False, lag=site.lag),
        *of_lines(site.gateway, CounterByName()),
        gauge("connections", "Connections of players and spectators.", site.gateway.connections),
        gauge("linked", "1 while there is a connection to the workers.", int(service.is_up)),
        gauge("workers", "Workers that give signs of life.", len(service.workers)),
        gauge("stalled_matches", "Matches of its lines that nobody answers.", service.stalled),
        gauge("heartbeat_age_seconds", "Since a worker was heard of.", ages, "worker"),
        counter("gaps", "Times that a parcel came before what lies between.", service.gaps),
    )

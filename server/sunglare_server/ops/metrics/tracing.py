"""Traces of orders for OpenTelemetry: when each came, was stored, accepted, and shown.

Theory of operation. Traces are off unless the operator names a collector, and need the extra
`trace`. Each order is a trace of its own: a span `order` from its coming until the frames of its
window are out, and in it `store`, `accept` and `release`, one after the other. No span has an
attribute: neither match, side nor account, nor what was ordered. As with figures, how long things
took reveals something of a match that runs; so its orders are traced when it is over, as far as
they are kept.

Spans are made a few at a time while no callback is due, and sent by a thread of their own. A
collector that does not answer costs the traces that it should have had, and a line in the log.
"""

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, final

import structlog
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import set_span_in_context

from sunglare_protocol import __version__
from sunglare_server.base.worker import Worker
from sunglare_server.runtime.inbox import Way

SEND_S: Final = 5.0
"""OWN: a collector that has not answered by then is given up."""

AT_ONCE: Final = 16
"""OWN: so many orders are made into spans before anybody else has a turn."""

WAITING_MOST: Final = 20_000
"""OWN: so many orders may wait to be sent; of more the oldest are dropped."""

_NS_PER_MS: Final = 1_000_000


@final
class Tracing:
    """Sends the ways of orders to a collector."""

    def __init__(self, url: str, wait_idle: Callable[[], Awaitable[None]]) -> None:
        """Send to `url` by OTLP over HTTP; `wait_idle` returns when spans may be made."""
        self._made = InMemorySpanExporter()
        named = Resource({SERVICE_NAME: "sunglare", SERVICE_VERSION: __version__})
        provider = TracerProvider(resource=named, sampler=ALWAYS_ON, shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self._made))
        self._tracer = provider.get_tracer("sunglare")
        self._exporter = OTLPSpanExporter(endpoint=url, timeout=SEND_S)
        self._worker = Worker("traces")
        self._wait_idle = wait_idle
        self._waiting: deque[Way] = deque(maxlen=WAITING_MOST)
        self._filled = asyncio.Event()
        self._log = structlog.get_logger()
        # What it has to say of a collector is said in our own words.
        logging.getLogger("opentelemetry").addHandler(logging.NullHandler())
        logging.getLogger("opentelemetry").propagate = False

    def take(self, ways: Iterable[Way]) -> None:
        """Have these sent soon."""
        self._waiting.extend(ways)
        self._filled.set()

    async def run(self) -> None:
        """Send what waits, until cancelled."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._waiting:
                await self._wait_idle()
                await self._send(self._some_spans())

    async def close(self) -> None:
        """Send nothing more; what waits is lost."""
        self._waiting.clear()
        self._exporter.shutdown()  # type: ignore[no-untyped-call] # the library says no types
        self._worker.end()

    async def _send(self, spans: tuple[ReadableSpan, ...]) -> None:
        result = await self._worker.run(lambda: self._exporter.export(spans))
        if result is not SpanExportResult.SUCCESS:
            lost = len(self._waiting) + sum(span.parent is None for span in spans)
            # Each batch would be waited for as long.
            self._waiting.clear()
            self._log.warning("traces_not_sent", orders=lost)

    def _some_spans(self) -> tuple[ReadableSpan, ...]:
        for _ in range(min(AT_ONCE, len(self._waiting))):
            self._trace(self._waiting.popleft())
        spans = self._made.get_finished_spans()
        self._made.clear()
        return tuple(spans)

    def _trace(self, way: Way) -> None:
        order = self._tracer.start_span("order", Context(), start_time=way.taken_ms * _NS_PER_MS)
        within = set_span_in_context(order, Context())
        times = (way.taken_ms, way.stored_ms, way.accepted_ms, way.shown_ms)
        for name, (began_ms, ended_ms) in zip(
            ("store", "accept", "release"), itertools.pairwise(times), strict=True
        ):
            part = self._tracer.start_span(name, within, start_time=began_ms * _NS_PER_MS)
            part.end(ended_ms * _NS_PER_MS)
        order.end(way.shown_ms * _NS_PER_MS)

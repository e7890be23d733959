"""What a server shows Prometheus, asked for over its port and read by Prometheus's own library."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple, final

from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_open
from prometheus_client.parser import text_string_to_metric_families as read_text

from builders.wires import WAIT_S

OPEN_METRICS = "application/openmetrics-text; version=1.0.0"

REQUEST = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"


@final
class Scrape(NamedTuple):
    """What came over HTTP."""

    status: int
    head: str
    body: str

    @property
    def families(self) -> tuple[Metric, ...]:
        """Return the figures by family, read by the format that the head names."""
        is_open = "application/openmetrics-text" in self.head
        return tuple((read_open if is_open else read_text)(self.body))


Figures = dict[str, float]
"""Numbers by name, with the labels as in `sunglare_matches{state="running"}`."""


async def http(port: int | None, request: bytes = REQUEST) -> Scrape:
    """Send a request to a port for figures and return the response."""
    assert port is not None
    async with asyncio.timeout(WAIT_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        data = await reader.read()
        writer.close()
    head, _, body = data.decode().partition("\r\n\r\n")
    return Scrape(int(head.split(" ")[1]), head, body)


async def figures(port: int | None) -> Figures:
    """Return the figures that a port gives."""
    scrape = await http(port)
    assert scrape.status == 200
    return flat(scrape.families)


async def figures_once(port: int, is_so: Callable[[Figures], bool]) -> Figures:
    """Return the figures that a port gives, once something is so of them."""
    async with asyncio.timeout(WAIT_S):
        while not is_so(now := await figures(port)):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.05)
    return now


def flat(families: tuple[Metric, ...]) -> Figures:
    """Return every number of some families by its name and labels; none stands there twice."""
    samples = [sample for family in families for sample in family.samples]
    shown = {f"{one.name}{_labels(one.labels)}": one.value for one in samples}
    assert len(shown) == len(samples)
    return shown


def _labels(labels: dict[str, str]) -> str:
    said = ",".join(f'{name}="{value}"' for name, value in labels.items())
    return f"{{{said}}}" if said else ""

"""Traces of orders, sent to a real collector: what they tell, when, and what they never do."""

import threading
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from structlog.testing import capture_logs

from builders.collectors import Collector, collector
from builders.fakeserver import until
from builders.players import play_on, started
from builders.runners import runners_of
from builders.servers import running_app
from builders.wires import met
from sunglare_server.app import App
from sunglare_server.cli import read_settings
from sunglare_server.config import Settings

PARTS = ("store", "accept", "release")


async def played(app: App, *names: str) -> list[str]:
    """Play a window of a match of two with these names, or of guests, and end it.

    Return the names that it goes by: its own id, and those of the accounts.
    """
    first, second = names or (None, None)
    async with met(app.url, first) as anna, met(app.url, second) as boris:
        players = await started([anna, boris], title="Secret title")
        await play_on(players, 1)
        accounts = [seat.account for seat in app.lobby.rooms[players[0].match].seats]
        runner = runners_of(app.lobby.matches)[players[0].match]
        await players[0].resign()
        await runner.over.wait()
    return [players[0].match, *accounts]


def by_trace(spans: list[Span]) -> list[list[Span]]:
    traces = defaultdict[bytes, list[Span]](list)
    for span in spans:
        traces[span.trace_id].append(span)
    return list(traces.values())


async def sent(collected: Collector, orders: int) -> list[Span]:
    await until(lambda: len(collected.spans) >= orders * (1 + len(PARTS)))
    return collected.spans


async def test_each_order_is_a_trace_of_its_way_in_order(tmp_path: Path) -> None:
    with collector() as collected:
        async with running_app(tmp_path, trace=f"{collected.url}/v1/traces") as app:
            await played(app)
            spans = await sent(collected, 2)
    assert {*collected.paths} == {"/v1/traces"}
    traces = by_trace(spans)
    assert len(traces) == 2
    for trace in traces:
        (whole,) = [span for span in trace if not span.parent_span_id]
        parts = {span.name: span for span in trace if span.parent_span_id == whole.span_id}
        assert whole.name == "order"
        assert {*parts} == {*PARTS}
        times = [parts[name].start_time_unix_nano for name in PARTS]
        ends = [parts[name].end_time_unix_nano for name in PARTS]
        assert [whole.start_time_unix_nano, *ends[:-1]] == times
        assert times == sorted(times)
        assert whole.end_time_unix_nano == ends[-1]


async def test_a_trace_tells_nothing_but_times(tmp_path: Path) -> None:
    with collector() as collected:
        async with running_app(tmp_path, trace=f"{collected.url}/v1/traces") as app:
            ids = await played(app, "Anna", "Boris")
            spans = await sent(collected, 2)
    assert {*map(len, (span.attributes for span in spans))} == {0}
    assert not any(span.events or span.links or span.trace_state for span in spans)
    assert {name for said in collected.resources for name in said} == {
        "service.name",
        "service.version",
    }
    hidden = [*ids, "Anna", "Boris", "Secret title", "shadow-of-ceres"]
    for body in collected.bodies:
        assert not [text for text in hidden if text.encode() in body]


async def test_nothing_is_sent_of_a_match_before_it_is_over(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        collected = stack.enter_context(collector())
        app = await stack.enter_async_context(
            running_app(tmp_path, trace=f"{collected.url}/v1/traces")
        )
        talkers = [await stack.enter_async_context(met(app.url)) for _ in range(2)]
        players = await started(talkers)
        await play_on(players, 1)
        # Another match ends meanwhile, so what is sent by now has come.
        await played(app)
        assert len(by_trace(await sent(collected, 2))) == 2
        await players[0].resign()
        assert len(by_trace(await sent(collected, 4))) == 4


async def test_a_collector_that_does_not_answer_costs_a_line_in_the_log(tmp_path: Path) -> None:
    with collector() as gone:
        url = f"{gone.url}/v1/traces"
    with capture_logs() as logs:
        async with running_app(tmp_path, trace=url) as app:
            await played(app)
            await until(lambda: any("traces" in line["event"] for line in logs))
            await played(app)
    (line, *_) = [line for line in logs if "traces" in line["event"]]
    assert (line["event"], line["orders"]) == ("traces_not_sent", 2)
    assert not [line for line in logs if line["log_level"] == "error"]


async def test_nobody_is_traced_unless_it_is_asked_for(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app:
        assert app.lobby.matches.scheduler.figures.traced is None
        assert not [one for one in threading.enumerate() if one.name.startswith("traces")]
    assert Settings().trace == ""


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
        ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
        ("https://otel.example.org/own/path", "https://otel.example.org/own/path"),
        ("", ""),
    ],
)
def test_a_collector_is_named_with_or_without_the_path_of_the_protocol(
    said: str, meant: str
) -> None:
    assert read_settings(["--trace", said]).trace == meant


@pytest.mark.parametrize("said", ["127.0.0.1:4318", "ftp://x", "http://", "http://x:99999"])
def test_what_is_no_address_of_a_collector_is_refused_in_a_sentence(
    said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_settings(["--trace", said])
    assert ended.value.code == 2
    assert f"argument --trace: {said!r}: an address such as http://" in capsys.readouterr().err

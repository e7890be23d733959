"""The figures for Prometheus: their format, what they count, and what they may not name."""

import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.fakeserver import until
from builders.players import Player, play_on, started
from builders.runners import runners_of
from builders.scrapes import OPEN_METRICS, Figures, figures, flat, http
from builders.servers import running_app
from builders.wires import met
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.messages import GiveOrders, Info, Resume, Watch
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.config import Settings
from sunglare_server.ops.metrics.memory import MIB

UPGRADE = (
    b"GET /play HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: c2l4dGVlbiBieXRlcyAhIQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
FAMILY = '{family="shadow-of-ceres"}'


async def app_with_metrics(folder: Path) -> App:
    app = App(Settings(port=0, journal=folder / "journal.db", bots=(), metrics=0))
    await app.start()
    return app


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    running = await app_with_metrics(tmp_path)
    yield running
    await running.stop()


async def shown(app: App) -> Figures:
    return await figures(app.metrics.port)


async def test_the_figures_count_what_happened(app: App) -> None:
    assert (await shown(app))["sunglare_records_appended_total"] == 0
    async with met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        await play_on(players, 2)
        now = await shown(app)
        runner = runners_of(app.lobby.matches)[players[0].match]
        assert now["sunglare_connections"] == 2
        assert now['sunglare_matches{state="running"}'] == 1
        assert now['sunglare_matches{state="over"}'] == 0
        assert now["sunglare_records_appended_total"] == len(await runner.archiving.records())
        assert now["sunglare_commits_total"] >= now["sunglare_records_appended_total"] // 2
        assert now["sunglare_append_seconds_count"] > 0
        assert now['sunglare_queue_wait_seconds_count{queue="journal"}'] > 0
        assert now["sunglare_memory_bytes"] > 1_000_000
        assert now["sunglare_journal_bytes"] > 4096
        await anna.resign(players[0].match)
        await runner.over.wait()
        assert (await shown(app))['sunglare_matches{state="over"}'] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell less of a process")
async def test_the_process_has_its_standard_figures_but_for_its_time_on_the_processor(
    app: App,
) -> None:
    now = {name: value for name, value in (await shown(app)).items() if name[:8] == "process_"}
    sizes = ("process_resident_memory_bytes", "process_virtual_memory_bytes")
    assert {*now} == {*sizes, "process_open_fds", "process_max_fds", "process_start_time_seconds"}
    assert all(now[size] > MIB and now[size] % MIB == 0 for size in sizes)
    assert 0 < now["process_open_fds"] <= now["process_max_fds"]
    assert time.time() - 86_400 < now["process_start_time_seconds"] <= time.time() + 1


async def test_the_figures_tell_how_far_the_copy_is_behind(tmp_path: Path) -> None:
    async with running_app(tmp_path, metrics=0, copy=tmp_path / "nowhere") as app:
        now = await shown(app)
        assert now["sunglare_copy_failing"] == 1
        assert "sunglare_copy_behind_seconds" not in now
    (tmp_path / "there").mkdir()
    async with running_app(tmp_path, metrics=0, copy=tmp_path / "there") as app:
        copier = app.operator.site.copier
        assert copier is not None
        await until(lambda: copier.standing.behind_ms is not None)
        now = await shown(app)
        assert now["sunglare_copy_failing"] == 0
        assert now["sunglare_copy_behind_seconds"] >= 0


async def test_no_figure_names_a_match_not_even_one_that_is_over(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris:
        left, right = await started([anna, boris])
        await play_on([left, right], 1)
        assert left.match not in "".join(await shown(app))
        await anna.resign(left.match)
        runner = runners_of(app.lobby.matches)[left.match]
        await runner.over.wait()
        assert left.match not in "".join(await shown(app))


async def _refused_orders(player: Player) -> Code:
    """Give orders for a window that is not open, which is refused."""
    return await player.code(GiveOrders, window="9.plot", rev=1, orders=(), lock=False)


async def test_what_a_match_off_the_beat_took_and_refused_counts_once_it_is_over(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris:
        left, right = await started([anna, boris])
        assert await _refused_orders(left) is Code.WINDOW_CLOSED
        await play_on([left, right], 1)
        now = await shown(app)
        code = f'sunglare_refusals_total{{code="{Code.WINDOW_CLOSED.value}"}}'
        assert code not in now
        assert not any(name.startswith("sunglare_step_seconds") for name in now)
        assert now["sunglare_order_accepted_seconds_count"] == 0
        assert now["sunglare_close_to_frame_seconds_count"] == 0
        runner = runners_of(app.lobby.matches)[left.match]
        await anna.resign(left.match)
        await runner.over.wait()
        now = await shown(app)
        assert now[code] == 1
        assert now[f"sunglare_step_seconds_count{FAMILY}"] == runner.length
        assert now["sunglare_order_accepted_seconds_count"] == 2
        assert now["sunglare_close_to_frame_seconds_count"] >= 2


async def test_waits_of_a_match_on_the_beat_count_at_once_and_its_work_does_not(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris:
        left, right = await started([anna, boris], options={"clock": "blitz"})
        assert await _refused_orders(left) is Code.WINDOW_CLOSED
        await play_on([left, right], 1)
        now = await shown(app)
        assert now["sunglare_order_accepted_seconds_count"] == 2
        # That of the start, and that of the window that both have locked.
        assert now["sunglare_close_to_frame_seconds_count"] == 2
        assert not any(name.startswith("sunglare_step_seconds") for name in now)
        assert not any(Code.WINDOW_CLOSED.value in name for name in now)


async def test_refusals_that_are_not_of_play_count_at_once(app: App) -> None:
    async with met(app.url) as anna:
        assert await anna.code(Resume, match="a" * 26, ticket="x" * 43) is Code.TICKET_BAD
        assert await anna.code(Info, match="a" * 26) is Code.MATCH_UNKNOWN
        now = await shown(app)
    for code in (Code.TICKET_BAD, Code.MATCH_UNKNOWN):
        assert now[f'sunglare_refusals_total{{code="{code.value}"}}'] == 1


async def test_returns_superseded_lines_and_spectators_are_counted(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris, met(app.url) as petra:
        left, _ = await started([anna, boris])
        await petra.ask(Watch, match=left.match, feed=PUBLIC)
        assert (await shown(app))["sunglare_spectators"] == 1
        async with met(app.url, token=anna.token) as again:
            back = await left.resume(again, have=None)
            await back.frame()
            await anna.wait_closed()
            async with met(app.url, token=anna.token) as third:
                await (await back.resume(third, have=10**6)).frame()
                await again.wait_closed()
                closed = app.operator.site.gateway.figures.closed.by_name
                await until(lambda: closed.get("superseded") == 2)
                now = await shown(app)
    assert now['sunglare_connections_closed_total{why="superseded"}'] == 2
    assert now['sunglare_returns_total{kind="exact"}'] == 1
    assert now['sunglare_returns_total{kind="reset"}'] == 1


async def test_those_who_are_turned_away_are_counted_by_reason(tmp_path: Path) -> None:
    settings = Settings(port=0, journal=tmp_path / "j.db", bots=(), metrics=0, connections=1)
    app = App(settings)
    await app.start()
    async with met(app.url) as anna:
        await anna.ping()
        game = int(app.url.rpartition(":")[2].partition("/")[0])
        assert (await http(game, UPGRADE)).status == 503
        now = await shown(app)
    assert now['sunglare_connections_turned_away_total{reason="full"}'] == 1
    assert now['sunglare_connections_turned_away_total{reason="crowded"}'] == 0
    await app.stop()


async def test_of_few_matches_no_average_of_their_memory_is_told(app: App) -> None:
    async with met(app.url) as anna, met(app.url) as boris:
        await started([anna, boris])
        now = await shown(app)
    assert now["sunglare_matches_loaded"] == 1
    assert "sunglare_memory_per_match_bytes" not in now


async def test_the_format_is_the_one_that_is_asked_for(app: App) -> None:
    plain = await http(app.metrics.port)
    assert "Content-Type: text/plain; version=0.0.4" in plain.head
    request = f"GET /metrics HTTP/1.1\r\nHost: localhost\r\nACCEPT: {OPEN_METRICS}\r\n\r\n"
    newer = await http(app.metrics.port, request.encode())
    assert "Content-Type: application/openmetrics-text; version=1.0.0" in newer.head
    assert newer.body.endswith("# EOF\n")
    assert {*flat(newer.families)} == {*flat(plain.families)}


async def test_the_figures_are_neither_on_the_game_port_nor_for_other_hosts(app: App) -> None:
    game = int(app.url.rpartition(":")[2].partition("/")[0])
    response = await http(
        game, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert response.status == 404
    assert app.metrics.port != game
    assert app.metrics.host == "127.0.0.1"


async def test_every_other_request_is_answered_shortly(app: App) -> None:
    for request_line, status in (
        (b"GET / HTTP/1.1", 404),
        (b"POST /metrics HTTP/1.1", 405),
        (b"GET /metrics?x=1 HTTP/1.0", 200),
        (b"nonsense", 404),
        (b"GET /" + b"x" * 9000, 431),
    ):
        answer = await http(app.metrics.port, request_line + b"\r\n\r\n")
        assert answer.status == status, request_line


async def test_figures_are_given_by_no_name_that_was_rebound_to_this_machine(app: App) -> None:
    for name, status in (("evil.example", 421), ("localhost", 200), ("127.0.0.1", 200)):
        request = f"GET /metrics HTTP/1.1\r\nHost: {name}\r\n\r\n"
        assert (await http(app.metrics.port, request.encode())).status == status


async def test_a_server_does_not_show_its_figures_unless_it_is_asked_to(tmp_path: Path) -> None:
    app = App(Settings(port=0, journal=tmp_path / "journal.db", bots=()))
    await app.start()
    assert app.metrics.port is None
    await app.stop()


async def test_two_servers_of_one_process_count_apart(tmp_path: Path, app: App) -> None:
    (tmp_path / "other").mkdir()
    other = await app_with_metrics(tmp_path / "other")
    async with met(app.url) as anna:
        await anna.code(Resume, match="a" * 26, ticket="x" * 43)
        ours, theirs = await shown(app), await shown(other)
    assert ours["sunglare_connections"] == 1
    assert theirs["sunglare_connections"] == 0
    assert not any("ticket/bad" in name for name in theirs)
    await other.stop()

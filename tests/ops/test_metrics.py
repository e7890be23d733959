"""The figures for Prometheus: their format, what they count, and what they may not name."""

import asyncio
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from builders.players import play_on, started
from builders.wires import met
from sunglare_server.app import App
from sunglare_server.config import Settings
from sunglare_server.ops.metrics import CONTENT_TYPE, Family, exposition

WAIT_S = 90.0

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
LINE = re.compile(
    rf"# HELP {NAME} .+|# TYPE {NAME} (?:counter|gauge|histogram|summary|untyped)|"
    rf"{NAME}(?:\{{{LABEL}(?:,{LABEL})*\}})? -?[0-9]+(?:\.[0-9]+)?"
)


class Response(NamedTuple):
    """What came over HTTP."""

    status: int
    head: str
    body: str


async def http(port: int | None, request: bytes) -> Response:
    """Send a request to the metrics' port and return the response."""
    assert port is not None
    async with asyncio.timeout(WAIT_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        data = await reader.read()
        writer.close()
    head, _, body = data.decode().partition("\r\n\r\n")
    return Response(int(head.split(" ")[1]), head, body)


async def figures(app: App) -> dict[str, int]:
    """Return the figures by name and labels, after a look at the format of every line."""
    response = await http(app.metrics.port, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    assert response.status == 200
    assert f"Content-Type: {CONTENT_TYPE}" in response.head
    assert response.body.endswith("\n")
    lines = response.body.splitlines()
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    samples = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert len(samples) == len([line for line in lines if not line.startswith("#")])
    _check_heads(lines)
    return {name: int(value) for name, value in samples.items()}


def _check_heads(lines: list[str]) -> None:
    # Of each kind HELP, TYPE and all samples stand together, in this order and once.
    order = [line.split(" ")[2] for line in lines if line.startswith("# HELP")]
    assert len(order) == len(set(order))
    names = [re.split(r"[{ ]", line.removeprefix("# "))[0] for line in lines]
    named = [
        line.split(" ")[2] if line.startswith("#") else name
        for line, name in zip(lines, names, strict=True)
    ]
    assert list(dict.fromkeys(named)) == order
    assert sorted(named, key=order.index) == named


async def app_with_metrics(folder: Path) -> App:
    app = App(Settings(port=0, journal=folder / "journal.db", bots=(), metrics=0))
    await app.start()
    return app


async def test_the_figures_count_what_happened(tmp_path: Path) -> None:
    app = await app_with_metrics(tmp_path)
    assert (await figures(app))["sunglare_records_appended_total"] == 0
    async with met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        await play_on(players, 2)
        now = await figures(app)
        runner = app.lobby.matches.runners[players[0].match]
        assert now["sunglare_connections"] == 2
        assert now['sunglare_matches{state="running"}'] == 1
        assert now['sunglare_matches{state="over"}'] == 0
        assert now["sunglare_records_appended_total"] == len(await runner.archiving.records())
        assert now["sunglare_commits_total"] >= now["sunglare_records_appended_total"] // 2
        assert now["sunglare_memory_bytes"] > 1_000_000
        assert now["sunglare_journal_bytes"] > 4096
        await anna.resign(players[0].match)
        await runner.over.wait()
        assert (await figures(app))['sunglare_matches{state="over"}'] == 1
    await app.stop()


async def test_no_figure_names_a_match_before_it_is_over(tmp_path: Path) -> None:
    app = await app_with_metrics(tmp_path)
    async with met(app.url) as anna, met(app.url) as boris:
        left, right = await started([anna, boris])
        await play_on([left, right], 1)
        assert left.match not in "".join(await figures(app))
        await anna.resign(left.match)
        runner = app.lobby.matches.runners[left.match]
        await runner.over.wait()
        now = await figures(app)
        assert now[f'sunglare_match_slips{{match="{left.match}"}}'] == 0
        assert now[f'sunglare_match_records{{match="{left.match}"}}'] == len(
            await runner.archiving.records()
        )
    await app.stop()


async def test_the_figures_are_neither_on_the_game_port_nor_for_other_hosts(
    tmp_path: Path,
) -> None:
    app = await app_with_metrics(tmp_path)
    game = int(app.url.rpartition(":")[2].partition("/")[0])
    response = await http(game, b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert response.status == 404
    assert app.metrics.port != game
    assert app.metrics.host == "127.0.0.1"
    await app.stop()


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET / HTTP/1.1", 404),
        (b"POST /metrics HTTP/1.1", 405),
        (b"GET /metrics?x=1 HTTP/1.0", 200),
        (b"nonsense", 404),
        (b"GET /" + b"x" * 9000, 431),
    ],
)
async def test_every_other_request_is_answered_shortly(
    tmp_path: Path, request_line: bytes, status: int
) -> None:
    app = await app_with_metrics(tmp_path)
    assert (await http(app.metrics.port, request_line + b"\r\n\r\n")).status == status
    await app.stop()


async def test_a_server_does_not_show_its_figures_unless_it_is_asked_to(tmp_path: Path) -> None:
    app = App(Settings(port=0, journal=tmp_path / "journal.db", bots=()))
    await app.start()
    assert app.metrics.port is None
    await app.stop()


def test_odd_texts_are_escaped_and_kinds_without_samples_left_out() -> None:
    odd = Family("a", "gauge", "one\nline \\", (({"x": 'q"\\\n'}, 2),))
    text = exposition((odd, Family("b", "gauge", "nothing", ())))
    assert text == '# HELP a one\\nline \\\\\n# TYPE a gauge\na{x="q\\"\\\\\\n"} 2\n'
    assert all(LINE.fullmatch(line) for line in text.splitlines())

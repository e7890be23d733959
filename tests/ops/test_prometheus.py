"""The dashboard and the alerts for operators, with a real Prometheus that asks real processes."""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from builders.halfprocesses import GatewayProcess, WorkerProcess
from builders.openlimits import FLAGS
from builders.players import play_on, started
from builders.prometheuses import ALERTS, CONFIGURATION, DASHBOARD, port_in, prometheus, promtool
from builders.scrapes import figures, figures_once, http
from builders.servers import ROOT, ServerProcess, server_process
from builders.wires import met
from sunglare_protocol.messages import Resume

pytestmark = pytest.mark.needs_prometheus

OPERATIONS: Final = ROOT / "server" / "OPERATIONS.md"

NAME: Final = re.compile(r"\b(?:sunglare|process)_[a-z_]+")

OF_CLUSTER: Final = (
    "sunglare_takeovers_total",
    "sunglare_fenced_total",
    "sunglare_engines_away",
)
"""What only workers have that share their matches by an engine."""

UNASKED: Final = "sunglare_engines"
"""What they have besides, for a person to read: no alert and no panel asks for it."""

MATCHES: Final = 10
"""So many must be in memory for an average to be told."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server with figures, and with a copy."""
    folder, copy = tmp_path_factory.mktemp("server"), tmp_path_factory.mktemp("copy")
    flags = ("--metrics", "0", "--copy", str(copy))
    with server_process(folder, *FLAGS, *flags) as running:
        yield running


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[WorkerProcess, int]]:
    """Run a worker and a gateway with figures; give the worker, and the gateway's port."""
    folder = tmp_path_factory.mktemp("halves")
    worker = WorkerProcess(folder, "W1", "--metrics", "0")
    before = GatewayProcess(folder, "G1", worker.socket, "--metrics", "0")
    try:
        worker.start()
        before.start()
        yield worker, port_in(before.said())
    finally:
        before.end()
        worker.end()


@pytest.fixture
async def busy(server: ServerProcess, gateway: tuple[WorkerProcess, int]) -> AsyncIterator[int]:
    """Have enough happen that every figure shows something; give the server's port."""
    # Once a gateway has heard of a worker.
    await figures_once(gateway[1], lambda now: any("heartbeat_age" in name for name in now))
    async with contextlib.AsyncExitStack() as stack:
        talkers = [await stack.enter_async_context(met(server.url)) for _ in range(2 * MATCHES)]
        pairs = [await started(talkers[at : at + 2]) for at in range(0, len(talkers), 2)]
        for pair in pairs:
            await play_on(pair, 1)
        async with met(server.url) as anna, met(server.url) as boris:
            await anna.code(Resume, match="a" * 26, ticket="x" * 43)
            left, right = await started([anna, boris])
            await play_on([left, right], 1)
            await left.resign()
            await right.over()
        port = port_in(server.said())
        # What is kept back of a match counts once its end is stored.
        await figures_once(port, lambda now: any("step_seconds" in name for name in now))
        yield port


def expressions() -> list[str]:
    """Return every expression of the dashboard, with what Grafana puts into it."""
    return [
        target["expr"].replace("$__rate_interval", "1m").replace("$instance", ".*")
        for panel in panels()
        for target in panel.get("targets", ())
    ]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    return found


def alerts() -> dict[str, str]:
    """Return the expression of each alert by its name."""
    text = ALERTS.read_text(encoding="utf-8")
    return dict(re.findall(r"- alert: (\w+)\n\s+expr: (.+)", text))


def measured(alert: str) -> str:
    """Return what an alert looks at, without what that is compared with."""
    first = alert.partition(" and on ")[0]
    return re.sub(r" (?:>|==) [0-9.]+$", "", first)


def names_in(text: str) -> set[str]:
    """Return the names of figures in a text, without the endings of a histogram."""
    return {re.sub(r"_(?:bucket|count|sum)$", "", name) for name in NAME.findall(text)}


async def shown_by(*ports: int) -> set[str]:
    """Return the names of all figures that some processes show."""
    scrapes = [await figures(port) for port in ports]
    return set().union(*[names_in(" ".join(scrape)) for scrape in scrapes])


async def test_every_expression_of_the_dashboard_and_the_alerts_gives_something(
    busy: int, gateway: tuple[WorkerProcess, int], tmp_path: Path
) -> None:
    worker, at_gateway = gateway
    ports = (busy, port_in(worker.said()), at_gateway)
    asked = {*expressions(), *map(measured, alerts().values())}
    with prometheus(tmp_path, *ports) as running:
        running.await_scrapes(len(ports))
        empty = {expression for expression in asked if not running.query(expression)}
        healths = running.rules()
        firing = running.query('ALERTS{alertstate="firing"}')
    assert {name for one in empty for name in names_in(one)} == {*OF_CLUSTER}
    assert healths == dict.fromkeys(alerts(), "ok")
    assert firing == []


async def test_every_figure_that_is_named_is_shown_and_every_one_shown_is_explained(
    busy: int, gateway: tuple[WorkerProcess, int]
) -> None:
    worker, at_gateway = gateway
    shown = await shown_by(busy, port_in(worker.said()), at_gateway) | {*OF_CLUSTER, UNASKED}
    named = names_in(" ".join([*expressions(), *alerts().values()]))
    assert named - shown == set()
    page = OPERATIONS.read_text(encoding="utf-8")
    _, _, chapter = page.partition("### Figures for Prometheus\n")
    assert names_in(chapter.partition("\n### ")[0]) == shown


async def test_prometheus_has_nothing_against_the_figures(
    busy: int, gateway: tuple[WorkerProcess, int]
) -> None:
    for port in (busy, gateway[1]):
        assert promtool("check", "metrics", given=(await http(port)).body) == (0, "")


def test_prometheus_accepts_the_configuration_and_the_alerts() -> None:
    code, said = promtool("check", "config", str(CONFIGURATION))
    assert (code, f"{len(alerts())} rules found" in said) == (0, True)


UP = 'up{job="sunglare",instance="a"}'


def _slow(name: str) -> dict[str, str]:
    """Return a histogram in which all lies between 0.25 and 1 s."""
    return {
        f'{name}{{instance="a",le="0.25"}}': "0+0x400",
        f'{name}{{instance="a",le="1"}}': "0+9x400",
        f'{name}{{instance="a",le="+Inf"}}': "0+9x400",
    }


def _of(name: str, values: str, labels: str = "") -> dict[str, str]:
    return {f'sunglare_{name}{{instance="a"{labels}}}': values}


SICK: Final[dict[str, dict[str, str]]] = {
    "SunglareDown": {UP: "0+0x400"},
    "SunglareCannotStore": _of("appends_refused_total", "0+1x400"),
    "SunglareStoresNothing": _of("storing", "0+0x400"),
    "SunglareEngineAway": _of("engines_away", "1+0x400") | _of("engines", "3+0x400"),
    "SunglareStoresSlowly": _slow("sunglare_append_seconds_bucket"),
    "SunglareQueueStands": _of("journal_queue_age_seconds", "6+0x400"),
    "SunglareCopyFails": _of("copy_failing", "1+0x400"),
    "SunglareCopyBehind": _of("copy_behind_seconds", "40+0x400"),
    "SunglareSlips": _of("slips_total", "0+1x400"),
    "SunglareLags": _slow("sunglare_loop_lag_seconds_bucket"),
    "SunglareQuarantine": _of("matches", "1+0x400", ',state="fault"'),
    "SunglareSetAside": _of("set_aside", "1+0x400", ',what="bans"'),
    "SunglareTurnsAway": _of("connections_turned_away_total", "0+20x400", ',reason="full"'),
    "SunglareNearlyFull": _of("connections", "95+0x400") | _of("connections_most", "100+0x400"),
    "SunglareFilesRunOut": _of("open_files", "95+0x400") | _of("open_files_most", "100+0x400"),
    "SunglareReadersTooSlow": _of("connections_closed_total", "0+5x400", ',why="too slow"'),
    "SunglareBeatIsLate": _of("heartbeat_age_seconds", "2+0x400"),
    "SunglareNoWorker": _of("workers", "0+0x400"),
    "SunglareMatchesUnanswered": _of("stalled_matches", "1+0x400"),
    "SunglareTakeovers": _of("takeovers_total", "0+1x400") | _of("uptime_seconds", "0+60x400"),
    "SunglareFenced": _of("fenced_total", "0+1x400"),
    "SunglareDrainsLong": _of("draining", "1+0x400"),
}
"""What a process shows, minute by minute, where each alert must be raised."""

WELL: Final = {
    UP: "1+0x400",
    'sunglare_append_seconds_bucket{instance="a",le="0.005"}': "0+9x400",
    'sunglare_append_seconds_bucket{instance="a",le="+Inf"}': "0+9x400",
    'sunglare_loop_lag_seconds_bucket{instance="a",le="0.05"}': "0+600x400",
    'sunglare_loop_lag_seconds_bucket{instance="a",le="+Inf"}': "0+600x400",
    **_of("appends_refused_total", "0+0x400"),
    **_of("journal_queue_age_seconds", "0+0x400"),
    **_of("copy_failing", "0+0x400"),
    **_of("copy_behind_seconds", "1+0x400"),
    **_of("slips_total", "3+0x400"),
    **_of("matches", "0+0x400", ',state="fault"'),
    **_of("matches", "40+0x400", ',state="running"'),
    **_of("set_aside", "0+0x400", ',what="bans"'),
    **_of("connections_turned_away_total", "0+1x400", ',reason="full"'),
    **_of("connections", "80+0x400"),
    **_of("connections_most", "100+0x400"),
    **_of("open_files", "95+0x400"),
    **_of("open_files_most", "20000+0x400"),
    **_of("connections_closed_total", "0+1x400", ',why="too slow"'),
    **_of("connections_closed_total", "0+99x400", ',why="the peer"'),
    **_of("heartbeat_age_seconds", "0.5+0x400"),
    **_of("workers", "1+0x400"),
    **_of("stalled_matches", "0+0x400"),
    **_of("takeovers_total", "4+0x400"),
    **_of("uptime_seconds", "0+60x400"),
    **_of("fenced_total", "0+0x400"),
    **_of("draining", "0+0x400"),
}
"""What a process shows with which all is well."""


def case(series: dict[str, str], *raised: str) -> dict[str, Any]:
    """Return the case that after 150 minutes of such figures just these alerts are raised."""
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": "150m",
                "exp_samples": [
                    {"labels": f'{{alertname="{name}"}}', "value": 1} for name in raised
                ],
            }
        ],
    }


def tried(folder: Path, *cases: dict[str, Any]) -> tuple[int, str]:
    """Have Prometheus's own tool try the alerts; return its exit code and what it says."""
    path = folder / "cases.yml"
    whole = {"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": cases}
    # What is JSON is YAML as well.
    path.write_text(json.dumps(whole), encoding="utf-8")
    return promtool("test", "rules", str(path))


def test_every_alert_is_tried() -> None:
    assert {*SICK} == {*alerts()}


def test_an_alert_is_raised_where_something_is_wrong_and_no_other_is(tmp_path: Path) -> None:
    code, said = tried(tmp_path, *[case(series, alert) for alert, series in SICK.items()])
    assert code == 0, said


def test_no_alert_is_raised_where_all_is_well(tmp_path: Path) -> None:
    code, said = tried(tmp_path, case(WELL))
    assert code == 0, said


def test_a_missing_alert_is_found_by_these_cases(tmp_path: Path) -> None:
    code, said = tried(tmp_path, case(WELL, "SunglareDown"))
    assert code != 0, said


def test_panels_of_the_dashboard_have_places_of_their_own_and_a_source_to_choose() -> None:
    places = [panel["gridPos"] for panel in panels()]
    cells = [
        (x, y)
        for place in places
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len({*cells})
    assert max(x for x, _ in cells) < 24
    assert len({panel["id"] for panel in panels()}) == len(panels())
    sources = [panel["datasource"]["uid"] for panel in panels() if panel["type"] != "row"]
    assert {*sources} == {"${datasource}"}

"""What the game port answers to browsers: the page, records of finished matches, nothing else."""

import asyncio
import contextlib
import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs

from builders.damage import changed
from builders.fakeclock import FakeClock
from builders.players import all_ready, opened, seated, started
from builders.runners import runners_of
from builders.servers import running_app
from builders.wires import met
from page.asking import asked
from page.files import PAGE
from sunglare_protocol.messages import Resign
from sunglare_server.app import App
from sunglare_server.gateway import concurrency_limit, http, streaming
from sunglare_server.gateway.admission import RETRY_S
from sunglare_server.gateway.assets import KINDS, load_assets
from sunglare_server.gateway.http import DOWNLOADS_MOST, IN_FLIGHT_MOST, PROBES
from sunglare_server.gateway.rate_limits import BURST_S

FILES = sorted(path for path in load_assets() if path not in ("/", "/tv"))
HASHED = re.compile(r"/page/[0-9a-f]{24}/")
UNKNOWN = "a" * 26


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """Run a server."""
    async with running_app(tmp_path) as running:
        yield running


@pytest.mark.parametrize("path", ["/", "/tv"])
async def test_the_page_is_at_the_root_and_at_tv(app: App, path: str) -> None:
    answer = await asked(app.url, path)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["cache-control"] == "no-cache"
    assert b"{{" not in answer.body
    assert {path.rpartition("/")[2] for path in FILES} >= {"main.js", "style.css", "icon.svg"}
    named = set(re.findall(r'(?:src|href)="(/page/[^"]+)"', answer.body.decode()))
    assert named
    assert named <= set(FILES)


async def test_every_file_is_served_as_what_it_is_and_may_be_kept_for_good(app: App) -> None:
    for path in FILES:
        answer = await asked(app.url, path)
        assert answer.body == (PAGE / HASHED.sub("", path)).read_bytes()
        assert answer.headers["content-type"] == KINDS[Path(path).suffix]
        assert answer.headers["content-length"] == str(len(answer.body))
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_another_content_has_another_folder(tmp_path: Path) -> None:
    folders = set()
    for text in ("one", "two"):
        (tmp_path / "index.html").write_text("{{folder}}/a.js")
        (tmp_path / "a.js").write_text(text)
        (tmp_path / "secret.py").write_text("not served")
        assets = load_assets(tmp_path)
        folders |= {path.rpartition("/")[0] for path in assets if path.endswith("a.js")}
        assert len(assets) == 3
        assert assets["/"].body.decode() in assets
    assert len(folders) == 2


async def test_the_policy_allows_nothing_from_elsewhere_and_frames_for_the_embedded_page_alone(
    app: App,
) -> None:
    for path, frames in (("/", "'none'"), ("/?embed=1", "*"), ("/tv?embed=1&x=2", "*")):
        policy = (await asked(app.url, path)).headers["content-security-policy"]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "'self' data: blob:",
            "connect-src": "'self'",
            "manifest-src": "'self'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": frames,
        }
    others = await asked(app.url, f"{FILES[0]}?embed=1")
    assert others.headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert others.headers["referrer-policy"] == "no-referrer"


async def test_whoever_takes_gzip_gets_the_same_packed_and_smaller(app: App) -> None:
    plain = await asked(app.url, "/")
    packed = await asked(app.url, "/", Accept_Encoding="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body)
    assert packed.headers["etag"] != plain.headers["etag"]


@pytest.mark.parametrize("coding", ["", "gzip"])
async def test_what_is_known_is_not_sent_again(app: App, coding: str) -> None:
    tag = (await asked(app.url, "/", Accept_Encoding=coding)).headers["etag"]
    for known in (tag, f'"x", W/{tag}', "*"):
        answer = await asked(app.url, "/", Accept_Encoding=coding, If_None_Match=known)
        assert (answer.status, answer.body, answer.headers["etag"]) == (304, b"", tag)
        assert "content-length" not in answer.headers
    other = await asked(app.url, "/", Accept_Encoding=coding, If_None_Match='"other"')
    assert other.status == 200


async def test_a_head_is_the_head_of_what_a_get_brings(app: App) -> None:
    for path in ("/", FILES[0], "/healthz", "/nothing"):
        head, whole = await asked(app.url, path, "HEAD"), await asked(app.url, path)
        assert head.undated == (whole.status, whole.undated[1], b"")
        assert head.headers["content-length"] == str(len(whole.body))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "get"])
async def test_other_methods_are_refused(app: App, method: str) -> None:
    answer = await asked(app.url, "/", method)
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


NOWHERE = (
    "/index.html",
    "/page/",
    "/page/main.js",
    "/../pyproject.toml",
    "/page/../net/http.py",
    "//",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/page/%00",
    "/tv/",
    "/matches.json",
    "/metrics",
    f"/replay/{UNKNOWN}.sgr/",
    f"/replay/{UNKNOWN}",
    f"/replay/{UNKNOWN.upper()}.sgr",
    "/replay/../sunglare.db.sgr",
    f"/replay/{UNKNOWN}.sgr",
)
"""Paths of nothing, and of what is not for browsers."""


async def test_no_other_path_leads_anywhere(app: App) -> None:
    answers = {path: await asked(app.url, path) for path in NOWHERE}
    told = {path: (answer.status, answer.body) for path, answer in answers.items()}
    assert told == dict.fromkeys(NOWHERE, (404, b"The game is played at /play.\n"))


async def test_the_record_of_a_public_match_is_there_after_the_end_and_of_a_private_one_never(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "SLICE_BYTES", 1_000)
    async with met(app.url) as anna, met(app.url) as boris, met(app.url) as stranger:
        for private in (False, True):
            room = await opened(anna, private=private)
            match = room.match
            players = [await seated(talker, match, code=room.code) for talker in (anna, boris)]
            await all_ready(players)
            path = f"/replay/{match}.sgr"
            unknown = await asked(app.url, f"/replay/{UNKNOWN}.sgr")
            assert (await asked(app.url, path)).undated == unknown.undated
            await boris.accepted(Resign, match=match)
            await players[0].over()
            answer = await asked(app.url, path)
            if private:
                # The record is there, for those who know the code.
                assert await stranger.record(match, room.code)
                head = await asked(app.url, path, "HEAD")
                assert answer.undated == unknown.undated
                assert head.undated == (404, unknown.undated[1], b"")
                continue
            assert answer.body == await stranger.record(match)
            assert answer.undated[1] == {
                "connection": "close",
                "content-type": "application/octet-stream",
                "content-length": str(len(answer.body)),
                "content-disposition": f'attachment; filename="{match}.sgr"',
                "content-security-policy": (await asked(app.url, "/")).headers[
                    "content-security-policy"
                ],
                "cache-control": "public, max-age=600",
                "cross-origin-resource-policy": "same-origin",
                "referrer-policy": "no-referrer",
                "x-content-type-options": "nosniff",
            }
            head = await asked(app.url, path, "HEAD")
            assert head.undated == (200, answer.undated[1], b"")


async def test_only_so_many_requests_are_answered_at_once_and_others_are_told_when_to_try_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concurrency_limit, "WAIT_S", 0.05)
    monkeypatch.setattr(http, "LINGER_S", 90)
    async with lingering(app.url, "/", IN_FLIGHT_MOST):
        answer = await asked(app.url, "/")
        assert (answer.status, answer.headers["retry-after"]) == (503, str(RETRY_S))
        assert (await asked(app.url, "/healthz")).status == 200
        async with met(app.url):
            pass
    assert (await asked(app.url, "/")).status == 200


async def test_whoever_comes_when_all_places_are_taken_waits_a_moment_for_one(app: App) -> None:
    answers = await asyncio.gather(*(asked(app.url, "/") for _ in range(5 * IN_FLIGHT_MOST)))
    assert {answer.status for answer in answers} == {200}


async def test_who_does_not_close_an_answered_line_holds_its_place_for_a_moment_alone(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "LINGER_S", 0)
    async with lingering(app.url, "/", IN_FLIGHT_MOST):
        assert (await asked(app.url, "/")).status == 200


async def test_records_have_places_of_their_own(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency_limit, "WAIT_S", 0.05)
    monkeypatch.setattr(http, "LINGER_S", 90)
    async with lingering(app.url, f"/replay/{UNKNOWN}.sgr", DOWNLOADS_MOST):
        assert (await asked(app.url, f"/replay/{UNKNOWN}.sgr")).status == 503
        assert (await asked(app.url, "/")).status == 200


async def test_a_record_that_is_damaged_is_not_to_be_had_and_the_log_says_why(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        await anna.accepted(Resign, match=players[0].match)
        await players[1].over()
        await runners_of(app.lobby.matches)[players[0].match].over.wait()
    match = players[0].match
    path = tmp_path / "journal.db"
    changed(path, "UPDATE record SET blob = x'00' WHERE match = ? AND n = 2", match)
    with capture_logs() as lines:
        async with running_app(tmp_path) as app:
            answer = await asked(app.url, f"/replay/{match}.sgr")
            unknown = await asked(app.url, f"/replay/{UNKNOWN}.sgr")
    assert answer.undated == unknown.undated
    (fault,) = [line for line in lines if line["log_level"] == "error"]
    assert (fault["event"], fault["match"]) == ("record_unavailable", match)
    assert "record 2: " in fault["why"]


async def test_an_address_gets_as_many_records_as_over_the_wire_and_no_more(
    tmp_path: Path,
) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock, address_rate=50) as app:
        path = f"/replay/{UNKNOWN}.sgr"
        statuses = [(await asked(app.url, path)).status for _ in range(3)]
        assert statuses == [404, 404, 404]
        refused = await asked(app.url, path)
        assert (refused.status, refused.headers["retry-after"]) == (503, str(RETRY_S))
        clock.advance(1_000)
        assert (await asked(app.url, path)).status == 404


async def test_an_address_gets_as_many_files_of_the_page_as_it_may_send_messages(
    tmp_path: Path,
) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock, address_rate=2) as app:
        statuses = [(await asked(app.url, "/")).status for _ in range(2 * BURST_S)]
        assert statuses == [200] * 2 * BURST_S
        refused = await asked(app.url, "/tv")
        assert (refused.status, refused.headers["retry-after"]) == (503, str(RETRY_S))
        assert (await asked(app.url, "/healthz")).status == 200
        clock.advance(1_000)
        assert (await asked(app.url, "/tv")).status == 200


async def test_plain_requests_of_any_kind_count_against_the_limit_of_an_address(
    tmp_path: Path,
) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock, address_rate=1) as app:
        assert (await asked(app.url, "/nothing")).status == 404
        assert (await asked(app.url, "/", "POST")).status == 405
        assert (await asked(app.url, "/wp-login.php")).status == 404
        for path, method in (("/nothing", "GET"), ("/", "POST"), ("/", "GET")):
            refused = await asked(app.url, path, method)
            assert (refused.status, refused.headers["retry-after"]) == (503, str(RETRY_S))
        assert (await asked(app.url, "/readyz")).status == 200
        clock.advance(1_000)
        assert (await asked(app.url, "/nothing")).status == 404


async def test_health_is_asked_for_by_a_limit_of_its_own(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock, address_rate=1) as app:
        statuses = [(await asked(app.url, "/readyz")).status for _ in range(PROBES.burst)]
        assert {*statuses} == {200}
        refused = await asked(app.url, "/healthz")
        assert (refused.status, refused.headers["retry-after"]) == (429, str(RETRY_S))
        assert (await asked(app.url, "/")).status == 200
        clock.advance(1_000)
        assert (await asked(app.url, "/healthz")).status == 200


async def test_a_flood_of_health_through_a_proxy_leaves_its_own_probes_alone(
    tmp_path: Path,
) -> None:
    proxies = ("127.0.0.1",)
    async with running_app(tmp_path, FakeClock(1_000_000), trusted_proxy=proxies) as app:
        statuses = [
            (await asked(app.url, "/readyz", X_Forwarded_For="198.51.100.7")).status
            for _ in range(PROBES.burst + 1)
        ]
        assert statuses[-1] == 429
        assert (await asked(app.url, "/readyz")).status == 200


def test_the_figures_of_the_operators_page_are_those_in_force() -> None:
    page = (PAGE.parents[1] / "server/OPERATIONS.md").read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if line.startswith("- **The watch page**")]
    assert (IN_FLIGHT_MOST, DOWNLOADS_MOST, concurrency_limit.WAIT_S) == (8, 4, 2.0)
    assert "eight requests for its files" in line
    assert "Four records" in line
    assert "waits two seconds" in line
    assert f"slices of {streaming.SLICE_BYTES // 1024} KiB" in line
    assert f"more than {streaming.SLICE_S:g} s for a slice" in line
    assert f"{PROBES.tokens} a second for an address and {PROBES.burst} at once (429)" in line


@contextlib.asynccontextmanager
async def lingering(url: str, path: str, count: int) -> AsyncIterator[None]:
    """Have so many lines open that were answered and are not closed by their peer."""
    where = urlsplit(url)
    writers = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        writers.append(writer)
    yield
    for writer in writers:
        writer.close()
    for writer in writers:
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

"""`sunglare export`: pictures, animations, a page and a text, and what stands in their way."""

import base64
import gzip
import io
import json
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageColor

from builders.replays import FIRST, layers, packed, placed, values_of
from page.files import match_file, match_replay
from sunglare_client.__main__ import main
from sunglare_client.export.colours import DARK, LIGHT, Theme
from sunglare_client.export.cutting import layer_alone
from sunglare_client.export.exporting import KINDS, Wanted, made_of
from sunglare_client.replays.recording import read_recording
from sunglare_page import FOLDER
from sunglare_protocol.extras import install_command
from sunglare_protocol.replay.file import read_replay
from sunglare_protocol.replay.values import ReplayError

NAME, TURNS = "picket-line", 3
ANIMATED = {"gif": "GIF", "webp": "WEBP"}
SMALL = Wanted(turns=range(1, 3), width=200)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "match.sgr").write_bytes(match_file(NAME, turns=TURNS))
    return tmp_path


def exported(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(["export", *words]) == code
    said = capsys.readouterr()
    return said.out, said.err


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_is_written_under_the_name_of_the_replay(
    kind: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = exported(capsys, "match.sgr", "--as", kind, "--turn", "1-2", "--size", "200")
    made = folder / f"match.{kind}"
    assert out == f"match.{kind}: {made.stat().st_size} bytes\n"
    assert err == ""
    assert {path.name for path in folder.iterdir()} == {"match.sgr", made.name}


@pytest.mark.parametrize("kind", ["svg", "html", "txt", "png"])
def test_the_same_replay_gives_the_same_bytes(kind: str) -> None:
    made = {made_of(match_file(NAME, turns=TURNS), NAME, kind, SMALL) for _ in range(2)}
    assert len(made) == 1


@pytest.mark.parametrize(("kind", "format"), ANIMATED.items())
def test_an_animation_has_a_picture_for_every_window(kind: str, format: str) -> None:  # noqa: A002
    image = Image.open(io.BytesIO(made_of(match_file(NAME, turns=TURNS), NAME, kind, SMALL)))
    steps = [
        step for step in read_recording(match_file(NAME, turns=TURNS)).steps if step.turn in (1, 2)
    ]
    assert image.format == format
    assert image.n_frames == len(steps)  # type: ignore[attr-defined]
    assert image.size[0] == 200


def test_a_picture_is_as_wide_as_it_is_wanted_and_as_dark() -> None:
    wanted = SMALL._replace(width=333)
    light = Image.open(io.BytesIO(made_of(match_file(NAME, turns=TURNS), NAME, "png", wanted)))
    assert light.size[0] == 333
    dark = Image.open(
        io.BytesIO(
            made_of(match_file(NAME, turns=TURNS), NAME, "png", wanted._replace(theme=Theme.DARK))
        )
    )
    assert dark.size == light.size
    assert light.getpixel((0, 0)) == ImageColor.getrgb(LIGHT.paper)
    assert dark.getpixel((0, 0)) == ImageColor.getrgb(DARK.paper)


@pytest.mark.parametrize("eyes", ["A", "omni"])
def test_the_layers_that_are_wanted_are_drawn(
    eyes: str, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = ("match.sgr", "--as", "svg", "--eyes", eyes, "--turn", "2", "--out", "-")
    assert main(["export", *asked]) == 0
    bare = capfd.readouterr().out
    assert main(["export", *asked, "--layer", "glare", "--layer", "arcs"]) == 0
    drawn = capfd.readouterr().out
    for layer in ("glare", "arc"):
        assert f'class="{layer}"' not in bare
        assert (f'class="{layer}"' in drawn) is (eyes == "A")


def test_a_text_tells_all_windows_with_the_board_of_each_turn() -> None:
    text = made_of(match_file(NAME, turns=TURNS), NAME, "txt", Wanted()).decode()
    recording = read_recording(match_file(NAME, turns=TURNS))
    assert text.count("-- turn ") == len(recording.steps)
    assert text.count("       A    B    C    D") == recording.steps[-1].turn
    assert "THE END" in text


@pytest.mark.parametrize("eyes", ["A", None])
def test_a_text_of_a_hostile_file_has_no_sign_that_a_terminal_obeys(eyes: str | None) -> None:
    evil = "\x1b]0;mine\x07\u202e\r\n"
    own = layer_alone(match_file(NAME, turns=TURNS), "A")
    header = read_replay(own).header
    before = packed(header)
    assert own.startswith(before)
    hostile = {**header, "scenario": evil, "names": {"A": f"Ada{evil}", "B": f"Bo{evil}"}}
    data = packed(hostile) + own[len(before) :]
    text = made_of(data, f"{NAME}.sgr", "txt", Wanted(eyes=eyes)).decode()
    assert "Ada" in text
    assert [line for line in text.split("\n") if not line.isprintable()] == []


# --- what stands in the way


@pytest.mark.parametrize("spoiled", ["cut", "foreign", "changed", "hostile"])
@pytest.mark.parametrize("kind", KINDS)
def test_of_a_spoiled_file_nothing_is_made(
    kind: str, spoiled: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = match_file(NAME, turns=TURNS)
    middle = len(whole) // 2
    bytes_of = {
        "cut": whole[:-1],
        "foreign": b"GIF89a",
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "hostile": packed({"format": "sunglare-record", "version": 4, "records": 2**31}),
    }
    (folder / "bad.sgr").write_bytes(bytes_of[spoiled])
    out, err = exported(capsys, "bad.sgr", "--as", kind, code=2)
    assert out == ""
    assert re.fullmatch(r"sunglare: [^\n]+\.\n", err)
    assert not (folder / f"bad.{kind}").exists()


def test_a_file_that_is_there_stays_unless_it_may_go(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = folder / "match.svg"
    mine.write_text("mine")
    _, err = exported(capsys, "match.sgr", "--as", "svg", code=1)
    assert "match.svg is there already; --force" in err
    assert mine.read_text() == "mine"
    exported(capsys, "match.sgr", "--as", "svg", "--force")
    assert mine.read_text().startswith("<svg")


def test_a_folder_is_no_place_to_write_to(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("match.sgr", "--as", "svg", "--force", "--out", str(folder))
    _, err = exported(capsys, *words, code=1)
    assert "is a folder" in err
    exported(capsys, "match.sgr", "--as", "svg", "--out", "nowhere/a.svg", code=1)


def test_without_pillow_one_is_told_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    for kind in ("png", "gif", "webp"):
        _, err = exported(capsys, "match.sgr", "--as", kind, code=1)
        assert install_command("export") in err
    exported(capsys, "match.sgr", "--as", "svg")


@pytest.mark.parametrize("words", [("--turn", "99"), ("--eyes", "D")], ids=" ".join)
def test_what_the_replay_does_not_have_is_told(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = exported(capsys, "match.sgr", "--as", "svg", *words, code=2)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [("--turn", "x"), ("--turn", "3-"), ("--size", "99"), ("--size", "9999"), ("--as", "bmp")],
)
def test_wrong_usage_is_exit_code_2(words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", "match.sgr", "--as", "svg", *words])
    assert ended.value.code == 2


# --- what the eyes of a side did not see is nowhere in it


@lru_cache(maxsize=2)
def twin() -> bytes:
    """Return another record of the match, in which only A's layer is as it was."""
    whole = match_file(NAME, turns=TURNS)
    start = next(one.begin for one in placed(whole) if one.value == FIRST)
    head = values_of(whole[:start])
    other = [
        (one.layer, one.sent if one.layer == "A" else hidden(one.sent))
        for one in match_replay(NAME, turns=TURNS).layers.messages
    ]
    header = {**head[0], "rules": 1, "winner": "B", "points": {"A": 77, "B": 78}, "records": 0}
    return packed(header, None, b"") + layers(other)


def hidden(sent: dict[str, Any]) -> dict[str, Any]:
    """Return a message of another audience that says something else."""
    view = sent.get("view")
    if view is None:
        return {**sent, "text": "the others speak"} if sent["t"] == "news" else sent
    return {**sent, "notices": [], "view": {**view, "pieces": [], "own": [], "contacts": []}}


@pytest.mark.parametrize("kind", KINDS)
def test_with_the_eyes_of_a_side_matches_that_differ_elsewhere_give_the_same_file(
    kind: str,
) -> None:
    wanted = SMALL._replace(eyes="a")
    mine = made_of(match_file(NAME, turns=TURNS), NAME, kind, wanted)
    assert mine == made_of(twin(), NAME, kind, wanted)
    assert made_of(match_file(NAME, turns=TURNS), NAME, kind, SMALL) != made_of(
        twin(), NAME, kind, SMALL
    )


def inside(page: bytes) -> bytes:
    """Return the replay that a page of one file holds."""
    found = re.search(rb'id="replay"[^>]*>([^<]+)</script>', page)
    assert found is not None
    return gzip.decompress(base64.b64decode(found[1]))


def test_a_page_holds_the_whole_replay_or_one_layer_of_it() -> None:
    whole = match_file(NAME, turns=TURNS)
    assert inside(made_of(whole, NAME, "html", Wanted())) == whole
    alone = read_replay(inside(made_of(whole, NAME, "html", Wanted(eyes="B"))))
    sent = [one for one in match_replay(NAME, turns=TURNS).layers.messages if one.layer == "B"]
    assert list(alone.layers.messages) == sent
    assert alone.fault == ""
    assert set(alone.header) == {
        *("format", "version", "match", "scenario", "names", "bots", "audience", "frames")
    }


def test_a_page_with_one_layer_can_be_exported_again() -> None:
    alone = inside(made_of(match_file(NAME, turns=TURNS), NAME, "html", Wanted(eyes="B")))
    assert read_recording(alone).eyes == ("B",)
    ET.fromstring(made_of(alone, NAME, "svg", Wanted()))  # noqa: S314 - ours


def test_a_page_asks_for_nothing_and_lets_nothing_else_run() -> None:
    page = made_of(match_file(NAME, turns=TURNS), NAME, "html", Wanted()).decode()
    outside = re.sub(r"data:[a-z/+-]+;base64,[A-Za-z0-9+/=]+", "", page)
    assert not re.search(r"https?://|\{\{|src=|@import|url\(", outside)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert "default-src &#x27;none&#x27;" in policy
    assert "unsafe" not in policy
    assert page.index("Content-Security-Policy") < page.index("<title>")


def test_names_that_players_chose_are_text_in_the_page() -> None:
    whole = match_file(NAME, turns=TURNS)
    (start,) = [one for one in placed(whole) if one.value == FIRST]
    head = values_of(whole[: start.begin])
    scenario = '</title><script>alert("x")</script>'
    made = packed({**head[0], "scenario": scenario}, *head[1:]) + whole[start.begin :]
    page = made_of(made, '"><b>', "html", Wanted()).decode()
    assert "<script>alert" not in page
    assert '"><b>' not in page


def test_a_module_or_data_that_is_new_in_the_watch_page_is_taken_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_file(NAME, turns=TURNS)
    folder = tmp_path / "page"
    shutil.copytree(FOLDER, folder)
    monkeypatch.setattr("sunglare_client.export.html.FOLDER", folder)
    show = folder / "show.js"
    show.write_text(f"import {{ table }} from './board/new.js';\n{show.read_text()}")
    data = "import rows from '../rows.json' with { type: 'json' };\nexport const table = rows;\n"
    (folder / "board" / "new.js").write_text(data)
    (folder / "rows.json").write_text("[1, 2]")
    page = made_of(match, NAME, "html", Wanted()).decode()
    (names,) = re.findall(r'<script type="importmap">(.+?)</script>', page)
    found = json.loads(names)["imports"]
    new = base64.b64decode(found["sunglare/board/new.js"].partition(",")[2]).decode()
    assert new == data.replace("../rows.json", "sunglare/rows.json")
    assert found["sunglare/rows.json"] == "data:application/json;base64,WzEsIDJd"


def test_a_page_is_not_made_of_what_its_maker_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sunglare_client.export.html.FOLDER", tmp_path)
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / "style.css").write_text("")
    (tmp_path / "index.html").write_text("<!doctype html><title>another</title>")
    assert main(["export", "match.sgr", "--as", "html"]) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoiled_window_in_the_middle_stops_an_export(kind: str) -> None:
    told = [(one.layer, dict(one.sent)) for one in match_replay(NAME, turns=TURNS).layers.messages]
    told[40][1]["notices"] = [{"t": "nonsense"}]
    made = packed({"format": "sunglare-record", "version": 4, "records": 0}, None, b"")
    with pytest.raises(ReplayError, match="makes no sense"):
        made_of(made + layers(told), NAME, kind, SMALL)

"""The pure modules of the page, by tests of their own that run in Node."""

import re
from pathlib import Path

import pytest

from page.files import PAGE, match_file
from page.nodes import SCRIPTS, node
from sunglare_server.gateway.assets import KINDS, load_assets

SUITES = sorted(path.name for path in SCRIPTS.glob("*.test.mjs"))

TEXT = KINDS[".txt"]
"""What licences are, which no page loads."""

OURS = sorted(path for path in PAGE.rglob("*.js") if path.parent.name != "vendor")


@pytest.mark.parametrize("density", [1, pytest.param(3, marks=pytest.mark.proof)])
def test_the_tests_of_all_suites_pass_in_node(
    density: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "match.sgr"
    file.write_bytes(match_file("shadow-of-ceres"))
    monkeypatch.setenv("MATCH", str(file))
    monkeypatch.setenv("DENSITY", str(density))
    suites = (SCRIPTS / suite for suite in SUITES)
    done = node("--test-reporter=spec", SCRIPTS / "suites.mjs", *suites)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(SUITES) > 4
    # A mark and a name, and below them the first test of the suite, which has passed.
    assert re.findall(r"^▶ (\S+)\n  ✔ ", done.stdout, re.MULTILINE) == SUITES, done.stdout


def test_every_module_says_first_what_it_holds() -> None:
    assert len(OURS) > 40
    silent = [path for path in OURS if not re.match(r"// [A-Z]", path.read_text("utf-8"))]
    assert not silent


def test_no_module_is_longer_than_a_reader_likes() -> None:
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in OURS}
    assert not [path for path in OURS if len(lines[path]) > 400]
    # A sentence of the table is a line, however long it is, and so is a step of the short match.
    others = [path for path in OURS if path.name not in ("sentences.js", "glimpse.js")]
    assert not [path for path in others if max(map(len, lines[path])) > 130]


def test_every_element_that_a_module_looks_for_is_in_the_page_and_of_its_type() -> None:
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    tags = {name: tag for tag, name in re.findall(r'<(\w+)[^>]*? id="([^"]+)"', index)}
    text = "".join(path.read_text(encoding="utf-8") for path in OURS)
    assert set(re.findall(r"\bfound\('([^']+)'\)", text)) <= set(tags)
    elements = (PAGE / "face/dom.js").read_text(encoding="utf-8")
    typed = re.findall(r"^ \*   '?([\w-]+)'?: HTML(\w+)Element,$", elements, re.MULTILINE)
    assert {name: {"Anchor": "a"}.get(kind, kind.lower()) for name, kind in typed} == {
        name: tags[name] for name, _ in typed
    }
    assert len(typed) > 7


def test_nothing_of_the_page_names_another_host() -> None:
    for path in (*OURS, PAGE / "index.html", PAGE / "style.css"):
        assert not re.search(r"https?://(?!www\.w3\.org/)|//[a-z]+\.", path.read_text()), path


def test_the_whole_page_is_less_than_150_kibibytes_on_the_way() -> None:
    assets = {asset.tag: asset for asset in load_assets().values() if asset.kind != TEXT}
    assert sum(len(asset.packed) for asset in assets.values()) < 150 * 1024

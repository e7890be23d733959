"""Links on the pages: each leads to something that is there."""

import re
from functools import cache
from pathlib import Path

from documents.doctables import PAGES, ROOT, text_of


def slug(heading: str) -> str:
    """Return the anchor by which a link leads to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def test_every_link_leads_somewhere() -> None:
    links = [
        (page, target) for page in PAGES for target in re.findall(r"\]\(([^)]+)\)", text_of(page))
    ]
    assert len(links) > 50
    assert not [link for link in links if not leads_somewhere(*link)]


def leads_somewhere(page: str, target: str) -> bool:
    """Return whether the target of a link on a page is a file, and has its heading."""
    path, _, anchor = target.partition("#")
    there = ((ROOT / page).parent / path).resolve() if path else ROOT / page
    if not there.is_file():
        return False
    return not anchor or anchor in anchors_of(there)


@cache
def anchors_of(path: Path) -> frozenset[str]:
    """Return the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return frozenset(map(slug, headings))

"""What axe, a library that checks pages for readers of every kind, finds wrong with one."""

from pathlib import Path
from typing import Any, Final

from page.browser import Tab
from page.nodes import need

PROGRAM: Final = Path(__file__).parents[1] / "foreign/node_modules/axe-core/axe.min.js"

RULES: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""The groups of its rules that must hold."""

RUN: Final = """
axe.run(document, { runOnly: %s, resultTypes: ['violations'], preload: false }).then((found) =>
  found.violations.map(({ id, nodes }) =>
    [id, ...nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary)].join('\\n')))
"""


async def wrongs(tab: Tab) -> list[str]:
    """Return what is wrong with the page as it is; skip the test where axe is not installed."""
    need(str(PROGRAM) if PROGRAM.exists() else None, "Node's package axe-core")
    if not await tab.value("typeof axe === 'object'"):
        await tab.value(f"{PROGRAM.read_text(encoding='utf-8')}\n;0")
    found: Any = await tab.value(RUN % list(RULES))
    return list(found)

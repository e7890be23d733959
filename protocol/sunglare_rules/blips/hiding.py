"""Hidden units: when they become tokens, and what exposes them before.

Source: Alpha Strike, "Hidden Units and Blip Counters"; blips of our rule book §1 (H1, H2) and
§2.4 for the smallest set of Hidden Units rules.
"""

from typing import NamedTuple

from sunglare_protocol.word import Word
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips.dossiers import DossierAim, Means, means_of, probe_jammed
from sunglare_rules.blips.spotting import is_stealthy

EXPOSED_INCHES = 2
"""OWN: an enemy that ends its movement this near, in sight, stumbles over a hidden unit."""


class Shown(Word):
    """What others see of a unit on a surface map."""

    HIDDEN = "hidden"
    BLIP = "blip"
    IDENTIFIED = "identified"


class Searcher(NamedTuple):
    """An enemy unit near a hidden one; a remote sensor does not stumble over anything."""

    specials: Specials = ()
    remote: bool = False
    operational: bool = True


def after_move(*, moved: bool, enemy_los: bool, wants_token: bool) -> Shown:
    """Return what a hidden unit is shown as after movement (H1, H2).

    `enemy_los`: an enemy sees its first or its last cell. A unit that is not seen may become a
    token, if its owner wants that.
    """
    if not moved:
        return Shown.HIDDEN
    return Shown.BLIP if wants_token and not enemy_los else Shown.IDENTIFIED


def exposes(searcher: Searcher, hidden: Specials, aim: DossierAim) -> bool:
    """Return whether an enemy that ends its movement so exposes a hidden unit, to its side."""
    if not searcher.remote and aim.los and aim.span.within(EXPOSED_INCHES):
        return True
    if not searcher.operational or is_stealthy(hidden):
        return False
    blind = DossierAim(aim.span, False, aim.solid, aim.jammed)
    found = means_of(searcher.specials, blind) is Means.PROBE
    return found and not probe_jammed(searcher.specials, aim.jammed)

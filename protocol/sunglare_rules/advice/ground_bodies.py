"""The own large units on a surface map, which stand in the way of sight.

Source: blips of our rule book §2.3. How large a token is only its owner knows, so that of foreign
units nothing is asked; what they hide reads like a miss.
"""

from sunglare_protocol.ladder import Fate
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_rules.advice.check_ground import stands
from sunglare_rules.surface.builds import footprint_of, height_of_ship
from sunglare_rules.surface.sight import Bodies, Standing, body_of


def own_bodies(view: View, site: Site) -> Bodies:
    """Return the own units and landed ships on a map that block sight; no hidden ones."""
    units = (
        body_of(Standing(each.cell, each.height), each.specials)
        for each in view.ground
        if each.site == site
        and each.cell is not None
        and each.fate is Fate.IN_PLAY
        and not each.hidden
    )
    ships = (
        body_of(
            Standing(place[1], height_of_ship(each.size)),
            (*footprint_of(each.size), *each.specials),
        )
        for each in view.own
        if each.fate is Fate.IN_PLAY and (place := stands(view, each)) and place[0] == site
    )
    return tuple(body for found in (*units, *ships) for body in found)

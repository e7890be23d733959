"""The large units on a surface map that its viewer knows of, which stand in the way of sight.

Source: blips of our rule book §2.3. How large a blip is only its owner knows, so that of blips
nothing is asked; what they hide reads like a miss.
"""

from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import TokenView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.seen.token_shapes import body_of_token
from sunglare_rules.ground.builds import footprint_of, height_of_ship
from sunglare_rules.ground.line_of_sight import Bodies, Viewpoint, body_of


def known_bodies(view: View, site: Site) -> Bodies:
    """Return the own large units on a map, and the identified ones that may block sight.

    OWN: one that lies hidden from others blocks nothing, which its viewer cannot know.
    """
    foreign = (body_of_token(token) for token in tokens(view, site))
    return (*own_bodies(view, site), *(body for body in foreign if body is not None))


def tokens(view: View, site: Site) -> tuple[TokenView, ...]:
    """Return the tokens that the viewer holds on a map, which are all that may be attacked."""
    return tuple(
        token
        for surface in view.surfaces
        if surface.site == site
        for token in surface.tokens
        if token.handle is not None
    )


def own_bodies(view: View, site: Site) -> Bodies:
    """Return the own units and landed ships on a map that block sight; no hidden ones."""
    units = (
        body_of(Viewpoint(unit.cell, unit.height), unit.specials)
        for unit in view.ground
        if unit.site == site
        and unit.cell is not None
        and unit.fate is Fate.IN_PLAY
        and not unit.hidden
    )
    ships = (
        body_of(
            Viewpoint(place[1], height_of_ship(ship.size)),
            (*footprint_of(ship.size), *ship.specials),
        )
        for ship in view.own
        if ship.fate is Fate.IN_PLAY and (place := stands(view, ship)) and place[0] == site
    )
    return tuple(body for found in (*units, *ships) for body in found)

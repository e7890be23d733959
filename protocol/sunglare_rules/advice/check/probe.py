"""Checks of a request for data, and the means by which it would be carried out.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7. Ships ask about what
they hold in space, ground units and landed ships about the tokens of their map.
"""

from collections.abc import Callable
from typing import NamedTuple

from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Probe
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import GroundKind, Site
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.views.ground import GroundView, TokenView
from sunglare_protocol.words.specials import Specials
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.check.ground_bodies import known_bodies, own_bodies, tokens
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.lookup import identified, place_of
from sunglare_rules.advice.seen.token_shapes import Shape, at_best, at_worst
from sunglare_rules.blips.dossiers import Means, means_of
from sunglare_rules.blips.in_space import aim
from sunglare_rules.ground.builds import height_of_ship
from sunglare_rules.ground.line_of_sight import Bodies, Viewpoint
from sunglare_rules.ground.probing import aim_on_map


class _Asker(NamedTuple):
    """The asker on a surface map: where it stands, and what it asks with."""

    site: Site
    standing: Viewpoint
    specials: Specials


def probe_problem(view: View, asker: OwnView | GroundView, order: Probe) -> Rejected | None:
    """Return why the request is illegal, or None; out of reach it is allowed, and answered so.

    An asker that does not work, an unknown handle, a coasting track and a blip are all refused
    in the same words.
    """
    handles = _handles(view, asker)
    if _may_ask(asker) and order.at in handles:
        return None
    return refused(Code.ORDER_PROBE, choices=handles)


def probe_means(view: View, ship: OwnView, contact: ContactView) -> Means | None:
    """Return by what means the ship would ask for the data of the contact; None: out of reach.

    Whether jammers or stealth then spoil the answer the viewer cannot know.
    """
    return means_of(ship.specials, aim(view.board, place_of(ship), place_of(contact)))


def token_means(view: View, asker: OwnView | GroundView, token: TokenView) -> Means | None:
    """Return by what means a token on the asker's map would be asked about at worst.

    That is, past every large unit that is known, and if its build is not known as if it lay flat:
    the lower, the more the ground is in the way.
    """
    return _token_means(view, asker, at_worst(token), known_bodies)


def request_means(view: View, request: Probe) -> tuple[Means | None, Means | None]:
    """Return by what means a request would be carried out: at best, and at worst.

    They differ only for a token, which something may hide that need not stand in the way.
    """
    units: tuple[OwnView | GroundView, ...] = (*view.own, *view.ground)
    asker = next((unit for unit in units if unit.id == request.ship), None)
    if asker is None:
        return None, None
    for token in known_tokens(view, asker):
        if token.handle == request.at:
            best = _token_means(view, asker, at_best(token), own_bodies)
            return best, token_means(view, asker, token)
    contact = next((held for held in view.contacts if held.handle == request.at), None)
    if contact is None or isinstance(asker, GroundView):
        return None, None
    means = probe_means(view, asker, contact)
    return means, means


def known_tokens(view: View, asker: OwnView | GroundView) -> tuple[TokenView, ...]:
    """Return the identified tokens on the asker's map; none if it stands on no map."""
    standing = _asker(view, asker)
    if standing is None:
        return ()
    return tuple(token for token in tokens(view, standing.site) if token.side is not None)


def _token_means(
    view: View,
    asker: OwnView | GroundView,
    token: Shape,
    bodies_on: Callable[[View, Site], Bodies],
) -> Means | None:
    standing = _asker(view, asker)
    environs = None if standing is None else view.board.environs_at(standing.site)
    if standing is None or environs is None:
        return None
    bodies = bodies_on(view, standing.site)
    aimed = aim_on_map(environs, standing.standing, token.standing, bodies)
    return means_of(standing.specials, aimed)


def _handles(view: View, asker: OwnView | GroundView) -> tuple[Handle, ...]:
    contacts = identified(view) if isinstance(asker, OwnView) else ()
    every: tuple[ContactView | TokenView, ...] = (*contacts, *known_tokens(view, asker))
    return tuple(held.handle for held in every if held.handle is not None)


def _may_ask(asker: OwnView | GroundView) -> bool:
    if isinstance(asker, GroundView):
        return asker.kind is not GroundKind.REMOTE
    return asker.powered and not asker.cloaked


def _asker(view: View, asker: OwnView | GroundView) -> _Asker | None:
    if isinstance(asker, GroundView):
        if asker.site is None or asker.cell is None:
            return None
        return _Asker(asker.site, Viewpoint(asker.cell, asker.height), asker.specials)
    place = stands(view, asker)
    if place is None:
        return None
    return _Asker(place[0], Viewpoint(place[1], height_of_ship(asker.size)), asker.specials)

"""Whether a request for data is allowed, and by what means it would be carried out.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7.
"""

from sunglare_protocol.orders import Probe
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.lookup import identified, place_of
from sunglare_rules.advice.refusing import refused
from sunglare_rules.dossiers import Means, means_of
from sunglare_rules.in_space import aim


def probe_problem(view: View, ship: OwnView, order: Probe) -> Rejected | None:
    """Return why the request is illegal, or None; out of reach it is allowed, and answered so.

    A ship that does not work, an unknown handle, a coasting track and a blip are all refused in
    the same words.
    """
    handles = tuple(each.handle for each in identified(view) if each.handle is not None)
    if ship.powered and not ship.cloaked and order.at in handles:
        return None
    return refused(Code.ORDER_PROBE, choices=handles)


def probe_means(view: View, ship: OwnView, contact: ContactView) -> Means | None:
    """Return by what means the ship would ask for the data of the contact; None: out of reach.

    Whether jammers or stealth then spoil the answer the viewer cannot tell.
    """
    return means_of(ship.specials, aim(view.board, place_of(ship), place_of(contact)))

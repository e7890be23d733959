"""Checks of a ground unit that sows remote sensors from its dispensers.

Source: Alpha Strike, "Remote Sensor Spotting"; blips of our rule book §2.3.
"""

from sunglare_protocol.geometry import Environs
from sunglare_protocol.orders import Launch, Order
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_rules.advice.check.launch import remote_problem
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.plotting import first_of
from sunglare_rules.ground.sowing import may_sow


def sow_problem(
    view: View, unit: GroundView, order: Launch, orders: tuple[Order, ...]
) -> Rejected | None:
    """Return why the unit, as it is stationed, cannot sow a sensor where its move ends, or None.

    OWN: going into a ship or out of it takes the whole turn, and nothing is sown into water.
    """
    if order.what is not Launchable.REMOTE:
        return refused(Code.ORDER_LAUNCH, ".what", "A ground unit launches only remote sensors.")
    mine = tuple(given for given in orders if given.ship == unit.id)
    problem = remote_problem(unit.dispensers, order, mine)
    if problem is not None:
        return problem
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    move = first_of(Move, mine)
    if unit.cell is None or environs is None or (move is not None and not move.path):
        return refused(Code.ORDER_LOAD, ".ship", "The unit must stay on its map this turn.")
    return _place_problem(environs, unit.cell if move is None else move.path[-1])


def _place_problem(environs: Environs, cell: Cell) -> Rejected | None:
    # A path that leads off the map is refused for itself.
    if cell not in environs or may_sow(environs, cell):
        return None
    return refused(Code.ORDER_CELL, ".ship", "Remote sensors cannot be sown into water.")

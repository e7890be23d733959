"""The ways to act on a surface map: with units, ships that land there or fire at it, and agents.

Those that are used most come first.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, assert_never

from sunglare_client.command import Plan
from sunglare_client.fullscreen.pointing.ways import WayToAct, anywhere, may_stand
from sunglare_client.text.printable import one_word
from sunglare_protocol.geometry import Environs
from sunglare_protocol.orders import Bombard, Fire, Probe
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.orders.ground import Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, ArmView, GroundView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.legal.reach import jump_ends, walk_paths
from sunglare_rules.advice.seen.agents import carriers
from sunglare_rules.advice.seen.lookup import targets
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND
from sunglare_rules.ground.attacks import GROUND_ARMS

Ways = Iterator[WayToAct[Cell]]
Lines = Iterator[tuple[str, str]]

Actor = GroundView | AgentView | OwnView
"""The pieces that may act on a surface map."""

_STRIKES: Final = tuple(strike.value for strike in Strike)


def ground_ways(view: View, site: Site, piece: Actor, given: Plan) -> Ways:
    """Yield how a piece may act on a surface map in the open window.

    Moves begin where what was `given` stations a unit, and steps where it leads an agent.
    """
    match piece:
        case GroundView():
            yield from _of_unit(view, site, piece, given)
        case AgentView():
            yield from anywhere(view, _of_agent(view, site, piece), given)
            yield from _sabotage(view, site, piece)
        case OwnView():
            yield from _of_ship(view, site, piece)
        case _:
            assert_never(piece)


def _of_unit(view: View, site: Site, unit: GroundView, given: Plan) -> Ways:
    match view.stage.phase:
        case Phase.PLOT:
            yield from _starts(view, site, unit)
            yield from _moves(view, unit, given)
            yield from anywhere(view, _loads_and_switches(view, unit))
        case Phase.DETECT:
            yield from _probes(view, site, unit)
        case Phase.ENGAGE:
            yield from _attacks(view, site, unit)
            yield from anywhere(view, _searches(unit.id))
        case _:
            return


def _starts(view: View, site: Site, unit: GroundView) -> Ways:
    """Yield where a unit may start, shown or hidden."""
    environs = view.board.environs_at(site)
    cells = () if environs is None else _cells(environs)
    if not any(may_stand(view, Station(ship=unit.id, at=site, cell=cell)) for cell in cells):
        return
    begun = f"station {unit.id} {_place(site)}"
    yield WayToAct("station", _at_cell(begun))
    yield WayToAct("station hidden", _at_cell(begun, " hidden"))


def _moves(view: View, unit: GroundView, given: Plan) -> Ways:
    paths = walk_paths(view, unit, given)

    def walked(cell: Cell) -> str:
        path = " ".join(step.name for step in paths.get(cell, ()))
        return f"move {unit.id} {path}" if path else ""

    if walk_paths(view, unit):
        yield WayToAct("move", walked, tuple(paths))
    if jump_ends(view, unit):
        ends = jump_ends(view, unit, given)
        yield WayToAct("jump", _at_cell(f"move {unit.id} jump"), ends)


def _loads_and_switches(view: View, unit: GroundView) -> Lines:
    if unit.aboard is not None:
        yield "unload", f"move {unit.id} unload"
    elif unit.site is not None:
        for ship in view.own:
            if ship.landed is not None and ship.fate is Fate.IN_PLAY and ship.bays:
                yield f"load {ship.id}", f"move {unit.id} load {ship.id}"
    if has_jammer(unit.specials):
        state = "off" if unit.ecm_on else "on"
        yield f"ecm {state}", f"ecm {unit.id} {state}"
    if unit.dispensers:
        yield "launch remote", f"launch {unit.id} remote"


def _probes(view: View, site: Site, asker: GroundView | OwnView) -> Ways:
    """Yield that a piece asks for the data of a token."""
    asked = [token.handle for token in tokens(view, site) if token.handle is not None]
    if any(may_stand(view, Probe(ship=asker.id, at=handle)) for handle in asked):
        yield WayToAct("probe", _at_token(view, site, f"probe {asker.id}"))


def _attacks(view: View, site: Site, unit: GroundView) -> Ways:
    held = [token.handle for token in tokens(view, site)]
    for arm in unit.weapons:
        shots = (Fire(ship=unit.id, weapon=arm.id, at=handle) for handle in held)
        if arm.kind in GROUND_ARMS and any(may_stand(view, shot) for shot in shots):
            word = one_word(arm.id)
            yield WayToAct(f"fire {word}", _at_token(view, site, f"fire {unit.id}.{word}"))
    for special in unit.specials:
        beam = Fire(ship=unit.id, weapon=special.value, point=unit.cell)
        if special.value in DESIGNATORS and may_stand(view, beam):
            yield WayToAct(f"fire {special.value}", _at_cell(f"fire {unit.id}.{special.value}"))
    batteries = [arm for arm in unit.weapons if arm.kind in CLASS_OF_ARM]
    yield from anywhere(view, _into_space(view, unit, batteries))
    yield from _bombardments(view, site, unit, (arm.id for arm in batteries))


def _into_space(view: View, unit: GroundView, batteries: Iterable[ArmView]) -> Lines:
    for arm in batteries:
        word = one_word(arm.id)
        for target in targets(view):
            yield f"fire {word} at {target.label}", f"fire {unit.id}.{word} {target.label}"


def _bombardments(
    view: View, site: Site, piece: GroundView | OwnView, weapons: Iterable[str]
) -> Ways:
    """Yield the fire of capital weapons at a cell."""
    environs = view.board.environs_at(site)
    for weapon in () if environs is None else weapons:
        cells = _cells(environs) if environs is not None else ()
        shots = (Bombard(ship=piece.id, weapon=weapon, at=site, cell=cell) for cell in cells)
        if any(may_stand(view, shot) for shot in shots):
            word = one_word(weapon)
            yield WayToAct(
                f"bombard {word}", _at_cell(f"bombard {piece.id}.{word} {_place(site)}")
            )


def _of_ship(view: View, site: Site, ship: OwnView) -> Ways:
    if view.stage.phase is Phase.DETECT:
        yield from _probes(view, site, ship)
    if view.stage.phase is Phase.ENGAGE:
        weapons = (weapon.id for weapon in ship.weapons if weapon.kind in CLASS_OF_KIND)
        yield from _bombardments(view, site, ship, weapons)


def _of_agent(view: View, site: Site, agent: AgentView) -> Lines:
    if view.stage.phase is Phase.ENGAGE:
        yield from _searches(agent.id)
    elif view.stage.phase is Phase.PLOT:
        yield from _agent_starts(view, site, agent)
        yield from _missions(agent)
        yield from _steps(view, site, agent)
        for policy in FightPolicy:
            yield f"fight: {policy.value}", f"stand {agent.id} fight {policy.value}"


def _missions(agent: AgentView) -> Lines:
    for kind in MissionKind if agent.site is not None else ():
        yield f"mission {kind.value}", f"mission {agent.id} {kind.value}"


def _agent_starts(view: View, site: Site, agent: AgentView) -> Lines:
    if view.stage.turn != 1:
        return
    begun = f"station {agent.id} {_place(site)}"
    yield "station", begun
    for unit in view.ground:
        if unit.fate is Fate.IN_PLAY:
            yield f"station with {unit.id}", f"{begun} with {unit.id}"


def _steps(view: View, site: Site, agent: AgentView) -> Lines:
    """Yield the steps to other environs, and into and out of ships and stacks."""
    for number in view.board.numbers_on(site.body):
        yield f"walk {number}", f"walk {agent.id} {number}"
    yield "leave", f"leave {agent.id}"
    if agent.aboard is not None:
        yield f"leave for {site.environs}", f"leave {agent.id} {site.environs}"
    into = [ship.id for ship in carriers(view)]
    into += [unit.id for unit in view.ground if unit.fate is Fate.IN_PLAY and unit.site == site]
    for piece in into:
        yield f"board {piece}", f"board {agent.id} {piece}"


def _sabotage(view: View, site: Site, agent: AgentView) -> Ways:
    """Yield sabotage of the token that is pointed at."""
    kind = MissionKind.SABOTAGE
    held = (token.handle for token in tokens(view, site))
    aims = (Mission(ship=agent.id, kind=kind, at=handle) for handle in held)
    if agent.site == site and any(may_stand(view, aim) for aim in aims):
        yield WayToAct("sabotage there", _at_token(view, site, f"mission {agent.id} {kind.value}"))


def _searches(piece: str) -> Lines:
    for strike in _STRIKES:
        yield f"search, strike {strike}", f"search {piece} strike {strike}"


def _at_token(view: View, site: Site, begun: str) -> Callable[[Cell], str]:
    """Return what writes a command for the token on a cell."""
    # Nothing can be aimed at a memory.
    labels = {token.cell: token.label for token in reversed(tokens(view, site))}
    return lambda cell: f"{begun} {labels[cell]}" if cell in labels else ""


def _at_cell(begun: str, end: str = "") -> Callable[[Cell], str]:
    return lambda cell: f"{begun} {cell.name}{end}"


def _cells(environs: Environs) -> Iterator[Cell]:
    return (Cell(x, y) for y in range(environs.rows) for x in range(environs.columns))


def _place(site: Site) -> str:
    return f"{one_word(site.body)} {site.environs}"

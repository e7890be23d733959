"""Orders that people may give, as examples; whatever is not allowed is left out by `legal`.

Source: search of our rule book §2.
"""

from collections.abc import Iterator

from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import (
    NOWHERE,
    OFF_MAP,
    Board,
    Leave,
    Mission,
    Search,
    Stand,
    Walk,
)
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import PersonView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_rules.advice.check.agents import search_site
from sunglare_rules.advice.seen.agents import carriers, free_people, scene_now
from sunglare_rules.search.agents import planet_of


def people_examples(view: View) -> Iterator[Order]:
    """Yield candidates for the open window: steps, missions, standing orders, or searches."""
    if not view.people and not view.ground:
        return
    if view.stage.phase is Phase.PLOT:
        for person in free_people(view):
            yield from steps_of(view, person)
            yield from missions_of(view, person)
            for policy in FightPolicy:
                yield Stand(ship=person.id, fight=policy)
            yield Stand(ship=person.id, hides_by=person.id)
        yield from _standing(view)
    if view.stage.phase is Phase.ENGAGE:
        yield from searches(view)


def steps_of(view: View, person: PersonView) -> Iterator[Order]:
    """Yield the steps of a character that come into question from where he is now."""
    scene = scene_now(view)
    planet = planet_of(scene.place_of(scene.character(person.id)))
    numbers = [
        environs.number
        for each in view.board.planets
        if each.name == planet
        for environs in each.environs
    ]
    yield Leave(ship=person.id)
    for number in numbers:
        yield Walk(ship=person.id, environs=number)
        yield Leave(ship=person.id, environs=number)
    for ship in carriers(view):
        yield Board(ship=person.id, into=ship.id)
    for unit in view.ground:
        if unit.fate is Fate.IN_PLAY:
            yield Board(ship=person.id, into=unit.id)


def missions_of(
    view: View, person: PersonView, others: tuple[OwnId, ...] = ()
) -> Iterator[Mission]:
    """Yield the missions of a character where he is now, with every target that is known."""
    if person.site is None:
        return
    for kind in MissionKind:
        yield Mission(ship=person.id, kind=kind, others=others)
    for handle in _tokens(view, person.site):
        yield Mission(ship=person.id, kind=MissionKind.SABOTAGE, others=others, at=handle)
    yield Mission(ship=person.id, kind=MissionKind.SABOTAGE, others=others, silence=True)


def searches(view: View) -> Iterator[Search]:
    """Yield a search of each environs where an alert and an own piece stand, for each strike."""
    done: list[Site] = []
    pieces = (*(each.id for each in view.ground), *(each.id for each in view.people))
    for piece in pieces:
        site = search_site(view, piece)
        if site is None or site in done:
            continue
        done.append(site)
        for strike in Strike:
            yield Search(ship=piece, strike=strike)


def _tokens(view: View, site: Site) -> Iterator[Handle]:
    for surface in view.surfaces:
        if surface.site == site:
            yield from (token.handle for token in surface.tokens if token.handle is not None)


def _standing(view: View) -> Iterator[Stand]:
    side = OwnId(str(view.audience))
    for strike in Strike:
        yield Stand(ship=side, strike=strike)
    if view.people:
        goals = (*(each.name for each in view.board.planets), OFF_MAP, NOWHERE)
        for ship in carriers(view):
            for goal in goals:
                yield Stand(ship=ship.id, bound_for=goal)

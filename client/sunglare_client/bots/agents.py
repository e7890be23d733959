"""What the searcher does with its characters: tasks, ways to them, missions, places to guard."""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_protocol.geometry import Planet
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Land, Order
from sunglare_protocol.orders.agents import Board, Leave, Mission, Stand, Walk
from sunglare_protocol.surface import Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import PersonView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.agents import free_people, military, scene_after
from sunglare_rules.search.agents import InOrbit, OnGround, VesselPlace
from sunglare_rules.search.footwork import adjacent

GROUP = 2
"""How many go on a task together: more hide worse."""

STRONG = 4
"""A group of three whose best has so much combat covers its own retreat."""

SPIED_FOR = 5
"""For so many turns what spies saw is good enough."""


class Task(NamedTuple):
    """Something to do for an objective: where, how, what with, and who must be there."""

    site: Site
    kind: MissionKind
    name: str
    must: OwnId | None = None


def tasks(view: View) -> list[Task]:
    """Return what is left to do for the own objectives, nearest to its end first."""
    found = []
    done = [each.name for each in view.items if each.delivered]
    for goal in view.objectives:
        if goal.kind is ObjectiveKind.DELIVER and goal.at is not None and goal.piece not in done:
            found += [*_item_task(view, str(goal.piece), goal.at)]
            found += [*_person_task(view, str(goal.piece), goal.at)]
    found.sort(key=lambda each: each.kind is not MissionKind.DELIVER)
    return found


def _item_task(view: View, name: str, goal: Site) -> Iterator[Task]:
    carriers = [each.id for each in free_people(view)]
    for item in view.items:
        if item.name == name and item.carrier in carriers:
            yield Task(goal, MissionKind.DELIVER, name, item.carrier)
        elif item.name == name and item.site is not None:
            yield Task(item.site, MissionKind.STEAL, name)


def _person_task(view: View, name: str, goal: Site) -> Iterator[Task]:
    for person in view.people:
        if person.name != name or person.fate is not Fate.IN_PLAY:
            continue
        if person.captor is not None and person.site is not None:
            yield Task(person.site, MissionKind.FREE, person.id)
        elif person.captor is None:
            yield Task(goal, MissionKind.DELIVER, name, person.id)


def agents_orders(view: View, moves: tuple[Order, ...]) -> Iterator[Order]:
    """Yield steps and missions of agents with tasks; `moves` are the orders of the ships."""
    places = _places(view, moves)
    wanted = tasks(view)
    left = [each for each in free_people(view) if each.stacked is None and each.id in places]
    for task in wanted:
        group = _chosen(left, task, places)
        left = [each for each in left if each not in group]
        yield from _sent(view, group, task.site, places)
        there = [each.id for each in group if _reaches(view, places[each.id], task.site)]
        if there and (task.must is None or task.must in there):
            yield Mission(ship=there[0], kind=task.kind, others=tuple(there[1:]), name=task.name)
    yield from _idle(view, left, wanted, places)


def _places(view: View, moves: tuple[Order, ...]) -> dict[str, VesselPlace]:
    """Return where everybody is once the ships have moved, on or over a planet."""
    scene = scene_after(view, moves)
    found = {each.name: scene.place_of(each) for each in scene.characters}
    return {name: place for name, place in found.items() if isinstance(place, OnGround | InOrbit)}


def _chosen(
    left: list[PersonView], task: Task, places: dict[str, VesselPlace]
) -> list[PersonView]:
    def fitness(person: PersonView) -> tuple[bool, bool, int]:
        rating = person.combat if task.kind is MissionKind.FREE else person.intelligence
        near = _site_of(places[person.id]) == task.site
        return person.id != task.must, not near, -rating

    able = [each for each in left if not each.npc or each.id == task.must]
    if task.kind is MissionKind.DELIVER:
        return [each for each in able if each.id == task.must]
    return sorted(able, key=fitness)[:GROUP]


def _site_of(place: VesselPlace) -> Site | None:
    return Site(place.planet, place.environs) if isinstance(place, OnGround) else None


def _sent(
    view: View, group: list[PersonView], site: Site, places: dict[str, VesselPlace]
) -> Iterator[Order]:
    """Yield the steps that bring a group to a site, as far as two steps go."""
    for person in group:
        place = places[person.id]
        if isinstance(place, InOrbit):
            yield Leave(ship=person.id, environs=site.environs)
            continue
        if person.aboard is not None:
            yield Leave(ship=person.id)
        here = _site_of(place)
        if here is not None and here != site:
            yield Walk(ship=person.id, environs=_next(view, here, site))


def _next(view: View, here: Site, site: Site) -> int:
    """Return the environs to walk to: the goal if it is adjacent, else the next on the ring."""
    numbers = _numbers(view, here.body)
    if adjacent(numbers, here.environs, site.environs):
        return site.environs
    return next(each for each in numbers if adjacent(numbers, here.environs, each))


def _numbers(view: View, body: str) -> tuple[int, ...]:
    planets: tuple[Planet, ...] = view.board.planets
    return tuple(
        environs.number for each in planets if each.name == body for environs in each.environs
    )


def _reaches(view: View, place: VesselPlace, site: Site) -> bool:
    here = _site_of(place)
    if here is None:
        return place.planet == site.body if isinstance(place, InOrbit) else False
    numbers = _numbers(view, here.body)
    return here == site or adjacent(numbers, here.environs, site.environs)


def _idle(
    view: View, left: list[PersonView], wanted: list[Task], places: dict[str, VesselPlace]
) -> Iterator[Order]:
    """Yield what agents without a task do: land, then spy, then sabotage what is known."""
    for person in left:
        place = places[person.id]
        if person.aboard is not None:
            goal = wanted[0].site.environs if wanted else None
            yield Leave(ship=person.id, environs=goal if isinstance(place, InOrbit) else None)
        elif person.site is not None and not person.npc and not person.detected:
            yield _errand(view, person, person.site)


def _errand(view: View, person: PersonView, site: Site) -> Mission:
    since = view.stage.turn - SPIED_FOR
    known = [each for each in view.spied if each.site == site and each.turn > since]
    if not known:
        return Mission(ship=person.id, kind=MissionKind.SPY)
    target = next(iter(_tokens(view, site)), None)
    return Mission(ship=person.id, kind=MissionKind.SABOTAGE, at=target)


def _tokens(view: View, site: Site) -> Iterator[Handle]:
    for surface in view.surfaces:
        if surface.site == site:
            yield from (each.handle for each in surface.tokens if each.handle is not None)


def guards_orders(view: View) -> Iterator[Order]:
    """Yield the steps of characters without objectives: to troops to lead, or to an alert."""
    alerts = [Site(each.planet, each.environs) for each in view.alerts if each.environs]
    for person in free_people(view):
        if person.site is None or person.stacked is not None:
            continue
        troops = military(view, person.site)
        led = any(each.stacked is not None and each.site == person.site for each in view.people)
        if troops and not led and person.leadership > person.intelligence:
            yield Board(ship=person.id, into=troops[0].id)
        near = [each for each in alerts if each.body == person.site.body]
        if near and person.site not in alerts:
            yield Walk(ship=person.id, environs=_next(view, person.site, near[0]))


def standing_orders(view: View) -> Iterator[Order]:
    """Yield the standing orders of turn 1: who strikes, and how groups take being found."""
    if view.stage.turn != 1:
        return
    people = free_people(view)
    strike = Strike.PATROL if view.ground or not people else Strike.CHARACTERS
    yield Stand(ship=OwnId(str(view.audience)), strike=strike)
    for person in people:
        if person.npc or person.leadership == 0:
            continue
        tough = max(each.combat for each in people) >= STRONG
        fight = FightPolicy.SCREEN if tough and len(people) > GROUP else FightPolicy.FLEE
        by_endurance = sorted(people, key=lambda each: each.wounds - each.endurance)
        yield Stand(ship=person.id, fight=fight, wounds=tuple(each.id for each in by_endurance))


def landing_of(view: View, ship: OwnView) -> Land | None:
    """Return where a ship with agents aboard is to land: where their work ends, if anywhere."""
    goals = [each.at for each in view.objectives if each.kind is ObjectiveKind.DELIVER]
    for site in goals:
        if site is not None:
            return Land(ship=ship.id, body=site.body, environs=site.environs)
    return None

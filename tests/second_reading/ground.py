"""What the rules let an audience learn of the surface in a window, worked out a second time.

A reading of blips §1 to §4 apart from the server's, from the truth and the rule functions alone.
"""

from collections.abc import Iterator

import msgspec

from second_reading.parts import Window, owner_of, side_in
from second_reading.sight import (
    Man,
    bodies_on,
    environs_of,
    is_exposed,
    is_overflown,
    is_spotted,
    maps_of,
    men_of,
    sees_past,
    side_sees,
    spots,
)
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Arm
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips import spotting
from sunglare_rules.ground import attacks, builds, line_of_sight, plane, terrain
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth

Known = dict[PieceId, bool]
"""The pieces a side holds on the surface, and whether it knows which they are."""

Shell = tuple[PieceId, str, PieceId]
"""An attack of a ground unit: the unit, its weapon, its target."""


def held_after_plot(
    before: Truth, after: Truth, orders: dict[Side, tuple[Order, ...]], side: Side
) -> Known:
    """Return what `side` holds on the surface when movement and spotting are over."""
    men, maps = men_of(after), maps_of(after, side)
    old = {
        piece: hold.identified
        for piece, hold in before.surface.tokens_of(side).items()
        if (place := before.stands(piece)) is not None and place[0] in maps
    }
    wanted, start = _wanted(orders), _stationed(before, orders)
    known: Known = {}
    for man in men:
        if man.side == side or man.site not in maps:
            continue
        held = old.get(man.piece)
        if man.hidden:
            if held is not None or is_exposed(after, men, side, man):
                known[man.piece] = bool(held) or is_exposed(after, men, side, man)
            continue
        fresh = _comes_known(start, after, men, man, wanted) if held is None else bool(held)
        known[man.piece] = fresh or is_spotted(after, men, side, man)
    return known


def _wanted(orders: dict[Side, tuple[Order, ...]]) -> set[PieceId]:
    return {
        piece_id(side, order.ship)
        for side, given in orders.items()
        for order in given
        if isinstance(order, Move) and order.token
    }


def _comes_known(
    start: dict[PieceId, GroundTruth], after: Truth, men: list[Man], man: Man, wanted: set[PieceId]
) -> bool:
    """Return whether a unit that has left its hiding shows what it is."""
    unit = start.get(man.piece)
    if unit is None or not unit.hidden or unit.aboard is not None:
        return False
    if man.piece not in wanted:
        return True
    environs = environs_of(after, man.site)
    # Who has only just come out of hiding stands in nobody's way yet.
    old = [seen for seen in men if seen.piece not in start or not start[seen.piece].hidden]
    bodies = bodies_on(old, man.site)
    return any(
        line_of_sight.sees(
            environs, other.standing, line_of_sight.Viewpoint(cell, man.height), bodies
        )
        for other in men
        if other.side != man.side and other.site == man.site
        for cell in (unit.cell, man.cell)
    )


def _stationed(before: Truth, orders: dict[Side, tuple[Order, ...]]) -> dict[PieceId, GroundTruth]:
    """Return the ground units where, and as, they start to move."""
    units = dict(before.ground)
    for side, given in orders.items():
        for order in given:
            piece = piece_id(side, order.ship)
            if isinstance(order, Station) and order.cell is not None and piece in units:
                units[piece] = msgspec.structs.replace(
                    units[piece], site=order.at, cell=order.cell, hidden=order.hidden
                )
    return units


def shell_of(truth: Truth, dice: Dice, shell: Shell) -> tuple[tuple[int, ...], int]:
    """Return the dice of an attack and the damage it does."""
    men = men_of(truth)
    own = next((man for man in men if man.piece == shell[0]), None)
    aim = next((man for man in men if man.piece == shell[2]), None)
    rolled = dice.two_d6(truth.turn, Purpose.FIRE, f"{shell[0]}/{shell[1]}")
    unit = truth.ground[shell[0]]
    weapon = next(arm for arm in unit.type.weapons if arm.id == shell[1])
    if own is None or aim is None or own.site != aim.site:
        return rolled, 0
    environs = environs_of(truth, own.site)
    distance = plane.apart(own.cell, aim.cell)
    cover = terrain.terrain_at(environs, aim.cell).is_cover
    aimed = attacks.Aimed(cover=cover, remote=aim.remote)
    bracket = attacks.bracket_of(distance)
    if weapon.kind in attacks.CLOSE_ARMS:
        if not plane.touch(own.cell, aim.cell, own.specials, aim.specials):
            return rolled, 0
        needed, full = attacks.needs(unit.type.gunnery, None, aimed), weapon.s
    elif bracket is None:
        return rolled, 0
    else:
        full = attacks.damage_at(weapon.damages, bracket)
        if not sees_past(truth, men, own, aim.standing):
            friends = [
                man
                for man in men
                if man.side == own.side
                and man.site == own.site
                and man.works
                and sees_past(truth, men, man, aim.standing)
            ]
            if weapon.kind is not Arm.INDIRECT or not friends:
                return rolled, 0
            by_remote = all(man.remote for man in friends)
            aimed = aimed._replace(indirect=True, by_remote=by_remote)
        needed = attacks.needs(unit.type.gunnery, bracket, aimed)
    return rolled, full if attacks.hits(sum(rolled), needed) else 0


def surface_known(truth: Truth, audience: Audience) -> object:
    """Return what the audience has been told of the surface as it stands."""
    found: list[object] = []
    for side in side_in(audience):
        units = [unit for unit in truth.ground.values() if unit.side == side]
        agents = [agent for agent in truth.agents.values() if agent.side == side]
        found += [units, agents, truth.surface.maps_of(side)]
        for piece, hold in sorted(truth.surface.tokens_of(side).items()):
            found.append((piece, truth.stands(piece), _identity(truth, piece, hold.identified)))
    return found


def plot_told(
    before: Truth, after: Truth, orders: dict[Side, tuple[Order, ...]], audience: Audience
) -> Iterator[object]:
    """Yield what movement tells an audience: maps, tokens, and who of its own is known."""
    for side in side_in(audience):
        yield maps_of(after, side)
        for piece, known in sorted(held_after_plot(before, after, orders, side).items()):
            yield piece, after.stands(piece), _identity(after, piece, known)
        for piece in sorted(before.surface.tokens_of(side)):
            yield piece, _ended(after, piece)
        yield from _own_known(before, after, orders, side)
        yield from emerged(before, after, orders, side)


def engage_told(
    before: Truth, after: Truth, dice: Dice, shells: tuple[Shell, ...], audience: Audience
) -> Iterator[object]:
    """Yield what attacks on the ground tell an audience, and what it then holds."""
    men = men_of(before)
    for side in side_in(audience):
        for shell in sorted(shells):
            rolled, damage = shell_of(before, dice, shell)
            kind = _arm(before, shell)
            owner = owner_of(before, shell[2])
            if before.ground[shell[0]].side == side:
                yield shell, rolled, damage
            if owner == side:
                yield "hit", shell[2], kind, damage
            elif is_indirect(before, men, shell) and side_sees(before, men, side, shell[2]):
                yield "impact", before.stands(shell[2])
            if not is_indirect(before, men, shell):
                yield from shown_by_fire(before, men, side, shell[0], is_target=owner == side)
        yield from _after_engage(before, after, side)
        yield from _bared(before, after, men, side)


def occupations_told(window: Window) -> Iterator[object]:
    """Yield what all are told of the environs that end the match: who stands there openly."""
    for site in sorted({goal.at for goal in window.decisive if goal.at is not None}):
        men = [man for man in window.after.ground.values() if man.site == site]
        shown = {man.side for man in men if man.in_play and not (man.hidden or man.is_remote)}
        yield site, sorted(shown), window.before.occupiers


def is_indirect(truth: Truth, men: list[Man], shell: Shell) -> bool:
    """Return whether an indirect weapon fires at what its own unit does not see."""
    own = next((man for man in men if man.piece == shell[0]), None)
    aim = next((man for man in men if man.piece == shell[2]), None)
    is_seen = own is not None and aim is not None and sees_past(truth, men, own, aim.standing)
    return _arm(truth, shell) is Arm.INDIRECT and not is_seen


def shown_by_fire(
    before: Truth, men: list[Man], side: Side, piece: PieceId, *, is_target: bool
) -> Iterator[object]:
    """Yield a foreign unit that a direct attack shows on the map, even if it dies of another."""
    unit = before.ground[piece]
    if unit.side != side and (is_target or side_sees(before, men, side, piece)):
        yield "shown", piece, unit.site, unit.cell, _miniature(unit)


def _bared(before: Truth, after: Truth, men: list[Man], side: Side) -> Iterator[object]:
    """Yield the hidden units whose damage shows them, even if the map is then lost from sight."""
    for unit in after.ground.values():
        is_foe = unit.hidden and unit.in_play and unit.side != side
        hurt = unit.id in before.ground and unit.damage > before.ground[unit.id].damage
        if is_foe and hurt and side_sees(before, men, side, unit.id):
            yield unit.id, unit.site, unit.cell, _miniature(unit)


def _after_engage(before: Truth, after: Truth, side: Side) -> Iterator[object]:
    yield after.surface.maps_of(side)
    for piece, hold in sorted(after.surface.tokens_of(side).items()):
        yield piece, after.stands(piece), _identity(after, piece, hold.identified)
    for piece in sorted(before.surface.tokens_of(side)):
        yield piece, _ended(after, piece)
    for unit in after.ground.values():
        if unit.side == side and unit.hidden:
            known = [_is_identified(after, other, unit.id) for other in after.sides]
            was = [_is_identified(before, other, unit.id) for other in before.sides]
            yield unit.id, known, was


def emerged(
    before: Truth, after: Truth, orders: dict[Side, tuple[Order, ...]], side: Side
) -> Iterator[tuple[PieceId, bool]]:
    """Yield which own units have left their hiding, and whether they show what they are."""
    men, wanted, start = men_of(after), _wanted(orders), _stationed(before, orders)
    for man in men:
        came_out = man.side == side and man.piece in start and start[man.piece].hidden
        if came_out and not man.hidden:
            yield man.piece, _comes_known(start, after, men, man, wanted)


def _own_known(
    before: Truth, after: Truth, orders: dict[Side, tuple[Order, ...]], side: Side
) -> Iterator[object]:
    """Yield which own pieces others have newly identified in the open, or exposed."""
    men = men_of(after)
    for other in after.sides:
        if other == side:
            continue
        now = held_after_plot(before, after, orders, other)
        old = before.surface.tokens_of(other)
        for man in men:
            fresh = now.get(man.piece, False) and not (
                man.piece in old and old[man.piece].identified
            )
            if man.side == side and fresh and man.hidden:
                yield "uncovered", man.piece
            elif man.side == side and fresh and not is_overflown(after, other, man):
                spotters = [
                    unit.hidden
                    for unit in men
                    if unit.side == other
                    and unit.site == man.site
                    and spots(after, men, unit, man)
                ]
                if spotters and not all(spotters):
                    yield "identified", man.piece
        yield (
            other,
            [man.piece for man in men if man.side == side and is_overflown(after, other, man)],
        )


def _identity(truth: Truth, piece: PieceId, known: bool) -> object:
    return _likeness(truth, piece) if known else None


def _likeness(truth: Truth, piece: PieceId) -> tuple[object, ...]:
    """Return what whoever has identified a piece on the ground knows: side, type, build, width."""
    if piece in truth.ground:
        return truth.ground[piece].side, *_miniature(truth.ground[piece])
    ship = truth.ships[piece]
    of_base = builds.footprint_of(ship.type.size)
    large = ship.type.size is BaseSize.LARGE
    return ship.side, ship.type.type_shown, large, _width((*of_base, *ship.type.specials))


def _miniature(unit: GroundTruth) -> tuple[object, ...]:
    kind = unit.type
    return kind.type, builds.build_of(kind.kind, kind.specials), _width(kind.specials)


def _width(specials: Specials) -> int:
    return max((spotting.FOOTPRINTS.get(special, 0) for special in specials), default=0)


def _ended(after: Truth, piece: PieceId) -> object:
    """Return what a token's end tells: what has become of it, and of a ship what it is."""
    if piece in after.ground:
        return after.ground[piece].fate, after.ground[piece].site
    ship = after.ships[piece]
    lifted = ship.landing is None and ship.in_play
    return ship.fate, ship.landing is None, _likeness(after, piece) if lifted else None


def _is_identified(truth: Truth, side: Side, piece: PieceId) -> bool:
    hold = truth.surface.tokens_of(side).get(piece)
    return hold is not None and hold.identified


def _arm(truth: Truth, shell: Shell) -> Arm:
    weapons = truth.ground[shell[0]].type.weapons
    return next(weapon.kind for weapon in weapons if weapon.id == shell[1])

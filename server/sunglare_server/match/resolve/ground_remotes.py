"""Remote sensors on the ground: sown where a move ends, and lost to an enemy who touches them.

Source: Alpha Strike, "Remote Sensor Spotting"; blips of our rule book §2.3 and §3.1.
"""

from collections.abc import Iterator

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Launch
from sunglare_protocol.words.armament import Launchable
from sunglare_rules.ground.sowing import ends_sensor, may_sow
from sunglare_server.match.events.ground import SensorSown, UnitDestroyed
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.resolve.ground_scene import map_of, sight_of
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth

SENSOR_PREFIX = "GR"
"""The names of the sensors that a side's ground units sow are this and a number."""

CONTACT = "contact"
"""What ends a sensor that an enemy touches; its owner does not learn it."""

Sowings = dict[PieceId, tuple[Launch, ...]]
"""The accepted launches, by piece; those of ships among them."""


def sowings(truth: Truth, orders: Sowings) -> Iterator[SensorSown]:
    """Yield the sensors sown, each where its unit stands after all movement.

    A unit that is gone or aboard by then sows nothing, nor does one that stands in water.
    """
    for side in truth.sides:
        count = sum(unit.launcher is not None for unit in truth.ground_of(side))
        for unit in truth.ground_of(side):
            for _ in _sown(truth, unit, orders.get(unit.id, ())):
                count += 1
                yield _sensor(unit, OwnId(f"{SENSOR_PREFIX}{count}"))


def contacts(truth: Truth) -> Iterator[UnitDestroyed]:
    """Yield the sensors that end the turn in base contact with an enemy.

    A side that does not hold it, for want of a working piece there, learns nothing of it.
    """
    for unit in truth.ground.values():
        beside = _beside(truth, unit)
        if beside:
            holders = tuple(s for s in beside if unit.id in truth.surface.tokens_of(s))
            others = tuple(side for side in beside if side not in holders)
            yield UnitDestroyed(piece=unit.id, killers=holders, unaware=others, cause=CONTACT)


def _sown(truth: Truth, unit: GroundTruth, orders: tuple[Launch, ...]) -> list[Launch]:
    environs = None if unit.site is None else truth.board.environs_at(unit.site)
    if environs is None or not unit.in_play or unit.type.remote is None:
        return []
    if not may_sow(environs, unit.cell):
        return []
    return [order for order in orders if order.what is Launchable.REMOTE]


def _sensor(unit: GroundTruth, own: OwnId) -> SensorSown:
    if unit.site is None:
        raise ValueError(f"{unit.id} stands on no surface map")
    return SensorSown(
        piece=piece_id(unit.side, own),
        launcher=unit.id,
        own=own,
        site=unit.site,
        cell=unit.cell,
    )


def _beside(truth: Truth, sensor: GroundTruth) -> tuple[Side, ...]:
    """Return the enemy sides with a piece that touches a sensor in play, by their letters."""
    if not sensor.is_remote or not sensor.in_play or sensor.site is None:
        return ()
    ground = map_of(truth, sensor.site)
    own = None if ground is None else ground.figure(sensor.id)
    if ground is None or own is None:
        return ()
    return truth.in_order(
        [
            figure.side
            for figure in ground.figures
            if figure.side != sensor.side
            and ends_sensor(
                contact=sight_of(ground, figure, own).contact,
                remote=figure.remote,
                hidden=figure.hidden,
            )
        ]
    )

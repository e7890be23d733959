"""The words for what a set of orders would lose, and for what it leaves undone."""

from sunglare_protocol.word import Word


class LossKind(Word):
    """What a set of orders loses.

    The piece ends its move off the map or in the body of a planet; or it does so next turn,
    whatever is ordered then; or it is not given its place, which this window alone takes.
    """

    LEAVES_MAP = "leaves_map"
    STRIKES_BODY = "strikes_body"
    LOST_NEXT_TURN = "lost_next_turn"
    NOT_DEPLOYED = "not_deployed"
    NOT_STATIONED = "not_stationed"


class IdleKind(Word):
    """What a set of orders leaves undone.

    A piece that could act has no order; a ship will have no sensor that works; a weapon that can
    be fired at a piece held is neither fired nor held.
    """

    NO_ORDER = "no_order"
    NO_SENSOR = "no_sensor"
    WEAPON_UNUSED = "weapon_unused"

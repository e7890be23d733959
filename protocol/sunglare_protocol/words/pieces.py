"""The words for what a piece is that both ends use."""

from sunglare_protocol.word import Word


class PieceKind(Word):
    """What a piece in space is, where rules make a difference."""

    STARSHIP = "starship"
    DECOY = "decoy"
    FIGHTER = "fighter"
    MISSILE = "missile"
    REMOTE = "remote"


class BaseSize(Word):
    """How big a piece's base is; decides the edge and the opening of its arcs."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class Arc(Word):
    """An area beyond a base in which a piece may stand; the first four are the standard arcs."""

    FRONT = "front"
    REAR = "rear"
    LEFT = "left"
    RIGHT = "right"
    FULL_FRONT = "full_front"
    FULL_REAR = "full_rear"
    BULLSEYE = "bullseye"


class Relation(Word):
    """Where a piece stands as measured from another one's midway line."""

    BEHIND = "behind"
    IN_FRONT = "in_front"
    FLANKING = "flanking"
    NONE = "none"


class TurretKind(Word):
    """How many arcs a turret indicator points to: one, or two opposite ones."""

    SINGLE = "single"
    DOUBLE = "double"

"""The words of agents, searches, patrols and missions that both ends use."""

from sunglare_protocol.words import Word


class Quality(Word):
    """The names of the chart of troops, which decide what soldiers a patrol is made of."""

    CONSCRIPT = "conscript"
    FIRST_LINE = "first_line"
    SECOND_LINE = "second_line"
    STORMTROOPER = "stormtrooper"
    GUARD = "guard"
    MARINE = "marine"
    MILITIA = "militia"
    REGULAR = "regular"
    IRREGULAR = "irregular"
    ELITE = "elite"


class Soldier(Word):
    """What the soldiers of a patrol are."""

    CONSCRIPT = "conscript"
    LINE = "line"
    STORMTROOPER = "stormtrooper"
    MARINE = "marine"
    MILITIA = "militia"
    REGULAR = "regular"
    ELITE = "elite"


class Strike(Word):
    """Whom a searching side sends against people it finds."""

    PATROL = "patrol"
    CHARACTERS = "characters"
    NONE = "none"


class FightPolicy(Word):
    """What a group does when it is found: a standing order."""

    FLEE = "flee"
    SCREEN = "screen"
    FIGHT = "fight"


class MissionKind(Word):
    """What a mission group sets out to do."""

    SPY = "spy"
    SABOTAGE = "sabotage"
    STEAL = "steal"
    DELIVER = "deliver"
    FREE = "free"

"""The words of victory that both ends use."""

from sunglare_protocol.word import Word


class ObjectiveKind(Word):
    """What a side scores for apart from destroying."""

    ESCAPE = "escape"
    IDENTIFY = "identify"
    SURVIVE = "survive"
    DELIVER = "deliver"
    HOLD = "hold"
    COLLECT = "collect"

"""After the whole process stood still the seats of the matches that go on are told of it."""

from pathlib import Path

from builders.players import Player, started
from builders.servers import running_app
from builders.wires import met
from sunglare_protocol.messages import News
from sunglare_server.base.status_texts import AGAIN_TEXT


def told(player: Player) -> list[str]:
    """Return the news that have come to a seat outside any sequence."""
    return [
        message.text
        for message in player.talker.messages
        if isinstance(message, News) and message.seq == 0
    ]


async def test_the_seats_of_a_match_that_goes_on_are_told_that_all_stood_still(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        met(app.url) as anna,
        met(app.url) as boris,
        met(app.url) as clara,
        met(app.url) as dora,
    ):
        going, over = await started([anna, boris]), await started([clara, dora])
        await over[0].resign()
        await over[1].over()
        app.lobby.matches.tell_all(AGAIN_TEXT)
        for player in (*going, *over):
            await player.talker.ping()
        assert [told(player)[-1:] for player in going] == [[AGAIN_TEXT]] * 2
        assert AGAIN_TEXT not in [text for player in over for text in told(player)]

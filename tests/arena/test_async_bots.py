"""Bots with `async` in the arena: they play what they would play without it."""

import asyncio
from collections.abc import Iterable

from sunglare_arena.entrants import games
from sunglare_arena.playing import play
from sunglare_arena.series import Series, scenario_called
from sunglare_client.advice import Advice
from sunglare_client.bots import Scout
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View


def test_a_bot_with_async_plays_the_same_matches() -> None:
    class Slow(Scout):
        async def on_notice(self, notice: Notice) -> None:  # type: ignore[override]
            await asyncio.sleep(0)
            super().on_notice(notice)

        async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # type: ignore[override]
            await asyncio.sleep(0)
            return super().on_window(view, advice)

    scenario = Series(scenario=scenario_called("shadow-of-ceres"), bots=(), matches=1, turns=2)
    (game,) = games(scenario.scenario.sides, 1, 1, 0, swap=False)
    slow, plain = (play(scenario.played, game, (kind,)) for kind in (Slow, Scout))
    assert slow.transcript == plain.transcript
    assert slow.faults == plain.faults == ()

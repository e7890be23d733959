"""Nothing that a closed window brings is answered to anybody before its beat."""

from pathlib import Path

from secrecy.betweenbeats import WINDOWS, between_beats


async def test_no_answer_between_a_close_and_its_beat_says_more_than_one_before_the_close(
    tmp_path: Path,
) -> None:
    played = await between_beats(tmp_path)
    assert played.looks > WINDOWS // 2
    assert played.held_shots > 0

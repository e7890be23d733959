"""`sunglare bot`: runs a bot, begins one, or makes a test of a moment of a replay."""

import argparse
from pathlib import Path

import msgspec

from sunglare_client.authoring.moment import Moment
from sunglare_client.authoring.picking import picked
from sunglare_client.authoring.writing import bot_named, new_bot, new_moment
from sunglare_client.bot import BotMatch
from sunglare_client.cli.output import check_folder
from sunglare_client.commands.bots import run_bot
from sunglare_client.commands.replay_data import replay_data, unusable
from sunglare_client.commands.verifying import told_in
from sunglare_client.replays.choosing import NoSuchError
from sunglare_client.replays.recording import read_recording
from sunglare_protocol.ids import Side
from sunglare_protocol.replay.values import ReplayError
from sunglare_protocol.words.ladder import Phase


async def bot(options: argparse.Namespace) -> int:
    """Do what is wanted of a bot; return the exit code."""
    match options.bot_command:
        case "new":
            print(new_bot(options.bot, Path()).sentence)
            return 0
        case "moment":
            return await _moment(options)
        case _:
            return await run_bot(options)


async def _moment(options: argparse.Namespace) -> int:
    check_folder(Path(options.out or "test"))
    bot = bot_named(options.bot, Path(options.out or "").parent)
    try:
        moment = moment_of((await replay_data(options)).data, options)
    except (ReplayError, NoSuchError) as fault:
        return unusable(fault)
    path = Path(options.out or f"test_{_name_of(moment)}.py")
    print(new_moment(moment, path, bot).sentence)
    return 0


def moment_of(data: bytes, options: argparse.Namespace) -> Moment:
    """Return the moment of a replay that the options name.

    Raise `ReplayError` or `NoSuchError` if it is not there, `VerifyingError` without a record.
    """
    side = Side(options.side.upper())
    phase = None if options.phase is None else Phase(options.phase)
    frames = picked(read_recording(data), side, options.turn, phase)
    told = msgspec.json.decode(told_in(data, side), type=BotMatch)
    kept = frames if options.past else frames[-1:]
    return Moment(match=told.match, side=side, card=told.card, classes=told.classes, frames=kept)


def _name_of(moment: Moment) -> str:
    """Return what the test of a moment is called, by nothing that a file may say freely."""
    stage = moment.view.stage
    return f"turn_{stage.turn}_{stage.phase.value}_{moment.side.lower()}"

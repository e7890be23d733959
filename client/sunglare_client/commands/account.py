"""`sunglare account` and `sunglare forget`: the account that this machine has on a server."""

import argparse
from pathlib import Path

from sunglare_client.cli.flags import add_server, add_url, added
from sunglare_client.cli.output import check_folder
from sunglare_client.link import identity
from sunglare_client.link.account_file import export_account, import_account
from sunglare_client.link.connecting import connected
from sunglare_client.link.connection import connect
from sunglare_client.link.renewing import renew
from sunglare_protocol.messages import Accepted, Forget, SetWebhook


def add_account(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare account` takes."""
    parser.epilog = (
        "examples:\n  sunglare account export anna.token --url wss://play.example.org\n"
        "  sunglare account import anna.token --url wss://play.example.org\n"
        "  sunglare account webhook https://ntfy.example.org/anna --url wss://play.example.org\n"
        "  sunglare account renew --url wss://play.example.org"
    )
    ways = parser.add_subparsers(dest="account_command", required=True, metavar="way")
    export = added(ways, "export", "write your account to a new file that only you can read")
    take = added(ways, "import", "use the account in a file on this server")
    take.add_argument(
        "--replace", action="store_true", help="forget another account that is kept here"
    )
    for way in (export, take):
        way.add_argument("file", help="the file, such as anna.token")
        add_url(way)
    renew = added(
        ways,
        "renew",
        "replace your token, for instance after a theft",
        "The old token opens nothing any more, nor do tickets of your seats, and all your\n"
        "connections end. Export the account again for your other machines.",
    )
    add_url(renew)
    hook = added(
        ways,
        "webhook",
        "have the server post to an address when a match by correspondence waits for you",
        "The address is of https, and the server's operator must allow it. It is told\n"
        '{"your_turn":true} once a minute at most, and nothing of the match.',
    )
    which = hook.add_mutually_exclusive_group(required=True)
    which.add_argument("address", nargs="?", help="such as https://ntfy.example.org/anna")
    which.add_argument("--off", action="store_true", help="tell none any more")
    add_server(hook)


async def account(options: argparse.Namespace) -> int:
    """Do what is wanted with the account; return the exit code."""
    if options.account_command == "webhook":
        return await _set_webhook(options)
    if options.account_command == "renew":
        return await _renew(options)
    file = Path(options.file)
    if options.account_command == "export":
        check_folder(file)
        export_account(options.url, file)
        print(f"{file}: your account on {options.url}; whoever has this file is you there")
    else:
        import_account(options.url, file, replace=options.replace)
        print(f"you are on {options.url} whoever {file} says")
    return 0


async def _set_webhook(options: argparse.Namespace) -> int:
    async with await connected(options.url, options) as connection:
        await connection.expect(Accepted, SetWebhook, url=options.address)
    if options.address is None:
        print("the server tells no address any more that it is your turn")
    else:
        print("the server tells this address when a match by correspondence waits for you")
    return 0


async def _renew(options: argparse.Namespace) -> int:
    await renew(options.url)
    print(f"you have another token on {options.url}, in {identity.path(options.url)}")
    print("the old one, all tickets of your seats and all your connections have ended")
    return 0


async def forget(options: argparse.Namespace) -> int:
    """Have the server delete name and token, and delete the token here; return the exit code."""
    if identity.load_next(options.url) is not None:
        await renew(options.url)
    token = identity.load(options.url)
    if token is None:
        print("this server knows nothing of you")
        return 0
    async with await connect(options.url, token=token) as connection:
        await connection.expect(Accepted, Forget)
    identity.drop(options.url)
    print('name and token are deleted; matches keep "someone"')
    return 0

"""What a player gives and takes back on the page: the key of the account, and who may watch."""

from pathlib import Path
from typing import Final

from builders.servers import running_app
from builders.wires import met
from page.browser import Tab
from page.seats import seat_against
from page.watching import home, text, visitor
from sunglare_protocol.ids import Audience
from sunglare_protocol.messages import Hello, Refused, Watch, Watching
from sunglare_protocol.refusals import Code

TOKEN: Final = "localStorage.getItem('sunglare-guest')"
NEXT: Final = "localStorage.getItem('sunglare-guest-next')"
NAME: Final = "(document.getElementById('account-name')?.textContent ?? '')"
NOTED: Final = "document.getElementById('account-note').textContent.includes('another one now')"

OF_A: Final = Audience("A")


async def guest_with_a_name(tab: Tab, url: str) -> str:
    """Have the browser be the account Ada from its next reload on; return the token."""
    async with met(url, name="Ada") as ada:
        token = ada.token
    await tab.open(home(url))
    await tab.until(f"{TOKEN} && {NAME}.startsWith('guest-')")
    await tab.value(f"localStorage.setItem('sunglare-guest', {token!r})")
    return token


async def test_a_key_is_replaced_after_a_question_and_the_old_one_opens_nothing(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        old = await guest_with_a_name(tab, app.url)
        await tab.tell("Page.reload")
        await tab.until(f"{NAME} === 'Ada'")
        await tab.value("document.getElementById('account').open = true")
        await tab.value("window.confirm = (words) => { window.asked = words; return false }")
        await tab.value("document.getElementById('account-renew').click()")
        assert "The old one opens nothing" in await tab.value("window.asked")
        assert await tab.value(TOKEN) == old
        await tab.value("window.confirm = () => true")
        await tab.value("document.getElementById('account-renew').click()")
        await tab.until(NOTED)
        new = await tab.value(TOKEN)
        assert new != old
        assert await tab.value(NEXT) is None
        async with met(app.url, token=new) as ada:
            assert ada.welcome is not None
            assert ada.welcome.name == "Ada"
            refused = await ada.ask(Hello, v=ada.welcome.v, token=old)
            assert isinstance(refused, Refused)
        await tab.tell("Page.reload")
        await tab.until(f"{NAME} === 'Ada'")


async def test_an_exchange_of_keys_that_was_cut_off_goes_on_with_the_next_visit(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        old = await guest_with_a_name(tab, app.url)
        await tab.value(f"localStorage.setItem('sunglare-guest-next', {'n' * 43!r})")
        await tab.tell("Page.reload")
        await tab.until(f"{TOKEN} === {'n' * 43!r} && {NEXT} === null")
        await tab.until(f"{NAME} === 'Ada'")
        # As it is when the answer was lost: the server has the new token, the page both.
        await tab.value(f"localStorage.setItem('sunglare-guest', {old!r})")
        await tab.value(f"localStorage.setItem('sunglare-guest-next', {'n' * 43!r})")
        await tab.tell("Page.reload")
        await tab.until(f"{TOKEN} === {'n' * 43!r} && {NEXT} === null")
        await tab.until(f"{NAME} === 'Ada'")


async def test_a_player_lets_another_see_what_the_own_side_sees_and_takes_it_back(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        met(app.url, name="Bo") as bo,
        met(app.url, name="Zoe") as zoe,
        visitor() as tab,
    ):
        theirs = await seat_against(tab, app.url, bo)
        assert await zoe.code(Watch, match=theirs.match, feed=OF_A) is Code.FEED_CLOSED
        await tab.value("document.getElementById('grants').open = true")
        assert await text(tab, "grant-side") == "what A sees"
        await tab.value("document.getElementById('grantee').value = 'Zoe'")
        await tab.value("document.querySelector('#grant-form button').click()")
        await tab.until("document.getElementById('grant-note').textContent.includes('may watch:')")
        await zoe.expect(Watching, Watch, match=theirs.match, feed=OF_A)
        await tab.value("document.getElementById('revoke').click()")
        await tab.until("document.getElementById('grant-note').textContent.includes('no more')")
        assert await zoe.code(Watch, match=theirs.match, feed=OF_A) is Code.FEED_CLOSED
        await tab.value("document.getElementById('grantee').value = 'no such player'")
        await tab.value("document.querySelector('#grant-form button').click()")
        await tab.until("!document.getElementById('word').hidden")

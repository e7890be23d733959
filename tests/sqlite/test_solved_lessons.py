"""The lessons that an account has solved are kept with it."""

from msgspec.structs import replace

from sunglare_server.ports.store import Account, Store, hash_of

ANN = Account(id="1" * 32, token_hash=hash_of("ann"), name="Ann", name_key="ann")
BEN = Account(id="2" * 32, token_hash=hash_of("ben"), name="Ben", name_key="ben")


async def test_the_lessons_that_an_account_has_solved_are_kept_once_each(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    for lesson in ("02-sun", "01-contact", "02-sun"):
        await store.add_solved(ANN.id, lesson)
    assert await store.solved(ANN.id) == ("02-sun", "01-contact")
    assert await store.solved(BEN.id) == ()
    found = await store.account_of(ANN.token_hash)
    assert found == replace(ANN, solved=("02-sun", "01-contact"))


async def test_solved_lessons_go_with_their_account_and_none_come_after_it(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_solved(ANN.id, "02-sun")
    await store.forget(ANN.id)
    await store.add_solved(ANN.id, "02-sun")
    assert await store.solved(ANN.id) == ()


async def test_an_account_that_is_brought_keeps_what_it_has_solved(store: Store) -> None:
    await store.add_account(replace(ANN, solved=("01-contact", "02-sun")))
    await store.add_solved(ANN.id, "03-shadow")
    assert await store.solved(ANN.id) == ("01-contact", "02-sun", "03-shadow")

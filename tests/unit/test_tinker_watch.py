"""Waiting for a server that may be slow, wrong or gone."""

from __future__ import annotations

import asyncio

import pytest

from openspade.engine.tinker.patience import Watch, in_thread
from openspade.errors import EngineError


class Pulse:
    """A server that lives as long as told; counts the looks at it."""

    def __init__(self, *, beats: int) -> None:
        self.beats = beats
        self.looks = 0

    async def __call__(self) -> bool:
        self.looks += 1
        return self.looks <= self.beats


class Refused(Exception):
    def __init__(self, status_code: int) -> None:
        self.status_code = status_code
        super().__init__("no")


def a_watch(pulse: Pulse, *, lost_after_s: float = 0.1) -> Watch:
    return Watch(pulse, where="the server at http://x", lost_after_s=lost_after_s)


async def refuse(status: int) -> None:
    raise Refused(status)


async def test_a_dead_server_ends_the_wait_with_its_address():
    with pytest.raises(EngineError, match=r"http://x has given no sign of life for 0 s.*resume"):
        await a_watch(Pulse(beats=0)).until(asyncio.Event().wait())


async def test_a_slow_server_that_lives_is_waited_for():
    pulse = Pulse(beats=10**9)
    assert await a_watch(pulse, lost_after_s=0.05).until(asyncio.sleep(0.2, "answer")) == "answer"
    assert pulse.looks > 3


async def test_patience_begins_anew_after_each_sign_of_life():
    pulse = Pulse(beats=40)
    with pytest.raises(EngineError):
        await a_watch(pulse, lost_after_s=0.05).until(asyncio.Event().wait())
    assert pulse.looks > 40


async def test_many_that_wait_share_one_look():
    pulse = Pulse(beats=0)
    watch = a_watch(pulse)
    ends = [watch.until(asyncio.Event().wait()) for _ in range(50)]
    assert all(isinstance(end, EngineError) for end in await asyncio.gather(*ends, return_exceptions=True))
    assert pulse.looks < 50


async def test_a_call_that_is_given_up_is_cancelled():
    call = asyncio.ensure_future(asyncio.Event().wait())
    with pytest.raises(EngineError):
        await a_watch(Pulse(beats=0)).until(call)
    await asyncio.wait({call})
    assert call.cancelled()


@pytest.mark.parametrize(
    ("status", "says"), [(401, "refuses the key in TINKER_API_KEY"), (404, "no longer knows"), (500, "Refused: no")]
)
async def test_an_error_of_the_sdk_says_what_to_do(status: int, says: str):
    with pytest.raises(EngineError, match=f"http://x: .*{says}"):
        await a_watch(Pulse(beats=0)).until(refuse(status))


async def test_an_error_of_ours_stays_as_it_is():
    async def ours() -> None:
        raise EngineError("as written")

    with pytest.raises(EngineError, match=r"^as written$"):
        await a_watch(Pulse(beats=0)).until(ours())


async def test_a_thread_gives_its_value_or_its_error():
    assert await in_thread(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 / 0)

"""Replay: every source of chance follows the seed, in any child of any zygote, whatever the hash seed."""

from __future__ import annotations

import asyncio

import pytest

from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.host.sandboxed_environment import ProgramFault
from openspade.settings.worlds import SandboxConfig
from openspade.types import Action

SOURCES = {
    "hash of text": "hash('text'), list({'a', 'b', 'c', 'd'})",
    "global random": "random.random()",
    "own generator": "random.Random().random()",
    "system generator": "random.SystemRandom().random()",
    "secrets": "secrets.token_hex(8)",
    "uuid4": "uuid.uuid4()",
    "clock": "time.time(), time.monotonic_ns()",
    "sleeping": "time.sleep(100), time.perf_counter()",
    "numpy's global": "numpy.random.rand()",
    "numpy's own": "numpy.random.default_rng().random()",
}
PROGRAM = """
import random, secrets, time, uuid, numpy

class Chance:
    def reset(self, seed=None): return str(({expression},))
    def step(self, action): return str(({expression},)), 0.5, False, False, {{}}
"""


@pytest.fixture(scope="module")
def shown() -> dict[str, set[str]]:
    """Of each source of chance, its transcripts in two children of each of two zygotes."""

    async def collect() -> dict[str, set[str]]:
        found = {}
        async with SandboxPool(SandboxConfig(workers=1), numpy=True) as pool:
            for name, expression in SOURCES.items():
                source = PROGRAM.format(expression=expression)
                moves = [Action(text="x")] * 2
                found[name] = {repr(await pool.transcript(source, 7, moves, hash_seed=seed)) for seed in (0, 0, 1, 1)}
        return found

    return asyncio.run(collect())


@pytest.mark.parametrize("name", [name for name in SOURCES if name != "hash of text"])
def test_chance_follows_the_seed(shown: dict[str, set[str]], name: str) -> None:
    assert len(shown[name]) == 1


def test_a_second_hash_seed_shows_who_leans_on_hashes(shown: dict[str, set[str]]) -> None:
    assert len(shown["hash of text"]) == 2


@pytest.mark.asyncio(loop_scope="module")
async def test_another_seed_gives_another_transcript(pool: SandboxPool) -> None:
    source = "import random\n" + PROGRAM.replace("import random, secrets, time, uuid, numpy", "").format(
        expression="random.random()"
    )
    assert await pool.transcript(source, 1, []) != await pool.transcript(source, 2, [])


@pytest.mark.asyncio(loop_scope="module")
async def test_a_transcript_ends_with_the_episode_or_the_fault(pool: SandboxPool) -> None:
    from tests.sandbox.programs import COUNTER

    moves = [Action(text=text) for text in ("a", "end", "b")]
    assert len(await pool.transcript(COUNTER, 0, moves)) == 3
    shown = await pool.transcript(COUNTER, 0, [Action(text="boom"), *moves])
    assert len(shown) == 2 and isinstance(shown[1], ProgramFault)

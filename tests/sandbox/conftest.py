from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.settings.worlds import SandboxConfig


# One for all tests of a module: whatever a program does in one of them, the next must find the pool well.
@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[SandboxPool]:
    async with SandboxPool(SandboxConfig(workers=1, step_timeout_s=0.3, open_timeout_s=0.5)) as running:
        yield running

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from openspade.config import SandboxConfig
from openspade.sandbox.pool import SandboxPool


@pytest.fixture
async def pool() -> AsyncIterator[SandboxPool]:
    async with SandboxPool(SandboxConfig(workers=1, step_timeout_s=0.3, open_timeout_s=0.5)) as running:
        yield running

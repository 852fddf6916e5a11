"""What went wrong once while such a sandbox was built, each kept from happening again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from openspade.sandbox.child.determinism import Determinism
from openspade.sandbox.host.sandbox_pool import SandboxPool
from openspade.sandbox.isolation import linux
from openspade.settings.worlds import SandboxConfig
from openspade.types import Observation
from tests.sandbox.programs import COUNTER
from tests.sandbox.test_pool import processes_of

QUICK = SandboxConfig(workers=1)


@pytest.mark.parametrize("held", range(6))
async def test_a_control_socket_of_any_number_reaches_the_zygote(held: int) -> None:
    sockets = [socket.socket() for _ in range(held)]
    async with SandboxPool(QUICK, warm=0) as pool:
        assert pool.grade in "ABC"
    for one in sockets:
        one.close()


def test_entropy_must_be_seeded_before_random_is_imported() -> None:
    assert "random" in sys.modules
    with pytest.raises(RuntimeError, match="came after `import random`"):
        Determinism().install(virtual_clock=False)


def test_one_refused_limit_is_named_and_voids_no_other() -> None:
    which = linux.resource.RLIMIT_CORE
    kept = linux.resource.getrlimit(which)[1]
    assert linux.apply_limits([("UNHEARD_OF", 9999, 0), ("CORE", which, kept)]) == ["UNHEARD_OF"]
    assert linux.resource.getrlimit(which)[0] == kept


@pytest.mark.skipif(os.getuid() != 0, reason="only root has a user to give up")
async def test_root_gives_up_its_user_and_still_gets_namespaces() -> None:
    async with SandboxPool(QUICK) as pool:
        assert pool.walls["drop_uid"] == "on"
        assert pool.walls["namespaces"] == "on" or "unshare" in pool.walls["namespaces"]


async def test_a_child_has_the_wire_and_nothing_else_open() -> None:
    async with SandboxPool(QUICK, warm=0) as pool, await pool.open(COUNTER) as environment:
        await environment.reset([0])
        child = max(processes_of(pool.zygote_pids))
        if not os.access(f"/proc/{child}/fd", os.R_OK | os.X_OK):
            pytest.skip("only root may look")
        assert {path.name for path in Path(f"/proc/{child}/fd").iterdir()} == {"0", "1", "2", "3"}


async def test_ctrl_c_in_a_terminal_spares_the_zygote() -> None:
    async with SandboxPool(QUICK) as pool:
        assert {os.getsid(pid) for pid in pool.zygote_pids}.isdisjoint({os.getsid(0)})


def test_the_far_side_needs_the_standard_library_only() -> None:
    child = "from openspade.sandbox.child import child, channel, determinism, zygote"
    walls = "from openspade.sandbox.isolation import linux, lockdown, seatbelt, seccomp, walls"
    program = f"import sys; sys.path.append(sys.argv[1]); {child}; {walls}"
    source = str(Path(linux.__file__).parents[3])
    assert subprocess.run([sys.executable, "-I", "-S", "-c", program, source], check=False).returncode == 0


async def test_a_child_costs_few_page_faults() -> None:
    async with SandboxPool(QUICK, warm=0) as pool, await pool.open(COUNTER) as environment:
        assert isinstance((await environment.reset([0]))[0], Observation)
        child = max(processes_of(pool.zygote_pids))
        minor_faults = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[7])
    assert 0 < minor_faults <= 800

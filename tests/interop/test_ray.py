"""`sandbox.backend = "ray"` on a local cluster of two nodes: the same results; a lost node loses only its episodes."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openspade.assembly import open_run
from openspade.engine.scripted import ScriptedEngine
from openspade.engine.tutorial import tutorial_answer
from openspade.run_folder import DATABASE_FILE, new_run_directory
from openspade.settings.worlds import SandboxConfig
from openspade.tokens import Completion, Prompt
from openspade.types import Outcome
from tests.content_digest import content_digest
from tests.end_to_end.runs import play, settings

pytest.importorskip("ray", reason="the extra [ray] is not installed")
ray: Any = importlib.import_module("ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    made = importlib.import_module("ray.cluster_utils").Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, logging_level="warning")
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


def on_ray(config: Any) -> Any:
    return config.model_copy(update={"sandbox": SandboxConfig(backend="ray", workers=1)})


async def test_a_run_on_two_nodes_is_the_run_on_one_machine(cluster: Any, tmp_path: Path):
    here, there = settings(tmp_path / "here", 2), on_ray(settings(tmp_path / "there", 2))
    local, remote = new_run_directory(here), new_run_directory(there)
    await play(here, local)
    await play(there, remote)
    assert content_digest(remote / DATABASE_FILE) == content_digest(local / DATABASE_FILE)


class Interrupting(ScriptedEngine):
    """The tutorial's policy; once, in the middle of play, a node's sandbox is killed."""

    def __init__(self) -> None:
        super().__init__(tutorial_answer)
        self.pool: Any = None
        self.killed = ""

    async def sample(self, requests: Any) -> list[Completion]:
        if not self.killed and any(_is_play(request) for request in requests):
            victim = max(self.pool.nodes.values(), key=lambda node: node.load)
            self.killed = victim.id
            ray.kill(victim.actor)
            await asyncio.sleep(0)
        return await super().sample(requests)


def _is_play(prompt: Prompt) -> bool:
    return prompt.messages[-1].content.startswith("Add: ")


async def test_a_sandbox_that_dies_in_the_middle_is_replaced_and_the_run_goes_on(cluster: Any, tmp_path: Path):
    config, engine = on_ray(settings(tmp_path, 2)), Interrupting()
    async with open_run(config, new_run_directory(config), engine=engine) as run:
        engine.pool = run.parts.playtester.pool  # pyright: ignore[reportAttributeAccessIssue]
        first, second = [report async for report in run.cycles()]
        assert engine.killed in engine.pool.nodes
    episodes = [episode for playtest in first.playtests for episode in playtest.episodes]
    assert sum(episode.outcome is Outcome.VOID for episode in episodes) < len(episodes) / 2
    assert all(not playtest.fault for playtest in (*first.playtests, *second.playtests))
    assert any(verdict.accepted for verdict in second.verdicts)

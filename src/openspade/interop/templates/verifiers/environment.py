"""The environments for verifiers 0.4 and later: one taskset, and how an episode is played.

A tool task's tools are served to the model by `tools.py`, in a process of its own. Programs are functions of their
seed and their actions, so both sides keep the list of actions and play it again where they are behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.mcp import SharedToolsetConfig

from .episodes import Episode, EpisodeState
from .playing import Play, designs, instances, opening
from .replies import boxed, written_calls
from .tools import DesignTools


class DesignData(vf.TaskData):
    design: str
    seed: int
    max_turns: int


class DesignTask(vf.Task[DesignData, EpisodeState]):
    async def setup(self, trace: vf.Trace, runtime: Any) -> None:
        trace.state.design, trace.state.seed = self.data.design, self.data.seed
        trace.state.episode = trace.id

    async def validate(self, runtime: Any) -> bool | None:
        """The design's own solution wins its instance."""
        return await asyncio.to_thread(self._solved)

    def _solved(self) -> bool:
        play = Play(self.data.design)
        try:
            play.begin(self.data.seed)
            for action in play.solution():
                if play.step(action).over:
                    break
            return play.score >= 1.0
        finally:
            play.close()

    @vf.reward(weight=1.0)
    async def achieved(self, trace: vf.Trace) -> float:
        """From 0 to 1."""
        return trace.state.score

    @vf.metric
    async def solved(self, trace: vf.Trace) -> float:
        return float(trace.state.score >= 1.0)


class DesignsConfig(vf.TasksetConfig):
    design: str | None = None
    """Play this design only."""
    hinted: bool = False
    """Show the privileged hint after the first observation."""
    tools: SharedToolsetConfig = SharedToolsetConfig()


class Designs(vf.Taskset[DesignTask, DesignsConfig]):
    @classmethod
    def toolsets(cls, config: DesignsConfig) -> list[vf.Toolset]:
        return [DesignTools(config.tools)]

    def load(self) -> Iterator[DesignTask]:
        for row in instances():
            if self.config.design in (None, row["design"]):
                yield DesignTask(self._data(row), self.config.task)

    def _data(self, row: dict[str, Any]) -> DesignData:
        facts = designs()[row["design"]]
        system, user = opening(row["design"], row["first_observation"], hinted=self.config.hinted)
        return DesignData(
            id=f"{row['design']}/{row['seed']}",
            name=f"{facts['key']}#{row['seed']}",
            description=facts["title"],
            prompt=user["content"],
            system_prompt=system["content"],
            design=row["design"],
            seed=row["seed"],
            max_turns=facts["max_turns"],
        )


class DesignEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"})


class DesignEnv(vf.Env[DesignEnvConfig]):
    async def run(self, task: DesignTask, agents: Any) -> None:
        async with agents.player.interaction(task) as interaction:
            state = interaction.trace.state
            episode = await asyncio.to_thread(Episode, task.data.design, task.data.seed)
            try:
                segment = await interaction.turn()
                while not segment.terminated:
                    # What the tools were called with meanwhile, then the words of the reply.
                    state = interaction.trace.state
                    await asyncio.to_thread(episode.catch_up, state.actions)
                    if not episode.over:
                        said = await asyncio.to_thread(episode.step, self._action(task, segment.last_reply))
                        state.actions, state.score = episode.actions, episode.score
                    state.score = episode.score
                    if episode.over:
                        break
                    segment = await interaction.turn(said)
            finally:
                await asyncio.to_thread(episode.close)

    @staticmethod
    def _action(task: DesignTask, reply: str) -> Any:
        return boxed(reply) if designs()[task.data.design]["kind"] == "game" else written_calls(reply)

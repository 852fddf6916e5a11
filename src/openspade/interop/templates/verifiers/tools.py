"""Serves the tools of whichever tool task calls; games have none."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from mcp.types import CallToolResult, TextContent, Tool
from verifiers.v1.mcp import SharedToolsetConfig, Toolset

from .episodes import Episode, EpisodeState
from .playing import designs
from .replies import called

KEPT = 512


class DesignTools(Toolset[SharedToolsetConfig, EpisodeState]):
    TOOL_PREFIX = None

    def __init__(self, config: SharedToolsetConfig) -> None:
        super().__init__(config)
        self._episodes: dict[str, Episode] = {}
        self._turns: dict[str, asyncio.Lock] = {}

    def register(self, mcp: Any) -> None:
        # The tools differ from rollout to rollout, so the server's own list is replaced.
        server = cast("Any", mcp)
        server.list_tools = self._with_state(self.list_tools)
        server.call_tool = self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        known = designs().get(self.state.design)
        functions = [tool["function"] for tool in known["tools"]] if known else []
        return [
            Tool(name=one["name"], description=one["description"], input_schema=one["parameters"]) for one in functions
        ]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> CallToolResult:
        state = self.state
        async with self._turns.setdefault(state.episode, asyncio.Lock()):
            episode = await asyncio.to_thread(self._episode, state)
            action = {"text": "", "calls": [called(name, arguments)]}
            shown = await asyncio.to_thread(episode.step, action)
            state.actions, state.score = episode.actions, episode.score
        return CallToolResult(content=[TextContent(type="text", text=shown)])

    def _episode(self, state: EpisodeState) -> Episode:
        if state.episode not in self._episodes:
            while len(self._episodes) >= KEPT:
                # The oldest; whoever still plays it plays it again from its actions.
                oldest = next(iter(self._episodes))
                self._episodes.pop(oldest).close()
                self._turns.pop(oldest, None)
            self._episodes[state.episode] = Episode(state.design, state.seed)
        episode = self._episodes[state.episode]
        episode.catch_up(state.actions)
        return episode


if __name__ == "__main__":
    DesignTools.run()

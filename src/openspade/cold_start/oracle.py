"""Plays of a program's own solution, by the same episode runner, prompts and chat template as any play."""

from __future__ import annotations

from openspade.cold_start.render import ScriptedSampler, reply_of
from openspade.config import Config
from openspade.engine.chat.chat import TemplateChat
from openspade.roles.prompts import Prompts
from openspade.rollout.episode import Seat, Table, play_episode
from openspade.sandbox.base import Sandbox
from openspade.sandbox.failures import ProgramFault, SandboxFailure
from openspade.types import Design, Episode, Outcome

ARMS = {1: False, 2: True}
"""The instances that are played, and which of them is hinted; instance 0 only says what its solution is."""


class Oracle:
    """Solves instances by `solution()`, unaided and hinted."""

    def __init__(self, sandbox: Sandbox, chat: TemplateChat, prompts: Prompts, config: Config) -> None:
        self._sandbox = sandbox
        self._chat = chat
        self._prompts = prompts
        self._config = config

    async def play(self, design: Design, seed: int) -> list[Episode]:
        """Both arms of one instance, solved ones only: a play that the context or a limit cuts teaches nothing."""
        try:
            async with await self._sandbox.open(design.source, instances=len(ARMS) + 1) as environment:
                firsts = await environment.reset([seed] * (len(ARMS) + 1))
                plan = (await environment.plan([0]))[0]
                if isinstance(plan, ProgramFault):
                    return []
                replies = [reply_of(action, design.kind) for action in plan]
                episodes = [
                    await play_episode(
                        Seat(
                            design=design,
                            environment=environment,
                            instance=instance,
                            seed=seed,
                            play=0,
                            hinted=hinted,
                            key="cold_start",
                        ),
                        firsts[instance],
                        self._table(replies),
                    )
                    for instance, hinted in ARMS.items()
                ]
        except SandboxFailure:
            return []
        return [episode for episode in episodes if episode.outcome is Outcome.SOLVED]

    def _table(self, replies: list[str]) -> Table:
        return Table(
            chat=self._chat,
            sampler=ScriptedSampler(self._chat, replies),
            prompts=self._prompts,
            sampling=self._config.agent.sampling(),
            limits=self._config.playtest,
            policy_version=0,
        )

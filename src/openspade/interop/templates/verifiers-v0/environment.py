"""The environments for verifiers before 0.2: `load_environment` is what `vf-eval` and trainers call."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import verifiers as vf
from datasets import Dataset

from .playing import BrokenEnvironment, Play, designs, instances, opening
from .replies import boxed, called, written_calls


class TextEnvironments(vf.MultiTurnEnv):
    """Every design and seed is a row; a game's move is boxed text, a tool task's calls are the model's own."""

    def __init__(self, *, confined: bool | None, **options: Any) -> None:
        super().__init__(max_turns=-1, **options)
        self.confined = confined
        self.plays: dict[str, Play] = {}

    async def setup_state(self, state: vf.State) -> None:
        info = state["info"]
        state["score"] = 0.0
        play = self.plays[state["trajectory_id"]] = await self._run(Play, info["design"], confined=self.confined)
        await self._run(play.begin, info["seed"])

    async def env_response(self, messages: vf.Messages, state: vf.State, **_: Any) -> vf.Messages:
        play, reply = self.plays[state["trajectory_id"]], messages[-1]
        calls = reply.tool_calls or []
        turn = await self._run(play.step, _action(play, _words(reply.content), calls))
        state["score"] = turn.score
        answers: list[Any] = [
            vf.ToolMessage(role="tool", tool_call_id=call.id, content=result)
            for call, result in zip(calls, turn.results, strict=False)
        ]
        rest = "\n".join([*turn.results[len(answers) :], *filter(None, [turn.text])])
        if rest or not answers:
            answers.append(vf.UserMessage(role="user", content=rest))
        if turn.over:
            state["final_env_response"] = answers
        return answers

    @vf.cleanup
    async def give_back(self, state: vf.State) -> None:
        """The program's process ends with the rollout."""
        play = self.plays.pop(state["trajectory_id"], None)
        if play is not None:
            await asyncio.to_thread(play.close)

    async def _run(self, method: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return await asyncio.to_thread(method, *arguments, **named)
        except BrokenEnvironment as error:
            # An error of the rollout, not a score of the policy.
            raise vf.InfraError(str(error)) from error


async def score(state: vf.State) -> float:
    """From 0 to 1."""
    return state.get("score", 0.0)


async def solved(state: vf.State) -> float:
    return float(state.get("score", 0.0) >= 1.0)


def load_environment(
    design: str | None = None, hinted: bool = False, confined: bool | None = None, **options: Any
) -> vf.Environment:
    """All designs, or one. `hinted` shows the privileged hint; `confined` is explained in playing.py."""
    rows = [row for row in instances() if design in (None, row["design"])]
    if not rows:
        raise ValueError(f"there is no design {design!r}; there are {', '.join(designs())}")
    dataset = Dataset.from_list([_row(row, hinted) for row in rows])
    rubric = vf.Rubric(funcs=[score, solved], weights=[1.0, 0.0])
    return TextEnvironments(dataset=dataset, eval_dataset=dataset, rubric=rubric, confined=confined, **options)


def _row(row: dict[str, Any], hinted: bool) -> dict[str, Any]:
    functions = [tool["function"] for tool in designs()[row["design"]]["tools"]]
    # As text: a table would give every tool the arguments of all others.
    info = {"design": row["design"], "seed": row["seed"], "tool_defs": functions}
    messages = opening(row["design"], row["first_observation"], hinted=hinted)
    return {"prompt": messages, "answer": "", "info": json.dumps(info)}


def _action(play: Play, words: str, calls: list[Any]) -> Any:
    if play.facts["kind"] == "game":
        return boxed(words)
    if calls:
        return {"text": words, "calls": [called(call.name, call.arguments) for call in calls]}
    return written_calls(words)


def _words(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part.text for part in content if getattr(part, "type", "") == "text")

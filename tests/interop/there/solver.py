"""A policy for the stub model that knows an export's solutions, and plays the naive player where it is told to."""

import importlib
import re
import warnings

import players


class Solver:
    """The system message says who plays what, or the first observation does."""

    def __init__(self, module: str, *, one_call_a_message: bool = False) -> None:
        warnings.simplefilter("ignore")
        playing = importlib.import_module(f"{module}.playing")
        self.designs = playing.designs()
        self.firsts = {(row["design"], row["seed"]): row["first_observation"] for row in playing.instances()}
        self.plans = {key: self._plan(playing, *key, one_call_a_message) for key in self.firsts}

    def __call__(self, messages: list[dict]) -> object:
        player, key = self._who(messages)
        turn = sum(message["role"] == "assistant" for message in messages)
        tools = self.designs[key[0]]["tools"]
        if player == "solution":
            plan = self.plans[key]
            return plan[turn] if turn < len(plan) else "I am done."
        # One that understands nothing gives up after as many turns as our own rollouts have.
        return players.naive(self.firsts[key], turn, tools) if turn < self.designs[key[0]]["max_turns"] else "Enough."

    def _who(self, messages: list[dict]) -> tuple[str, tuple[str, int]]:
        marked = re.search(r"\[(solution|naive) (\w+) (\d+)\]", str(messages[0]["content"]))
        if marked:
            return marked[1], (marked[2], int(marked[3]))
        first = next(message["content"] for message in messages if message["role"] == "user")
        text = first if isinstance(first, str) else "".join(part["text"] for part in first)
        return "solution", next(key for key, observation in self.firsts.items() if observation == text)

    @staticmethod
    def _plan(playing, design: str, seed: int, one_call_a_message: bool) -> list:
        play = playing.Play(design)
        play.begin(seed)
        plan = play.solution()
        play.close()
        if not one_call_a_message:
            return plan
        single: list = []
        for action in plan:
            calls = [] if isinstance(action, str) else action["calls"]
            single += [{"text": "", "calls": [call]} for call in calls] or [action]
        return [action if isinstance(action, str) or action["calls"] else action["text"] for action in single]

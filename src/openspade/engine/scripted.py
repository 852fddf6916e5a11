"""An engine that answers from a function: tests, tutorials and debugging need neither torch nor a model."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from openspade.engine.base import Capabilities
from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.template import Template
from openspade.errors import EngineError
from openspade.tokens import Completion, Prompt, TokenStream, Trajectory

CHATML = """{%- for message in messages %}
{{- "<|im_start|>" + message.role + "\n" + message.content }}
{%- if loop.first and tools %}
{{- "\n\n# Tools\n<tools>" }}{% for tool in tools %}{{ "\n" + (tool | tojson) }}{% endfor %}{{ "\n</tools>" }}
{%- endif %}
{{- "<|im_end|>\n" }}
{%- endfor %}
{%- if add_generation_prompt %}{{- "<|im_start|>assistant\n" }}{%- endif %}"""


class ByteTokenizer:
    """UTF-8 bytes, and one id from 256 on for each mark; by default the two of ChatML."""

    def __init__(self, marks: Sequence[str] = ("<|im_start|>", "<|im_end|>")) -> None:
        self._ids = {mark: 256 + index for index, mark in enumerate(marks)}
        self._texts = {index: mark.encode() for mark, index in self._ids.items()}
        # In brackets, so that splitting keeps the marks.
        self._pattern = re.compile(f"({'|'.join(map(re.escape, marks))})")

    def encode(self, text: str) -> list[int]:
        ids: list[int] = []
        for piece in self._pattern.split(text):
            ids.extend([self._ids[piece]] if piece in self._ids else piece.encode("utf-8", "surrogatepass"))
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        return b"".join(self._texts.get(i) or bytes([i]) for i in ids).decode("utf-8", "replace")

    def special_ids(self) -> Mapping[str, int]:
        return self._ids


class ScriptedEngine:
    """Answers each prompt with `answer(prompt)`, cut to `max_tokens`; `learn` only counts."""

    def __init__(self, answer: Callable[[Prompt], str], *, context_tokens: int = 100_000) -> None:
        self.version = 0
        self.chat = TemplateChat(ByteTokenizer(), Template(CHATML, special={}), context_tokens=context_tokens)
        self.capabilities = Capabilities(learns=True, gathers=False, context_tokens=context_tokens)
        self._answer = answer
        self._learned: Counter[str] = Counter()

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        return [self._complete(request) for request in requests]

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        self.version += 1
        now = Counter(trajectory.role for trajectory in trajectories)
        self._learned.update(now)
        return {f"train/{role}_trajectories": float(count) for role, count in sorted(now.items())}

    async def logprobs(self, streams: Sequence[TokenStream], *, reference: bool = False) -> list[list[float]]:
        """A script is certain of what it says: 0 everywhere."""
        return [[0.0] * len(stream.ids) for stream in streams]

    async def save(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        state = {"version": self.version, "learned": dict(self._learned)}
        (directory / "scripted.json").write_text(json.dumps(state, sort_keys=True))

    async def load(self, directory: Path) -> None:
        try:
            state = json.loads((directory / "scripted.json").read_text())
        except (OSError, ValueError) as error:
            raise EngineError(f"{directory} holds no checkpoint of a scripted engine: {error}") from error
        self.version, self._learned = state["version"], Counter(state["learned"])

    def _complete(self, request: Prompt) -> Completion:
        ids = [*self.chat.tokenizer.encode(self._answer(request)), *self.chat.stop_ids][: request.sampling.max_tokens]
        stop = "stop" if ids and ids[-1] in self.chat.stop_ids else "length"
        return self.chat.completion(ids, [0.0] * len(ids), stop)

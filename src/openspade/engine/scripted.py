"""An engine that answers from a function: tests, tutorials and debugging need neither torch nor a model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from openspade.engine.base import Capabilities
from openspade.engine.chat import TemplateChat
from openspade.engine.template import Template
from openspade.errors import EngineError
from openspade.types import Completion, Prompt, TokenStream, Trajectory

CHATML = """{%- for message in messages %}
{{- "<|im_start|>" + message.role + "\n" + message.content }}
{%- if loop.first and tools %}
{{- "\n\n# Tools\n<tools>" }}{% for tool in tools %}{{ "\n" + (tool | tojson) }}{% endfor %}{{ "\n</tools>" }}
{%- endif %}
{{- "<|im_end|>\n" }}
{%- endfor %}
{%- if add_generation_prompt %}{{- "<|im_start|>assistant\n" }}{%- endif %}"""


class ByteTokenizer:
    """UTF-8 bytes, and two ids for the marks of ChatML."""

    marks = ("<|im_start|>", "<|im_end|>")

    def encode(self, text: str) -> list[int]:
        ids: list[int] = []
        for piece in _split(text, self.marks):
            ids.extend([256 + self.marks.index(piece)] if piece in self.marks else piece.encode("utf-8", "surrogatepass"))
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        raw = b"".join(self.marks[i - 256].encode() if i >= 256 else bytes([i]) for i in ids)  # noqa: PLR2004
        return raw.decode("utf-8", "replace")

    def special_ids(self) -> Mapping[str, int]:
        return {mark: 256 + index for index, mark in enumerate(self.marks)}


def _split(text: str, marks: Sequence[str]) -> list[str]:
    pieces = [text]
    for mark in marks:
        pieces = [
            part
            for piece in pieces
            for part in ([piece] if piece in marks else _around(piece, mark))
        ]
    return [piece for piece in pieces if piece]


def _around(piece: str, mark: str) -> list[str]:
    parts = piece.split(mark)
    return [part for index, text in enumerate(parts) for part in ((text,) if index == 0 else (mark, text))]


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

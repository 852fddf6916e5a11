"""The policy on a server that speaks the Tinker API: Thinking Machines' service, or a SkyRL server of your own."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openspade.engine.base import Capabilities
from openspade.engine.chat.chat import TemplateChat
from openspade.engine.model.checkpoint import MANIFEST, write_directory
from openspade.engine.model.loading import copy_chat
from openspade.engine.tinker.loss import LossRunner, blank
from openspade.engine.tinker.tinker_server import ServerReply, TinkerServer
from openspade.engine.training.packing import last_written
from openspade.errors import EngineError
from openspade.tokens import Completion, Prompt, TokenStream, Trajectory

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoints:
    """What stands in a checkpoint's folder besides the name of the weights, and must be the same to load them."""

    base_model: str
    lora_rank: int
    chat_folder: Path | None = None
    download: bool = False

    def identity(self) -> dict[str, str | int]:
        return {"base_model": self.base_model, "lora_rank": self.lora_rank}


class TinkerEngine:
    """Samples and learns over the wire; only the tokenizer and the chat template are on this machine."""

    def __init__(self, server: TinkerServer, chat: TemplateChat, loss: LossRunner, checkpoints: Checkpoints) -> None:
        self._server = server
        self._loss = loss
        self._checkpoints = checkpoints
        self._sampler_is_old = True
        self._publishing = asyncio.Lock()
        self.version = 0
        self.chat = chat
        self.capabilities = Capabilities(learns=True, gathers=False, context_tokens=chat.context_tokens)

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        if not requests:
            return []
        async with self._publishing:
            if self._sampler_is_old:
                await self._server.publish()
                self._sampler_is_old = False
        stops = sorted(self.chat.stop_ids)
        answers = await asyncio.gather(*(self._server.sample(request, stops) for request in requests))
        return [self._completion(answer) for answer in answers]

    def _completion(self, answer: ServerReply) -> Completion:
        if len(answer.ids) != len(answer.logprobs):
            raise EngineError(f"the server sent {len(answer.ids)} tokens with {len(answer.logprobs)} log-probs")
        if answer.ended and answer.ids[-1:] and answer.ids[-1] not in self.chat.stop_ids:
            raise EngineError(
                f"the server ended a reply after token {answer.ids[-1]}, which is none of the model's end-of-turn "
                f"tokens {sorted(self.chat.stop_ids)}: is policy.model the model that tinker.base_model names?"
            )
        stop = "stop" if answer.ended and answer.ids else "length"
        return self.chat.completion(answer.ids, answer.logprobs, stop)

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        told = await self._loss.learn(self._server, trajectories)
        self.version += 1
        self._sampler_is_old = self._sampler_is_old or told["train/steps"] > 0
        return told

    async def logprobs(self, streams: Sequence[TokenStream], *, reference: bool = False) -> list[list[float]]:
        """Log-probs of the written tokens, 0 elsewhere; at temperature 1, the only one servers train at."""
        asked = [(number, stream) for number, stream in enumerate(streams) if any(stream.written)]
        ids = [stream.ids[: last_written(stream)] for _, stream in asked]
        if reference:
            rows = await asyncio.gather(*(self._server.first_logprobs(row) for row in ids))
        else:
            rows = await self._server.forward([blank(row) for row in ids]) if ids else []
        result = [[0.0] * len(stream.ids) for stream in streams]
        for (number, stream), row in zip(asked, rows, strict=True):
            for place, value in enumerate(row, start=1):
                result[number][place] = value if stream.written[place] else 0.0
        return result

    async def save(self, directory: Path) -> None:
        """Weights and optimiser stay on the server; the folder names them, and holds the adapter if that is wanted."""
        name = f"openspade-{self.version:06d}-{uuid.uuid4().hex[:8]}"
        path = await self._server.save(name)
        manifest = {"version": self.version, "tinker": path, **self._checkpoints.identity()}

        def fill(aside: Path) -> None:
            (aside / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")

        await asyncio.to_thread(write_directory, directory, fill)
        if self._checkpoints.download:
            await self.export(directory)

    async def export(self, directory: Path) -> None:
        """The adapter with tokenizer and template: `AutoModelForCausalLM.from_pretrained(directory)` loads it."""
        directory.mkdir(parents=True, exist_ok=True)
        await self._server.download(f"openspade-adapter-{self.version:06d}-{uuid.uuid4().hex[:8]}", directory)
        if self._checkpoints.chat_folder:
            await asyncio.to_thread(copy_chat, self._checkpoints.chat_folder, directory)

    async def load(self, directory: Path) -> None:
        manifest = _manifest(directory)
        for key, mine in self._checkpoints.identity().items():
            if manifest.get(key) != mine:
                raise EngineError(
                    f"{directory} was saved with {key} {manifest.get(key)!r}; this run has {mine!r}, "
                    "and the weights of one do not fit the other"
                )
        await self._server.load(str(manifest["tinker"]))
        self.version = int(manifest["version"])
        self._sampler_is_old = True


def _manifest(directory: Path) -> dict[str, str | int]:
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineError(f"{directory} holds no complete checkpoint: {error}") from error
    if "tinker" not in manifest:
        raise EngineError(f"{directory} was saved by another engine: it names no weights on a Tinker server")
    return manifest

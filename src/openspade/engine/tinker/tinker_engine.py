"""The policy on a server that speaks the Tinker API: Thinking Machines' service, or a SkyRL server of your own."""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from openspade.config import secret
from openspade.engine.base import Capabilities
from openspade.engine.chat.chat import TemplateChat
from openspade.engine.model.checkpoint import MANIFEST, write_directory
from openspade.engine.model.loading import copy_chat, find_folder, load_chat
from openspade.engine.tinker.loss import ClippedLoss, Learner, OwnLoss, Teacher, blank
from openspade.engine.training.packing import last_written
from openspade.errors import ConfigError, EngineError
from openspade.settings.learning import PolicyConfig, TinkerConfig, TrainConfig
from openspade.tokens import Completion, Prompt, Role, TokenStream, Trajectory

log = logging.getLogger(__name__)

KEY = "TINKER_API_KEY"
SERVICE_URL = "https://tinker.thinkingmachines.dev/services/tinker-prod"
OWN_SERVER_KEY = "tml-openspade"
"""The SDK wants a key of this form; a server of your own looks at none."""
UNSENT = {
    "service": "",
    "skyrl": "train.betas, train.weight_decay and train.grad_clip: they stand in the server's own configuration",
    "skyrl-jax": "train.grad_clip: this backend does not clip gradients",
}
"""What a kind of server does not take from us."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One reply as the server gives it. `ended` is False where it ran into `max_tokens`."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    ended: bool


class TinkerServer(Learner, Protocol):
    """What the engine needs of a server: trained weights, and a copy of them that samples."""

    async def publish(self) -> None:
        """From now on `sample` answers with the weights as they are."""
        ...

    async def sample(self, request: Prompt, stop_ids: Sequence[int]) -> Answer: ...

    async def save(self, name: str) -> str:
        """Keeps weights and optimiser on the server; the path that `load` takes."""
        ...

    async def load(self, path: str) -> None: ...

    async def download(self, name: str, directory: Path) -> None:
        """The adapter as files for peft."""
        ...


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

    def __init__(self, server: TinkerServer, chat: TemplateChat, teacher: Teacher, checkpoints: Checkpoints) -> None:
        self._server = server
        self._teacher = teacher
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

    def _completion(self, answer: Answer) -> Completion:
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
        told = await self._teacher.learn(self._server, trajectories)
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


def open_tinker(
    policy: PolicyConfig, tinker: TinkerConfig, train: TrainConfig, *, temperatures: Mapping[Role, float], overlap: int
) -> TinkerEngine:
    """The engine these settings ask for; the server is first called when weights are needed. Raises ConfigError."""
    _refuse(policy, tinker, train, overlap)
    key = secret(KEY)
    if tinker.server == "service" and not key:
        raise ConfigError(
            f"tinker.server is 'service', and {KEY} is not set: put your key into the environment, or set "
            "tinker.server and tinker.url to a SkyRL server of your own"
        )
    try:
        from openspade.engine.tinker.server import Remote, SdkServer  # noqa: PLC0415 - only this engine needs the SDK
    except ImportError as error:
        raise ConfigError(
            f"policy.engine is 'tinker', and its SDK is not installed ({error}): pip install 'openspade[tinker]'"
        ) from error

    base_model = tinker.base_model or policy.model
    folder = find_folder(policy.model, weights=False)
    remote = Remote(
        url=tinker.url or SERVICE_URL,
        key=key or OWN_SERVER_KEY,
        base_model=base_model,
        rank=policy.lora_rank,
        context_tokens=policy.context_tokens,
        lost_after_s=tinker.lost_after_s,
    )
    if UNSENT[tinker.server]:
        log.warning("tinker.server is %r and does not take %s", tinker.server, UNSENT[tinker.server])
    loss = OwnLoss if tinker.loss == "custom" else ClippedLoss
    return TinkerEngine(
        SdkServer(remote, train),
        load_chat(folder, context_tokens=policy.context_tokens, thinking=policy.thinking),
        Teacher(
            loss=loss.of(train, "mean" if tinker.server == "skyrl-jax" else "sum"),
            train=train,
            temperatures=temperatures,
        ),
        Checkpoints(base_model=base_model, lora_rank=policy.lora_rank, chat_folder=folder, download=tinker.download),
    )


def _refuse(policy: PolicyConfig, tinker: TinkerConfig, train: TrainConfig, overlap: int) -> None:
    """Settings that the server cannot honour, by name."""
    if not policy.lora_rank:
        raise ConfigError(
            "policy.lora_rank is 0 (all weights), and the Tinker API trains adapters; set it, for example to 32"
        )
    if tinker.server != "service" and not tinker.url:
        raise ConfigError(
            f"tinker.server is {tinker.server!r}, and tinker.url is empty: write its address, "
            "for example tinker.url=http://127.0.0.1:8000"
        )
    if train.kl and tinker.loss == "ppo":
        raise ConfigError(
            f"train.kl is {train.kl}, and the server's ppo loss knows no KL penalty; set tinker.loss=custom"
        )
    if overlap and tinker.server == "skyrl-jax":
        raise ConfigError(
            f"run.overlap is {overlap}, and SkyRL's JAX backend samples from the weights in training; set run.overlap=0"
        )


def _manifest(directory: Path) -> dict[str, str | int]:
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineError(f"{directory} holds no complete checkpoint: {error}") from error
    if "tinker" not in manifest:
        raise EngineError(f"{directory} was saved by another engine: it names no weights on a Tinker server")
    return manifest

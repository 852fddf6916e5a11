"""A Tinker server through the `tinker` SDK, the only module that knows it.

The SDK retries with backoff, keeps to rate limits and splits large requests; what it lacks is in `patience`.
"""

from __future__ import annotations

import asyncio
import tarfile
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import numpy as np
import tinker
from tinker import types

from openspade.engine.model.adapter import complete_adapter
from openspade.engine.tinker.patience import Watch, in_thread
from openspade.engine.tinker.tinker_server import ServerReply, Step, TokenRow
from openspade.engine.training.grpo import Clip
from openspade.errors import EngineError
from openspade.settings.learning import TrainConfig
from openspade.tokens import Prompt

ADAM_EPSILON = 1e-8
"""torch's default, so that both engines take the same step."""
LORA_SEED = 0
"""Two runs of one config start from the same adapter."""
NAMES_SHOWN = 8
ADAPTER_DAY_S = 24 * 3600
"""How long the service keeps an adapter that was only saved to be downloaded."""

Connect = Callable[[], tinker.ServiceClient]


@dataclass(frozen=True, kw_only=True, slots=True)
class Remote:
    """Which server, and which adapter on it. `context_tokens` is the longest conversation it will see."""

    url: str
    key: str
    base_model: str
    rank: int
    context_tokens: int
    lost_after_s: float


class SdkServer:
    """The weights of one run on a server. It connects when it is first needed."""

    def __init__(
        self,
        remote: Remote,
        train: TrainConfig,
        *,
        connect: Connect | None = None,
        alive: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._remote = remote
        self._connect: Connect = connect or (lambda: tinker.ServiceClient(base_url=remote.url, api_key=remote.key))
        self._alive = alive or self._answers
        where = f"the Tinker server at {remote.url}"
        self._watch = Watch(self._alive, where=where, lost_after_s=remote.lost_after_s)
        self._adam = types.AdamParams(
            learning_rate=train.learning_rate,
            beta1=train.betas[0],
            beta2=train.betas[1],
            eps=ADAM_EPSILON,
            weight_decay=train.weight_decay,
            grad_clip_norm=train.grad_clip,
        )
        self._opening = asyncio.Lock()
        self._service: tinker.ServiceClient | None = None
        self._training: tinker.TrainingClient | None = None
        self._sampling: tinker.SamplingClient | None = None
        self._first: tinker.SamplingClient | None = None

    async def publish(self) -> None:
        training = await self._open()
        self._sampling = await self._watch.until(in_thread(training.save_weights_and_get_sampling_client))

    async def sample(self, request: Prompt, stop_ids: Sequence[int]) -> ServerReply:
        if self._sampling is None:
            await self.publish()
        assert self._sampling is not None
        sampling = request.sampling
        parameters = types.SamplingParams(
            max_tokens=sampling.max_tokens,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k or -1,
            seed=request.seed % 2**31,
            stop=list(stop_ids),
        )
        prompt = types.ModelInput.from_ints(list(request.ids))
        (reply,) = (await self._watch.until(self._sampling.sample_async(prompt, 1, parameters))).sequences
        return ServerReply(
            ids=tuple(reply.tokens), logprobs=tuple(reply.logprobs or ()), ended=reply.stop_reason == "stop"
        )

    async def forward(self, rows: Sequence[TokenRow]) -> list[list[float]]:
        training = await self._open()
        data = [_datum(row, weights=[1.0] * len(row.logprobs)) for row in rows]
        return _logprobs(await self._watch.until(training.forward(data, "cross_entropy")), rows)

    def step(self, rows: Sequence[TokenRow], loss: str, clip: Clip) -> Awaitable[Step]:
        training = self._training
        if training is None:
            raise EngineError("a step was asked for before the log-probs it goes by")
        data = [_datum(row, logprobs=row.logprobs, advantages=row.advantages) for row in rows]
        bounds = {"clip_low_threshold": 1 - clip.low, "clip_high_threshold": 1 + clip.high} if loss == "ppo" else None
        gradient = training.forward_backward(data, "ppo" if loss == "ppo" else "importance_sampling", bounds)
        update = training.optim_step(self._adam)

        async def done() -> Step:
            scored = _logprobs(await self._watch.until(gradient), rows)
            told = (await self._watch.until(update)).metrics or {}
            norms = [value for name, value in told.items() if "grad_norm" in name]
            return Step(logprobs=scored, grad_norm=norms[0] if norms else None)

        return done()

    async def first_logprobs(self, ids: tuple[int, ...]) -> list[float]:
        await self._open()
        async with self._opening:
            if self._first is None:
                service = self._service
                assert service is not None
                self._first = await self._watch.until(
                    in_thread(lambda: service.create_sampling_client(base_model=self._remote.base_model))
                )
        prompt = types.ModelInput.from_ints(list(ids))
        scores = await self._watch.until(self._first.compute_logprobs_async(prompt))
        # The first token has no score: the service sends None for it, SkyRL's JAX backend leaves it out.
        known = [score for score in scores if score is not None]
        if len(known) != len(ids) - 1:
            raise EngineError(f"the server scored {len(known)} tokens of a prompt of {len(ids)}")
        return known

    async def save(self, name: str) -> str:
        training = await self._open()
        return (await self._watch.until(training.save_state(name))).path

    async def load(self, path: str) -> None:
        training = await self._open()
        await self._watch.until(training.load_state_with_optimizer(path))
        self._sampling = None

    async def download(self, name: str, directory: Path) -> None:
        training = await self._open()
        assert self._service is not None
        saved = await self._watch.until(training.save_weights_for_sampler(name, ttl_seconds=ADAPTER_DAY_S))
        # SkyRL's path is tinker://RUN/NAME, the service's tinker://RUN/sampler_weights/NAME.
        run, _, checkpoint = saved.path.removeprefix("tinker://").partition("/")
        rest = await self._watch.until(in_thread(self._service.create_rest_client))
        archive = await self._watch.until(rest.get_checkpoint_archive_url_async(run, checkpoint))
        await self._watch.until(in_thread(lambda: _unpack(archive.url, directory)))

    async def _open(self) -> tinker.TrainingClient:
        async with self._opening:
            if self._training is None:
                if not await self._alive():
                    raise EngineError(
                        f"no Tinker server answers at {self._remote.url}; is it up, and is tinker.url its address?"
                    )
                self._training = await self._watch.until(in_thread(self._new_adapter))
            return self._training

    def _new_adapter(self) -> tinker.TrainingClient:
        """In a thread: the SDK's constructors wait for the network."""
        service, remote = self._connect(), self._remote
        served = {
            model.model_name: model.max_context_length for model in service.get_server_capabilities().supported_models
        }
        if served and remote.base_model not in served:
            names = [str(name) for name in served]
            more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
            raise EngineError(
                f"{remote.url} does not serve {remote.base_model!r}; it has {', '.join(names[:NAMES_SHOWN])}{more}. "
                "Set policy.model, or tinker.base_model where the server calls it otherwise"
            )
        longest = served.get(remote.base_model)
        if longest and longest < remote.context_tokens:
            raise EngineError(
                f"policy.context_tokens is {remote.context_tokens}, and {remote.url} serves {remote.base_model} "
                f"with {longest}; lower it"
            )
        self._service = service
        return service.create_lora_training_client(base_model=remote.base_model, rank=remote.rank, seed=LORA_SEED)

    async def _answers(self) -> bool:
        """Any answer counts, an error too."""
        try:
            async with httpx.AsyncClient(timeout=10) as client:
                await client.get(f"{self._remote.url.rstrip('/')}/api/v1/healthz")
        except httpx.UnsupportedProtocol:
            raise EngineError(f"tinker.url is {self._remote.url!r}; write it as http://HOST:PORT") from None
        except httpx.TransportError:
            return False
        return True


def _datum(row: TokenRow, **inputs: Sequence[float]) -> types.Datum:
    tensors = {
        name: types.TensorData.from_numpy(np.asarray(values, dtype=np.float32)) for name, values in inputs.items()
    }
    targets = types.TensorData.from_numpy(np.asarray(row.ids[1:], dtype=np.int64))
    return types.Datum(
        model_input=types.ModelInput.from_ints(list(row.ids[:-1])),
        loss_fn_inputs={"target_tokens": targets, **tensors},
    )


def _logprobs(output: types.ForwardBackwardOutput, rows: Sequence[TokenRow]) -> list[list[float]]:
    scores = [found["logprobs"].tolist() if "logprobs" in found else [] for found in output.loss_fn_outputs]
    if [len(score) for score in scores] != [len(row.logprobs) for row in rows]:
        raise EngineError(
            f"the server scored {[len(score) for score in scores]} tokens of rows with "
            f"{[len(row.logprobs) for row in rows]}"
        )
    return scores


def _unpack(url: str, directory: Path) -> None:
    with tempfile.TemporaryFile() as archive:
        with httpx.stream("GET", url, timeout=600, follow_redirects=True) as response:
            response.raise_for_status()
            for piece in response.iter_bytes():
                archive.write(piece)
        archive.seek(0)
        with tarfile.open(fileobj=archive) as packed:
            packed.extractall(directory, filter="data")
    complete_adapter(directory)

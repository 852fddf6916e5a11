"""What reaches the `tinker` SDK, and what its answers become; the SDK's types are real, its server is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from tests.tiny_models import byte_chat, tiny_policy

pytest.importorskip("tinker")

import tinker
from tinker import types

from openspade.engine.model.loading import write_chat
from openspade.engine.tinker.open_tinker import open_tinker
from openspade.engine.tinker.sdk_server import Remote, SdkServer
from openspade.engine.tinker.tinker_server import TokenRow
from openspade.engine.training.grpo import Clip
from openspade.errors import ConfigError, EngineError
from openspade.settings.learning import PolicyConfig, TinkerConfig, TrainConfig
from openspade.tokens import Message, Prompt, Sampling

ROW = TokenRow(ids=(5, 6, 7, 8), logprobs=(0.0, -1.0, -2.0), advantages=(0.0, 0.5, -0.5))
CLIP = Clip(0.2, 0.28, 2.0)


@dataclass
class Training:
    """The SDK's TrainingClient as far as we use it. `scores` is what each call scores a row with."""

    scores: list[float] = field(default_factory=lambda: [-1.0, -2.0, -3.0])
    calls: list[tuple[str, Any]] = field(default_factory=list)

    def _scored(self, data: list[types.Datum]) -> Awaitable[types.ForwardBackwardOutput]:
        rows = [{"logprobs": types.TensorData.from_numpy(np.asarray(self.scores, dtype=np.float32))} for _ in data]
        return _soon(types.ForwardBackwardOutput(loss_fn_output_type="scalar", loss_fn_outputs=rows))

    def forward(self, data: list[types.Datum], loss: str) -> Awaitable[types.ForwardBackwardOutput]:
        self.calls.append((loss, data))
        return self._scored(data)

    def forward_backward(self, data: list[types.Datum], loss: str, bounds: dict[str, float] | None) -> Awaitable[Any]:
        self.calls.append((loss, (data, bounds)))
        return self._scored(data)

    def optim_step(self, adam: types.AdamParams) -> Awaitable[types.OptimStepResponse]:
        self.calls.append(("adam", adam))
        return _soon(types.OptimStepResponse(metrics={"skyrl.ai/grad_norm": 0.25}))

    def save_weights_and_get_sampling_client(self) -> Any:
        return self

    async def sample_async(self, prompt: types.ModelInput, samples: int, how: types.SamplingParams) -> Any:
        self.calls.append(("sample", (prompt.to_ints(), samples, how)))
        reply = types.SampledSequence(
            stop_reason="length", tokens_np=np.asarray([1, 2]), logprobs_np=np.asarray([-0.5, -0.75])
        )
        return types.SampleResponse(sequences=[reply])


@dataclass
class Service:
    """The SDK's ServiceClient: which models there are, and the adapter asked for."""

    training: Training
    models: dict[str, int | None] = field(default_factory=lambda: {"tiny": 4096})
    asked: dict[str, Any] = field(default_factory=dict)

    def get_server_capabilities(self) -> types.GetServerCapabilitiesResponse:
        models = [types.SupportedModel(model_name=k, max_context_length=v) for k, v in self.models.items()]
        return types.GetServerCapabilitiesResponse(supported_models=models)

    def create_lora_training_client(self, **asked: Any) -> Training:
        self.asked |= asked
        return self.training


def _soon(value: Any) -> Awaitable[Any]:
    return asyncio.sleep(0, value)


async def lives() -> bool:
    return True


async def is_dead() -> bool:
    return False


def a_server(
    service: Service, *, alive: Callable[[], Awaitable[bool]] = lives, context_tokens: int = 512, **train: object
) -> SdkServer:
    remote = Remote(
        url="http://x", key="tml-x", base_model="tiny", rank=8, context_tokens=context_tokens, lost_after_s=1.0
    )
    settings = TrainConfig.model_validate(train)
    return SdkServer(remote, settings, connect=lambda: cast(tinker.ServiceClient, service), alive=alive)


def tensors(datum: types.Datum) -> dict[str, list[float]]:
    return {name: tensor.tolist() for name, tensor in datum.loss_fn_inputs.items()}


async def test_a_row_is_shifted_by_one_token():
    training = Training()
    assert await a_server(Service(training)).forward([ROW]) == [[-1.0, -2.0, -3.0]]
    (_, (datum,)) = training.calls[0]
    assert datum.model_input.to_ints() == [5, 6, 7] and tensors(datum)["target_tokens"] == [6, 7, 8]


@pytest.mark.parametrize(
    ("loss", "bounds"),
    [("ppo", {"clip_low_threshold": 0.8, "clip_high_threshold": 1.28}), ("importance_sampling", None)],
)
async def test_a_step_is_a_gradient_and_an_update_handed_in_together(loss: str, bounds: dict[str, float] | None):
    training = Training()
    server = a_server(Service(training), learning_rate=2e-4, betas=(0.8, 0.9), weight_decay=0.3, grad_clip=0.7)
    await server.forward([ROW])
    step = server.step([ROW], loss, CLIP)
    (name, ((datum,), sent)), (_, adam) = training.calls[1:]
    assert (name, sent) == (loss, bounds) and tensors(datum)["advantages"] == [0.0, 0.5, -0.5]
    assert (adam.learning_rate, adam.beta1, adam.beta2, adam.eps) == (2e-4, 0.8, 0.9, 1e-8)
    assert (adam.weight_decay, adam.grad_clip_norm) == (0.3, 0.7)
    assert (await step).grad_norm == 0.25


async def test_a_request_keeps_its_seed_and_its_limits():
    training, prompt = Training(), a_prompt(Sampling(max_tokens=9, temperature=0.6, top_p=0.95), seed=2**31 + 5)
    answer = await a_server(Service(training)).sample(prompt, [257, 258])
    (_, (ids, samples, how)) = training.calls[0]
    assert (ids, samples, how.seed, how.stop, how.top_k) == (list(prompt.ids), 1, 5, [257, 258], -1)
    assert (how.max_tokens, how.temperature, how.top_p) == (9, 0.6, 0.95)
    assert (answer.ids, answer.logprobs, answer.ended) == ((1, 2), (-0.5, -0.75), False)


async def test_the_adapter_has_the_rank_that_was_asked_for():
    service = Service(Training())
    await a_server(service).publish()
    assert service.asked == {"base_model": "tiny", "rank": 8, "seed": 0}


async def test_scores_of_another_length_are_not_trained_on():
    with pytest.raises(EngineError, match=r"scored \[2\] tokens of rows with \[3\]"):
        await a_server(Service(Training(scores=[-1.0, -2.0]))).forward([ROW])


async def test_a_model_that_is_not_served_is_told_with_those_that_are():
    models: dict[str, int | None] = {f"model-{k}": None for k in range(12)}
    with pytest.raises(EngineError, match=r"does not serve 'tiny'; it has model-0, .*model-7 and 4 more"):
        await a_server(Service(Training(), models)).publish()


async def test_a_context_that_the_server_does_not_hold_is_refused():
    with pytest.raises(EngineError, match=r"policy.context_tokens is 9000, and .* with 4096"):
        await a_server(Service(Training()), context_tokens=9000).publish()


async def test_no_server_at_all_is_told_before_anything_is_asked():
    service = Service(Training())
    with pytest.raises(EngineError, match=r"no Tinker server answers at http://x"):
        await a_server(service, alive=is_dead).publish()
    assert not service.asked


def a_policy(folder: Path, **settings: object) -> PolicyConfig:
    write_chat(tiny_policy(), folder)
    return PolicyConfig.model_validate({"engine": "tinker", "model": str(folder), "lora_rank": 8} | settings)


OWN = {"server": "skyrl", "url": "http://x"}


@pytest.mark.parametrize(
    ("policy", "settings", "train", "overlap", "says"),
    [
        ({"lora_rank": 0}, OWN, {}, 0, "policy.lora_rank is 0"),
        ({}, {"server": "skyrl"}, {}, 0, "tinker.url is empty"),
        ({}, OWN, {"kl": 0.1}, 0, "train.kl is 0.1.*tinker.loss=custom"),
        ({}, OWN | {"server": "skyrl-jax"}, {}, 1, "run.overlap is 1"),
        ({}, {}, {}, 0, "TINKER_API_KEY is not set"),
    ],
)
def test_what_a_server_cannot_do_is_refused_by_name(
    tmp_path: Path,
    policy: dict[str, object],
    settings: dict[str, str],
    train: dict[str, float],
    overlap: int,
    says: str,
):
    with pytest.raises(ConfigError, match=says):
        open_tinker(
            a_policy(tmp_path, **policy),
            TinkerConfig.model_validate(settings),
            TrainConfig.model_validate(train),
            temperatures={},
            overlap=overlap,
        )


def test_a_kl_penalty_goes_with_the_custom_loss(tmp_path: Path):
    settings = TinkerConfig.model_validate(OWN | {"loss": "custom"})
    engine = open_tinker(a_policy(tmp_path), settings, TrainConfig(kl=0.1), temperatures={}, overlap=0)
    assert engine.capabilities.learns and engine.chat.stop_ids == byte_chat().stop_ids


def a_prompt(sampling: Sampling, *, seed: int) -> Prompt:
    prompt = byte_chat().start([Message(role="user", content="go")]).prompt(sampling, seed)
    assert prompt is not None
    return prompt

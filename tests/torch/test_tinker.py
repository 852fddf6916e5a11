"""The Tinker engine against the local one: the same batch, the same gradient, whatever the server's reduction."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
import torch
from tests.tinker_server import TorchServer
from tests.tiny_models import byte_chat, tiny_llama, tiny_policy

from openspade.engine.local import LocalEngine
from openspade.engine.tinker.loss import ClippedLoss, LossRunner, OwnLoss
from openspade.engine.tinker.tinker_engine import Checkpoints, TinkerEngine
from openspade.engine.tinker.tinker_server import Reduction
from openspade.errors import EngineError
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Completion, Message, Prompt, Role, Sampling, Trajectory

LOSSES = {"ppo": ClippedLoss, "custom": OwnLoss}
Loss = Literal["ppo", "custom"]


def a_train_config(**train: object) -> TrainConfig:
    return TrainConfig.model_validate({"learning_rate": 3e-3, "grad_clip": 1e9} | train)


def an_engine(
    server: TorchServer, train: TrainConfig, *, loss: Loss = "ppo", temperatures: dict[Role, float] | None = None
) -> TinkerEngine:
    runner = LossRunner(loss=LOSSES[loss].of(train, server.reduction), train=train, temperatures=temperatures or {})
    return TinkerEngine(server, byte_chat(), runner, Checkpoints(base_model="tiny", lora_rank=8))


def a_local_engine(train: TrainConfig) -> LocalEngine:
    engine = LocalEngine(PolicyConfig(device="cpu", context_tokens=256), train, loaded=tiny_policy(0))
    engine.reference_model = tiny_llama(1)
    return engine


async def trajectories(engine: LocalEngine, *, sampler_error: float) -> list[Trajectory]:
    """Replies of unlike lengths, a second turn on every other one, sampled by a server that is a little off."""
    rng, chats = random.Random(1), [engine.chat.start([Message(role="user", content="q" * k)]) for k in range(8)]
    for turn, playing in enumerate((chats, chats[::2])):
        asked = [chat.prompt(Sampling(max_tokens=3 + k), 10 * turn + k) for k, chat in enumerate(playing)]
        for chat, reply in zip(playing, await engine.sample([p for p in asked if p]), strict=True):
            noisy = tuple(value + rng.gauss(0, sampler_error) for value in reply.logprobs)
            chat.reply(replace(reply, logprobs=noisy))
            chat.tell([Message(role="user", content="and?")])
    streams = [stream for chat in chats for stream in chat.streams()]
    roles: tuple[Role, Role] = ("designer", "agent")
    return [
        Trajectory(role=roles[k % 2], stream=stream, advantage=0.0 if k == 5 else rng.gauss(0, 1))
        for k, stream in enumerate(streams)
    ]


def gradient(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])


def weights(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([p.detach().flatten() for p in model.parameters()])


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("loss", ["ppo", "custom"])
@pytest.mark.parametrize("aggregation", ["token-mean", "sequence-mean"])
async def test_both_engines_have_the_same_gradient(reduction: Reduction, loss: Loss, aggregation: str):
    train = a_train_config(aggregation=aggregation)
    local, server = a_local_engine(train), TorchServer(tiny_llama(0), reduction=reduction)
    batch = await trajectories(local, sampler_error=0.5)
    told, expected = await an_engine(server, train, loss=loss).learn(batch), await local.learn(batch)
    torch.testing.assert_close(gradient(server.model), gradient(local.model), rtol=1e-3, atol=1e-6)
    for name in expected.keys() - {"train/seconds", "train/agent_entropy", "train/designer_entropy"}:
        assert told[name] == pytest.approx(expected[name], rel=1e-3, abs=1e-5), name


@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize(("loss", "aggregation"), [("ppo", "sequence-mean"), ("custom", "token-mean")])
async def test_several_steps_on_one_batch_end_at_the_same_weights(reduction: Reduction, loss: Loss, aggregation: str):
    train = a_train_config(minibatches=3, aggregation=aggregation)
    local, server = a_local_engine(train), TorchServer(tiny_llama(0), reduction=reduction)
    batch = await trajectories(local, sampler_error=0.3)
    told, expected = await an_engine(server, train, loss=loss).learn(batch), await local.learn(batch)
    assert told["train/grad_norm"] == pytest.approx(expected["train/grad_norm"], rel=1e-2)
    # Each entry has moved by about 3 x 3e-3; Adam turns the last bits of near-zero gradients into whole steps.
    assert (weights(server.model) - weights(local.model)).abs().mean() < 1e-5


async def test_the_custom_loss_knows_the_kl_penalty():
    train = a_train_config(kl=0.5)
    local, server = a_local_engine(train), TorchServer(tiny_llama(0), reduction="mean", first=tiny_llama(1))
    batch = await trajectories(local, sampler_error=0.1)
    told, expected = await an_engine(server, train, loss="custom").learn(batch), await local.learn(batch)
    torch.testing.assert_close(gradient(server.model), gradient(local.model), rtol=1e-3, atol=1e-6)
    assert told["train/agent_kl"] == pytest.approx(expected["train/agent_kl"], rel=1e-3) and told["train/agent_kl"] > 0


async def test_all_steps_are_handed_in_before_the_first_has_run():
    train, server = a_train_config(minibatches=3), TorchServer(tiny_llama(0), reduction="sum")
    await an_engine(server, train).learn(await trajectories(a_local_engine(train), sampler_error=0.0))
    assert server.calls == ["forward", *["step ppo"] * 3, *["told"] * 3]


async def test_a_role_sampled_hot_is_trained_from_the_trainers_own_logprobs():
    """Whatever temperature the server's log-probs belong to: the ratio starts at 1."""
    train = a_train_config()
    batch = [
        replace(t, stream=replace(t.stream, logprobs=tuple(0.6 * p for p in t.stream.logprobs)))
        for t in await trajectories(a_local_engine(train), sampler_error=0.0)
    ]
    server = TorchServer(tiny_llama(0), reduction="sum")
    engine = an_engine(server, train, temperatures={"agent": 0.6, "designer": 0.6})
    told = await engine.learn(batch)
    assert told["train/agent_clip_share"] == 0 and told["train/agent_mismatch_mean"] > 0.1


async def test_the_sampler_gets_the_new_weights_before_it_answers_again():
    train, server = a_train_config(), TorchServer(tiny_llama(0), reduction="sum")
    engine = an_engine(server, train)
    batch = await trajectories(a_local_engine(train), sampler_error=0.0)
    for _ in range(2):
        await engine.sample([a_prompt()])
    await engine.learn(batch)
    await engine.sample([a_prompt()])
    assert server.calls == ["publish", "forward", "step ppo", "told", "publish"] and engine.version == 1


async def test_a_batch_that_teaches_nothing_costs_no_call():
    server = TorchServer(tiny_llama(0), reduction="sum")
    batch = [replace(t, advantage=0.0) for t in await trajectories(a_local_engine(a_train_config()), sampler_error=0.0)]
    told = await an_engine(server, a_train_config()).learn(batch)
    assert server.calls == [] and told["train/steps"] == 0 and told["train/useful_share"] == 0


async def test_a_completion_ends_with_the_end_of_turn_and_is_the_models_text():
    (reply,) = await an_engine(TorchServer(tiny_llama(0), reduction="sum"), a_train_config()).sample([a_prompt()])
    assert isinstance(reply, Completion) and reply.stop == "stop" and reply.ids[-1] in byte_chat().stop_ids
    assert reply.text == byte_chat().decode_after(reply.ids[:-1]) and len(reply.logprobs) == len(reply.ids)


async def test_a_reply_that_ends_on_another_token_is_an_error_not_a_reply():
    server = TorchServer(tiny_llama(0), reduction="sum")
    server.stopping = False
    with pytest.raises(EngineError, match="none of the model's end-of-turn tokens"):
        await an_engine(server, a_train_config()).sample([a_prompt()])


async def test_logprobs_stand_at_written_tokens_only():
    train, local = a_train_config(), a_local_engine(a_train_config())
    streams = [t.stream for t in await trajectories(local, sampler_error=0.0)]
    engine = an_engine(TorchServer(tiny_llama(0), reduction="sum", first=tiny_llama(1)), train)
    for reference in (False, True):
        expected = await local.logprobs(streams, reference=reference)
        for mine, theirs in zip(await engine.logprobs(streams, reference=reference), expected, strict=True):
            assert mine == pytest.approx(theirs, abs=1e-4)


async def test_a_checkpoint_names_the_weights_and_is_loaded_by_them(tmp_path: Path):
    first, second = (TorchServer(tiny_llama(0), reduction="sum") for _ in range(2))
    saved, loaded = an_engine(first, a_train_config()), an_engine(second, a_train_config())
    saved.version = 7
    await saved.save(tmp_path / "checkpoint")
    await loaded.load(tmp_path / "checkpoint")
    assert loaded.version == 7 and second.calls == ["load tinker://run/weights/openspade-000007"]


async def test_weights_of_another_rank_are_refused(tmp_path: Path):
    server = TorchServer(tiny_llama(0), reduction="sum")
    await an_engine(server, a_train_config()).save(tmp_path / "checkpoint")
    runner = LossRunner(loss=ClippedLoss.of(a_train_config(), "sum"), train=a_train_config(), temperatures={})
    other = TinkerEngine(server, byte_chat(), runner, Checkpoints(base_model="tiny", lora_rank=16))
    with pytest.raises(EngineError, match="lora_rank 8; this run has 16"):
        await other.load(tmp_path / "checkpoint")


async def test_a_checkpoint_of_the_local_engine_is_told_apart(tmp_path: Path):
    await a_local_engine(a_train_config()).save(tmp_path / "checkpoint")
    with pytest.raises(EngineError, match="saved by another engine"):
        await an_engine(TorchServer(tiny_llama(0), reduction="sum"), a_train_config()).load(tmp_path / "checkpoint")


def a_prompt() -> Prompt:
    prompt = byte_chat().start([Message(role="user", content="go")]).prompt(Sampling(max_tokens=6), 3)
    assert prompt is not None
    return prompt

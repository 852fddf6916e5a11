"""The engine in this process: exact tokens, exact steps, exact resume."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
import torch
from tests.tiny_models import tiny_policy
from transformers import AutoModelForCausalLM

from openspade.engine.local import LocalEngine
from openspade.errors import EngineError
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Message, Prompt, Role, Sampling, TokenStream, Trajectory


def an_engine(
    seed: int = 0,
    *,
    temperatures: dict[Role, float] | None = None,
    lora_rank: int = 0,
    dtype: Literal["float32", "bfloat16"] = "float32",
    **train: object,
) -> LocalEngine:
    settings = TrainConfig.model_validate({"learning_rate": 3e-3} | train)
    policy = PolicyConfig(device="cpu", batch_rows=8, context_tokens=256, lora_rank=lora_rank, dtype=dtype)
    return LocalEngine(policy, settings, temperatures=temperatures, loaded=tiny_policy(seed))


async def some_streams(
    engine: LocalEngine, count: int = 10, *, temperature: float = 1.0, turns: int = 2
) -> list[TokenStream]:
    conversations = [engine.chat.start([Message(role="user", content=f"q{k % 3}")]) for k in range(count)]
    for turn in range(turns):
        prompts = [
            c.prompt(Sampling(max_tokens=3 + k, temperature=temperature), 100 * turn + k)
            for k, c in enumerate(conversations)
        ]
        for conversation, completion in zip(conversations, await engine.sample([p for p in prompts if p]), strict=True):
            conversation.reply(completion)
            conversation.tell([Message(role="user", content="more")])
    return [stream for conversation in conversations for stream in conversation.streams()]


def trajectories(streams: list[TokenStream], seed: int = 0) -> list[Trajectory]:
    rng = random.Random(seed)
    return [
        Trajectory(role="agent" if k % 2 else "designer", stream=s, advantage=rng.gauss(0, 1))
        for k, s in enumerate(streams)
    ]


def weights(engine: LocalEngine) -> torch.Tensor:
    return torch.cat([p.detach().flatten() for p in engine.model.parameters()])


def gradient(engine: LocalEngine) -> torch.Tensor:
    return torch.cat([p.grad.flatten() for p in engine.model.parameters() if p.grad is not None])


@pytest.mark.parametrize("temperature", [1.0, 0.7])
async def test_logprobs_of_a_conversation_equal_those_sampled(temperature: float):
    engine = an_engine()
    streams = await some_streams(engine, temperature=temperature)
    for stream, logprobs in zip(streams, await engine.logprobs(streams, temperature=temperature), strict=True):
        assert logprobs == pytest.approx(list(stream.logprobs), abs=1e-4)


async def test_the_trainer_scores_each_role_at_its_own_temperature():
    engine = an_engine(temperatures={"agent": 0.6, "designer": 1.3})
    hot, cold = await some_streams(engine, temperature=1.3), await some_streams(engine, temperature=0.6)
    batch = [Trajectory(role="designer", stream=s, advantage=1.0) for s in hot]
    batch += [Trajectory(role="agent", stream=s, advantage=-1.0) for s in cold]
    metrics = await engine.learn(batch)
    assert metrics["train/agent_mismatch_max"] < 1e-4 and metrics["train/designer_mismatch_max"] < 1e-4


async def test_learning_moves_probability_the_way_of_the_advantage():
    engine = an_engine()
    streams = await some_streams(engine, 8, turns=1)
    before = await engine.logprobs(streams)
    for _ in range(3):
        await engine.learn(
            [Trajectory(role="agent", stream=s, advantage=1.0 if k < 4 else -1.0) for k, s in enumerate(streams)]
        )
    after = await engine.logprobs(streams)
    moved = [sum(a) - sum(b) for a, b in zip(after, before, strict=True)]
    assert sum(moved[:4]) > 0 > sum(moved[4:])


async def test_sampling_learning_and_sampling_again_is_the_same_twice():
    results = []
    for _ in range(2):
        engine = an_engine()
        await engine.learn(trajectories(await some_streams(engine)))
        results.append((weights(engine), await some_streams(engine)))
    assert torch.equal(results[0][0], results[1][0]) and results[0][1] == results[1][1]


async def test_micro_batches_change_no_gradient():
    gradients = []
    for tokens in (60, 100_000):
        engine = an_engine(tokens_per_batch=tokens)
        await engine.learn(trajectories(await some_streams(engine)))
        gradients.append(gradient(engine))
    assert torch.allclose(gradients[0], gradients[1], atol=1e-6)


async def test_rows_without_advantage_change_nothing_but_time():
    """Dropping groups without spread is exact: they still count in the mean."""
    engine, other = an_engine(), an_engine()
    batch = trajectories(await some_streams(engine))
    await engine.learn([*batch, *(replace(t, advantage=0.0) for t in batch[:3])])
    await other.learn([*batch, *(replace(t, advantage=1e-30) for t in batch[:3])])
    assert torch.allclose(gradient(engine), gradient(other), atol=1e-6)


@pytest.mark.parametrize("minibatches", [1, 3])
async def test_the_gap_to_the_sampler_is_reported_as_it_was_before_the_steps(minibatches: int):
    """What the steps themselves move is no disagreement of the two engines (prime-rl#1300)."""
    engine = an_engine(minibatches=minibatches)
    metrics = await engine.learn(trajectories(await some_streams(engine)))
    assert metrics["train/steps"] == minibatches
    assert 0 < metrics["train/agent_mismatch_max"] < 1e-4


async def test_the_gap_to_a_sampler_with_other_weights_shows():
    """Its own log-probs are in the streams; the trainer's are those of weights one step on (prime-rl#491)."""
    engine = an_engine()
    stale = trajectories(await some_streams(engine))
    await engine.learn(stale)
    assert (await engine.learn(stale))["train/agent_mismatch_mean"] > 1e-3


async def test_a_kl_penalty_holds_the_policy_near_its_start(tmp_path: Path):
    start = an_engine()
    await start.save(tmp_path / "start")
    distances = []
    for kl in (0.0, 10.0):
        engine = an_engine(kl=kl, weight_decay=0.0)
        engine.reference_model = tiny_policy().model
        streams = await some_streams(engine)
        for _ in range(6):
            metrics = await engine.learn(trajectories(streams))
        distances.append(metrics["train/agent_kl"] if kl else (weights(engine) - weights(start)).norm().item())
    assert distances[1] < 0.05 < distances[0]


async def test_nothing_to_learn_from_takes_no_step():
    engine = an_engine()
    before = weights(engine)
    metrics = await engine.learn([])
    assert torch.equal(weights(engine), before) and metrics["train/steps"] == 0


async def test_an_infinite_advantage_is_refused_and_leaves_the_weights_alone():
    engine = an_engine()
    before, streams = weights(engine), await some_streams(engine)
    with pytest.raises(EngineError, match="no step was taken"):
        await engine.learn([Trajectory(role="agent", stream=streams[0], advantage=float("inf"))])
    assert torch.equal(weights(engine), before)


async def test_a_resumed_engine_goes_on_bit_for_bit(tmp_path: Path):
    """Six steps are three, a restart, and three (open-instruct#1523, verl#5725)."""
    whole, first, second = an_engine(), an_engine(), an_engine(seed=1)
    for engine, steps in ((whole, range(6)), (first, range(3))):
        for step in steps:
            await engine.learn(trajectories(await some_streams(engine), step))
    await first.save(tmp_path / "checkpoint")
    await second.load(tmp_path / "checkpoint")
    for step in range(3, 6):
        await second.learn(trajectories(await some_streams(second), step))
    assert torch.equal(weights(whole), weights(second)) and second.version == whole.version == 6


async def test_a_checkpoint_is_a_model_that_transformers_loads(tmp_path: Path):
    engine = an_engine()
    await engine.learn(trajectories(await some_streams(engine)))
    await engine.save(tmp_path / "checkpoint")
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "checkpoint")
    assert torch.equal(torch.cat([p.detach().flatten() for p in model.parameters()]), weights(engine))


async def test_a_damaged_checkpoint_is_refused(tmp_path: Path):
    engine = an_engine()
    await engine.save(tmp_path / "checkpoint")
    path = tmp_path / "checkpoint" / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(EngineError, match="SHA-256"):
        await engine.load(tmp_path / "checkpoint")


async def test_saving_again_replaces_the_checkpoint_and_leaves_nothing_beside_it(tmp_path: Path):
    engine = an_engine()
    for _ in range(2):
        await engine.save(tmp_path / "checkpoint")
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint"]


async def test_a_half_written_checkpoint_is_no_checkpoint(tmp_path: Path):
    (tmp_path / "checkpoint").mkdir()
    with pytest.raises(EngineError, match="no complete checkpoint"):
        await an_engine().load(tmp_path / "checkpoint")


async def test_the_event_loop_lives_while_the_engine_samples():
    engine, beats = an_engine(), 0
    sampling = asyncio.create_task(some_streams(engine, 30))
    while not sampling.done():
        began = time.perf_counter()
        await asyncio.sleep(0)
        beats += time.perf_counter() - began < 0.05
    assert beats > 10


async def test_a_request_for_nothing_is_refused():
    prompt = Prompt(ids=(1,), messages=(), sampling=Sampling(max_tokens=0), seed=0)
    with pytest.raises(EngineError, match="at least 1"):
        await an_engine().sample([prompt])


async def test_lora_samples_what_it_trains_and_leaves_the_base_alone():
    engine, base = an_engine(lora_rank=4, learning_rate=3e-2), an_engine()
    for _ in range(3):
        metrics = await engine.learn(trajectories(await some_streams(engine)))
        assert metrics["train/agent_mismatch_max"] < 1e-4
    held = dict(engine.model.named_parameters())
    for name, parameter in base.model.named_parameters():
        twin = held[name if name in held else name.replace(".weight", ".base_layer.weight")]
        assert torch.equal(parameter, twin)
    assert await some_streams(engine) != await some_streams(base)


async def test_a_lora_checkpoint_holds_the_adapter_only_and_resumes(tmp_path: Path):
    first, second = an_engine(lora_rank=4), an_engine(lora_rank=4)
    await first.learn(trajectories(await some_streams(first)))
    await first.save(tmp_path / "x")
    await second.load(tmp_path / "x")
    assert not (tmp_path / "x" / "model.safetensors").exists()
    assert await some_streams(first) == await some_streams(second)


async def test_a_checkpoint_of_another_kind_of_training_is_refused(tmp_path: Path):
    await an_engine(lora_rank=4).save(tmp_path / "x")
    with pytest.raises(EngineError, match="lora_rank"):
        await an_engine().load(tmp_path / "x")


async def test_bfloat16_keeps_float32_weights_and_reports_its_gap():
    engine = an_engine(dtype="bfloat16")
    metrics = await engine.learn(trajectories(await some_streams(engine)))
    assert {p.dtype for p in engine.model.parameters()} == {torch.float32}
    assert 0 < metrics["train/agent_mismatch_max"] < 0.5


async def test_calls_at_the_same_time_wait_for_each_other():
    engine, other = an_engine(), an_engine()
    together = await asyncio.gather(some_streams(engine, 4, turns=1), some_streams(engine, 6, turns=1))
    assert together == [await some_streams(other, 4, turns=1), await some_streams(other, 6, turns=1)]


@pytest.mark.parametrize("lora_rank", [0, 4])
async def test_checkpointed_layers_give_the_same_gradient_bit_for_bit(lora_rank: int):
    gradients = []
    for checkpointing in (False, True):
        engine = an_engine(gradient_checkpointing=checkpointing, lora_rank=lora_rank)
        assert any(getattr(m, "gradient_checkpointing", False) for m in engine.model.modules()) is checkpointing
        await engine.learn(trajectories(await some_streams(engine)))
        gradients.append(gradient(engine))
    assert torch.equal(gradients[0], gradients[1])

"""What the local engine does on a card, in one command of a few minutes; the results as JSON.

    python -m gpu.check --json gpu.json                       # one CUDA card, a random Qwen3 of 0.5 B in bfloat16
    python -m gpu.check --device cpu --size tiny              # proves the script where there is no card

Generation and training in tokens a second beside transformers' `generate` and TRL (where installed), the gap between
sampled and trained log-probs, gradient checkpointing, vLLM with weights written in place (where installed), and peak
memory. `--minutes` bounds it: what is not begun by then is left out and listed. Exit code 1 when a check fails.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from benchmarks.contenders import ours, samplers, trainers
from benchmarks.workload import LOADS, Load, a_model, graded, play
from tests.tiny_models import byte_chat
from transformers import PreTrainedModel

from openspade.engine.local import LocalEngine
from openspade.engine.model.loading import Policy, write_chat
from openspade.engine.sampling.backends import OwnSampler
from openspade.engine.sampling.vllm import VllmSampler
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Message, Sampling, Trajectory

LARGEST_GAP = {"float32": 1e-3, "bfloat16": 0.5}
"""Log-probs of single tokens in bfloat16 differ by the rounding of eight bits; their mean is far smaller."""

MEAN_GAP = {"float32": 1e-5, "bfloat16": 0.05}


@dataclass
class Report:
    """What was measured, what failed, what there was no time for."""

    deadline: float
    device: torch.device
    found: dict[str, Any] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def stage(self, name: str, work: Callable[[], dict[str, Any]]) -> None:
        """Runs a stage if there is time, with what it took and the most memory it had."""
        if time.monotonic() > self.deadline:
            self.skipped.append(f"{name}: no time left")
            return
        print(f"{name} ...", file=sys.stderr, flush=True)
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
        began = time.perf_counter()
        self.found[name] = work() | {"seconds": round(time.perf_counter() - began, 1)}
        if self.device.type == "cuda":
            self.found[name]["peak_gb"] = round(torch.cuda.max_memory_allocated() / 1e9, 2)

    def check(self, holds: bool, sentence: str) -> None:
        if not holds:
            self.failed.append(sentence)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--size", choices=["tiny", "nano", "small", "qwen3"], default="qwen3")
    parser.add_argument("--minutes", type=float, default=7.0)
    parser.add_argument("--json", type=Path, help="write the results here as well")
    arguments = parser.parse_args()
    if arguments.device == "cuda" and not torch.cuda.is_available():
        parser.error("torch sees no CUDA card; --device cpu --size tiny proves the script without one")
    device = torch.device(arguments.device)
    dtype = "bfloat16" if device.type == "cuda" else "float32"
    report = Report(deadline=time.monotonic() + 60 * arguments.minutes, device=device)
    load, name = LOADS[arguments.size], arguments.size
    model = a_model(name).to(device)
    report.found["machine"] = _machine(model, device, dtype)
    report.stage("learning", lambda: asyncio.run(_learning(model, dtype, load, report)))
    report.stage("checkpointing", lambda: _checkpointing(a_model(name).to(device), dtype, load))
    report.stage("sampling", lambda: _speeds_of_sampling(model, dtype, load))
    report.stage("training", lambda: _speeds_of_training(model, dtype, load))
    if find_spec("vllm") and device.type == "cuda":
        report.stage("vllm", lambda: asyncio.run(_vllm(model, dtype, load, report)))
    else:
        report.skipped.append("vllm: needs the package vllm and a card")
    text = json.dumps(report.found | {"failed": report.failed, "skipped": report.skipped}, indent=1)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")
    sys.exit(1 if report.failed else 0)


async def _learning(model: PreTrainedModel, dtype: str, load: Load, report: Report) -> dict[str, Any]:
    """Conversations through the engine itself: two turns, a step, and again; the gap, and that the step helped."""
    engine = _engine(model, dtype, load)
    played = await _conversations(engine, load)
    before = await _likelihood(engine, played)
    metrics = await engine.learn(played)
    after = await _likelihood(engine, played)
    gap, mean = metrics["train/agent_mismatch_max"], metrics["train/agent_mismatch_mean"]
    report.check(gap < LARGEST_GAP[dtype], f"the largest gap of log-probs is {gap:.3g}")
    report.check(mean < MEAN_GAP[dtype], f"the mean gap of log-probs is {mean:.3g}")
    report.check(after > before, f"a step towards what was paid made it no likelier: {before:.4f} to {after:.4f}")
    return {"mismatch_max": gap, "mismatch_mean": mean, "logprob_before": before, "logprob_after": after}


def _checkpointing(model: PreTrainedModel, dtype: str, load: Load) -> dict[str, Any]:
    """One step that keeps only what enters each layer: its speed, and its peak beside that of `training`."""
    return {"openspade": _training_speed(model, dtype, load, {"gradient_checkpointing": True})["openspade"]}


def _speeds_of_sampling(model: PreTrainedModel, dtype: str, load: Load) -> dict[str, Any]:
    vocabulary = int(model.config.vocab_size)
    speeds: dict[str, Any] = {}
    model.eval()
    for name, begin in samplers(model, load, dtype).items():
        play(load, vocabulary, begin())  # the first call warms kernels and caches up
        tokens, seconds = _timed(lambda begin=begin: play(load, vocabulary, begin())[1], model.device)
        speeds[name] = round(tokens / seconds, 1)
    return {"tokens_a_second": speeds, "turns": load.turns}


def _speeds_of_training(model: PreTrainedModel, dtype: str, load: Load) -> dict[str, Any]:
    return {"tokens_a_second": _training_speed(model, dtype, load, {})}


def _training_speed(model: PreTrainedModel, dtype: str, load: Load, settings: dict[str, Any]) -> dict[str, float]:
    config = TrainConfig(tokens_per_batch=load.tokens_per_batch, **settings)
    trajectories = graded(play(load, int(model.config.vocab_size), ours(model, load, dtype))[0])
    tokens = sum(len(t.stream.ids) for t in trajectories)
    speeds: dict[str, float] = {}
    for name, step in trainers(model, load, config, dtype).items():
        step(trajectories)
        _, seconds = _timed(lambda step=step: (step(trajectories), 0)[1], model.device)
        speeds[name] = round(tokens / seconds, 1)
    return speeds


async def _vllm(model: PreTrainedModel, dtype: str, load: Load, report: Report) -> dict[str, Any]:
    """VLLM writes the replies; after a step it must write with the new weights: the gap stays as small."""
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        write_chat(Policy(model=model, chat=byte_chat()), Path(folder))
        engine = _engine(model, dtype, load, folder=Path(folder))
        gaps = []
        for _ in range(2):
            tokens, seconds = 0, time.perf_counter()
            played = await _conversations(engine, load)
            tokens, seconds = sum(sum(t.stream.written) for t in played), time.perf_counter() - seconds
            gaps.append((await engine.learn(played))["train/agent_mismatch_mean"])
        report.check(max(gaps) < MEAN_GAP[dtype], f"vLLM's mean gaps before and after a step are {gaps}")
        return {"mismatch_mean": gaps, "tokens_a_second": round(tokens / seconds, 1)}


def _engine(model: PreTrainedModel, dtype: str, load: Load, folder: Path | None = None) -> LocalEngine:
    policy = PolicyConfig.model_validate(
        {"device": str(model.device), "dtype": dtype, "batch_rows": load.rows, "context_tokens": 2048}
    )
    train = TrainConfig(learning_rate=1e-3, tokens_per_batch=load.tokens_per_batch)
    loaded = Policy(model=model, chat=byte_chat(2048), folder=folder)
    return LocalEngine(policy, train, loaded=loaded, make_sampler=VllmSampler.start if folder else OwnSampler)


async def _conversations(engine: LocalEngine, load: Load) -> list[Trajectory]:
    """Two turns each; the even ones are paid."""
    asked = [engine.chat.start([Message(role="user", content=f"{k % load.groups} " * 20)]) for k in range(load.rows)]
    for turn in range(2):
        prompts = [c.prompt(Sampling(max_tokens=load.reply), 1000 * turn + k) for k, c in enumerate(asked)]
        for talk, said in zip(asked, await engine.sample([p for p in prompts if p]), strict=True):
            talk.reply(said)
            talk.tell([Message(role="user", content="go on")])
    streams = [stream for talk in asked for stream in talk.streams()]
    return [Trajectory(role="agent", stream=s, advantage=1.0 if k % 2 == 0 else -1.0) for k, s in enumerate(streams)]


async def _likelihood(engine: LocalEngine, played: list[Trajectory]) -> float:
    """How much likelier the paid conversations are than the others, in nats a conversation."""
    logprobs = await engine.logprobs([t.stream for t in played])
    return sum(t.advantage * sum(row) for t, row in zip(played, logprobs, strict=True)) / len(played)


def _timed(work: Callable[[], int], device: torch.device) -> tuple[int, float]:
    began = time.perf_counter()
    tokens = work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return tokens, time.perf_counter() - began


def _machine(model: PreTrainedModel, device: torch.device, dtype: str) -> dict[str, Any]:
    names = ("torch", "transformers", "trl", "vllm")
    return {
        "device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu",
        "dtype": dtype,
        "parameters": model.num_parameters(),
        "versions": {name: version(name) for name in names if find_spec(name)},
    }


if __name__ == "__main__":
    main()

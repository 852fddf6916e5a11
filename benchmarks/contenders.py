"""Who samples and trains in the engine's benchmarks: ours, transformers' `generate`, and TRL where it is installed."""

from __future__ import annotations

import resource
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import torch
from benchmarks.workload import Answers, Load, graded, in_rows, play
from transformers import PreTrainedModel

from openspade.engine.sampling.batch import sample_batch
from openspade.engine.sampling.fused import FusedDecoder
from openspade.engine.sampling.prefix_cache import PrefixCache
from openspade.engine.training.forward import precision
from openspade.engine.training.trainer import Trainer, prepare_to_train
from openspade.settings.learning import TrainConfig
from openspade.tokens import Prompt, Trajectory

NEVER = frozenset({-1})
Work = Callable[[], int]


Answer = Callable[[list[Prompt]], Answers]


def samplers(model: PreTrainedModel, load: Load, dtype: str = "float32") -> dict[str, Callable[[], Answer]]:
    """Each makes the same number of tokens from the same prompts; ours begins anew each time and reports log-probs."""
    plain = _generate(model, dtype)
    found: dict[str, Callable[[], Answer]] = {
        "openspade": lambda: ours(model, load, dtype),
        "generate": lambda: lambda prompts: in_rows(load, prompts, plain),
    }
    if find_spec("trl"):
        from benchmarks.trl_baseline import trl_sampler, trl_trainer  # noqa: PLC0415 - an optional package

        theirs = trl_sampler(trl_trainer(model), load)
        found["trl"] = lambda: theirs
    return found


def ours(model: PreTrainedModel, load: Load, dtype: str = "float32") -> Answer:
    decoder, prefixes = FusedDecoder(model, getattr(torch, dtype)), PrefixCache()

    def answer(prompts: list[Prompt]) -> Answers:
        with precision(model, dtype):
            found = sample_batch(decoder, prompts, stop_ids=NEVER, rows=load.rows, prefixes=prefixes)
        return [said.ids for said in found]

    return answer


def trainers(
    model: PreTrainedModel, load: Load, train: TrainConfig, dtype: str = "float32"
) -> dict[str, Callable[[Sequence[Trajectory]], None]]:
    """Loss and gradient of the same trajectories; the optimiser's own step is torch's for everyone and left out."""
    found = {"openspade": our_step(model, train, dtype)}
    if find_spec("trl"):
        from benchmarks.trl_baseline import trl_step, trl_trainer  # noqa: PLC0415

        found["trl"] = trl_step(trl_trainer(model), load)
    return found


def our_step(
    model: PreTrainedModel, train: TrainConfig, dtype: str = "float32"
) -> Callable[[Sequence[Trajectory]], None]:
    prepare_to_train(model, train)
    optimiser = torch.optim.AdamW([torch.zeros(1, requires_grad=True)], lr=0.0)
    trainer = Trainer(model=model, optimiser=optimiser, config=train)

    def step(trajectories: Sequence[Trajectory]) -> None:
        with precision(model, dtype):
            trainer.learn(trajectories)
        model.zero_grad()

    return step


def all_work(model: PreTrainedModel, load: Load, train: TrainConfig) -> dict[str, Work]:
    """Every contender by `kind: name`, each giving the number of tokens that count."""
    vocabulary = int(model.config.vocab_size)
    trajectories = graded(play(load, vocabulary, ours(model, load))[0])
    tokens = sum(len(t.stream.ids) for t in trajectories)
    work: dict[str, Work] = {}
    for kind, some in (("one turn", replace(load, turns=1)), (f"{load.turns} turns", load)):
        for name, begin in samplers(model, some).items():
            work[f"sample, {kind}: {name}"] = lambda some=some, begin=begin: play(some, vocabulary, begin())[1]
    for name, step in trainers(model, load, train).items():
        work[f"train: {name}"] = lambda step=step: (step(trajectories), tokens)[1]
    return work


def _generate(model: PreTrainedModel, dtype: str) -> Callable[[Sequence[Prompt]], Answers]:
    """Left-padded batches that run until their longest reply has ended."""

    @torch.inference_mode()
    def answer(prompts: Sequence[Prompt]) -> Answers:
        width = max(len(p.ids) for p in prompts)
        ids = torch.tensor([[0] * (width - len(p.ids)) + list(p.ids) for p in prompts], device=model.device)
        mask = torch.tensor([[0] * (width - len(p.ids)) + [1] * len(p.ids) for p in prompts], device=model.device)
        longest = max(p.sampling.max_tokens for p in prompts)
        asked = {"max_new_tokens": longest, "do_sample": True, "top_k": 0, "pad_token_id": 0, "eos_token_id": None}
        with precision(model, dtype):
            out = model.generate(ids, attention_mask=mask, **asked)
        return [tuple(row[: p.sampling.max_tokens]) for row, p in zip(out[:, width:].tolist(), prompts, strict=True)]

    return answer


def forget_peak() -> None:
    """The kernel's high-water mark of this process starts anew; elsewhere than on Linux it stays."""
    marks = Path("/proc/self/clear_refs")
    if marks.exists():
        marks.write_text("5", encoding="ascii")


def peak_mb() -> int:
    """The largest resident size since `forget_peak`."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return next(int(line.split()[1]) // 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))

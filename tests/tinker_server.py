"""A Tinker server in this process: the losses and reductions that the real ones document, over a torch model."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Sequence
from pathlib import Path

import torch
from torch import Tensor
from transformers import PreTrainedModel

from openspade.engine.tinker.tinker_server import Reduction, ServerReply, Step, TokenRow
from openspade.engine.training.grpo import Clip
from openspade.tokens import Prompt


class TorchServer:
    """`first` is the model before training; `calls` lists what was asked, in order."""

    def __init__(self, model: PreTrainedModel, *, reduction: Reduction, first: PreTrainedModel | None = None) -> None:
        self.model = model
        self.first = first
        self.reduction = reduction
        self.optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.98), weight_decay=0.1)
        self.calls: list[str] = []
        self.stopping = True

    async def publish(self) -> None:
        self.calls.append("publish")

    async def sample(self, request: Prompt, stop_ids: Sequence[int]) -> ServerReply:
        """Random tokens, then the end of the turn."""
        generator = torch.Generator().manual_seed(request.seed)
        words = torch.randint(0, 256, (request.sampling.max_tokens - 1,), generator=generator).tolist()
        ids = (*words, stop_ids[0] if self.stopping else words[0])
        scores = _scores(self.model, (*request.ids, *ids))[len(request.ids) - 1 :]
        return ServerReply(ids=ids, logprobs=tuple(scores.tolist()), ended=True)

    async def forward(self, rows: Sequence[TokenRow]) -> list[list[float]]:
        self.calls.append("forward")
        return [_scores(self.model, row.ids).tolist() for row in rows]

    def step(self, rows: Sequence[TokenRow], loss: str, clip: Clip) -> Awaitable[Step]:
        self.calls.append(f"step {loss}")
        self.optimiser.zero_grad()
        scored = [_scores(self.model, row.ids) for row in rows]
        by_row = torch.stack([_loss(loss, row, now, clip) for row, now in zip(rows, scored, strict=True)])
        lengths = torch.tensor([len(row.logprobs) for row in rows])
        total = by_row.sum() if self.reduction == "sum" else (by_row / lengths).mean()
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1e9)
        self.optimiser.step()

        async def done() -> Step:
            self.calls.append("told")
            return Step(logprobs=[row.tolist() for row in scored], grad_norm=float(norm))

        return done()

    async def first_logprobs(self, ids: tuple[int, ...]) -> list[float]:
        assert self.first is not None
        return _scores(self.first, ids).tolist()

    async def save(self, name: str) -> str:
        self.calls.append("save")
        return f"tinker://run/weights/{name}"

    async def load(self, path: str) -> None:
        self.calls.append(f"load {path.rpartition('-')[0]}")

    async def download(self, name: str, directory: Path) -> None:
        (directory / "adapter_config.json").write_text(json.dumps({"r": 8}))


def _scores(model: PreTrainedModel, ids: tuple[int, ...]) -> Tensor:
    logits = model(torch.tensor([ids[:-1]])).logits[0]
    return torch.log_softmax(logits, -1).gather(-1, torch.tensor(ids[1:])[:, None])[:, 0]


def _loss(name: str, row: TokenRow, now: Tensor, clip: Clip) -> Tensor:
    advantages = torch.tensor(row.advantages)
    ratio = (now - torch.tensor(row.logprobs)).exp()
    if name == "importance_sampling":
        return -(ratio * advantages).sum()
    bounded = ratio.clamp(1 - clip.low, 1 + clip.high)
    return -torch.minimum(ratio * advantages, bounded * advantages).sum()

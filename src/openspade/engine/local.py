"""The policy on this machine: transformers and torch, full weights or LoRA, CPU or one GPU."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor
from transformers import PreTrainedModel

from openspade.engine.base import Capabilities
from openspade.engine.model.adapter import add_adapter
from openspade.engine.model.checkpoint import load_state, save_state, write_directory
from openspade.engine.model.loading import Policy, load_policy, write_chat
from openspade.engine.sampling.backends import MakeSampler, OwnSampler
from openspade.engine.training.forward import precision, score, shared_row_tokens
from openspade.engine.training.packing import Packed, batch_order, last_written, micro_batches, pack, plan_rows
from openspade.engine.training.trainer import Trainer, prepare_to_train
from openspade.errors import EngineError
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Completion, Prompt, Role, TokenStream, Trajectory


class LocalEngine:
    """One set of weights in this process; sampling and learning run in a worker thread, so the loop stays alive.

    `temperatures` are those each role samples at: the trainer takes log-probs at the same, so that ratios are exact.
    """

    def __init__(
        self,
        policy: PolicyConfig,
        train: TrainConfig,
        *,
        temperatures: Mapping[Role, float] | None = None,
        loaded: Policy | None = None,
        make_sampler: MakeSampler = OwnSampler,
    ) -> None:
        if policy.threads:
            torch.set_num_threads(policy.threads)
        device = _device(policy.device)
        self._config = policy
        self._policy = loaded or load_policy(
            policy.model, context_tokens=policy.context_tokens, device=device, thinking=policy.thinking
        )
        self.model = self._policy.model
        if policy.lora_rank:
            add_adapter(self.model, policy.lora_rank)
        prepare_to_train(self.model, train)
        self.reference_model: PreTrainedModel | None = None
        self._trainer = Trainer(
            model=self.model,
            optimiser=torch.optim.AdamW(
                [p for p in self.model.parameters() if p.requires_grad],
                lr=train.learning_rate,
                betas=train.betas,
                weight_decay=train.weight_decay,
            ),
            config=train,
            temperatures=temperatures or {},
            reference=self._reference_scores,
        )
        # One call at a time: sampling and learning share the memory and the weights.
        self._turn = threading.Lock()
        self._sampler = make_sampler(self._policy, policy)
        self.version = 0
        self.chat = self._policy.chat
        self.capabilities = Capabilities(learns=True, gathers=True, context_tokens=self.chat.context_tokens)

    async def sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        return await asyncio.to_thread(self._sample, requests)

    async def learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        return await asyncio.to_thread(self._learn, trajectories)

    async def logprobs(
        self, streams: Sequence[TokenStream], *, reference: bool = False, temperature: float = 1.0
    ) -> list[list[float]]:
        """Log-probs of the written tokens, 0 elsewhere."""
        return await asyncio.to_thread(self._logprobs, streams, reference, temperature)

    async def save(self, directory: Path) -> None:
        """A folder that resumes exactly and that transformers can load as a model."""
        await asyncio.to_thread(write_directory, directory, self._fill)

    async def load(self, directory: Path) -> None:
        self._sampler.forget()
        self.version = await asyncio.to_thread(load_state, directory, self.model, self._trainer.optimiser)

    # --- in the worker thread ---------------------------------------------------------------------

    def _sample(self, requests: Sequence[Prompt]) -> list[Completion]:
        if not requests:
            return []
        for request in requests:
            if not request.ids or request.sampling.max_tokens < 1:
                raise EngineError(
                    f"a request of {len(request.ids)} tokens asks for {request.sampling.max_tokens} more; "
                    "both must be at least 1"
                )
        with self._turn:
            self.model.eval()
            answers = self._sampler.sample(requests)
        return [self.chat.completion(answer.ids, answer.logprobs, answer.stop) for answer in answers]

    def _learn(self, trajectories: Sequence[Trajectory]) -> Mapping[str, float]:
        with self._turn, precision(self.model, bfloat16=self._config.bfloat16):
            self._sampler.forget()
            metrics = self._trainer.learn(trajectories)
            self.version += 1
            return metrics

    @torch.no_grad()
    def _logprobs(self, streams: Sequence[TokenStream], reference: bool, temperature: float) -> list[list[float]]:
        model = self._reference() if reference else self.model
        result = [[0.0] * len(stream.ids) for stream in streams]
        for rows in micro_batches(
            plan_rows(streams, shared_tokens=shared_row_tokens(model)), self._trainer.config.tokens_per_batch
        ):
            chosen = batch_order(rows)
            packed = pack(streams, rows, model.device)
            with precision(model, bfloat16=self._config.bfloat16):
                scored = score(model, packed, torch.full((len(chosen),), temperature, device=model.device))
            for index, row in zip(chosen, scored.logprobs.tolist(), strict=True):
                length = last_written(streams[index])
                result[index][1:length] = row[: length - 1]
        return result

    @torch.no_grad()
    def _reference_scores(self, batch: Packed, temperature: Tensor) -> Tensor:
        return score(self._reference(), batch, temperature).logprobs

    def _reference(self) -> PreTrainedModel:
        """The weights the run began with, loaded again: the same after a resume."""
        if self.reference_model is None:
            name, device = self._config.model, str(self.model.device)
            loaded = load_policy(name, context_tokens=self._config.context_tokens, device=device)
            self.reference_model = loaded.model.eval()
        return self.reference_model

    def _fill(self, directory: Path) -> None:
        self.model.config.save_pretrained(directory)
        write_chat(self._policy, directory)
        save_state(directory, self.model, self._trainer.optimiser, version=self.version)


def _device(name: str) -> str:
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise EngineError(f"policy.device is {name!r}, and torch sees no CUDA device here; use cpu or auto")
    return name

"""vLLM in this process, on the card that also learns: the policy's weights are written into its model in place."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Protocol, cast

import torch

from openspade.engine.model.loading import Policy
from openspade.engine.model.merged import plain_weights
from openspade.engine.sampling.batch import Sampled
from openspade.errors import EngineError
from openspade.settings.learning import PolicyConfig
from openspade.tokens import Prompt

SEEDS = 2**63


class Library(Protocol):
    """What we use of `vllm.LLM`."""

    def generate(
        self, prompts: Sequence[Mapping[str, Any]], sampling_params: Sequence[Any], *, use_tqdm: bool
    ) -> Sequence[Any]: ...

    def apply_model(self, func: Callable[[Any], object]) -> object: ...

    def reset_prefix_cache(self) -> object: ...


class VllmSampler:
    """Prompts go in as token ids; token ids, log-probs and the reason of the end come out.

    Log-probs are vLLM's `processed` ones: at the temperature, and after top-p and top-k, the very distribution that was
    drawn from. The trainer's importance weight accounts for the rest.
    """

    def __init__(self, policy: Policy, library: Library, parameters: Callable[..., object]) -> None:
        self._policy = policy
        self._library = library
        self._parameters = parameters
        self._stops = sorted(policy.chat.stop_ids)
        # vLLM read its own copy of the model from disk, or nothing at all: a resumed run has other weights.
        self._stale = True

    @classmethod
    def start(cls, policy: Policy, config: PolicyConfig) -> VllmSampler:
        """Loads vLLM beside the policy. Raises EngineError where the package, a card or the model's folder lacks."""
        folder = _folder_for_vllm(policy)
        # In a process of its own the engine could not be handed our tensors.
        os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
        from vllm import LLM, SamplingParams  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

        library = LLM(
            model=folder,
            skip_tokenizer_init=True,
            dtype=config.dtype,
            max_model_len=policy.chat.context_tokens,
            max_num_seqs=config.batch_rows,
            gpu_memory_utilization=config.vllm_memory_share,
            enable_prefix_caching=True,
            load_format="dummy",
            logprobs_mode="processed_logprobs",
        )
        return cls(policy, cast("Library", library), SamplingParams)

    def sample(self, requests: Sequence[Prompt]) -> list[Sampled]:
        if self._stale:
            self._library.apply_model(self._overwrite)
            self._library.reset_prefix_cache()
            self._stale = False
        prompts = [{"prompt_token_ids": list(request.ids)} for request in requests]
        found = self._library.generate(prompts, [self._asked(request) for request in requests], use_tqdm=False)
        return [self._answer(request.outputs[0]) for request in found]

    def forget(self) -> None:
        self._stale = True

    def _overwrite(self, theirs: Any) -> None:
        theirs.load_weights(plain_weights(self._policy.model))

    def _asked(self, request: Prompt) -> object:
        sampling = request.sampling
        return self._parameters(
            n=1,
            max_tokens=sampling.max_tokens,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k or -1,
            seed=request.seed % SEEDS,
            logprobs=0,
            # Our ends are the only ones: those of the chat template among them.
            ignore_eos=True,
            stop_token_ids=self._stops,
            detokenize=False,
        )

    def _answer(self, output: Any) -> Sampled:
        ids = tuple(int(token) for token in output.token_ids)
        if not ids or output.logprobs is None or len(output.logprobs) != len(ids):
            reported = "none" if output.logprobs is None else len(output.logprobs)
            raise EngineError(f"vLLM answered {len(ids)} tokens with {reported} log-probs; each token needs one")
        logprobs = tuple(float(entry[token].logprob) for token, entry in zip(ids, output.logprobs, strict=True))
        return Sampled(ids, logprobs, "stop" if ids[-1] in self._stops else "length")


def _folder_for_vllm(policy: Policy) -> str:
    if find_spec("vllm") is None:
        raise EngineError("policy.sampler is 'vllm', and vllm is not installed: pip install 'openspade[vllm]'")
    if not torch.cuda.is_available() or policy.model.device.type != "cuda":
        raise EngineError(
            f"policy.sampler is 'vllm', and the policy is on {policy.model.device}: it needs a CUDA card; "
            "use policy.sampler='own' here"
        )
    if policy.folder is None or not (policy.folder / "config.json").exists():
        raise EngineError(
            f"policy.sampler is 'vllm', and {policy.folder or 'this policy'} has no config.json that vLLM could read; "
            "give a folder or a hub name as policy.model"
        )
    return str(policy.folder)

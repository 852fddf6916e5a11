"""vLLM as the sampler: our side of the border, with a library that answers as vLLM does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tests.tiny_models import tiny_policy

from openspade.engine.local import LocalEngine
from openspade.engine.model.adapter import add_adapter
from openspade.engine.model.merged import plain_weights
from openspade.engine.sampling.vllm import VllmSampler
from openspade.errors import EngineError
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Message, Prompt, Sampling, Trajectory

STOP = 257


class FakeVllm:
    """Answers `said` to every prompt and keeps what it was asked and given."""

    def __init__(self, said: tuple[int, ...] = (70, 71, STOP)) -> None:
        self.said, self.asked, self.weights, self.resets = said, [], {}, 0

    def generate(
        self, prompts: Sequence[Mapping[str, Any]], sampling_params: Sequence[Any], *, use_tqdm: bool
    ) -> list[Any]:
        self.asked += zip(prompts, sampling_params, strict=True)
        logprobs = [{token: SimpleNamespace(logprob=-0.25 * (k + 1))} for k, token in enumerate(self.said)]
        return [SimpleNamespace(outputs=[SimpleNamespace(token_ids=self.said, logprobs=logprobs)]) for _ in prompts]

    def apply_model(self, func: Callable[[Any], object]) -> None:
        func(self)

    def load_weights(self, weights: Any) -> None:
        self.weights = {name: tensor.clone() for name, tensor in weights}

    def reset_prefix_cache(self) -> None:
        self.resets += 1


def an_engine(library: FakeVllm, **policy: Any) -> LocalEngine:
    return LocalEngine(
        PolicyConfig(device="cpu", **policy),
        TrainConfig(learning_rate=1e-2),
        loaded=tiny_policy(),
        make_sampler=lambda policy, _: VllmSampler(policy, library, SimpleNamespace),
    )


def a_prompt(**sampling: Any) -> Prompt:
    return Prompt(ids=(1, 2, 3), messages=(), sampling=Sampling(**{"max_tokens": 9} | sampling), seed=2**64 + 5)


async def test_prompts_go_in_as_token_ids_and_settings_by_vllms_names():
    library = FakeVllm()
    await an_engine(library).sample([a_prompt(temperature=0.7, top_p=0.9, top_k=20), a_prompt()])
    (first, asked), (_, plain) = library.asked
    assert first == {"prompt_token_ids": [1, 2, 3]}
    assert (asked.temperature, asked.top_p, asked.top_k, asked.max_tokens) == (0.7, 0.9, 20, 9)
    assert plain.top_k == -1 and asked.seed == 5 and STOP in asked.stop_token_ids and asked.ignore_eos


@pytest.mark.parametrize(("said", "stop", "text"), [((70, 71, STOP), "stop", 2), ((70, 71), "length", 2)])
async def test_ids_logprobs_and_the_reason_of_the_end_come_out(said: tuple[int, ...], stop: str, text: int):
    (completion,) = await an_engine(FakeVllm(said)).sample([a_prompt()])
    assert completion.ids == said and completion.stop == stop and len(completion.text) == text
    assert completion.logprobs == tuple(-0.25 * (k + 1) for k in range(len(said)))


async def test_weights_are_written_in_place_before_the_first_sampling_and_after_each_step_only():
    library = FakeVllm()
    engine = an_engine(library)
    conversation = engine.chat.start([Message(role="user", content="hi")])
    prompt = conversation.prompt(Sampling(max_tokens=5), 0)
    assert prompt is not None
    for _ in range(2):
        (completion,) = await engine.sample([prompt])
    before = library.weights
    conversation.reply(completion)
    await engine.learn([Trajectory(role="agent", stream=conversation.streams()[0], advantage=1.0)])
    await engine.sample([prompt])
    assert library.resets == 2
    name = "model.embed_tokens.weight"
    assert torch.equal(library.weights[name], engine.model.get_parameter(name).detach())
    assert not torch.equal(library.weights[name], before[name])


def test_an_adapter_is_merged_and_every_weight_keeps_the_name_of_the_models_files():
    model, base = tiny_policy().model, tiny_policy().model
    names = [name for name, _ in base.named_parameters()]
    add_adapter(model, 4)
    torch.nn.init.ones_(model.get_parameter("model.layers.0.self_attn.q_proj.lora_B.default.weight"))
    merged = dict(plain_weights(model))
    assert list(merged) == names
    moved = [name for name in names if not torch.equal(merged[name], base.get_parameter(name))]
    assert moved == ["model.layers.0.self_attn.q_proj.weight"]


async def test_a_token_without_a_logprob_is_an_error_and_not_a_zero():
    class Silent(FakeVllm):
        def generate(self, *args: Any, **more: Any) -> list[Any]:
            return [SimpleNamespace(outputs=[SimpleNamespace(token_ids=(70,), logprobs=None)])]

    with pytest.raises(EngineError, match="each token needs one"):
        await an_engine(Silent()).sample([a_prompt()])


def test_without_the_package_or_a_card_the_error_says_what_to_do():
    with pytest.raises(EngineError, match=r"openspade\[vllm\]|policy.sampler='own'"):
        VllmSampler.start(tiny_policy(), PolicyConfig(device="cpu", sampler="vllm"))

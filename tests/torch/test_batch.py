"""Sampling in batches: the same answers as transformers', whatever stands beside them."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from tests.tiny_models import VOCABULARY, tiny_gemma, tiny_llama, tiny_qwen3
from transformers import PreTrainedModel

from openspade.engine.sampling.batch import sample_batch
from openspade.engine.sampling.choice import Settings, choose
from openspade.engine.sampling.decoder import ModelDecoder, PrefillBatch
from openspade.engine.sampling.fused import FusedDecoder, is_fusable
from openspade.engine.sampling.prefix_cache import PrefixCache
from openspade.tokens import Prompt, Sampling

STOP = frozenset({VOCABULARY - 1, 17, 18, 19})
MODELS = [tiny_llama, tiny_qwen3]


def request(
    ids: tuple[int, ...], *, tokens: int = 12, seed: int = 0, temperature: float = 1.0, **more: float
) -> Prompt:
    sampling = Sampling(max_tokens=tokens, temperature=temperature, **more)  # type: ignore[arg-type]
    return Prompt(ids=ids, messages=(), sampling=sampling, seed=seed)


def requests(count: int, seed: int = 0) -> list[Prompt]:
    """Uneven prompts and lengths, some prompts twice."""
    rng = random.Random(seed)
    made: list[Prompt] = []
    for index in range(count):
        ids = made[-1].ids if index % 3 == 1 else tuple(rng.randrange(256) for _ in range(rng.randrange(1, 30)))
        made.append(request(ids, tokens=rng.randrange(1, 40), seed=index))
    return made


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("decoder", [FusedDecoder, ModelDecoder])
def test_greedy_sampling_equals_generate(make: Callable[[], PreTrainedModel], decoder: type):
    model = make()
    asked = [request(r.ids, tokens=10, temperature=0.0) for r in requests(7)]
    answers = sample_batch(decoder(model), asked, stop_ids=frozenset({300}), rows=3)
    for prompt, answer in zip(asked, answers, strict=True):
        expected = model.generate(torch.tensor([prompt.ids]), max_new_tokens=10, do_sample=False)[0, len(prompt.ids) :]
        assert list(answer.ids) == expected.tolist()


@pytest.mark.parametrize("make", [*MODELS, tiny_gemma])
@torch.no_grad()
def test_reported_logprobs_equal_a_fresh_forward_pass(make: Callable[[], PreTrainedModel]):
    model = make()
    asked = requests(9)
    decoder = FusedDecoder(model) if is_fusable(model) else ModelDecoder(model)
    for prompt, answer in zip(asked, sample_batch(decoder, asked, stop_ids=STOP, rows=4), strict=True):
        logprobs = model(torch.tensor([[*prompt.ids, *answer.ids]])).logits[0].log_softmax(-1)
        expected = [logprobs[len(prompt.ids) + k - 1, token].item() for k, token in enumerate(answer.ids)]
        assert list(answer.logprobs) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("make", MODELS)
def test_the_compact_path_computes_what_the_model_does(make: Callable[[], PreTrainedModel]):
    model = make()
    ids, lengths, rows = torch.tensor([[5, 6, 7, 8], [9, 10, 0, 0]]), torch.tensor([4, 2]), torch.tensor([1, 0])
    logits = []
    for decoder in (FusedDecoder(model), ModelDecoder(model)):
        decoder.cache.reserve(2, 6)
        with torch.inference_mode():
            first = decoder.prefill(PrefillBatch(ids, lengths, rows))
            second = decoder.step(torch.tensor([11, 12]), torch.tensor([2, 4]))
        logits.append(torch.stack([first, second]))
    assert (logits[0] - logits[1]).abs().max() < 1e-5


def test_neighbours_and_batch_size_change_no_answer():
    model, asked = tiny_llama(), requests(20)
    together = sample_batch(FusedDecoder(model), asked, stop_ids=STOP, rows=6)
    alone = [sample_batch(FusedDecoder(model), [prompt], stop_ids=STOP, rows=1)[0] for prompt in asked]
    assert [answer.ids for answer in together] == [answer.ids for answer in alone]


def test_the_same_requests_get_the_same_answers_to_the_bit():
    model, asked = tiny_llama(), requests(12)
    first, second = (sample_batch(FusedDecoder(model), asked, stop_ids=STOP, rows=5) for _ in range(2))
    assert first == second


def test_an_answer_ends_with_a_stop_token_or_at_its_limit():
    asked = requests(30)
    for prompt, answer in zip(
        asked, sample_batch(FusedDecoder(tiny_llama()), asked, stop_ids=STOP, rows=8), strict=True
    ):
        assert len(answer.ids) == len(answer.logprobs) <= prompt.sampling.max_tokens
        assert (answer.stop == "stop") == (answer.ids[-1] in STOP)
        assert answer.stop == "stop" or len(answer.ids) == prompt.sampling.max_tokens
        assert not STOP & set(answer.ids[:-1])


def test_other_seeds_give_other_answers_to_one_prompt():
    asked = [request((1, 2, 3), tokens=8, seed=seed) for seed in range(10)]
    answers = sample_batch(FusedDecoder(tiny_llama()), asked, stop_ids=frozenset({300}), rows=10)
    assert len({answer.ids for answer in answers}) > 5


def test_draws_follow_the_distribution():
    logits = torch.tensor([0.5, 0.3, 0.2]).log().expand(10_000, 3)
    settings = Settings(torch.ones(10_000), torch.ones(10_000), torch.zeros(10_000, dtype=torch.long), False, False)
    tokens = choose(logits, torch.rand(10_000, generator=torch.Generator().manual_seed(0)), settings).tokens
    shares = torch.bincount(tokens, minlength=3) / 10_000
    assert shares.tolist() == pytest.approx([0.5, 0.3, 0.2], abs=0.02)


@pytest.mark.parametrize(
    ("top_p", "top_k", "allowed"), [(1.0, 1, {0}), (1.0, 2, {0, 1}), (0.5, 0, {0}), (0.6, 0, {0, 1}), (0.9, 2, {0, 1})]
)
def test_top_p_and_top_k_keep_the_likeliest(top_p: float, top_k: int, allowed: set[int]):
    logits = torch.tensor([0.5, 0.3, 0.2]).log().expand(500, 3)
    settings = Settings(torch.ones(500), torch.full((500,), top_p), torch.full((500,), top_k), True, False)
    choice = choose(logits, torch.linspace(0, 1 - 1e-7, 500), settings)
    assert set(choice.tokens.tolist()) == allowed
    assert choice.logprobs.exp().max().item() == pytest.approx(0.5)


def test_logprobs_are_those_at_the_temperature():
    logits = torch.tensor([[2.0, 0.0]])
    settings = Settings(torch.tensor([0.5]), torch.ones(1), torch.zeros(1, dtype=torch.long), False, False)
    choice = choose(logits, torch.zeros(1), settings)
    assert choice.logprobs.item() == pytest.approx(torch.tensor([4.0, 0.0]).log_softmax(0)[0].item())


def test_the_last_uniform_never_draws_an_impossible_token():
    logits = torch.tensor([[0.0, 0.0, float("-inf")]])
    settings = Settings(torch.ones(1), torch.ones(1), torch.zeros(1, dtype=torch.long), False, False)
    assert choose(logits, torch.tensor([1.0]), settings).tokens.item() == 1


@pytest.mark.parametrize("make", MODELS)
@torch.no_grad()
def test_a_continued_conversation_reads_only_what_is_new_and_answers_the_same(make: Callable[[], PreTrainedModel]):
    model, prefixes, decoder = make(), PrefixCache(), FusedDecoder(make())
    asked = requests(9)
    for turn in range(3):
        answers = sample_batch(decoder, asked, stop_ids=STOP, rows=4, prefixes=prefixes)
        fresh = sample_batch(FusedDecoder(model), asked, stop_ids=STOP, rows=4)
        assert [a.ids for a in answers] == [f.ids for f in fresh]
        for answer, other in zip(answers, fresh, strict=True):
            assert list(answer.logprobs) == pytest.approx(list(other.logprobs), abs=1e-5)
        told = [tuple(range(k, k + 1 + 3 * (k % 4))) for k in range(9)]
        asked = [
            replace(r, ids=(*r.ids, *a.ids, *more), seed=r.seed + turn)
            for r, a, more in zip(asked, answers, told, strict=True)
        ]


def test_a_shelf_gives_each_entry_once_and_forgets_when_nothing_goes_on():
    prefixes, cache = PrefixCache(), FusedDecoder(tiny_llama()).cache
    cache.reserve(1, 8)
    prefixes.keep((1, 2, 3), cache, 0)
    prefixes.keep((1, 2), cache, 0)
    first, second = prefixes.take([(1, 2, 3, 4), (1, 2, 3, 4)])
    assert first is not None and first.ids == (1, 2, 3)
    assert second is not None and second.ids == (1, 2)
    prefixes.keep((1, 2), cache, 0)
    assert prefixes.take([(7, 8)]) == [None]
    assert prefixes.take([(1, 2, 3)]) == [None]

"""Supervised training on given streams."""

import random

import pytest
import torch
from tests.tiny_models import byte_chat, tiny_llama

from openspade.engine.supervised import Progress, Schedule, fit, learning_rate_at, plan_batches
from openspade.tokens import TokenStream


def additions(count: int = 40) -> list[TokenStream]:
    chat = byte_chat()
    streams = []
    for number in range(count):
        asked, said = chat.tokenizer.encode(f"{number}+1="), chat.tokenizer.encode(f"{number + 1}<|im_end|>")
        length = len(asked) + len(said)
        written = (*[False] * len(asked), *[True] * len(said))
        streams.append(TokenStream(ids=(*asked, *said), written=written, logprobs=(0.0,) * length))
    return streams


def test_the_loss_falls_and_progress_is_told():
    told: list[Progress] = []
    losses = fit(
        tiny_llama(), additions(), Schedule(learning_rate=3e-3, epochs=12, tokens_per_batch=200), progress=told.append
    )
    assert losses[-1] < 0.5 * losses[0]
    assert [t.step for t in told] == list(range(1, len(losses) + 1)) and told[-1].steps == len(losses)


def test_the_same_seed_trains_the_same_weights():
    models = [tiny_llama(), tiny_llama()]
    for model in models:
        fit(model, additions(), Schedule(learning_rate=1e-3, steps=5, tokens_per_batch=100))
    assert all(torch.equal(a, b) for a, b in zip(*(m.parameters() for m in models), strict=True))


def test_only_written_tokens_are_learnt():
    stream = additions(1)[0]
    other = TokenStream(ids=(9, 9, *stream.ids[2:]), written=stream.written, logprobs=stream.logprobs)
    losses = [fit(tiny_llama(), [s], Schedule(learning_rate=1e-9, steps=1))[0] for s in (stream, stream, other)]
    assert losses[0] == losses[1] != losses[2]


@pytest.mark.parametrize(("epochs", "seen"), [(1.0, 1.0), (2.0, 2.0), (1.5, 1.5)])
def test_epochs_pass_over_every_stream(epochs: float, seen: float):
    rng = random.Random(0)
    lengths = [rng.randrange(5, 60) for _ in range(200)]
    batches = plan_batches(lengths, Schedule(learning_rate=1.0, epochs=epochs, tokens_per_batch=240))
    assert sum(map(len, batches)) / len(lengths) == pytest.approx(seen, abs=0.1)
    assert all(max(lengths[i] for i in batch) * len(batch) <= 240 for batch in batches)


def test_the_rate_warms_up_and_falls_to_its_last_share():
    schedule = Schedule(learning_rate=1.0, warmup_share=0.1, final_share=0.05)
    rates = [learning_rate_at(step, 100, schedule) for step in range(100)]
    assert rates[0] == pytest.approx(0.1) and max(rates) == 1.0 and rates[-1] == pytest.approx(0.05, abs=0.01)

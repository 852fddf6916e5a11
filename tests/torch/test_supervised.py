"""Supervised training on given streams."""

import math
import random
from itertools import islice
from pathlib import Path

import pytest
import torch
from tests.tiny_models import byte_chat, tiny_llama, tiny_policy
from transformers import PreTrainedModel

from openspade.engine.model.adapter import add_adapter
from openspade.engine.model.loading import load_policy
from openspade.engine.training.supervised import (
    Fitting,
    FittingProgress,
    Schedule,
    learning_rate_at,
    loss_of,
    plan_batches,
    write_policy,
)
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


def fit(model: PreTrainedModel, streams: list[TokenStream], schedule: Schedule) -> list[FittingProgress]:
    return list(Fitting(model, streams, schedule).steps())


def test_the_loss_falls_and_progress_is_told():
    told = fit(tiny_llama(), additions(), Schedule(learning_rate=3e-3, epochs=12, tokens_per_batch=200))
    assert told[-1].loss < 0.5 * told[0].loss
    assert [step.step for step in told] == list(range(1, len(told) + 1)) and told[-1].steps == len(told)


def test_the_same_seed_trains_the_same_weights():
    models = [tiny_llama(), tiny_llama()]
    for model in models:
        fit(model, additions(), Schedule(learning_rate=1e-3, steps=5, tokens_per_batch=100))
    assert all(torch.equal(a, b) for a, b in zip(*(m.parameters() for m in models), strict=True))


def test_only_written_tokens_are_learnt():
    stream = additions(1)[0]
    other = TokenStream(ids=(9, 9, *stream.ids[2:]), written=stream.written, logprobs=stream.logprobs)
    losses = [fit(tiny_llama(), [s], Schedule(learning_rate=1e-9, steps=1))[0].loss for s in (stream, stream, other)]
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


def test_a_training_that_was_saved_goes_on_as_if_it_had_never_stopped(tmp_path: Path):
    schedule = Schedule(learning_rate=1e-3, steps=8, tokens_per_batch=100)
    whole, first, second = tiny_policy(), tiny_policy(), tiny_policy(seed=1)
    fit(whole.model, additions(), schedule)
    stopped = Fitting(first.model, additions(), schedule)
    list(islice(stopped.steps(), 3))
    stopped.save(first, tmp_path / "checkpoint")
    resumed = Fitting(second.model, additions(), schedule)
    resumed.load(tmp_path / "checkpoint")
    assert [step.step for step in resumed.steps()] == [4, 5, 6, 7, 8]
    assert all(torch.equal(a, b) for a, b in zip(whole.model.parameters(), second.model.parameters(), strict=True))


def test_a_time_limit_ends_training_with_the_rate_gone_down():
    schedule = Schedule(learning_rate=1e-3, epochs=10_000, minutes=0.01, tokens_per_batch=100)
    steps = list(Fitting(tiny_llama(), additions(), schedule).steps())
    assert 0 < len(steps) < steps[-1].steps and steps[-1].done == 1
    assert steps[-1].learning_rate < 0.5 * max(step.learning_rate for step in steps)


def test_the_loss_of_what_was_learnt_is_lower_and_that_of_nothing_is_unknown():
    model, schedule = tiny_llama(), Schedule(learning_rate=3e-3, epochs=8, tokens_per_batch=200)
    before = loss_of(model, additions(), schedule)
    fit(model, additions(), schedule)
    assert loss_of(model, additions(), schedule) < 0.6 * before
    assert math.isnan(loss_of(model, [], schedule))


def test_products_in_bfloat16_learn_the_same_within_their_precision():
    schedules = [Schedule(learning_rate=1e-3, steps=4, tokens_per_batch=200, bfloat16=half) for half in (False, True)]
    exact, rounded = ([step.loss for step in fit(tiny_llama(), additions(), one)] for one in schedules)
    assert rounded == pytest.approx(exact, rel=0.02) and rounded != exact


def test_an_adapter_is_merged_into_the_weights_that_are_written(tmp_path: Path):
    policy, schedule = tiny_policy(), Schedule(learning_rate=3e-2, steps=6, tokens_per_batch=200)
    before = loss_of(policy.model, additions(), schedule)
    add_adapter(policy.model, 4)
    fit(policy.model, additions(), schedule)
    write_policy(policy, tmp_path)
    merged = load_policy(str(tmp_path), context_tokens=64).model
    assert loss_of(merged, additions(), schedule) == pytest.approx(
        loss_of(policy.model, additions(), schedule), rel=1e-5
    )
    assert loss_of(merged, additions(), schedule) < before

"""Rows that share a prompt give the log-probs of rows that do not."""

import random
from collections.abc import Callable

import pytest
import torch
from tests.tiny_models import tiny_llama, tiny_qwen3
from transformers import PreTrainedModel

from openspade.engine.training.forward import score
from openspade.engine.training.packing import batch_order, last_written, micro_batches, pack, plan_rows, visible
from openspade.tokens import TokenStream


def streams_of_groups(seed: int = 0) -> list[TokenStream]:
    rng = random.Random(seed)
    streams = []
    for _ in range(5):
        prompt = [rng.randrange(256) for _ in range(rng.randrange(1, 20))]
        for _ in range(rng.randrange(1, 6)):
            said = rng.randrange(1, 15)
            written = [True] + [rng.random() < 0.6 for _ in range(said - 1)]
            ids = (*prompt, *(rng.randrange(256) for _ in range(said)))
            streams.append(TokenStream(ids=ids, written=(*[False] * len(prompt), *written), logprobs=(0.0,) * len(ids)))
    return streams


def scores(
    model: PreTrainedModel, streams: list[TokenStream], *, shared_tokens: int, tokens: int = 200
) -> list[list[float]]:
    found: dict[int, list[float]] = {}
    for rows in micro_batches(plan_rows(streams, shared_tokens=shared_tokens), tokens):
        batch = pack(streams, rows, model.device)
        scored = score(model, batch, torch.ones(len(batch.written))).logprobs.tolist()
        found |= {index: scored[at][: last_written(streams[index]) - 1] for at, index in enumerate(batch_order(rows))}
    return [found[index] for index in range(len(streams))]


@pytest.mark.parametrize("make", [tiny_llama, tiny_qwen3])
@torch.no_grad()
def test_a_shared_prompt_changes_no_logprob(make: Callable[[], PreTrainedModel]):
    model, streams = make(), streams_of_groups()
    for shared, alone in zip(
        scores(model, streams, shared_tokens=512), scores(model, streams, shared_tokens=0), strict=True
    ):
        assert shared == pytest.approx(alone, abs=1e-5)


@torch.no_grad()
def test_logprobs_are_those_of_a_plain_forward_pass():
    model, stream = tiny_llama(), streams_of_groups(1)[0]
    logprobs = model(torch.tensor([stream.ids])).logits.log_softmax(-1)[0]
    expected = [
        logprobs[at - 1, stream.ids[at]].item() if stream.written[at] else 0.0 for at in range(1, last_written(stream))
    ]
    assert scores(model, [stream], shared_tokens=512)[0] == pytest.approx(expected, abs=1e-5)


def test_a_branch_never_sees_another():
    streams = [
        TokenStream(ids=(1, 2, k, k, k), written=(False, False, True, True, True), logprobs=(0.0,) * 5) for k in (7, 8)
    ]
    batch = pack(streams, plan_rows(streams, shared_tokens=512), torch.device("cpu"))
    assert batch.segments.tolist() == [[0, 0, 1, 1, 2, 2]]
    assert batch.positions.tolist() == [[0, 1, 2, 3, 2, 3]]
    assert visible(batch)[0, 0, 4].tolist() == [True, True, False, False, True, False]


def test_a_micro_batch_keeps_to_its_token_budget():
    rows = plan_rows(streams_of_groups(2), shared_tokens=512)
    for batch in micro_batches(rows, 60):
        assert max(row.tokens for row in batch) * len(batch) <= 60 or len(batch) == 1


def test_every_stream_that_was_written_stands_in_exactly_one_row():
    streams = streams_of_groups(3)
    unwritten = TokenStream(ids=(1, 2), written=(False, False), logprobs=(0.0, 0.0))
    rows = plan_rows([unwritten, *streams], shared_tokens=512)
    assert sorted(batch_order(rows)) == list(range(1, len(streams) + 1))


def test_what_follows_the_last_written_token_is_not_laid_out():
    stream = TokenStream(ids=(1, 2, 3, 4, 5), written=(False, True, False, False, False), logprobs=(0.0,) * 5)
    batch = pack([stream], plan_rows([stream], shared_tokens=512), torch.device("cpu"))
    assert batch.inputs.tolist() == [[1]]
    assert batch.targets.tolist() == [2]


@pytest.mark.parametrize(("limit", "rows"), [(0, 3), (6, 2), (100, 1)])
def test_equal_prompts_share_a_row_as_far_as_it_goes(limit: int, rows: int):
    stream = TokenStream(ids=(1, 2, 3, 4, 5), written=(False, False, True, True, True), logprobs=(0.0,) * 5)
    planned = plan_rows([stream] * 3, shared_tokens=limit)
    assert len(planned) == rows
    assert all(row.tokens <= max(limit, 4) for row in planned)

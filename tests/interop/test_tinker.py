"""The Tinker engine on a real server: SkyRL's, on a CPU. `make test-interop` installs it first."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import cast

import pytest
import torch

pytest.importorskip("tinker")

from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from openspade import recipe
from openspade.assembly import build_engine, open_run
from openspade.engine.local import LocalEngine
from openspade.engine.tinker.tinker_engine import TinkerEngine
from openspade.errors import EngineError
from openspade.run_folder import new_run_directory
from openspade.tokens import Message, Role, Sampling, TokenStream, Trajectory
from tests.interop.proxy import Losses, unreliable
from tests.interop.running_skyrl import INTERPRETER, Server, serving

pytestmark = [
    pytest.mark.skipif(not INTERPRETER.exists(), reason="no SkyRL here: tests/interop/make_server.sh"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # the SDK leaves its connections open
]

ROLES: tuple[Role, Role] = ("designer", "agent")
RANK = 16
"""At this rank the server's LoRA scale, 32 / rank, is the local engine's, 2."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("skyrl")) as running:
        yield running


def an_engine(server: Server, *overrides: str, url: str = "") -> TinkerEngine:
    settings = [
        "policy.engine=tinker",
        f"policy.model={server.model}",
        f"policy.lora_rank={RANK}",
        "policy.context_tokens=128",
        "tinker.server=skyrl-jax",
        f"tinker.url={url or server.url}",
        "train.learning_rate=1e-3",
        "train.weight_decay=0",
    ]
    return cast(TinkerEngine, build_engine(recipe.load(None, [*settings, *overrides])))


def a_local_engine(server: Server, *overrides: str) -> LocalEngine:
    settings = [f"policy.model={server.model}", "policy.device=cpu", "policy.context_tokens=128"]
    train = ["train.learning_rate=1e-3", "train.weight_decay=0", "train.grad_clip=1e9"]
    return cast(LocalEngine, build_engine(recipe.load(None, [*settings, *train, *overrides])))


async def some_streams(engine: TinkerEngine, count: int = 8) -> list[TokenStream]:
    chats = [engine.chat.start([Message(role="user", content=f"q{k % 3}")]) for k in range(count)]
    prompts = [chat.prompt(Sampling(max_tokens=10), k) for k, chat in enumerate(chats)]
    for chat, reply in zip(chats, await engine.sample([prompt for prompt in prompts if prompt]), strict=True):
        chat.reply(reply)
    return [chat.streams()[0] for chat in chats]


def graded(streams: list[TokenStream], *, sampler_error: float = 0.0) -> list[Trajectory]:
    """Advantages of both signs; log-probs as of a sampler that is a little off."""
    rng = random.Random(0)
    noisy = [
        replace(s, logprobs=tuple(p + rng.gauss(0, sampler_error) * (p != 0) for p in s.logprobs)) for s in streams
    ]
    return [
        Trajectory(role=ROLES[k % 2], stream=stream, advantage=rng.uniform(0.5, 1.5) * (-1) ** (k // 2))
        for k, stream in enumerate(noisy)
    ]


def trained(engine: LocalEngine) -> dict[str, torch.nn.Parameter]:
    """The local adapter's matrices by the names in a downloaded one."""
    return {
        f"base_model.model.{name.replace('.default', '')}": parameter
        for name, parameter in engine.model.named_parameters()
        if parameter.requires_grad
    }


def put_adapter(engine: LocalEngine, folder: Path) -> None:
    saved = load_file(folder / "adapter_model.safetensors")
    assert saved.keys() == trained(engine).keys()
    for name, parameter in trained(engine).items():
        parameter.data.copy_(saved[name])


def local_adapter(engine: LocalEngine) -> torch.Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in trained(engine).values()])


def saved_adapter(engine: LocalEngine, folder: Path) -> torch.Tensor:
    saved = load_file(folder / "adapter_model.safetensors")
    return torch.cat([saved[name].flatten() for name in trained(engine)])


async def test_logprobs_agree_with_the_local_engine(server: Server):
    engine, local = an_engine(server), a_local_engine(server)
    streams = await some_streams(engine)
    for rows in (await engine.logprobs(streams), await engine.logprobs(streams, reference=True)):
        for stream, mine, theirs in zip(streams, rows, await local.logprobs(streams), strict=True):
            assert mine == pytest.approx(theirs, abs=1e-3) and list(stream.logprobs) == pytest.approx(theirs, abs=1e-3)


async def test_the_same_seed_gives_the_same_tokens(server: Server):
    engine = an_engine(server)
    first, second = await some_streams(engine), await some_streams(engine)
    assert first == second and len({stream.ids for stream in first}) == len(first)


@pytest.mark.parametrize("loss", ["ppo", "custom"])
async def test_a_step_on_the_server_is_the_local_one(server: Server, tmp_path: Path, loss: str):
    """The same adapter, the same batch: a gradient as long, and a step that goes the same way as far."""
    engine, local = an_engine(server, f"tinker.loss={loss}"), a_local_engine(server, f"policy.lora_rank={RANK}")
    batch = graded(await some_streams(engine), sampler_error=0.3)
    await engine.export(tmp_path)
    put_adapter(local, tmp_path)
    start = local_adapter(local)
    told, expected = await engine.learn(batch), await local.learn(batch)
    await engine.export(tmp_path)
    mine, theirs = saved_adapter(local, tmp_path) - start, local_adapter(local) - start
    assert told["train/grad_norm"] == pytest.approx(expected["train/grad_norm"], rel=1e-3)
    # The first step after sampling is where the ratio is 1: the cap on the sampler's error acts, the clip does not.
    assert told["train/agent_clip_share"] == expected["train/agent_clip_share"] == 0
    assert torch.cosine_similarity(mine, theirs, dim=0) > 0.999
    assert float(mine.norm()) == pytest.approx(float(theirs.norm()), rel=1e-2)


@pytest.mark.parametrize("settings", [["tinker.loss=ppo"], ["tinker.loss=custom", "train.kl=0.01"]])
async def test_a_good_reply_gets_likelier_and_a_bad_one_less_likely(server: Server, settings: list[str]):
    engine = an_engine(server, *settings, "train.minibatches=2")
    batch = graded(await some_streams(engine))
    before = [sum(row) for row in await engine.logprobs([t.stream for t in batch])]
    told = await engine.learn(batch)
    after = [sum(row) for row in await engine.logprobs([t.stream for t in batch])]
    moved = {
        sign: fmean(n - o for n, o, t in zip(after, before, batch, strict=True) if t.advantage * sign > 0)
        for sign in (1, -1)
    }
    assert told["train/steps"] == 2 and moved[1] > 0.05 and moved[-1] < -0.05


async def test_a_downloaded_adapter_is_the_policy_for_transformers(server: Server, tmp_path: Path):
    engine = an_engine(server, "tinker.download=true", "train.learning_rate=1e-2")
    streams = await some_streams(engine)
    await engine.learn(graded(streams))
    await engine.save(tmp_path / "checkpoint")
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "checkpoint")
    for stream, row in zip(streams, await engine.logprobs(streams), strict=True):
        ids = torch.tensor([stream.ids])
        scores = model(ids).logits[0, :-1].log_softmax(-1).gather(-1, ids[0, 1:, None])[:, 0]
        theirs = torch.where(torch.tensor(stream.written[1:]), scores, 0.0).tolist()
        assert row[1:] == pytest.approx(theirs, abs=1e-3)


async def test_a_loaded_checkpoint_goes_on_as_the_undisturbed_run(server: Server, tmp_path: Path):
    """In a new session with a new adapter: optimiser and all."""
    whole = an_engine(server)
    batch = graded(await some_streams(whole))
    await whole.learn(batch)
    await whole.save(tmp_path / "checkpoint")
    await whole.learn(batch)
    resumed = an_engine(server)
    await resumed.load(tmp_path / "checkpoint")
    await resumed.learn(batch)
    streams = [t.stream for t in batch]
    for mine, theirs in zip(await resumed.logprobs(streams), await whole.logprobs(streams), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-5)
    assert resumed.version == 2 and await some_streams(resumed) == await some_streams(whole)


async def test_a_bad_connection_changes_nothing(server: Server):
    good = an_engine(server)
    losses = Losses(each=5)
    with unreliable(server.url, losses) as url:
        bad = an_engine(server, url=url)
        streams = await some_streams(bad)
        assert streams == await some_streams(good)
        assert (await bad.learn(graded(streams)))["train/grad_norm"] == pytest.approx(
            (await good.learn(graded(streams)))["train/grad_norm"], rel=1e-4
        )
    assert losses.lost >= 3


async def test_a_lost_server_is_told_at_once(server: Server):
    losses = Losses(each=10**9)
    with unreliable(server.url, losses) as url:
        engine = an_engine(server, "tinker.lost_after_s=3", url=url)
        await some_streams(engine)
        losses.cut = True
        with pytest.raises(EngineError, match="no sign of life for 3 s"):
            await some_streams(engine)


async def test_a_wrong_model_is_named_with_those_there_are(server: Server):
    with pytest.raises(EngineError, match=r"does not serve 'Qwen/Qwen9'; it has .*/model"):
        await some_streams(an_engine(server, "tinker.base_model=Qwen/Qwen9"))


GAME = '''
from openspade_env import Game


class Letters(Game):
    """Say something in plain letters; each character that is one counts."""

    skill = "pattern recognition"
    hint = "Use only letters."
    max_turns = 1

    def start(self, rng):
        self.number = rng.randint(1, 9)
        return f"{self.number}?"

    def act(self, action):
        letters = sum(letter.isascii() and letter.isalpha() for letter in action)
        return self.score(letters / max(1, len(action)), "Thank you.")

    def solution(self):
        return ["yes"]
'''


async def test_a_run_of_two_cycles_and_its_resume(server: Server, tmp_path: Path):
    """The loop as `openspade train` runs it, the Agent's half: a random model writes no program."""
    (tmp_path / "pool").mkdir()
    (tmp_path / "pool" / "letters.py").write_text(GAME)
    tree = {
        "control": "fixed_pool",
        "run": {"directory": str(tmp_path / "runs"), "cycles": 2},
        "policy": {"engine": "tinker", "model": str(server.model), "lora_rank": RANK, "context_tokens": 512},
        "tinker": {"server": "skyrl-jax", "url": server.url},
        "pool": {"source": str(tmp_path / "pool")},
        "cycle": {"briefs": 1, "drafts_per_brief": 1},
        "playtest": {"seeds": 2, "plays": 4, "max_turns": 1},
        "agent": {"max_tokens": 10},
        "corpus": {"enabled": False},
        "train": {"learning_rate": 1e-3, "truncated": "penalise"},
    }
    config = recipe.parse(tree)
    directory, steps = new_run_directory(config), []
    for cycles in (2, 3):
        tree["run"] = {**cast(dict[str, object], tree["run"]), "cycles": cycles}
        async with open_run(recipe.parse(tree), directory) as run:
            steps += [report.metrics["train/steps"] async for report in run.cycles()]
    assert steps == [1.0, 1.0, 1.0] and len(list((directory / "checkpoints").glob("cycle_*/engine.json"))) == 2

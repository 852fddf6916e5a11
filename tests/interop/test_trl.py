"""An export for TRL: its environment classes pay what our sandbox pays, and the real GRPOTrainer trains on them."""

import importlib
import json
import sys
from pathlib import Path

import pytest
from tokenizers import AddedToken

from tests.interop.targets import exported, make_pool
from tests.interop.there.players import naive
from tests.tiny_models import byte_tokenizer

pytest.importorskip("trl", reason="trl is not installed: pip install trl")

CALLS = (
    '<tool_call>\n{"name": "act", "arguments": {"move": "7"}}\n</tool_call>',
    '<tool_call>\n{"name": "decline", "arguments": {"reason": "no"}}\n</tool_call>',
)


@pytest.fixture
def package(request, monkeypatch):
    """Imports an export by its folder, and forgets it afterwards."""

    def load(folder):
        monkeypatch.syspath_prepend(str(folder))
        request.addfinalizer(lambda: [sys.modules.pop(one) for one in list(sys.modules) if one.startswith(folder.name)])
        return importlib.import_module(folder.name)

    return load


def _play(environment, action) -> None:
    if isinstance(action, str):
        environment.act(action)
        return
    for call in action["calls"]:
        getattr(environment, call["name"])(**call["arguments"])
    if action["text"]:
        environment.ask_user(action["text"])


def _score(package, design: str, player: str, seed: int) -> float:
    environment = package.ENVIRONMENTS[design]()
    first = environment.reset(seed=seed)
    plan = environment._play.solution()
    facts = environment._play.facts
    for turn in range(len(plan) if player == "solution" else facts["max_turns"]):
        _play(environment, plan[turn] if player == "solution" else naive(first, turn, facts["tools"]))
    environment._play.close()
    return package.score([environment])[0]


def test_trl_environments_pay_what_our_sandbox_pays(twenty, scores, package, tmp_path):
    exported("trl", tmp_path / "trl_envs", twenty)
    envs = package(tmp_path / "trl_envs")
    told = {
        player: {design: [_score(envs, design, player, seed) for seed in range(8)] for design in envs.ENVIRONMENTS}
        for player in scores
    }
    assert told == scores


def test_every_tool_has_the_schema_that_the_program_has(twenty, package, tmp_path):
    from transformers.utils import get_json_schema

    exported("trl", tmp_path / "schema_envs", twenty)
    envs = package(tmp_path / "schema_envs")
    for environment in envs.ENVIRONMENTS.values():
        playing = importlib.import_module("schema_envs.playing")
        for tool in playing.designs()[environment._design]["tools"]:
            told = get_json_schema(getattr(environment(), tool["function"]["name"]))["function"]["parameters"]
            wanted = tool["function"]["parameters"]
            assert sorted(told.get("required", [])) == sorted(wanted["required"])
            assert {name: one["type"] for name, one in told["properties"].items()} == {
                name: one["type"] for name, one in wanted["properties"].items()
            }


def test_grpo_trains_three_steps_on_a_game_and_a_tool_task(package, tmp_path):
    from trl import GRPOConfig, GRPOTrainer

    exported("trl", tmp_path / "grpo_envs", make_pool(tmp_path / "pool", ["code_lock", "stock_room"]))
    envs = package(tmp_path / "grpo_envs")
    model, tokenizer, silent = _caller()
    args = GRPOConfig(
        output_dir=str(tmp_path / "out"),
        max_steps=3,
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=24,
        max_tool_calling_iterations=2,
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        bf16=False,
        save_strategy="no",
        learning_rate=1e-3,
        generation_kwargs={"suppress_tokens": silent},
    )
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        environment_factory=envs.ENVIRONMENTS,
        train_dataset=envs.dataset(),
        reward_funcs=envs.score,
        args=args,
    )
    assert trainer.train().global_step == 3
    logged = [row for row in trainer.state.log_history if "reward" in row]
    assert len(logged) == 3
    assert sum(row["tools/call_frequency"] for row in logged) > 0
    assert json.dumps(logged)


def _caller():
    """A tiny Qwen3 with TRL's own template, whose tokenizer knows each call as one token."""
    import torch
    import trl
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    bytes_only = byte_tokenizer()
    bytes_only.add_tokens([AddedToken(call, normalized=False) for call in CALLS])
    marks = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bytes_only, padding_side="left", **marks)
    tokenizer.chat_template = (Path(trl.__file__).parent / "chat_templates/qwen3.jinja").read_text()
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "head_dim": 16}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 16_384}
    model = Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), tie_word_embeddings=False, **shape, **heads))
    kept = {tokenizer.convert_tokens_to_ids(call) for call in (*CALLS, "<|im_end|>")}
    return model, tokenizer, [token for token in range(len(tokenizer)) if token not in kept]

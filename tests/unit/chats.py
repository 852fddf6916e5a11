"""Chats over the shapes of published templates, with a tokenizer of bytes; and short ways to say things in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from openspade.engine.chat.chat import TemplateChat
from openspade.engine.chat.template import Template
from openspade.engine.scripted import ByteTokenizer
from openspade.tokens import JSON, Completion, Message, Sampling, TokenStream

FOLDER = Path(__file__).parent / "chat_templates"
MARKS = (
    "<|im_start|>",
    "<|im_end|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<s>",
    "</s>",
)
SHAPES = ("chatml", "qwen25", "qwen3", "qwen3_no_thinking", "llama3", "smollm2", "gemma3", "mistral")
APPENDING = ("chatml", "qwen25", "qwen3", "llama3", "smollm2", "gemma3")
LOOK_UP: dict[str, JSON] = {
    "type": "function",
    "function": {"name": "look_up", "description": "d", "parameters": {"type": "object", "properties": {}}},
}
CALL = '<tool_call>\n{"name": "look_up", "arguments": {}}\n</tool_call>'


def chat_of(shape: str, *, context_tokens: int = 100_000) -> TemplateChat:
    source = (FOLDER / f"{shape.removesuffix('_no_thinking')}.jinja").read_text(encoding="utf-8")
    variables: dict[str, JSON] = {"enable_thinking": False} if shape.endswith("_no_thinking") else {}
    template = Template(source, special={"bos_token": "<s>", "eos_token": "</s>"}, variables=variables)
    return TemplateChat(ByteTokenizer(MARKS), template, context_tokens=context_tokens)


def user(text: str) -> Message:
    return Message(role="user", content=text)


def tool(text: str) -> Message:
    return Message(role="tool", content=text)


def answer(chat: TemplateChat, text: str, *, stop: bool = True) -> Completion:
    ids = [*chat.tokenizer.encode(text), *([chat.end_of_turn] if stop and chat.end_of_turn is not None else [])]
    return chat.completion(ids, [-0.5] * len(ids), "stop" if stop else "length")


def play(
    chat: TemplateChat,
    told: Sequence[Sequence[Message]],
    replies: Sequence[Completion],
    tools: Sequence[Mapping[str, JSON]] = (),
) -> tuple[TokenStream, ...]:
    conversation = chat.start([Message(role="system", content="Rules."), *told[0]], tools)
    for index, completion in enumerate(replies):
        assert conversation.prompt(Sampling(max_tokens=100), 0) is not None
        conversation.reply(completion)
        if index + 1 < len(told):
            conversation.tell(told[index + 1])
    return conversation.streams()


def text_of(chat: TemplateChat, stream: TokenStream) -> str:
    return chat.tokenizer.decode(stream.ids)

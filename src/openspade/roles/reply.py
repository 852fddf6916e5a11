"""The program in a reply of the Designer, whatever stands around it.

Models write examples of use, sample outputs and other drafts beside the program, indent their fences in lists, use
tildes, begin with a byte order mark, or forget the last fence.
"""

from __future__ import annotations

import ast
import re
import textwrap

from openspade.roles.source import environment_class, parse, read_design
from openspade.roles.thoughts import after_thought
from openspade.types import Design, Problem

_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n`]*$")
_PYTHON = ("", "python", "py", "python3", "py3")


def extract_program(reply: str, *, whole: bool = True) -> str | None:
    """The last block outside the reply's thought that holds an environment, else the last Python block.

    A reply that is a program itself is one. `whole` False says that it was cut off: an open block is no program then.
    """
    spoken = after_thought(reply.removeprefix("\ufeff").replace("\r\n", "\n"))
    closed, left_open = _blocks(spoken)
    for block in reversed(closed):
        if _holds(block, environment=True):
            return block
    # A block that nobody closed counts where it holds a whole design: it may have been cut off.
    if whole and left_open and isinstance(read_design(left_open), Design):
        return left_open
    if _holds(spoken, environment=True):
        return spoken
    if closed:
        return next((block for block in reversed(closed) if _holds(block)), closed[-1])
    return spoken if _holds(spoken) else None


def _holds(text: str, *, environment: bool = False) -> bool:
    """Whether a text is a program with a class in it, or with the one environment class that there must be."""
    tree = parse(text)
    if isinstance(tree, Problem):
        return False
    if environment:
        return not isinstance(environment_class(tree), Problem)
    return any(isinstance(node, ast.ClassDef) for node in tree.body)


def _blocks(text: str) -> tuple[list[str], str]:
    """The fenced Python blocks that are closed, without their fences' indentation, and what a last open one holds."""
    blocks: list[str] = []
    opened, language, start = "", "", 0
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        fence = _FENCE.match(line.rstrip("\r\n"))
        if not fence:
            continue
        if not opened:
            opened, language, start = fence[2], fence[3].lower(), number + 1
        elif fence[2][0] == opened[0] and len(fence[2]) >= len(opened) and not fence[3]:
            if language in _PYTHON:
                blocks.append(textwrap.dedent("".join(lines[start:number])))
            opened = ""
    return blocks, textwrap.dedent("".join(lines[start:])) if opened and language in _PYTHON else ""

"""An answer in disguise: the same letters as hex, reversed, spelt out, and where a text shows one of them."""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Mapping, Sequence

from openspade.sandbox.failures import ProgramFault
from openspade.types import Action, Problem
from openspade.verifier.players.probe import Instance, Probe

MIN_LETTERS = 3
"""Shorter answers stand anywhere by chance, encoded or not."""
MAX_LETTERS = 60
MIN_DISTINCT = 4
MAX_TEXT_CHARS = 20_000
_DIGITS = "zero one two three four five six seven eight nine".split()
_FILLER = r"(?:\W|\b(?:then|and|next|comma|plus)\b)*"
_MORSE = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz0123456789",
        ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
        "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.".split(),
        strict=True,
    )
)


def disguise_in(text: str, answer: str) -> tuple[str, str]:
    """How a text shows an answer in disguise, and the piece of text that does; two empty texts where it does not.

    The plain answer is no disguise, nor is a disguise that equals it.
    """
    answer = answer.strip()
    if not MIN_LETTERS <= len(answer) <= MAX_LETTERS:
        return "", ""
    folded = text.casefold()
    for name, pattern in _patterns(answer).items():
        found = re.search(pattern, folded)
        if found:
            return name, found[0]
    return "", ""


def disguised_answer(shown: Sequence[str], plans: Sequence[Sequence[Action]], firsts: Sequence[str]) -> str:
    """Where at least half of the texts show their own answer in disguise, though the task is another: how they do.

    Where nothing but the disguised answer differs between the texts, to read it is the task.
    """
    for last in (False, True):
        found = [_found(text, plan, first, last) for text, plan, first in zip(shown, plans, firsts, strict=True)]
        hits = [place for place in found if place[0]]
        distinct = {plan[-1 if last else 0].text for (name, _), plan in zip(found, plans, strict=True) if name}
        rest = {
            text.replace(piece, "", 1) if piece else text
            for text, (_, piece) in zip(map(str.casefold, shown), found, strict=True)
        }
        if 2 * len(hits) > len(shown) and len(distinct) >= MIN_DISTINCT and len(rest) >= MIN_DISTINCT:
            return hits[0][0]
    return ""


def _found(text: str, plan: Sequence[Action], first: str, last: bool) -> tuple[str, str]:
    answer = plan[-1].text if last else " ".join(action.text for action in plan)
    name, piece = disguise_in(text[:MAX_TEXT_CHARS], answer)
    # What stood in the first observation is no news in a later one.
    return ("", "") if name and text is not first and piece in first.casefold() else (name, piece)


def disguised_values(probe: Probe, instances: Sequence[Instance]) -> Problem | None:
    """Tools: the first request holds values in disguise that only tools or the user should tell."""
    hits: list[tuple[int, str, str]] = []
    for one in instances:
        if isinstance(one.plan, ProgramFault) or isinstance(one.first, ProgramFault):
            continue
        values = {str(value) for action in one.plan for call in action.calls for value in call.arguments.values()}
        hidden = [value for value in sorted(values) if value.casefold() not in one.first.text.casefold()]
        found = ((value, disguise_in(one.first.text, value)[0]) for value in hidden)
        hits += [(one.seed, value, name) for value, name in found if name][:1]
    if 2 * len(hits) <= len(instances):
        return None
    seed, value, name = hits[0]
    message = f"The first request shows {name} what the agent is to find out: let tools or the user tell it."
    return Problem(gate="no_solution_leakage", message=message, evidence=f"seed {seed}: {value!r}")


def _patterns(answer: str) -> Mapping[str, str]:
    """Regular expressions on the casefolded text, by the name of the disguise."""
    said, plain = answer.encode("utf-8", "replace"), answer.casefold()
    literal = {
        "in hex": said.hex(),
        "in base64": base64.b64encode(said).decode().rstrip("=").casefold(),
        "reversed": plain[::-1],
        "turned by thirteen letters": codecs.encode(plain, "rot13"),
        "with its letters doubled": "".join(letter * 2 for letter in plain),
        "in morse": " ".join(
            _MORSE.get(letter, "") for letter in plain if letter in _MORSE or letter.isspace()
        ).strip(),
    }
    patterns = {
        name: rf"(?<!\w){re.escape(words)}" if name != "in hex" else re.escape(words)
        for name, words in literal.items()
        if len(words) >= MIN_LETTERS and words != plain
    }
    letters = [letter for letter in plain if not letter.isspace()]
    patterns["letter by letter"] = r"(?<!\w)" + r"[^\w\n]{1,3}".join(map(re.escape, letters)) + r"(?!\w)"
    patterns["in code points"] = r"(?<!\d)" + r"\D{1,3}".join(str(ord(letter)) for letter in answer) + r"(?!\d)"
    patterns["in binary"] = r"[^\w]{0,2}".join(f"0*{ord(letter):b}" for letter in answer)
    if plain.isdecimal() and plain.isascii():
        number = int(plain)
        bases = {"in hexadecimal": f"{number:x}", "in octal": f"{number:o}", "in binary digits": f"{number:b}"}
        patterns |= {
            name: rf"(?<!\w)(0[xob])?{digits}(?!\w)" for name, digits in bases.items() if len(digits) > MIN_LETTERS
        }
        patterns["in words"] = r"\b" + _FILLER.join(_DIGITS[int(digit)] for digit in plain) + r"\b"
    return {name: pattern for name, pattern in patterns.items() if len(letters) >= MIN_LETTERS}

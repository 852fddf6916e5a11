"""`openspade doctor --model`: what a template breaks, for a person and for a machine."""

import json
from pathlib import Path

from click.testing import Result
from tests.tiny_models import MARKS, byte_tokenizer
from typer.testing import CliRunner

from openspade.cli.main import app
from openspade.engine.scripted import CHATML

PLAIN = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
FORGETS = CHATML.replace("for message in messages", "for message in messages[-2:]")
EMPTY_THOUGHT = CHATML + "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}"


def doctor(folder: Path, template: str, *words: str) -> Result:
    byte_tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": MARKS[2], "chat_template": template}))
    return CliRunner().invoke(app, ["doctor", "--model", str(folder), *words])


def test_the_built_in_policys_template_breaks_nothing():
    result = CliRunner().invoke(app, ["doctor", "--model", "nano"])
    assert result.exit_code == 0 and "Nothing broken" in result.output


def test_a_template_without_tools_is_usable_and_says_what_that_costs(tmp_path: Path):
    result = doctor(tmp_path, PLAIN, "--json")
    found = json.loads(result.output)
    assert result.exit_code == 0 and found["usable"] and found["conversations"]["plain"]["streams"] == 1
    assert "written into the system message" in found["findings"][0]["cost"]


def test_a_template_that_forgets_what_was_said_is_not_usable(tmp_path: Path):
    result = doctor(tmp_path, FORGETS)
    assert result.exit_code == 4 and "do not reach the model" in result.output


def test_thinking_off_shows_what_an_opened_empty_thought_costs(tmp_path: Path):
    streams = [
        json.loads(doctor(tmp_path, EMPTY_THOUGHT, "--json", "--thinking", word).output)["conversations"]["plain"]
        for word in ("template", "off")
    ]
    assert streams[0]["streams"] == 1 and streams[1]["streams"] == 6 and streams[1]["readings"] > 2


def test_a_model_that_is_not_there_is_named(tmp_path: Path):
    result = CliRunner().invoke(app, ["doctor", "--model", str(tmp_path / "nowhere")])
    assert result.exit_code != 0 and "no such folder" in str(result.exception)

"""The size of a model: from its folder, or from a table of those that recipes name."""

from __future__ import annotations

import difflib
import json
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from openspade.errors import ConfigError

BILLION = 1e9


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """Counts of one model; `active` parameters are those that one token passes through."""

    parameters: float
    active: float
    layers: int
    hidden: int
    kv_heads: int
    head_size: int
    intermediate: int
    vocabulary: int

    @property
    def kv_values_per_token(self) -> int:
        """Numbers that the cache keeps for each token: a key and a value for every layer and head."""
        return 2 * self.layers * self.kv_heads * self.head_size

    def adapter_parameters(self, rank: int) -> float:
        """Of a LoRA adapter on the seven linears of every block: rank * (inputs + outputs) each."""
        cached = self.kv_heads * self.head_size
        ends = 2 * (2 * self.hidden) + 2 * (self.hidden + cached) + 3 * (self.hidden + self.intermediate)
        return float(rank * self.layers * ends)


def shape_of(model: str) -> Shape:
    """The shape of `policy.model`. Raises ConfigError for a name that nothing here knows."""
    folder = Path(model)
    if (folder / "config.json").is_file():
        return _from_config(json.loads((folder / "config.json").read_text(encoding="utf-8")))
    table = tomllib.loads((resources.files("openspade.plan") / "models.toml").read_text(encoding="utf-8"))
    known = table.get(model)
    if known is None:
        close = difflib.get_close_matches(model, table, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise ConfigError(
            f"policy.model is {model!r}, whose size is not known here{hint}; "
            f"give a folder with its config.json, or one of {', '.join(table)}"
        )
    parameters = known["parameters"] * BILLION
    active = known.get("active_parameters", known["parameters"]) * BILLION
    rest = {name: value for name, value in known.items() if not name.endswith("parameters")}
    return Shape(parameters=parameters, active=active, **rest)


def _from_config(config: dict[str, Any]) -> Shape:
    hidden, layers, heads = config["hidden_size"], config["num_hidden_layers"], config["num_attention_heads"]
    head_size = config.get("head_dim") or hidden // heads
    kv_heads, intermediate = config.get("num_key_value_heads") or heads, config["intermediate_size"]
    attention = 2 * hidden * head_size * (heads + kv_heads)
    experts = config.get("num_experts") or config.get("num_local_experts") or 0
    expert = 3 * hidden * config.get("moe_intermediate_size", intermediate)
    used = config.get("num_experts_per_tok", 0)
    feed = experts * expert if experts else 3 * hidden * intermediate
    active_feed = used * expert if experts else feed
    embeddings = hidden * config["vocab_size"] * (1 if config.get("tie_word_embeddings", False) else 2)
    return Shape(
        parameters=float(layers * (attention + feed) + embeddings),
        active=float(layers * (attention + active_feed) + embeddings),
        layers=layers,
        hidden=hidden,
        kv_heads=kv_heads,
        head_size=head_size,
        intermediate=intermediate,
        vocabulary=config["vocab_size"],
    )

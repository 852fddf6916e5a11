"""Vectors of texts from a sentence-transformers model: a folder, or a name that the library knows."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from openspade.errors import ConfigError


class SentenceEmbedder:
    """Runs on the CPU, one text at a time, so that a vector does not depend on its neighbours in a batch."""

    def __init__(self, model: str) -> None:
        if find_spec("sentence_transformers") is None:
            raise ConfigError(
                f"memory.embedding is {model!r}, which needs sentence-transformers: pip install 'openspade[embedding]'"
            )
        self.name = model
        try:
            self._model: Any = import_module("sentence_transformers").SentenceTransformer(model, device="cpu")
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"memory.embedding is {model!r}, which cannot be loaded ({error}): "
                "give the folder of a sentence-transformers model, or leave it empty"
            ) from error

    def embed(self, text: str) -> np.ndarray:
        """A vector of length 1; a text beyond the model's own limit is read from its beginning."""
        return np.asarray(self._model.encode(text, normalize_embeddings=True, show_progress_bar=False))

"""Vectors from a sentence-transformers model in a folder; the library is not part of the dev extra."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from openspade.engine.embedding import SentenceEmbedder
from openspade.errors import ConfigError

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] put numbers in order count sheep".split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny untrained BERT with mean pooling, saved as users save theirs."""
    library: Any = pytest.importorskip("sentence_transformers")
    from sentence_transformers import models
    from transformers import BertConfig, BertModel, BertTokenizer

    place = tmp_path_factory.mktemp("embedder")
    (place / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizer(str(place / "vocab.txt")).save_pretrained(place / "bert")
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=len(WORDS), **sizes)).save_pretrained(place / "bert")
    bert = models.Transformer(str(place / "bert"))
    library.SentenceTransformer(modules=[bert, models.Pooling(16)], device="cpu").save(str(place / "model"))
    return place / "model"


def test_a_model_in_a_folder_gives_unit_vectors_that_repeat(folder: Path):
    embedder = SentenceEmbedder(str(folder))
    one, again, other = (embedder.embed(text) for text in ("put numbers", "put numbers", "count sheep"))
    assert np.linalg.norm(one) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(one, again)
    assert not np.allclose(one, other)


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ConfigError, match=r"memory\.embedding is .* cannot be loaded"):
        SentenceEmbedder(str(tmp_path))

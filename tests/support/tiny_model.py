"""A tiny model of ``transformers``, made with weights that a seed draws."""

from __future__ import annotations

from typing import Any

import pytest

LAYERS = 4
LONGEST = 12
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "bank", "walk", "##ed"]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a BERT of four layers with nine word pieces and seeded random weights."""
    torch = pytest.importorskip("torch", reason="needs the extra [encoder]")
    transformers = pytest.importorskip("transformers", reason="needs [encoder]")
    folder = tmp_path_factory.mktemp("model")
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in PIECES))
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(PIECES),
        hidden_size=8,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=LONGEST,
        initializer_range=1.0,
    )
    transformers.BertModel(config).save_pretrained(folder)
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    transformers.BertTokenizerFast(vocab=vocabulary).save_pretrained(folder)
    return str(folder)


def hidden(model: str, ids: list[int], layer: int) -> Any:
    """Return the output of a layer for numbers of pieces, straight from the model."""
    import torch
    from transformers import AutoModel

    network = AutoModel.from_pretrained(model).eval()
    with torch.no_grad():
        states = network(torch.tensor([ids]), output_hidden_states=True).hidden_states
    return states[layer][0].double().numpy()

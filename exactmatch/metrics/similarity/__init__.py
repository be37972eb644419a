"""How alike two concepts or words are, in [0, 1].

* :mod:`~exactmatch.metrics.similarity.strings`: longest common substring, which needs
  no resource;
* :mod:`~exactmatch.metrics.similarity.vectors`: static word vectors from GloVe,
  word2vec and fastText files;
* :mod:`~exactmatch.metrics.similarity.concepts`: AMR concepts with their senses, equal
  or by their longest common substring, by static vectors
  (:mod:`~exactmatch.metrics.similarity.embeddings`) or by a model that embeds them
  (:mod:`~exactmatch.metrics.similarity.encoder`, extra ``[encoder]``);
* :mod:`~exactmatch.metrics.similarity.choice`: which of these some options ask for.
"""

from __future__ import annotations

from exactmatch.metrics.similarity.strings import lcs_length, lcs_similarity
from exactmatch.metrics.similarity.vectors import Vectors

__all__ = ["Vectors", "lcs_length", "lcs_similarity"]

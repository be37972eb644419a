"""How alike two concepts or words are, in [0, 1].

* :mod:`~exactmatch.similarity.strings`: longest common substring, which needs
  no resource;
* :mod:`~exactmatch.similarity.vectors`: static word vectors from GloVe, word2vec
  and fastText files;
* :mod:`~exactmatch.similarity.concepts`: AMR concepts with their senses, equal
  or by their longest common substring, by static vectors
  (:mod:`~exactmatch.similarity.embeddings`) or by a model that embeds them
  (:mod:`~exactmatch.similarity.encoder`, extra ``[encoder]``);
* :mod:`~exactmatch.similarity.choice`: which of these some options ask for.
"""

from __future__ import annotations

from exactmatch.similarity.strings import lcs_length, lcs_similarity
from exactmatch.similarity.vectors import Vectors

__all__ = ["Vectors", "lcs_length", "lcs_similarity"]

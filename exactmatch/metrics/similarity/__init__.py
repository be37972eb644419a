"""How alike two concepts or words are, in [0, 1].

* :mod:`~exactmatch.metrics.similarity.strings`: longest common substring, which needs
  no resource;
* :mod:`~exactmatch.metrics.similarity.vectors`: static word vectors from GloVe,
  word2vec and fastText files;
* :mod:`~exactmatch.metrics.similarity.concepts`: AMR concepts with their senses, equal
  or by their longest common substring or static vectors;
* :mod:`~exactmatch.metrics.similarity.encoder`: the same by a model that embeds them
  (extra ``[encoder]``), and which of all these some options ask for.
"""

from __future__ import annotations

from exactmatch.metrics.similarity.strings import lcs_length, lcs_similarity
from exactmatch.metrics.similarity.vectors import Vectors

__all__ = ["Vectors", "lcs_length", "lcs_similarity"]

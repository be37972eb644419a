"""How alike two concepts or words are, in [0, 1].

* :func:`~exactmatch.similarity.strings.lcs_similarity`: longest common
  substring, which needs no resource;
* :class:`~exactmatch.similarity.vectors.Vectors`: static word vectors from
  GloVe, word2vec and fastText files;
* :mod:`exactmatch.similarity.encoder`: a contextual encoder (extra
  ``[encoder]``);
* :mod:`exactmatch.similarity.concepts`: AMR concepts, with their senses, by any
  of these.
"""

from __future__ import annotations

from exactmatch.similarity.strings import lcs_length, lcs_similarity
from exactmatch.similarity.vectors import Vectors

__all__ = ["Vectors", "lcs_length", "lcs_similarity"]

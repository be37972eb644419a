"""Feedback on a predicted graph: its edits in words, priced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.base.errors import check_kind
from exactmatch.base.numbers import several
from exactmatch.base.visible import visible
from exactmatch.metrics.score import Score
from exactmatch.studies.feedback.edits import Edit, compared, edits


@dataclass(frozen=True, repr=False)
class Feedback(Sequence[Edit]):
    """The edits that mend a predicted graph, the dearest first.

    Attributes:
        score: the score of the graph.
        edits: the edits; all of them together make it the reference.

    >>> import exactmatch
    >>> pred = {"nodes": ["start", "open drawer"], "edges": [[1, "before", 0]]}
    >>> gold = {"nodes": ["start", "open the drawer"], "edges": [[0, "before", 1]]}
    >>> found = exactmatch.feedback(
    ...     exactmatch.score("graph", pred, gold, node_similarity="lcs")
    ... )
    >>> print(found)
    graph 0.5128 (P 0.5128 R 0.5128), proven
    add edge 0 → 1 'before' (+0.21)
    node 1 says 'open drawer', reference 'open the drawer' (0.54, +0.15)
    remove edge 1 → 0 'before' (+0.10)
    """

    score: Score
    edits: tuple[Edit, ...]

    def __getitem__(self, key: Any) -> Any:
        return self.edits[key]

    def __len__(self) -> int:
        return len(self.edits)

    def __iter__(self) -> Iterator[Edit]:
        return iter(self.edits)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return visible(f"{several(len(self), 'edit')} from {self.score!r}")

    def __str__(self) -> str:
        return self.words()

    def words(self, most: int | None = None) -> str:
        """Say what to change, an edit a line after the score.

        Args:
            most: how many edits to name; default: all.
        """
        shown = self.edits[:most]
        lines = [repr(self.score), *map(str, shown)]
        if not self.edits:
            lines.append("nothing to change")
        if len(shown) < len(self.edits):
            lines.append(f"… and {len(self.edits) - len(shown):,} more")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return score and edits as plain data."""
        score = {"f1": self.score.f1, "proven": self.score.proven}
        return score | {"edits": [edit.to_dict() for edit in self.edits]}


def feedback(score: Score) -> Feedback:
    """List the changes that a predicted graph needs, with the price of each.

    Args:
        score: the score of two graphs by :func:`exactmatch.score`, under a metric that
            aligns.

    Returns:
        The edits that turn the prediction into the reference under the best mapping,
        each with the similarity of the changed labels and its price: the least rise of
        F1 if only this edit is made.

    Raises:
        InputError: if the score keeps no alignment.

    >>> import exactmatch
    >>> pair = "(b / bark-01 :ARG0 (c / cat))", "(b / bark-01 :ARG0 (d / dog))"
    >>> for edit in exactmatch.feedback(exactmatch.score("smatch", *pair)):
    ...     print(edit)
    node c says 'cat', reference 'dog' (0.00, +0.25)
    """
    check_kind("the score", score, Score, "what exactmatch.score returns")
    _, stated = score.pair()
    assert score.solution is not None  # a pair is kept with its alignment
    pair = compared(stated, score.solution.alignment, score.matched or 0.0)
    return Feedback(score, tuple(edits(pair)))

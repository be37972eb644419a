"""Edits that turn a predicted graph into its reference, each with its price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.base.numbers import several
from exactmatch.base.visible import visible
from exactmatch.metrics.json.corrections import Correction
from exactmatch.metrics.score import Score
from exactmatch.studies.feedback.edit import Edit


@dataclass(frozen=True, repr=False)
class Feedback(Sequence[Edit | Correction]):
    """Edits that mend a predicted graph, the dearest first.

    Attributes:
        score: the score of the graph.
        edits: the edits; all of them together make it the reference.

    >>> import exactmatch
    >>> pred = {"nodes": ["start", "open drawer"], "edges": [[1, "before", 0]]}
    >>> gold = {"nodes": ["start", "open the drawer"], "edges": [[0, "before", 1]]}
    >>> edits = exactmatch.feedback(
    ...     exactmatch.score(pred, gold, metric="graph", node_similarity="lcs")
    ... )
    >>> print(edits)
    graph 0.5128 (P 0.5128 R 0.5128), proven
    add edge 0 → 1 'before' (+0.21)
    node 1 says 'open drawer', reference 'open the drawer' (0.54, +0.15)
    remove edge 1 → 0 'before' (+0.10)
    """

    score: Score
    edits: tuple[Edit | Correction, ...]

    def __getitem__(self, key: Any) -> Any:
        return self.edits[key]

    def __len__(self) -> int:
        return len(self.edits)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return visible(f"{several(len(self), 'edit')} from {self.score!r}")

    def __str__(self) -> str:
        return self.words()

    def _repr_html_(self) -> str:
        from exactmatch.base.markup import element, joined

        edits = (element("li", line) for line in self.words().splitlines()[1:])
        return joined((self.score._repr_html_(), element("ol", *edits)))

    def words(self, max_edits: int | None = None) -> str:
        """Return the score and the edits, one a line; *max_edits* edits at most."""
        shown = self.edits[:max_edits]
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

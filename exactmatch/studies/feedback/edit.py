"""One edit of feedback, in words and as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from exactmatch.base.numbers import fixed

Does: TypeAlias = Literal["add", "remove", "change", "split", "merge"]
What: TypeAlias = Literal["node", "edge", "attribute"]


class Ends(NamedTuple):
    """Name of a node, or of both ends of an edge; for a new node, its label."""

    source: str
    target: str | None = None

    def __str__(self) -> str:
        return self.source if self.target is None else f"{self.source} → {self.target}"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a predicted graph.

    Attributes:
        does: the verb of the edit.
        what: the kind of item that is edited.
        where: the node, or the two ends of an edge.
        says: the label in the prediction, if it has one.
        reference: the label in the reference, if it has one.
        name: the name of an attribute.
        similarity: the similarity of both labels, if one is changed.
        price: the least rise of F1 if only this edit is made; for nodes that stand for
            one (*split* or *merge*), what they cost, below 0.
    """

    does: Does
    what: What
    where: Ends
    says: str | None
    reference: str | None
    name: str | None
    similarity: float | None
    price: float

    def __str__(self) -> str:
        part = self.what if self.name is None else f"attribute {self.name} of node"
        worth = fixed(self.price, 2, signed=True)
        if self.does in ("split", "merge"):
            return f"{self.where} {self.reference}: {self.does}, {worth}"
        if self.does == "change":
            says, reference = quoted(self.says), quoted(self.reference)
            return (
                f"{part} {self.where} says {says}, reference {reference} "
                f"({fixed(self.similarity, 2)}, {worth})"
            )
        label = self.reference if self.does == "add" else self.says
        if self.does == "add" and self.what == "node":
            return f"add node {quoted(label)} ({worth})"
        shown = "" if label is None else f" {quoted(label)}"
        return f"{self.does} {part} {self.where}{shown} ({worth})"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        where = [end for end in self.where if end is not None]
        return asdict(self) | {"where": where, "words": str(self)}


def quoted(label: str | None) -> str:
    """Write a label in quotation marks; *nothing* where there is none."""
    return "nothing" if label is None else f"'{label}'"

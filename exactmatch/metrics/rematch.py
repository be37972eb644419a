"""Rematch: the overlap of two graphs' motifs, without any alignment.

A *motif* is a small part of a graph without its variables: an attribute; a node, as its
concept with one of its attributes, if it has any; a relation, as a motif of its source,
the role and a motif of its target.  The score is the
Jaccard index of the two sets of motifs; a corpus sums intersections and unions.

Source: Kachwala, An, Kwak and Menczer (2024), "REMATCH: Robust and Efficient Matching
of Local Knowledge Graphs to Improve Structural and Semantic Similarity", section 3, and
what the program published with it makes of graphs that probe it.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.inputs import digest_of, refuse_endless
from exactmatch.base.json_files import read_object
from exactmatch.base.options import Options, optional
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, Profile
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import DirectMetric
from exactmatch.metrics.score import Score

Motifs: TypeAlias = frozenset[Hashable]

MAX_MOTIFS = 20_000_000
"""A graph with more motifs is an error: they multiply along its relations."""


def motifs(
    graph: Graph, profile: Profile, classes: Mapping[str, str] | None = None
) -> Motifs:
    """Return the motifs of a graph.

    Its *classes* stand for concepts, such as the VerbAtlas class for a PropBank frame;
    a concept that is not listed stands for itself.
    """
    classes = classes or {}
    normalise = NORMALISERS[profile.comparison]
    labels = [normalise(label) for label in graph.labels]
    # The program leaves out the mark of the root, and with it every constant "top".
    root_mark = "top" if profile.reader == "smatch" else None
    attributes: list[dict[Hashable, None]] = [{} for _ in graph.variables]
    for v, role, value in graph.attributes:
        if graph.labels[value] != root_mark:
            attributes[v][labels[role], labels[value]] = None
    motifs_seen: set[Hashable] = {pair for pairs in attributes for pair in pairs}
    nodes: list[list[Hashable]] = []
    for concept, pairs in zip(graph.concepts(), attributes, strict=True):
        name = "" if concept is None else classes.get(concept) or normalise(concept)
        nodes.append([(name, pair) for pair in pairs] or [(name,)])
        motifs_seen.update(nodes[-1])
    number = sum(len(nodes[s]) * len(nodes[t]) for s, _, t in graph.relations)
    if number > MAX_MOTIFS:
        raise graph.origin.error(
            f"has {number:,} motifs, more than {MAX_MOTIFS:,}: nodes with many "
            "attributes lie side by side; Rematch is not for such graphs"
        )
    for source, role, target in graph.relations:
        motifs_seen.update(
            itertools.product(nodes[source], (labels[role],), nodes[target])
        )
    return frozenset(motifs_seen)


def read_classes(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read the class of each PropBank frame.

    The file is a JSON object from frames to classes, ``{"want-01": "require"}``, or to
    objects with the class as ``label``, as in Rematch's own file.
    """
    name = os.fspath(path)
    refuse_endless(path)
    classes = read_object(name, "a file of frame classes")
    class_of = {}
    for frame, entry in classes.items():
        label = entry.get("label") if isinstance(entry, dict) else entry
        if not isinstance(label, str):
            raise InputError(
                f"{name}: frame {frame!r} has no class; give a string, or an object "
                'with a "label"'
            )
        class_of[frame] = label
    return class_of


class RematchOptions(Options, purpose="opens"):
    """Options of Rematch: the classes of frames."""

    frame_classes: str | None = optional(
        "classes that stand for PropBank frames (JSON, such as VerbAtlas)",
        metavar="FILE",
        read=values.text,
    )


class Rematch(DirectMetric):
    """The Jaccard index of two graphs' motifs.

    Statistics: motifs in common, motifs of the two sides together, pairs.
    """

    name = "rematch"
    title = "Rematch"
    summary = "overlap of the graphs' motifs (Kachwala et al. 2024)"
    default_profile = "smatch"
    width = 3
    options_class = RematchOptions

    def __init__(self, profile: Profile | str | None = None, **options: Any) -> None:
        super().__init__(profile, **options)
        self.classes: dict[str, str] = {}
        self._classes_file = None
        file = self.options.frame_classes
        if file is not None:
            self.classes = read_classes(file)
            self._classes_file = f"{os.path.basename(file)}@{digest_of(file)[:12]}"

    @property
    def preparation_key(self) -> Hashable:
        return (Rematch, self.profile, self._classes_file)

    def prepare(self, item: Graph) -> Motifs:
        return motifs(self.as_whole(item), self.profile, self.classes)

    def statistics(self, pred: Motifs, gold: Motifs) -> Statistics:
        common = len(pred & gold)
        return common, len(pred) + len(gold) - common, 1

    def scores(self, sums: Statistics) -> Score:
        common, all_motifs, pairs = sums
        score_of_nothing = self.profile.score_of_nothing if pairs else 0.0
        score = common / all_motifs if all_motifs else score_of_nothing
        return Score(self.name, score, is_defined=self.has_score(all_motifs))

    def signature(self) -> list[tuple[str, str]]:
        classes = [("classes", self._classes_file)] if self._classes_file else []
        return [*self.profile.signature(), *classes]

"""The graph metric: precision, recall and F1 of two labelled graphs, mapped jointly.

For graphs *P* and *G*, over all one-to-one partial mappings *m* of nodes and, between
mapped ends, one-to-one matchings of parallel edges,

    M = max  Σ s(u, m(u)) + Σ s(e, e′),   precision = M / |P|,   recall = M / |G|,

where *s* is how alike two labels are, 0 below a cutoff, and |P| counts nodes,
attributes and edges.  Where edges alone count, an edge with its ends is a triple, and
its grade is made of three similarities; none of them may be 0.

Source: Cai and Knight (2013), "Smatch", for one mapping that all triples share; Opitz,
Parcalabescu and Frank (2020), "AMR Similarity Metrics from Principles", for grades.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.base.errors import InputError, warn_caller
from exactmatch.base.numbers import several
from exactmatch.engine.align import Want
from exactmatch.formats.blocks import Block, graphs_of_text
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.remarks import REPEATED, counted
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import VECTORS, Option, ReadItem
from exactmatch.metrics.labelled.labelled_graph import (
    LabelledGraph,
    labelled,
    of_graph,
    of_network,
)

if TYPE_CHECKING:
    from exactmatch.metrics.labelled.graded_problem import GradedProblem, Side
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Limits


OF_LABELS = ("node_similarity", "edge_similarity")
SOURCES = ("vectors", "encoder", "aliases", "judged")  # by what labels are compared

_half = partial(Option, type=float, metavar="S", default=0.5)
"""An option that is a number from 0 to 1, and by default 0.5."""


class LabelledMatch(AligningMetric["Side"]):
    """The F1 of labelled nodes and edges under the best mapping of nodes.

    Args:
        profile: how text is read; ``clean`` by default.
        solver: the solver that maps the nodes.
        max_terms: how many pairs of nodes, or of edges, two graphs may have.
        similarity: similarities of the nodes, shape ``(nodes of the prediction, nodes
            of the reference)``, for one pair of graphs.
        **options: the values of :attr:`options`.  A similarity of labels may also be a
            function, whose answers *judged* keeps, and *aliases* a mapping of names.
    """

    name = "graph"
    title = "Graph"
    summary = "F1 of labelled nodes and edges of any graphs, under one best mapping"
    default_profile = "clean"
    has_own_roles = True
    in_all = False
    bounds = False
    needs = "alignment"
    empty: ClassVar[Any] = LabelledGraph((), (), (), (), None)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "node_similarity",
            "similarity of the labels of nodes: exact, normalised (default), lcs, "
            "levenshtein, token-set, cosine; value+lcs: numbers and dates by value",
            metavar="NAME",
            default="normalised",
        ),
        Option(
            "edge_similarity",
            "the same for edges (default: normalised)",
            metavar="NAME",
            default="normalised",
        ),
        _half("node_cutoff", "lower similarities of nodes become 0 (default: 0.5)"),
        _half("edge_cutoff", "the same for edges (default: 0.5)"),
        Option(
            "count",
            "the items that count: nodes and their edges (default), edges with their "
            "ends, or nodes",
            choices=("nodes-and-edges", "edges", "nodes"),
            default="nodes-and-edges",
        ),
        Option(
            "triple",
            "with --count edges: how the similarities of an edge's label and ends give "
            "its grade (default: mean)",
            choices=("mean", "product", "min"),
            default="mean",
        ),
        VECTORS,
        Option(
            "encoder", "a model that embeds labels, instead of vectors", metavar="MODEL"
        ),
        Option(
            "aliases",
            "a file of names with the same meaning, separated by tabs",
            metavar="FILE",
        ),
        Option(
            "judged",
            "a file of judged similarities, lines of JSON with left, right, similarity",
            metavar="FILE",
        ),
        _half(
            "edge_share",
            "weight of an edge, 0 to 1; a node has the rest (default: 0.5)",
            metavar="W",
        ),
        Option(
            "unlike",
            "whether nodes with similarity 0 may be mapped to each other (default: "
            "allowed)",
            choices=("allowed", "forbidden"),
            default="allowed",
        ),
    )

    def __init__(
        self,
        profile: Profile | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
        *,
        similarity: Any = None,
        **options: Any,
    ) -> None:
        from exactmatch.metrics.labelled.graded_problem import Rules
        from exactmatch.metrics.labelled.label_similarity import comparison_of, layered

        super().__init__(profile, solver, max_terms, **options)
        asked = self.asked
        asked.similarity = similarity
        counted = self.profile.with_options(top="none", duplicates="set")
        self.profile = replace(counted, nothing=1)  # two empty graphs are equal
        if self.profile.chooses_roles:
            raise InputError(
                "metric 'graph' counts the edges and attributes of every role; leave "
                "out --roles and --except-roles"
            )
        sources = {name: vars(asked)[name] for name in SOURCES}
        self._judges = any(callable(vars(asked)[option]) for option in OF_LABELS)
        nodes, edges = (
            layered(vars(asked)[option], option, **sources, begins=self._judges)
            for option in OF_LABELS
        )
        comparison = comparison_of(nodes.name, edges.name) or self.profile.comparison
        self.profile = replace(self.profile, comparison=comparison)
        self.rules = Rules(
            nodes,
            edges,
            _share("node_cutoff", asked.node_cutoff),
            _share("edge_cutoff", asked.edge_cutoff),
            asked.count,
            asked.triple,
            asked.unlike == "allowed",
            similarity,
            share=_share("edge_share", asked.edge_share),
        )
        if asked.edge_share != 0.5 and asked.count != "nodes-and-edges":
            raise InputError("edge_share weighs nodes and edges; leave out count")

    def check_recording(self) -> None:
        super().check_recording()
        if self.rules.table is not None or self._judges:
            raise InputError(
                "a file of certificates names similarities, which a function or an "
                "array has no name for; name one, such as lcs"
            )

    @property
    def preparation(self) -> Hashable:
        return (LabelledMatch, self.profile, self.rules.count, self.rules.share)

    def read(self, given: Any) -> ReadItem:
        if isinstance(given, Block):
            return self._read_block(given)
        if isinstance(given, str):
            blocks = [*islice(graphs_of_text(given), 2)]
            if len(blocks) == 1 and blocks[0].format is not None:
                return self._read_block(blocks[0])
        found = labelled(given)
        if found is None:
            return super().read(given)
        if found.repeated:
            edges = several(found.repeated, "edge")
            warn_caller(f"{edges} of a graph stated twice; equal edges count once")
        return ReadItem(found)

    def _read_block(self, block: Block) -> ReadItem:
        """Read a block of a file, one of nodes and edges as it stands."""
        from exactmatch.formats.machine.json_graphs import labelled_network

        if block.format is None and block.content and block.content[0][:1] != "(":
            formats = (name for name, form in FORMATS.working() if form.recognises)
            tried = ", ".join(formats)
            raise block.origin().error(
                f"is in none of the formats that were tried ({tried}); name it by "
                "--format-in, or take a graph out of an answer by --extract repair"
            )
        network = None if block.format is None else labelled_network(block)
        if network is None:
            return super().read(block)
        found = of_network(network)
        dropped = counted(*network.left_out.items(), (REPEATED, found.repeated))
        return ReadItem(found, dropped=dropped)

    def prepare(self, item: Any) -> Side:
        from exactmatch.metrics.labelled.graded_problem import side

        if isinstance(item, LabelledGraph):
            return side(item, item.as_graph(), self.profile, self.rules)
        graph = self.standardise(item)
        return side(of_graph(graph), graph, self.profile, self.rules)

    def state(self, left: Side, right: Side) -> GradedProblem:
        from exactmatch.metrics.labelled.graded_problem import GradedProblem

        graphs = left.labelled, right.labelled
        more: Any = {"max_terms": self.max_terms, "graphs": graphs, "rules": self.rules}
        return GradedProblem(left.coded, right.coded, self.profile, **more)

    def align(self, sides: Sequence[Any], limits: Limits | None, want: Want) -> Any:
        """Align two graphs; stating them counts as time that the limit allows.

        A tenth of the time is left to the solver in any case.
        """
        if limits is None or limits.seconds is None:
            return super().align(sides, limits, want)
        started = perf_counter()
        stated = self.state(*self.two(sides))
        left = limits.seconds - (perf_counter() - started)
        limits = replace(limits, seconds=max(left, limits.seconds / 10))
        return self.aligned(stated, limits, want)

    def counting_signature(self) -> list[tuple[str, str]]:
        rules = self.rules
        nodes = rules.nodes.name if rules.table is None else "given"
        found = [
            ("profile", self.profile.name),
            ("count", rules.count),
            ("nodes", f"{nodes}≥{rules.node_cutoff:g}"),
            ("edges", f"{rules.edges.name}≥{rules.edge_cutoff:g}"),
        ]
        if rules.count == "edges":
            found.append(("triple", rules.triple))
        if rules.share != 0.5:
            found.append(("edge-share", f"{rules.share:g}"))
        return found if rules.unlike else [*found, ("unlike", "forbidden")]


def _share(name: str, value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and 0 <= value <= 1):
        raise InputError(f"{name} is {value!r}; it is a number from 0 to 1")
    return float(value)

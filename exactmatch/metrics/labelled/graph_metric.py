"""The graph metric: precision, recall and F1 of two labelled graphs, mapped jointly.

For graphs *P* and *G*, over all one-to-one partial mappings *m* of nodes and, between
mapped ends, one-to-one matchings of parallel edges,

    M = max  Σ s(u, m(u)) + Σ s(e, e′),   precision = M / |P|,   recall = M / |G|,

where *s* is the similarity of two labels, 0 below a cutoff, and |P| counts nodes,
attributes and edges.  Where only edges count, an edge with its ends is a triple, graded
by three similarities; none of them may be 0.

Source: Cai and Knight (2013), "Smatch", for one mapping that all triples share; Opitz,
Parcalabescu and Frank (2020), "AMR Similarity Metrics from Principles", for grades.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.base import values
from exactmatch.base.deadline import OutOfTimeError, within
from exactmatch.base.errors import InputError, shortened, warn_caller
from exactmatch.base.numbers import several
from exactmatch.base.options import Options, option, optional
from exactmatch.base.signed import signed_array, signed_function
from exactmatch.engine.align import Aligned, Want
from exactmatch.formats.blocks import Block, graphs_of_text
from exactmatch.formats.readings import block_of
from exactmatch.formats.remarks import REPEATED, counted
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import ENCODER, VECTORS, ReadItem, SolvedPair, Statistics
from exactmatch.metrics.labelled.labelled_graph import (
    LabelledGraph,
    labelled,
    of_graph,
    of_network,
)

if TYPE_CHECKING:
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.metrics.labelled.graded_problem import GradedProblem, Side
    from exactmatch.metrics.labelled.groups import PartRules
    from exactmatch.metrics.score import FScore
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Limits


OF_LABELS = ("node_similarity", "edge_similarity")
WORDS = "words"  # the similarity of joined labels by default
MOST_PARTS = 3
OF_PARTS = ("parts", "price", "part_cutoff", "part_similarity")
SOURCES = ("vectors", "encoder", "aliases", "judged")  # files and models of labels


def _half(meaning: str, metavar: str = "S") -> Any:
    """Declare an option that is a number from 0 to 1, and by default 0.5."""
    return option(
        meaning,
        default=0.5,
        metavar=metavar,
        read=values.between(0, 1),
        purpose="measures",
    )


def _parts(value: Any) -> int:
    number = values.positive_int(value)
    if number > MOST_PARTS:
        raise ValueError(f"{number} parts are too many; name {MOST_PARTS} at most")
    return number


class LabelledOptions(Options, purpose="measures"):
    """Options of the graph metric: the items that count, and similarities of labels."""

    node_similarity: Any = option(
        "similarity of the labels of nodes: exact, normalised (default), lcs, "
        "levenshtein, token-set, cosine; value+lcs: numbers and dates by value; in "
        "Python also a function of two labels, or for one pair of graphs an array of "
        "shape (nodes of the prediction, nodes of the reference)",
        default="normalised",
        metavar="NAME",
        read=values.text,
        takes_objects=True,
    )
    edge_similarity: Any = option(
        "the same for edges (default: normalised); no array",
        default="normalised",
        metavar="NAME",
        read=values.text,
        takes_objects=True,
    )
    node_cutoff: float = _half("lower similarities of nodes become 0 (default: 0.5)")
    edge_cutoff: float = _half("the same for edges (default: 0.5)")
    count: str = option(
        "the items that count: nodes and their edges (default), edges with their ends, "
        "or nodes",
        choices=("nodes-and-edges", "edges", "nodes"),
        default="nodes-and-edges",
    )
    triple: str = option(
        "with --count edges: how the similarities of an edge's label and ends give its "
        "grade (default: mean)",
        choices=("mean", "product", "min"),
        default="mean",
    )
    vectors: str | None = VECTORS
    encoder: Any = ENCODER
    aliases: Any = optional(
        "a file of names with the same meaning, separated by tabs; in Python also a "
        "mapping of names",
        metavar="FILE",
        read=values.text,
        takes_objects=True,
        purpose="opens",
    )
    judged: str | None = optional(
        "a file of judged similarities, lines of JSON with left, right, similarity; "
        "the answers of a function are added",
        metavar="FILE",
        read=values.text,
        purpose="opens",
    )
    edge_share: float = _half(
        "weight of an edge, 0 to 1; a node has the rest (default: 0.5)", metavar="W"
    )
    unlike: str = option(
        "whether nodes with similarity 0 may be mapped to each other (default: "
        "allowed)",
        choices=("allowed", "forbidden"),
        default="allowed",
    )
    parts: int = option(
        "how many nodes may together stand for one of the other graph, 1 to 3 "
        "(default: 1): a step that is split, two that are merged, an entity that is "
        "named twice",
        default=1,
        metavar="N",
        read=_parts,
    )
    price: float = option(
        "with --parts: what each part beyond the first costs, in nodes (default: 0.1)",
        default=0.1,
        metavar="P",
        read=values.price,
    )
    part_cutoff: float = option(
        "with --parts: nodes whose joined labels are less like the whole are not its "
        "parts (default: 0.8)",
        default=0.8,
        metavar="S",
        read=values.between(0, 1),
    )
    part_similarity: Any = option(
        "with --parts: similarity of joined labels with the whole: words (default), or "
        "one that --node-similarity knows; in Python also a function of the whole and "
        "a list of parts",
        default=WORDS,
        metavar="NAME",
        read=values.text,
        takes_objects=True,
    )


def _refuse_idle_vectors(options: Any) -> None:
    """Refuse vectors that no similarity compares: they would change no number."""
    named = options.node_similarity, options.edge_similarity, options.part_similarity
    if any(
        isinstance(similarity, str) and "cosine" in similarity for similarity in named
    ):
        return
    for name in ("vectors", "encoder"):
        if vars(options)[name] is not None:
            raise InputError(
                f"{name} compares nothing under metric graph unless a similarity is "
                "cosine; add --node-similarity cosine"
            )


class LabelledMatch(AligningMetric["Side"]):
    """The F1 of labelled nodes and edges under the best mapping of nodes.

    Args:
        profile: how text is read; ``clean`` by default.
        solver: the solver that maps the nodes.
        max_terms: how many pairs of nodes, or of edges, two graphs may have.
    """

    name = "graph"
    cutoff_of = "labels"
    title = "Graph"
    summary = "F1 of labelled nodes and edges of any graphs, under one best mapping"
    default_profile = "clean"
    has_own_roles = True
    in_all = False
    bounds = False
    needs = "alignment"
    empty: ClassVar[Any] = LabelledGraph((), (), (), (), None)
    options_class = LabelledOptions

    def __init__(
        self,
        profile: Profile | str | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
        **keywords: Any,
    ) -> None:
        from exactmatch.metrics.labelled.label_similarity import comparison_of, layered
        from exactmatch.metrics.labelled.rules import Rules

        super().__init__(profile, solver, max_terms, **keywords)
        options = self.options
        counted = self.profile.with_options(top="none", duplicates="set")
        self.profile = replace(counted, nothing=1)  # two empty graphs are equal
        if self.profile.chooses_roles:
            raise InputError(
                "metric 'graph' counts the edges and attributes of every role; leave "
                "out --roles and --except-roles"
            )
        sources = {name: vars(options)[name] for name in SOURCES}
        _refuse_idle_vectors(options)
        compared = {name: vars(options)[name] for name in OF_LABELS}
        self._judges = any(map(callable, compared.values()))
        table = compared["node_similarity"]
        if isinstance(table, str) or callable(table):
            table = None
        else:  # the similarities of the nodes themselves
            compared["node_similarity"] = "normalised"
        nodes, edges = (
            layered(similarity, name, **sources, begins=self._judges)
            for name, similarity in compared.items()
        )
        comparison = comparison_of(nodes.name, edges.name) or self.profile.comparison
        self.profile = replace(self.profile, comparison=comparison)
        self.rules = Rules(
            nodes,
            edges,
            options.node_cutoff,
            options.edge_cutoff,
            options.count,
            options.triple,
            options.unlike == "allowed",
            table,
            share=options.edge_share,
            parts=self._part_rules(sources),
        )
        if options.edge_share != 0.5 and options.count != "nodes-and-edges":
            raise InputError("edge_share weighs nodes and edges; leave out count")

    @property
    def shown_profile(self) -> Profile:
        """The profile of differences: the triples of the items that count."""
        of_count: dict[str, Any] = {"edges": "relation", "nodes": "instance"}
        return replace(self.profile, just=of_count.get(self.options.count))

    def _part_rules(self, sources: Mapping[str, Any]) -> PartRules | None:
        """Return the rules of parts, where several nodes may stand for one."""
        options = self.options
        if options.parts == 1:
            return None
        from exactmatch.metrics.labelled.groups import made_rules

        if options.count == "edges":
            raise InputError(
                "parts stand for nodes, which count by themselves; leave out count "
                "edges, or parts"
            )
        self.width = AligningMetric.width + 2
        numbers = options.parts, options.price, options.part_cutoff
        return made_rules(*numbers, options.part_similarity, sources)

    def check_recording(self) -> None:
        super().check_recording()
        if callable(self.options.part_similarity):
            raise InputError(
                "a file of certificates names similarities, which part_similarity is "
                "not as a function; name one, such as words"
            )
        if self.rules.table is not None or self._judges:
            raise InputError(
                "a file of certificates names similarities, which a function or an "
                "array has no name for; name one, such as lcs"
            )

    @property
    def preparation_key(self) -> Hashable:
        return (LabelledMatch, self.profile, self.rules.count, self.rules.share)

    def read(self, value: Any) -> ReadItem:
        if isinstance(value, Block):
            return self._read_block(value)
        if isinstance(value, Graph) and value.origin.format is not None:
            block = block_of(value)  # where names of nodes may be their labels
            return super().read(value) if block is None else self._read_block(block)
        if isinstance(value, str):
            blocks = [*islice(graphs_of_text(value), 2)]
            if len(blocks) == 1 and blocks[0].format is not None:
                return self._read_block(blocks[0])
        graph = labelled(value)
        if graph is None:
            return super().read(value)
        if graph.repeated:
            edges = several(graph.repeated, "edge")
            warn_caller(f"{edges} of a graph stated twice; equal edges count once")
        return ReadItem(graph)

    def _read_block(self, block: Block) -> ReadItem:
        """Read a block of a file, one of nodes and edges as it stands."""
        from exactmatch.formats.machine.json_graphs import labelled_network

        if block.format is None and block.content and block.content[0][:1] != "(":
            raise block.origin().error(_not_understood(block.content))
        network = None if block.format is None else labelled_network(block)
        if network is None:
            return super().read(block)
        graph = of_network(network)
        dropped = counted(*network.left_out.items(), (REPEATED, graph.repeated))
        return ReadItem(graph, dropped=dropped)

    def prepare(self, item: Any) -> Side:
        from exactmatch.metrics.labelled.graded_problem import side

        if isinstance(item, LabelledGraph):
            return side(item, item.as_graph(), self.profile, self.rules)
        graph = self.standardise(item)
        return side(of_graph(graph), graph, self.profile, self.rules)

    def build_problem(self, left: Side, right: Side) -> GradedProblem:
        from exactmatch.metrics.labelled.graded_problem import GradedProblem

        graphs, profile = (left.labelled, right.labelled), self.shown_profile
        extra: Any = {
            "max_terms": self.max_terms,
            "graphs": graphs,
            "rules": self.rules,
        }
        if self.rules.parts is not None:
            from exactmatch.metrics.labelled.parts_problem import (
                PartsProblem,
                groups_of,
            )

            extra["rules"] = self.rules.remembering()  # labels are compared in turn
            groups = groups_of(graphs, extra["rules"])
            if groups.splits or groups.merges:
                extra["groups"] = groups
                return PartsProblem(left.coded, right.coded, profile, **extra)
        return GradedProblem(left.coded, right.coded, profile, **extra)

    def statistics(self, problem: Any, aligned: Aligned) -> Statistics:
        """Return the statistics of two graphs; with parts, also those of each side.

        *Matched* is then half of both sides' matches, and the matches of the prediction
        and of the reference come last.
        """
        counts = super().statistics(problem, aligned)
        if self.rules.parts is None:
            return counts
        if aligned.solution is None or not hasattr(problem, "matched_of"):
            return (*counts, aligned.matched, aligned.matched)
        return (*counts, *problem.matched_of(aligned.solution.alignment).sums())

    def scores(self, sums: Statistics) -> FScore:
        score = super().scores(sums[: AligningMetric.width])
        if self.rules.parts is None:
            return score
        from exactmatch.metrics.labelled.two_counts import with_two_counts

        return with_two_counts(score, sums)

    def score_rows(self, sums: Any) -> Any:
        rows = super().score_rows(sums)
        if self.rules.parts is None:
            return rows
        from exactmatch.metrics.labelled.two_counts import rows_of_two_counts

        return rows_of_two_counts(rows, sums)

    def align(self, sides: Sequence[Any], limits: Limits | None, want: Want) -> Any:
        """Align two graphs; building their problem counts as time of the limit.

        Where the time ends before that, the result is an interval as well.
        """
        seconds = None if limits is None else limits.seconds
        until = None if limits is None else limits.until
        with within(seconds, until):
            return self.solve_problem(
                self._built(*self.pred_and_gold(sides)), limits, want
            )

    def solve_problem(
        self, problem: GraphProblem, limits: Limits | None, want: Want
    ) -> Any:
        from exactmatch.metrics.labelled.graded_problem import UnbuiltProblem

        if isinstance(problem, UnbuiltProblem):
            solution = problem.interval
            bound = float(problem.limit)
            aligned = Aligned(0.0, bound, solution.is_optimal, solution)
            return SolvedPair(self.statistics(problem, aligned), solution, problem)
        remaining_limits = None if limits is None else limits.remaining()
        return super().solve_problem(problem, remaining_limits, want)

    def _built(self, left: Side, right: Side) -> GradedProblem:
        """Build the problem of two graphs; if no time is left, an unbuilt one."""
        try:
            return self.build_problem(left, right)
        except OutOfTimeError:
            from exactmatch.metrics.labelled.graded_problem import UnbuiltProblem

            graphs = left.labelled, right.labelled
            extra: Any = {"graphs": graphs, "rules": self.rules}
            return UnbuiltProblem(left.coded, right.coded, self.profile, **extra)

    def counting_signature(self) -> list[tuple[str, str]]:
        rules = self.rules
        nodes = rules.nodes.name if rules.table is None else signed_array(rules.table)
        items = [
            *self._profile_signature(),
            ("count", rules.count),
            ("nodes", f"{nodes}≥{rules.node_cutoff:g}"),
            ("edges", f"{rules.edges.name}≥{rules.edge_cutoff:g}"),
        ]
        if rules.count == "edges":
            items.append(("triple", rules.triple))
        if rules.share != 0.5:
            items.append(("edge-share", f"{rules.share:g}"))
        items += self._part_signature()
        if not rules.unlike:
            items.append(("unlike", "forbidden"))
        options = self.options
        if self._judges or any(
            map(callable, (options.encoder, options.part_similarity))
        ):
            items.append(("undetermined", "function"))  # by its name and its code
        return items

    def _profile_signature(self) -> list[tuple[str, str]]:
        """Return the profile's name, and how it differs from that profile."""
        profile, registered = self.profile, PROFILES.get(self.profile.name)
        of_own = dict(profile.signature())
        del of_own["profile"]
        if registered is None:
            return [("profile", profile.name), *of_own.items()]
        like_own = replace(
            registered,
            top=profile.top,
            duplicates=profile.duplicates,
            nothing=profile.nothing,
            comparison=profile.comparison,
        )
        usual = dict(like_own.signature())
        changed = [(k, v) for k, v in of_own.items() if usual.get(k) != v]
        changed += [(k, "no") for k in usual if k not in of_own and k != "profile"]
        return [("profile", profile.name + "+" * bool(changed)), *changed]

    def _part_signature(self) -> list[tuple[str, str]]:
        """Return the options of parts, if one of them is set."""
        chosen, options_class = self.options, type(self.options)
        if all(
            getattr(chosen, n) == options_class.DECLARED[n].default for n in OF_PARTS
        ):
            return []
        similarity = chosen.part_similarity
        name = getattr(self.rules.parts, "name", similarity)
        if callable(similarity):
            name = signed_function(similarity)
        joined = f"{name}≥{chosen.part_cutoff:g}"
        settings = ("parts", str(chosen.parts)), ("price", f"{chosen.price:g}")
        return [*settings, ("joined", joined)]


def _not_understood(lines: Sequence[str]) -> str:
    """Return the error for lines of no known format, with an option that helps."""
    beginning = (
        f"begins with {shortened(repr(lines[0]), 60)}, as no format of graphs does"
    )
    if len(lines) > 1 and all(len(line.split()) in (2, 3) for line in lines):
        return f"{beginning}; if each line is an edge, name --format-in edge-list"
    return (
        f"{beginning}; if a model answered, --extract repair takes the graph out of it"
    )

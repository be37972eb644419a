"""F1 of the leaves of two JSON documents, under the best matching of list items.

With *M* the largest sum of similarities of matched leaves and ``|D|`` what the
leaves of a document weigh in total, precision is ``M / |pred|``, recall
``M / |gold|`` and their F1
``2M / (|pred| + |gold|)``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.base import values
from exactmatch.base.errors import DocumentError, InputError, suggestion
from exactmatch.base.numbers import several
from exactmatch.base.options import Options, flag, option, optional
from exactmatch.formats.blocks import Block
from exactmatch.metrics.base import ENCODER, VECTORS, Metric, Pair, ReadItem, Statistics
from exactmatch.metrics.json.building import Builder, LeafReader
from exactmatch.metrics.json.differences import ComparedDocuments
from exactmatch.metrics.json.documents import Document, document_of
from exactmatch.metrics.json.infer import Inferred, inferred
from exactmatch.metrics.json.matching import MOST_UNITS, Comparing, Matcher, matcher_of
from exactmatch.metrics.json.rules import read_paths, rules_of
from exactmatch.metrics.json.schema import schema_rules
from exactmatch.metrics.json.tree import Tree
from exactmatch.metrics.score import FScore, score_of_sums

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.metrics.labelled.layers import Layer
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Limits

_USED = "used "
_TWICE = "twice "
"""Prefixes of names: a path that an option names, and a remark on an identifier of two
objects.  Patterns have no such prefix: their blanks are in quotes."""


def _paths(meaning: str, metavar: str = "PATH,…", flags: Any = None) -> Any:
    """Declare an option of paths: a text, a list of texts, or a mapping of paths."""
    extra = {"metavar": metavar, "flags": flags}
    return optional(meaning, is_list=True, takes_objects=True, **extra)


STRINGS = ("graded", "normalised", "exact")
"""Ways to compare texts of our own; others are similarities of labels."""

_SIGNED_APART = ("strings", "nulls", "order", "vectors", "encoder")


class JsonOptions(Options, purpose="measures"):
    """Options of the comparison of JSON documents."""

    strings: Any = option(
        "how texts are compared: by the letters that they share in order, codes and "
        "dates as a whole (graded; default), without case and runs of blanks "
        "(normalised), as they are (exact), or by a similarity of labels, such as "
        "cosine; in Python also a function of two texts",
        default="graded",
        metavar="NAME",
        read=values.text,
        takes_objects=True,
    )
    vectors: str | None = VECTORS
    encoder: Any = ENCODER
    nulls: str = option(
        "whether null and empty lists and objects are absent (default) or values",
        choices=("absent", "value"),
        default="absent",
    )
    order: str = option(
        "which lists are compared in order: those directly in lists, place by place "
        "(rows; default), none, or all, whose items may be skipped",
        choices=("rows", "none", "all"),
        default="rows",
    )
    ordered: Any = _paths(
        "lists whose order counts, where items may be skipped (default is none)"
    )
    unordered: Any = _paths("lists whose order does not count (default is by order)")
    tuples: Any = _paths("lists that are compared place by place (default is by order)")
    tolerance: float = option(
        "the share of the larger one by which two numbers may differ (default: 0)",
        default=0.0,
        metavar="T",
        read=values.between(0, 1),
    )
    coerce: bool = flag("count texts that state numbers or booleans as such")
    weights: Any = _paths(
        "weights; of sembleu for each order, of json PATH=W for leaves (default is 1)",
        metavar="WEIGHT,…",
    )
    ignore: Any = _paths(
        "what does not count, with all that is in it: * is any one key, ** any part of "
        "a path (default is nothing)"
    )
    ids: Any = _paths(
        "fields that identify objects, PATH or PATH=SCOPE; their values do not count "
        "(default is none); auto: those that other fields refer to, inferred from the "
        "references",
        flags=("--id-paths",),
    )
    refs: Any = _paths(
        "fields that hold identifiers of others, PATH=PATH or PATH=SCOPE; they are "
        "right where the objects that they name are matched (default is none)",
        metavar="PATH=PATH,…",
        flags=("--ref-paths",),
    )
    maps: Any = _paths("objects whose keys are data (default is none)")
    schema: Any = optional(
        "a JSON Schema, whose words say how fields are compared: a file, in Python "
        "also a mapping or a class of pydantic (default is none)",
        metavar="FILE",
        takes_objects=True,
        purpose="opens",
    )
    item_cutoff: float = option(
        "items whose pair has a lower F1 do not match (default: 0)",
        default=0.0,
        metavar="C",
        read=values.between(0, 1),
    )


class JsonMatch(Metric):
    """The F1 of the leaves of two JSON documents, under the best matching of items.

    Objects match by the names of their fields, lists as bags of items.  The matching is
    the best one, and proven to be.

    Statistics: matched weight, its bound, the weights of the prediction's and of the
    reference's leaves, pairs, proven pairs, pairs that are entirely right.
    """

    name = "json"
    title = "JSON"
    summary = "F1 of the leaves of JSON documents, under the best matching of items"
    reads = "document"
    empty: ClassVar[Any] = Document({})
    in_all = False
    takes_one = True
    warns_of_names = False
    width = 7
    options_class = JsonOptions

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        options = self.options
        if isinstance(options.tolerance, float) and options.tolerance == 1:
            raise InputError("tolerance is 1; it is from 0 to less than 1")
        self.learns = options.ids == "auto"
        self.inferred: Inferred | None = None
        self.schema = None if options.schema is None else schema_rules(options.schema)
        self.rules = rules_of(options, self.schema)
        similarity = _similarity(options)
        self.strings = options.strings if similarity is None else similarity.name
        self.reading_of_leaves = LeafReader(
            self.strings, options.nulls == "value", options.coerce
        )
        self.comparing = Comparing(
            Fraction(str(options.tolerance)),
            Fraction(str(options.item_cutoff)),
            self.strings == "graded",
            similarity,
        )

    @property
    def reading_key(self) -> Hashable:
        return "document"

    @property
    def preparation_key(self) -> Hashable:
        return (JsonMatch, self.rules, self.reading_of_leaves)

    def read(self, value: Any) -> ReadItem:
        if isinstance(value, Document):
            return ReadItem(value)
        if not isinstance(value, str | Block):
            return ReadItem(Document(value))
        place: tuple[Any, ...] = ()
        if isinstance(value, Block):
            origin = value.origin()
            place = origin.path, origin.line, origin.graph_id
        text = value if isinstance(value, str) else "\n".join(value.lines)
        try:
            document = document_of(text)
        except DocumentError as error:
            raise DocumentError(error.reason, *place) from None
        document = document._replace(place=place)
        if not document.repeated:
            return ReadItem(document)
        keys = several(document.repeated, "key")
        reason = f"repeats {keys} of an object; the last one counts"
        return ReadItem(document, (DocumentError(reason, *place),))

    def prepare(self, item: Document) -> Tree:
        return Builder(self.rules, self.reading_of_leaves).tree(item)

    def fit(self, references: Iterable[Tree]) -> Self:
        """Infer identifiers and references from all reference documents."""
        documents = [tree.document.value for tree in references]
        self.inferred = inferred(documents, self.rules)
        self.rules = rules_of(self.options, self.schema, self.inferred)
        self.fitted = True
        return self

    @property
    def chooses_names(self) -> bool:
        has_words = self.schema is not None and self.schema.ignored_words
        return bool(any(self.rules.named) or self.learns or has_words)

    def names_in(self, item: Document) -> set[str]:
        tree = self.prepare(item)
        used = {f"{_USED}{self.rules.named[k]}" for k in tree.used}
        return used | tree.patterns | {f"{_TWICE}{name}" for name in tree.twice}

    def names_missed(self, names: Set[str]) -> Iterator[str]:
        if self.inferred is not None:
            yield self.inferred.words()
        if self.schema is not None and self.schema.ignored_words:
            words = ", ".join(self.schema.ignored_words)
            yield f"words of the schema are not followed: {words}"
        for name in sorted(names):
            if name.startswith(_TWICE):
                reason = name.removeprefix(_TWICE)
                yield f"a prediction {reason}; the first one has the name"
        patterns = [name for name in names if not name.startswith((_USED, _TWICE))]
        for name in dict.fromkeys(self.rules.named):
            if name and f"{_USED}{name}" not in names:
                path = name.partition(": ")[2]
                hint = suggestion(path, patterns)
                yield f"{name} matches nothing in the documents{hint}"

    def compare(self, pred: Tree, *golds: Tree, limits: Limits | None = None) -> Pair:
        if len(golds) != 1:
            raise InputError(f"json takes one reference, not {len(golds)}")
        gold = golds[0]
        if self.learns and not self.fitted:
            return self.copy().fit(golds).compare(pred, gold, limits=limits)
        pred, gold = self._by_rules(pred), self._by_rules(gold)
        place = gold.document.place
        if gold.twice:
            raise DocumentError(f"is a reference and {gold.twice[0]}", *place)
        try:
            matched, bound, pairs, *proof = self._matched((pred, gold), limits)
        except DocumentError as error:  # which does not know the file
            raise DocumentError(error.reason, *place) from None
        sizes = [Fraction(tree.weight, self.rules.unit) for tree in (pred, gold)]
        is_right = matched == sizes[0] == sizes[1]
        numbers = (matched, bound, *sizes, 1, matched == bound, is_right)
        documents = ComparedDocuments(
            *(self.rules, self.reading_of_leaves, self.comparing),
            *((pred, gold), pairs, *proof),
        )
        return Pair(tuple(map(float, numbers)), documents=documents)

    def _by_rules(self, tree: Tree) -> Tree:
        """Prepare a document again if it was prepared by other rules."""
        return tree if tree.rules == self.rules else self.prepare(tree.document)

    def matcher(self, trees: Sequence[Tree], max_units: int) -> Matcher:
        """Return the matcher of two documents."""
        return matcher_of(trees, self.comparing, max_units)

    def _matched(
        self, trees: tuple[Tree, Tree], limits: Limits | None
    ) -> tuple[Fraction, Fraction, dict[int, int], AlignmentProblem | None, Any]:
        """Return the matched weight, its upper bound, the matched items, and a proof.

        The proof is an alignment problem and its solution, if there is one.
        """
        weight = max(1, *(tree.weight for tree in trees))
        matcher = self.matcher(trees, MOST_UNITS // weight)
        parts = matcher.unit * self.rules.unit
        left, right = trees
        if len(left.items) == len(right.items) == 1 and not self.rules.ids:
            a, b = (
                None if tree.root is None else side[tree.root]
                for tree, side in zip(trees, matcher.sides, strict=True)
            )
            value = Fraction(matcher.value(a, b), parts)
            return value, value, {}, None, None
        from exactmatch.engine.align import solve
        from exactmatch.metrics.json.references import problem_of
        from exactmatch.solvers import get_solver
        from exactmatch.solvers.solution import Limits

        max_units, aligned = MOST_UNITS // weight, None
        while aligned is None:
            aligned = problem_of(matcher, trees)
            if aligned is None:
                if matcher.unit == 1:
                    raise DocumentError("has too many references for weights so fine")
                max_units = max(1, matcher.unit // 1000)
                matcher = self.matcher(trees, max_units)
        parts = matcher.unit * self.rules.unit
        if aligned.problem is None:
            value = Fraction(aligned.fixed, parts)
            return value, value, {}, None, None
        solution = solve(aligned.problem, get_solver("auto"), limits)
        if aligned.inside and aligned.inside.too_little(solution.alignment):
            from exactmatch.metrics.json.cutoffs import matched

            within_cutoff = matched(
                aligned.problem, aligned.inside, solution.alignment, limits or Limits()
            )
            worth = within_cutoff.value + aligned.fixed
            most_worth = min(within_cutoff.bound, solution.bound) + aligned.fixed
            return (
                Fraction(worth, parts),
                Fraction(most_worth, parts),
                {**within_cutoff.pairs},
                aligned.problem,
                None,
            )
        ends = solution.value + aligned.fixed, solution.bound + aligned.fixed
        pairs = {i: j for i, j in enumerate(solution.alignment) if j != -1}
        worth_and_bound = Fraction(ends[0], parts), Fraction(ends[1], parts)
        return *worth_and_bound, pairs, aligned.problem, solution

    def scores(self, sums: Statistics) -> FScore:
        *summed, _ = sums
        return score_of_sums(self.name, summed, 1.0 if sums[4] else 0.0)

    def signature(self) -> list[tuple[str, str]]:
        options = self.options
        items: list[tuple[str, Any]] = [("strings", self.strings)]
        items += [(name, getattr(options, name)) for name in ("nulls", "order")]
        for name in JsonOptions.DECLARED:
            value = getattr(options, name)
            if name == "schema" and self.schema is not None:
                value = self.schema.checksum
            if name == "ids" and self.inferred is not None:
                ids, refs = self.inferred
                value = f"auto({','.join(ids)})"
                value += "".join(f",{path}→{scope}" for path, scope in refs)
            if name not in _SIGNED_APART and value not in (None, False):
                items.append((name.replace("_", "-"), value))
        return [(name, _signed(value)) for name, value in items if value != 0.0]


def _similarity(options: JsonOptions) -> Layer | None:
    """Return the similarity of labels that compares texts, if one does."""
    strings = options.strings
    if isinstance(strings, str) and strings in STRINGS:
        for name in ("vectors", "encoder"):
            if getattr(options, name) is not None:
                raise InputError(f"{name} is for strings='cosine', not {strings!r}")
        return None
    from exactmatch.metrics.labelled.label_similarity import layered
    from exactmatch.metrics.labelled.layers import SIMILARITIES

    names = strings.split("+") if isinstance(strings, str) else ()
    known_names = (*STRINGS, *SIMILARITIES, "value", "cosine")
    for name in names:
        if name not in known_names:
            ways = ", ".join(dict.fromkeys(known_names))
            raise InputError(
                f"strings is {name!r}; it is one of {ways}, or a function of two texts"
            )
    if "cosine" not in names and (options.vectors or options.encoder) is not None:
        raise InputError("vectors and encoder are for strings='cosine'")
    return layered(strings, "strings", options.vectors, options.encoder)


def _signed(value: Any) -> str:
    """Return the value of an option as written in the signature."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, bool):
        text = "yes"
    elif isinstance(value, int | float):
        text = f"{value:g}"
    else:
        text = ",".join(
            f"{path}={entry}" if entry != "" else path
            for path, entry in read_paths(value)
        )
    return text.replace("|", "\\u007c").replace("\n", "\\n")

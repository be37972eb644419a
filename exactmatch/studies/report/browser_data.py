"""All pairs of an evaluation as the error browser's page holds them.

The *head* has what the list of pairs needs: ids, sentences, counts and types of
errors, a column each.  The pairs themselves
(:mod:`exactmatch.studies.report.pair_data`)
follow in *blocks*, each packed by itself, so that opening one pair unpacks few.

A block is JSON, deflated, in base 85: text that HTML can hold as it is, a quarter
longer than its bytes.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exactmatch.graphs.drawing.drawing import TOP
from exactmatch.graphs.drawing.source_text import Worded
from exactmatch.studies.errors.differences import Edit
from exactmatch.studies.errors.errors import ErrorSums, ErrorType, meaning
from exactmatch.studies.errors.study import Examined
from exactmatch.studies.report.pair_data import pair_data

if TYPE_CHECKING:
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Solution

PER_BLOCK = 64
"""Pairs in a block."""

NO_TOPIC, ROLES, CONCEPTS, BOTH_ROLES, VALUES = range(5)
"""The topic of a type's detail: nothing; one or two roles; one or two concepts; a role
that is stated elsewhere; a role and its two values.  Of two the first is missing and
the second extra, of one its kind says so."""


_PART = 2**14
"""Bytes that are encoded at once, which takes ten times the room; a multiple of 4."""


@dataclass(slots=True)
class Collector:
    """Packs pairs for the page, as they come."""

    names: Sequence[str]  # of the systems
    with_proofs: bool = False
    blocks: list[str] = field(default_factory=list)  # packed so far
    proof_blocks: list[str] = field(default_factory=list)  # for the same pairs
    _about: dict[str, list[Any]] = field(init=False)
    _columns: list[dict[str, list[Any]]] = field(init=False)
    _errors: list[ErrorSums] = field(init=False)
    _types: dict[ErrorType, int] = field(default_factory=dict)
    _topics: dict[ErrorType, int] = field(default_factory=dict)
    _proofs: dict[str, int] = field(default_factory=dict)
    _waiting: list[Any] = field(default_factory=list)
    _waiting_proofs: list[Any] = field(default_factory=list)
    _nothing: float | None = None  # the score of graphs without any triple, if met

    def __post_init__(self) -> None:
        self._about = {name: [] for name in _ABOUT}
        self._columns = [{name: [] for name in _COLUMNS} for _ in self.names]
        self._errors = [ErrorSums() for _ in self.names]

    def __len__(self) -> int:
        return len(self._about["numbers"])

    def add(self, answers: Sequence[Examined | None]) -> None:
        """Take one pair: each system's answer, ``None`` where it has none."""
        given = [answer for answer in answers if answer is not None]
        first = given[0]
        graphs = [first.errors.gold, *(answer.errors.pred for answer in given)]
        sentence, *others = dict.fromkeys(filter(None, map(_sentence, graphs))) or [""]
        is_reentrant = int(any(map(_is_reentrant, graphs)))
        about = first.result.index + 1, first.result.id, sentence, is_reentrant
        for column, value in zip(self._about.values(), about, strict=True):
            column.append(value)
        for system, answer in enumerate(answers):
            row = self._row(answer)
            for name, column in self._columns[system].items():
                column.append(row.get(name))
            if answer is not None:
                self._errors[system].add(answer.errors)
        errors = [answer and answer.errors for answer in answers]
        data = pair_data(errors, self._number)
        self._waiting.append([*data, others])
        if self.with_proofs:
            results = [answer and answer.result for answer in answers]
            self._waiting_proofs.append(
                [r and proof_data(r.stated_problem.problem, r.solved) for r in results]
            )
        if len(self._waiting) == PER_BLOCK:
            self._pack()

    def _row(self, answer: Examined | None) -> dict[str, Any]:
        """The values of an answer under the columns; nothing where there is none."""
        if answer is None:
            return {}
        score, solution = answer.result.score, answer.result.solution
        if score.pred_total == 0 == score.gold_total:
            self._nothing = score.shown
        edits, types = answer.errors.differences.edits, answer.errors.types
        for edit, kind in zip(edits, types, strict=True):
            self._topics.setdefault(kind, _topic(edit, kind))
        proof = f"{solution.solver}: {solution.proof}" if solution else ""
        return {
            "matched": score.matched,
            "bounds": score.bound,
            "predTotals": score.pred_total,
            "goldTotals": score.gold_total,
            "missing": sum(edit.gold is not None for edit in edits),
            "extra": sum(edit.pred is not None for edit in edits),
            "proofs": self._proofs.setdefault(proof, len(self._proofs)),
            "types": sorted({self._number(kind) for kind in types}),
        }

    def _number(self, kind: ErrorType) -> int:
        """Return the number of a type, whose kind has a number, too."""
        self._types.setdefault(ErrorType(kind.kind), len(self._types))
        return self._types.setdefault(kind, len(self._types))

    def _pack(self) -> None:
        both = (self._waiting, self.blocks), (self._waiting_proofs, self.proof_blocks)
        for waiting, blocks in both:
            if waiting:
                blocks.append(packed(waiting))
                waiting.clear()

    def head(self) -> str:
        """Return the head of the page, packed; all blocks are packed, too."""
        self._pack()
        parts = {
            "perBlock": PER_BLOCK,
            "nothing": self._nothing,
            "systems": list(map(self._system, range(len(self.names)))),
            **self._about,
            "proofs": list(self._proofs),
            "meanings": {kind.kind: meaning(kind.kind) for kind in self._types},
            "types": [[*k, self._topics.get(k, NO_TOPIC)] for k in self._types],
        }
        return packed(parts)

    def scores(self, number: int) -> list[float]:
        """The F1 of each pair of one system, where it has a graph."""
        columns = self._columns[number]
        names = ("matched", "predTotals", "goldTotals")
        totals = zip(*(columns[name] for name in names), strict=True)
        rows = [row for row in totals if row[0] is not None]
        nothing = 1.0 if self._nothing is None else self._nothing
        return [2 * m / (p + g) if p + g else nothing for m, p, g in rows]

    def _system(self, number: int) -> dict[str, Any]:
        """Return the columns of one system, and its count of each error."""
        counts = [
            [self._number(e.type), e.count, e.least, e.greatest, e.triples]
            for e in self._errors[number].counts()
        ]
        return {"name": self.names[number], **self._columns[number], "counts": counts}


_ABOUT = ("numbers", "ids", "sentences", "reentrant")
_COLUMNS = (
    *("matched", "bounds", "predTotals", "goldTotals"),
    *("missing", "extra", "proofs", "types"),
)


def proof_data(problem: AlignmentProblem, solution: Solution) -> dict[str, Any]:
    """The proof of a pair as plain data, with the problem that it is about."""
    arrays = ("left", "right", "unary", "first", "second", "weight")
    certificate = solution.certificate
    return {
        "problem": {
            "nLeft": problem.n_left,
            "nRight": problem.n_right,
            **{name: getattr(problem, name).tolist() for name in arrays},
        },
        "alignment": list(solution.alignment),
        "value": solution.value,
        "scale": problem.scale,
        "certificate": certificate and certificate.to_dict(),
    }


def packed(data: Any) -> str:
    """Pack plain data into text that a script element can hold."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    texts = (text.encode("utf-8", "replace") for text in _texts(data))
    content = b"".join([*map(deflate.compress, texts), deflate.flush()])
    parts = (content[k : k + _PART] for k in range(0, len(content), _PART))
    return b"".join(map(base64.b85encode, parts)).decode("ascii").replace("<", ".")


def _texts(data: Any) -> Iterator[str]:
    """Yield JSON part by part; every word of a part is in memory until it is joined."""
    if not data or not isinstance(data, dict | list):
        yield _json(data)
    elif isinstance(data, dict):
        for number, (name, value) in enumerate(data.items()):
            yield f"{',' if number else '{'}{_json(name)}:"
            yield from _texts(value)
        yield "}"
    elif isinstance(data[0], dict):
        for number, value in enumerate(data):
            yield "," if number else "["
            yield from _texts(value)
        yield "]"
    else:
        for first in range(0, len(data), PER_BLOCK):
            yield "," if first else "["
            yield _json(data[first : first + PER_BLOCK])[1:-1]
        yield "]"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _sentence(worded: Worded) -> str:
    metadata: Mapping[str, str] = worded.graph.metadata
    return metadata.get("snt") or metadata.get("tok") or ""


def _is_reentrant(worded: Worded) -> bool:
    """Tell whether a variable is mentioned again after its definition."""
    return any(line.variable is not None and not line.defines for line in worded.lines)


def _topic(edit: Edit, kind: ErrorType) -> int:
    stated = edit.gold or edit.pred
    assert stated is not None
    if stated.triple.kind == "instance" or edit.change == "concept":
        return CONCEPTS
    if stated.number == TOP:
        return NO_TOPIC
    if edit.change == "value":
        return VALUES
    return BOTH_ROLES if kind.kind.startswith("wrong") else ROLES

"""Profiles: which triples of a graph count, and when two of them are equal.

The same pair of graphs has several "Smatch" numbers, and users argue about
which.  A profile is the whole answer as data: how text is read, what is changed
before counting, and how equal triples are counted.  Every field is part of the
signature.

* ``smatch``: what smatch 1.0.4 reads and counts, to the letter.
* ``clean``: AMR read by penman with its AMR model, every triple counted once.
* ``s2match``, ``sembleu``: the official readings of those metrics.
* ``smatchpp``, ``smatchpp-generic``, ``smatchpp-none``: what SMATCH++ counts under
  its standardisations for AMR, for any graph, and under none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from exactmatch.errors import InputError

Reader: TypeAlias = Literal[
    "smatch",
    "penman",
    "s2match",
    "s2match-unmarked",
    "sembleu",
    "smatchpp",
    "smatchpp-generic",
    "smatchpp-none",
    "amrlib",
    "amrlib-unlabeled",
    "amrlib-unsensed",
    "amrlib-early",
    "damonte",
    "damonte-unlabeled",
    "damonte-unsensed",
]
Comparison: TypeAlias = Literal["smatch", "clean", "unquoted", "lower", "exact"]
Top: TypeAlias = Literal["constant", "concept", "none"]
Duplicates: TypeAlias = Literal["product", "multiset", "set"]
Reification: TypeAlias = Literal["keep", "reify", "dereify", "smatchpp"]
Just: TypeAlias = Literal["instance", "attribute", "relation"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How graphs are read and their triples counted.

    Attributes:
        name: the profile this one is, or started from.
        reader: which reader turns text into a graph.
        comparison: when two labels are equal: ``smatch`` ignores case and
            trailing underscores; ``clean`` ignores case and enclosing quotes;
            ``unquoted`` ignores case and every quote and apostrophe; ``lower``
            ignores case; ``exact`` ignores nothing.
        top: what marks the root: an attribute triple with a constant value,
            one with the root's concept as its value, or none.
        duplicates: how equal triples of one graph count: every equal pair of
            triples (``product``), as often as both graphs have them
            (``multiset``), or once (``set``).
        wiki: whether ``:wiki`` triples count.
        sense: whether frames keep their sense (``want-01``, not ``want``).
        reification: whether reified and plain roles are unified, and how:
            ``reify`` and ``dereify`` by penman's AMR model, ``smatchpp`` by the
            part of it that SMATCH++ undoes, and under its conditions.
        strip_alignments: whether ``~e.N`` alignment tags are removed.
        just: count only one kind of triple, re-aligning for it alone.
        nothing: what two graphs without any triple score: 0 as in smatch, or 1.
    """

    name: str
    reader: Reader
    comparison: Comparison
    top: Top = "constant"
    duplicates: Duplicates = "multiset"
    wiki: bool = True
    sense: bool = True
    reification: Reification = "keep"
    strip_alignments: bool = False
    just: Just | None = None
    nothing: Literal[0, 1] = 0

    @property
    def keeps_bare(self) -> bool:
        """Whether a block of comments alone is a graph that is missing.

        Smatch's own reading, and what is built on it, passes over such a block.
        """
        return self.reader == "penman" or self.reader.startswith("smatchpp")

    def signature(self) -> list[tuple[str, str]]:
        """Everything that determines the counts, as ordered key and value."""
        started = PROFILES.get(self.name)
        items = [("profile", self.name)]
        if started != self:
            items[0] = ("profile", f"{self.name}+")
        items += [
            ("read", self.reader),
            ("case", self.comparison),
            ("top", self.top),
            ("dup", self.duplicates),
        ]
        if not self.wiki:
            items.append(("wiki", "no"))
        if not self.sense:
            items.append(("sense", "no"))
        if self.reification != "keep":
            items.append(("reification", self.reification))
        if self.strip_alignments:
            items.append(("tags", "stripped"))
        if self.just:
            items.append(("just", self.just))
        if self.nothing:
            items.append(("nothing", str(self.nothing)))
        return items

    def with_options(self, **options: Any) -> Profile:
        """The same profile with some fields changed; ``None`` changes nothing."""
        return replace(self, **{k: v for k, v in options.items() if v is not None})


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("smatch", "smatch", "smatch", duplicates="product"),
        Profile("clean", "penman", "clean", strip_alignments=True),
        Profile("s2match", "s2match", "lower", top="concept", duplicates="product"),
        Profile("sembleu", "sembleu", "lower", top="none"),
        Profile(
            "smatchpp",
            "smatchpp",
            "unquoted",
            top="concept",
            duplicates="set",
            reification="smatchpp",
            nothing=1,
        ),
        Profile("smatchpp-generic", "smatchpp-generic", "unquoted", nothing=1),
        Profile("smatchpp-none", "smatchpp-none", "exact", nothing=1),
    )
}
"""The profiles by name."""


def get_profile(name: str) -> Profile:
    """The profile of that name.

    Raises:
        InputError: if there is none; the message suggests one.
    """
    if name not in PROFILES:
        import difflib

        near = difflib.get_close_matches(name, PROFILES, 1, 0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise InputError(
            f"unknown profile {name!r}{hint} (known: {', '.join(PROFILES)})"
        )
    return PROFILES[name]


_REMEMBERED = 2**16
"""How many labels a normaliser remembers: corpora repeat theirs."""


@lru_cache(_REMEMBERED)
def _like_smatch(label: str) -> str:
    return label.lower().rstrip("_")


@lru_cache(_REMEMBERED)
def _like_clean(label: str) -> str:
    if len(label) > 1 and label[0] == label[-1] == '"':
        label = label[1:-1]
    return label.lower()


@lru_cache(_REMEMBERED)
def _unquoted(label: str) -> str:
    return label.lower().replace('"', "").replace("'", "")


def as_written(label: str) -> str:
    """Leave a label as it is."""
    return label


NORMALISERS: dict[Comparison, Callable[[str], str]] = {
    "smatch": _like_smatch,
    "clean": _like_clean,
    "unquoted": _unquoted,
    "lower": str.lower,
    "exact": as_written,
}
"""What each ``comparison`` makes of a label before labels are compared."""

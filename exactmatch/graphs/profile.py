"""Profiles: which triples of a graph count, and when two of them are equal.

The same pair of graphs has several "Smatch" numbers, and users argue about
which.  A profile is the whole answer as data: how text is read, what is changed
before counting, and how equal triples are counted.  Every field is part of the
signature.  A profile of ours has a ``summary``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.base.records import dataclass, replace
from exactmatch.base.registry import Registry

OUR_READERS = {
    "smatch": "exactmatch.formats.dialects.smatch:read_smatch",
    "penman": "exactmatch.formats.dialects.clean:read_clean",
    "s2match": "exactmatch.formats.dialects.s2match:read_s2match",
    "s2match-unmarked": "exactmatch.formats.dialects.s2match:read_unmarked",
    "sembleu": "exactmatch.formats.dialects.sembleu:read_sembleu",
    "smatchpp": "exactmatch.formats.dialects.smatchpp:read_smatchpp",
    "smatchpp-generic": "exactmatch.formats.dialects.smatchpp:read_smatchpp_generic",
    "smatchpp-none": "exactmatch.formats.dialects.smatchpp:read_smatchpp_none",
    "amrlib": "exactmatch.formats.dialects.amrlib:read_amrlib",
    "amrlib-unlabeled": "exactmatch.formats.dialects.amrlib:read_amrlib_unlabeled",
    "amrlib-unsensed": "exactmatch.formats.dialects.amrlib:read_amrlib_unsensed",
    "amrlib-early": "exactmatch.formats.dialects.amrlib:read_amrlib_early",
    "damonte": "exactmatch.formats.dialects.amrlib:read_damonte",
    "damonte-unlabeled": "exactmatch.formats.dialects.amrlib:read_damonte_unlabeled",
    "damonte-unsensed": "exactmatch.formats.dialects.amrlib:read_damonte_unsensed",
    "doc-amr": "exactmatch.formats.doc_amr:read_doc_amr",
    "umr": "exactmatch.formats.penman_graphs:read_umr_sentence",
    "drs": "exactmatch.formats.sbn:read_penman_drs",
    "drs-synsets": "exactmatch.formats.sbn:read_penman_synsets",
    "mrp": "exactmatch.formats.penman_graphs:read_mrp_sentence",
}
"""Who turns text into graphs, by the name of the reader: its place."""

Comparison: TypeAlias = Literal[
    "smatch", "clean", "unquoted", "lower", "words", "exact"
]
Top: TypeAlias = Literal["constant", "concept", "none"]
Duplicates: TypeAlias = Literal["product", "multiset", "set"]
Reification: TypeAlias = Literal["keep", "reify", "dereify", "smatchpp"]
Just: TypeAlias = Literal["instance", "attribute", "relation"]
Align: TypeAlias = Literal["free", "same-sentence", "token-overlap"]
Beside: TypeAlias = Literal["nothing", "document", "mrp"]


_RANGE = re.compile(r"([a-z]+)(\d{1,3})-:?\1(\d{1,3})")


def _in_range(role: str) -> Iterable[str]:
    """Yield the roles of a range such as ``arg0-arg2``, or the one role.

    >>> [*_in_range("arg0-arg2")], [*_in_range("arg0-of")]
    (['arg0', 'arg1', 'arg2'], ['arg0-of'])
    """
    match = _RANGE.fullmatch(role)
    if match is None or int(match[2]) > int(match[3]):
        return (role,)
    return [f"{match[1]}{k}" for k in range(int(match[2]), int(match[3]) + 1)]


@dataclass(frozen=True, slots=True)
class Profile:
    """Rules by which graphs are read and their triples counted.

    Attributes:
        name: the name of this profile, or of the one from which it was made.
        reader: the reader that turns text into a graph; a reader of another package
            is named by its place, ``module:function``.
        comparison: the rule for equal labels: ``smatch`` ignores case and
            trailing underscores; ``clean`` ignores case and enclosing quotes;
            ``unquoted`` ignores case and every quote and apostrophe; ``lower``
            ignores case; ``exact`` ignores nothing.
        top: the mark of the root: an attribute triple with a constant value,
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
        just: the only kind of triple that counts; the alignment is for it alone.
        nothing: the score of two graphs without any triple: 0 as in smatch, or 1.
        beside: additional things that count: the document-level triples of a UMR
            ``document``, or the tops, anchors and attributes of edges of an ``mrp``
            graph.
        align: which variables may be aligned: any, those of corresponding sentences,
            or those of corresponding sentences that share a word.
        only: the only roles that count; if it is empty, all roles count.  ``concept``
            stands for instances, ``top`` for the mark of the root, and a level such as
            ``coref`` for all of its document-level triples.  Case and colons do not
            matter, and a text may name several roles with commas between them.
        leave_out: roles that do not count, named as in ``only``.
        ignore_unannotated: whether predicted triples are ignored if the references
            never have their role.

    >>> import exactmatch
    >>> clean = exactmatch.PROFILES["clean"]
    >>> pair = "(b / bark-01)", "(b / bark-02)"
    >>> exactmatch.smatch(*pair, profile=clean).f1
    0.5
    >>> exactmatch.smatch(*pair, profile=clean.with_options(sense=False)).f1
    1.0
    """

    name: str
    reader: str
    comparison: Comparison
    top: Top = "constant"
    duplicates: Duplicates = "multiset"
    wiki: bool = True
    sense: bool = True
    reification: Reification = "keep"
    strip_alignments: bool = False
    just: Just | None = None
    nothing: Literal[0, 1] = 0
    beside: Beside = "nothing"
    align: Align = "free"
    only: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    ignore_unannotated: bool = False

    def __post_init__(self) -> None:
        for name in ("only", "leave_out"):
            chosen = getattr(self, name)
            roles = chosen.split(",") if isinstance(chosen, str) else chosen
            plain_roles = (role.strip().removeprefix(":").lower() for role in roles)
            all_names = tuple(chain.from_iterable(map(_in_range, plain_roles)))
            object.__setattr__(self, name, all_names)
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            is_place = name == "reader" and ":" in str(value)
            is_free = name == "just" and value is None
            if value not in choices and not (is_place or is_free):
                choices_in_words = ", ".join(map(repr, choices))
                raise InputError(
                    f"profile {self.name!r} has {name} {value!r}; it is one of "
                    f"{choices_in_words}"
                )
        if self.align != "free" and self.reader not in _WITH_SENTENCES:
            raise InputError(
                f"profile {self.name!r} reads no sentences, which align {self.align!r} "
                f"needs; use one of {', '.join(_WITH_SENTENCES)}"
            )

    @property
    def summary(self) -> str:
        """The profile in a line, as ``exactmatch help profiles`` has it."""
        return _SUMMARIES.get(self.name, f"a profile made from {self.name}")

    @property
    def turns_mod(self) -> bool:
        """True where reading leaves one of ``mod`` and ``domain``, turned around."""
        return self.reader in _WITH_ONE_OF_MOD

    @property
    def chooses_roles(self) -> bool:
        """True where some roles do not count."""
        return bool(self.only or self.leave_out)

    @property
    def score_of_nothing(self) -> float:
        """The score of two graphs without any triple that counts.

        If roles are chosen, such a pair has no score, and this is 0.
        """
        return 0.0 if self.chooses_roles else float(self.nothing)

    def signature(self) -> list[tuple[str, str]]:
        """Everything that determines the counts, as ordered key and value."""
        is_changed = PROFILES.get(self.name) != self
        items = [
            ("profile", f"{self.name}+" if is_changed else self.name),
            ("read", self.reader),
            ("case", self.comparison),
            ("top", self.top),
            ("dup", self.duplicates),
        ]
        further_fields = (
            ("wiki", "no", not self.wiki),
            ("sense", "no", not self.sense),
            ("reification", self.reification, self.reification != "keep"),
            ("tags", "stripped", self.strip_alignments),
            ("just", str(self.just), self.just),
            ("nothing", str(self.nothing), self.score_of_nothing),
            ("beside", self.beside, self.beside != "nothing"),
            ("align", self.align, self.align != "free" or self.beside == "document"),
            ("only", ",".join(self.only), self.only),
            ("except", ",".join(self.leave_out), self.leave_out),
            ("unannotated", "ignored", self.ignore_unannotated),
        )
        return items + [(key, value) for key, value, counts in further_fields if counts]

    def with_options(self, **options: Any) -> Profile:
        """Return the profile with some fields changed; ``None`` changes nothing."""
        changes = {k: v for k, v in options.items() if v is not None}
        return replace(self, **changes) if changes else self


_CHOICES: dict[str, tuple[Any, ...]] = {
    "reader": tuple(OUR_READERS),
    "comparison": get_args(Comparison),
    "top": get_args(Top),
    "duplicates": get_args(Duplicates),
    "reification": get_args(Reification),
    "just": get_args(Just),
    "nothing": (0, 1),
    "beside": get_args(Beside),
    "align": get_args(Align),
}
"""What the fields of a profile may be."""

_WITH_ONE_OF_MOD = ("smatch", "penman", "smatchpp", "doc-amr", "drs", "drs-synsets")
_WITH_SENTENCES = ("umr", "doc-amr")  # readers that know a variable's sentence

_OURS = (
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
    Profile(
        "doc-amr", "doc-amr", "smatch", duplicates="product", align="same-sentence"
    ),
    Profile(
        "umr",
        "umr",
        "clean",
        top="none",
        duplicates="set",
        beside="document",
        align="same-sentence",
    ),
    Profile("drs", "drs", "smatch", duplicates="set"),
    Profile("drs-lenient", "drs", "smatch", duplicates="set", sense=False),
    Profile("drs-synsets", "drs-synsets", "smatch", duplicates="set"),
    Profile("mrp", "mrp", "lower", top="none", duplicates="set", beside="mrp"),
)

PROFILES: Registry[Profile] = Registry(
    "profile",
    {profile.name: profile for profile in _OURS},
    lambda thing: isinstance(thing, Profile),
    "an exactmatch.Profile",
)
"""The profiles by name."""

_SUMMARIES = {
    "smatch": "what smatch 1.0.4 reads and counts, to the letter",
    "clean": "AMR read by penman with its AMR model; F1 is never above 1",
    "s2match": "the official reading of S²Match",
    "sembleu": "the official reading of SemBleu",
    "smatchpp": "what SMATCH++ counts under its standardisation for AMR",
    "smatchpp-generic": "what SMATCH++ counts under its standardisation for any graph",
    "smatchpp-none": "what SMATCH++ counts without standardisation",
    "doc-amr": "what docSmatch counts of document AMRs",
    "umr": "UMR documents, their document-level triples included, each distinct triple "
    "once; variables are aligned within corresponding sentences",
    "drs": "discourse representation structures as ud-boxer writes them in PENMAN, SBN "
    "included",
    "drs-lenient": "the same as drs, without senses",
    "drs-synsets": "the same as drs, with whole synsets",
    "mrp": "MRP graphs, in the pieces of their shared tasks",
}
"""What each profile is, in a line."""


def get_profile(name: Profile | str) -> Profile:
    """Return the profile of that name, or the profile itself."""
    return PROFILES.find(name) if isinstance(name, str) else name


_REMEMBERED = 2**16  # labels that a normaliser remembers: corpora repeat theirs


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


_CAMEL = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


_SIGN = re.compile(r"[\W_]")
_KEPT = frozenset("-+.#<>=%^$€£±×÷≤≥≠*!\u2212")
_RELATION = re.compile(r" ?([<>=^±×÷≤≥≠!]+) ?")


def _sign(match_at: re.Match[str]) -> str:
    """Return a sign that stays, or a blank: points and dashes stay in numbers."""
    sign = match_at[0]
    text, at = match_at.string, match_at.start()
    if sign in "-.\u2212" and not text[at + 1 : at + 2].isdigit():
        is_sign = text[at + 1 : at + 2] == "." and text[at + 2 : at + 3].isdigit()
        return "-" if is_sign and sign != "." else " "
    if sign in "-\u2212":
        return " " if re.match(r"\w", text[at - 1 : at]) else "-"
    if sign == "." and re.match(r"[^\W\d]", text[at - 1 : at]):
        return " "
    if sign == "*":
        ends = text[at - 1 : at], text[at + 1 : at + 2]
        return "*" if all(re.match(r"\w", end) for end in ends) else " "
    if sign == "!":
        return "!" if text[at + 1 : at + 2] == "=" else " "
    return sign if sign in _KEPT else " "


@lru_cache(_REMEMBERED)
def in_words(label: str) -> str:
    """Write a label in lower-case words: no camel case, underscores or punctuation.

    Signs and decimal points of numbers stay, and so do operators.

    >>> in_words("birthPlace") == in_words('"birth_place"') == "birth place"
    True
    >>> in_words("-1.5"), in_words("C++"), in_words("a < b"), in_words("COVID-19")
    ('-1.5', 'c++', 'a<b', 'covid 19')
    """
    text = re.sub(_CAMEL, " ", label)
    words = re.sub(r"\s+", " ", _SIGN.sub(_sign, text)).casefold().strip()
    return _RELATION.sub(r"\1", words) or label  # of punctuation alone


def as_written(label: str) -> str:
    """Leave a label as it is."""
    return label


NORMALISERS: dict[Comparison, Callable[[str], str]] = {
    "smatch": _like_smatch,
    "clean": _like_clean,
    "unquoted": _unquoted,
    "lower": str.lower,
    "words": in_words,
    "exact": as_written,
}
"""What each ``comparison`` makes of a label before labels are compared."""

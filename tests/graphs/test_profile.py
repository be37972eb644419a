"""Profiles: what they are called, what they sign with, what options do."""

from __future__ import annotations

from typing import Any

import pytest

from exactmatch.base.errors import InputError
from exactmatch.graphs.profile import NORMALISERS, PROFILES, get_profile


def test_smatch_counts_as_smatch_does() -> None:
    assert dict(PROFILES["smatch"].signature()) == {
        "profile": "smatch",
        "read": "smatch",
        "case": "smatch",
        "top": "constant",
        "dup": "product",
    }


def test_clean_counts_every_triple_once() -> None:
    clean = PROFILES["clean"]
    assert (clean.reader, clean.duplicates) == ("penman", "multiset")
    assert clean.strip_alignments
    assert ("tags", "stripped") in clean.signature()


def test_smatchpp_standardises_as_its_paper_does_for_amr() -> None:
    assert dict(PROFILES["smatchpp"].signature()) == {
        "profile": "smatchpp",
        "read": "smatchpp",
        "case": "unquoted",
        "top": "concept",
        "dup": "set",
        "reification": "smatchpp",
        "nothing": "1",
    }
    generic, none = PROFILES["smatchpp-generic"], PROFILES["smatchpp-none"]
    assert (generic.comparison, none.comparison) == ("unquoted", "exact")
    for profile in (generic, none):
        assert (profile.top, profile.duplicates) == ("constant", "multiset")
        assert profile.reader == profile.name
        assert profile.reification == "keep"


@pytest.mark.parametrize(
    ("label", "like"),
    [
        ('"New York"', "new york"),
        ("O'Hara", "ohara"),
        ('"it\'s"', "its"),
        ('""', ""),
        ("boy_", "boy_"),
    ],
)
def test_unquoted_ignores_case_quotes_and_apostrophes(label: str, like: str) -> None:
    assert NORMALISERS["unquoted"](label) == like


def test_every_change_shows_in_the_signature() -> None:
    start = PROFILES["smatch"]
    changes: list[dict[str, Any]] = [
        {"top": "none"},
        {"duplicates": "set"},
        {"wiki": False},
        {"sense": False},
        {"reification": "reify"},
        {"strip_alignments": True},
        {"just": "relation"},
        {"comparison": "exact"},
        {"reader": "penman"},
        {"nothing": 1},
    ]
    signatures = {tuple(start.with_options(**change).signature()) for change in changes}
    assert len(signatures) == len(changes)
    assert all(signature[0] == ("profile", "smatch+") for signature in signatures)


def test_none_changes_nothing() -> None:
    start = PROFILES["clean"]
    assert start.with_options(top=None, wiki=None) == start
    assert start.signature()[0] == ("profile", "clean")


def test_a_misspelt_profile_is_named_and_corrected() -> None:
    assert get_profile("smatch") is PROFILES["smatch"]
    with pytest.raises(InputError, match="'smach'; did you mean 'smatch'"):
        get_profile("smach")
    with pytest.raises(InputError, match=r"unknown profile 'zzz' \(known: smatch"):
        get_profile("zzz")

"""Options that say what counts: the profile, and what changes it."""

from __future__ import annotations

import argparse
from typing import get_args

from exactmatch.cli.lists import Listing
from exactmatch.cli.values import name_in
from exactmatch.graphs.profile import PROFILES, Align

profile_name = name_in(PROFILES)


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add the profile and its composable options."""
    group = parser.add_argument_group("what counts")
    group.add_argument(
        "--profile",
        type=profile_name,
        metavar="NAME",
        help="how graphs are read and triples counted (default: the metric's own; "
        "smatch for Smatch); see 'exactmatch help profiles'",
    )
    group.add_argument(
        "--top",
        choices=("constant", "concept", "none"),
        help="what marks the root: a constant triple, one with its concept, nothing",
    )
    group.add_argument(
        "--duplicates",
        choices=("product", "multiset", "set"),
        help="how repeated triples count: every pair, as often as both have it, once",
    )
    group.add_argument("--no-wiki", action="store_true", help="leave :wiki out")
    group.add_argument(
        "--no-sense", action="store_true", help="compare want-01 and want-02 as want"
    )
    reify = group.add_mutually_exclusive_group()
    reify.add_argument(
        "--reify", action="store_true", help="reify roles, by penman's AMR model"
    )
    reify.add_argument(
        "--dereify", action="store_true", help="undo reifications, by the same model"
    )
    group.add_argument(
        "--strip-alignments",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="remove ~e.N tags (on in clean)",
    )
    just = group.add_mutually_exclusive_group()
    just.add_argument(
        "--just",
        choices=("instance", "attribute", "relation"),
        help="count one kind of triple, re-aligned for it alone",
    )
    add_align(group)
    group.add_argument(
        "--only",
        action=Listing,
        metavar="ROLE,…",
        help="count these roles alone; 'concept' for concepts, 'top' for the mark of "
        "the root, a level such as 'coref' for its document-level triples",
    )
    group.add_argument(
        "--except",
        action=Listing,
        dest="leave_out",
        metavar="ROLE,…",
        help="count all but these",
    )
    add_ignoring(group)
    for kind in ("instance", "attribute", "relation"):
        just.add_argument(
            f"--just{kind}",
            dest="just",
            action="store_const",
            const=kind,
            help=argparse.SUPPRESS,
        )


def add_align(group: argparse._ArgumentGroup) -> None:
    """Add which variables of documents may be aligned."""
    group.add_argument(
        "--align",
        choices=get_args(Align),
        help="which variables of documents may be aligned: any, those of the same "
        "sentence, or of these the ones that share a word (umr, doc-amr)",
    )


def add_ignoring(group: argparse._ArgumentGroup) -> None:
    """Add whether roles that are not annotated are charged."""
    group.add_argument(
        "--ignore-unannotated",
        action="store_true",
        help="do not charge a prediction with roles that the references never have",
    )

"""How the published fine-grained scores read graphs, to the letter.

Both tools rewrite a graph's text before some of their scores: *Unlabeled* replaces
what looks like a role, even inside quotes, and *No WSD* every sense by ``01``.

What only a lenient reader accepts is reported when the unchanged text is read, and not
again for its rewritten forms.

* amrlib (and the "enhanced" tool it follows) reads with smatch 1.0.4, but looks for
  re-entrancies and semantic roles with smatch's first reader, which S²match uses too.
* Damonte's tool reads with a smatch of 2017: that first reader too, but parallel
  relations and repeated attributes are kept; and its Unlabeled forgets directions.

Source: reading facts of amrlib 0.8.1 and mdtux89/amr-evaluation 8bc6b2e.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, no_graph
from exactmatch.formats.dialects.s2match import read_s2match_lines
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.formats.remarks import Reading

Rewrite: TypeAlias = Callable[[str], str]

_ROLE = re.compile(r":[0-9a-zA-Z]*(-of)?")
_ROLE_AND_DIRECTION = re.compile(r":[a-zA-Z0-9-]*")
_SENSE = re.compile(r"(/ [a-zA-Z0-9-]+)-[0-9]+")


def unlabeled(text: str) -> str:
    """Replace roles by ``:label``, keeping ``-of``.

    A role ends at its first hyphen: ``:prep-on-behalf-of`` becomes
    ``:label-on-behalf-of``.
    """
    return _ROLE.sub(lambda match: f":label{match[1] or ''}", text)


def unlabeled_undirected(text: str) -> str:
    """Replace roles by ``:label``, their ``-of`` included."""
    return _ROLE_AND_DIRECTION.sub(":label", text)


def unsensed(text: str) -> str:
    """Give every concept that ends in a number the number 01."""
    return _SENSE.sub(r"\1-01", text)


def read_amrlib(block: Block) -> Reading:
    """Read as smatch 1.0.4 does, lines joined by a blank."""
    return _with_smatch(block, "amrlib", _unchanged)


def read_amrlib_unlabeled(block: Block) -> Reading:
    """Read what amrlib's Unlabeled scores."""
    return _again(_with_smatch(block, "amrlib-unlabeled", unlabeled))


def read_amrlib_unsensed(block: Block) -> Reading:
    """Read what amrlib's No WSD scores."""
    return _again(_with_smatch(block, "amrlib-unsensed", unsensed))


def read_amrlib_early(block: Block) -> Reading:
    """Read as amrlib does for its scores of re-entrancies and semantic roles."""
    return _again(_early(block, "amrlib-early", _unchanged, collapse=True))


def read_damonte(block: Block) -> Reading:
    """Read as Damonte's tool does."""
    return _early(block, "damonte", _unchanged, collapse=False)


def read_damonte_unlabeled(block: Block) -> Reading:
    """Read what Damonte's Unlabeled scores."""
    rewrite = unlabeled_undirected
    return _again(_early(block, "damonte-unlabeled", rewrite, collapse=False))


def read_damonte_unsensed(block: Block) -> Reading:
    """Read what Damonte's No WSD scores."""
    return _again(_early(block, "damonte-unsensed", unsensed, collapse=False))


def _again(reading: Reading) -> Reading:
    """Drop the remarks about a rewritten text; they were made about the original."""
    return Reading(reading.graph)


def _unchanged(text: str) -> str:
    return text


def _text(block: Block, rewrite: Rewrite) -> str:
    """A block's text on one line, single-spaced and rewritten."""
    if not block.content:
        raise no_graph(block)
    joined = " ".join(block.content).replace("\t", " ")
    return rewrite(re.sub(" +", " ", joined))


def _with_smatch(block: Block, reader: str, rewrite: Rewrite) -> Reading:
    return read_smatch(replace(block, content=(_text(block, rewrite),)), reader)


def _early(block: Block, reader: str, rewrite: Rewrite, *, collapse: bool) -> Reading:
    origin = block.origin()
    lines = [(0, _text(block, rewrite))]
    metadata = block.metadata()
    try:
        return read_s2match_lines(
            lines, origin, metadata, collapse=collapse, reader=reader
        )
    except GraphError as error:
        raise origin.error(error.reason) from None

"""The reading of the published fine-grained scores, to the letter.

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
from functools import partial
from typing import TypeAlias

from exactmatch.formats.blocks import Block, no_graph
from exactmatch.formats.dialects.s2match import read_s2match
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


def _read(
    block: Block, reader: str, rewrite: Rewrite = str, *, early: bool = False
) -> Reading:
    """Read a block whose lines are joined by a blank, single-spaced and rewritten.

    Args:
        rewrite: what the tool does with the text.
        early: whether it is read as smatch's first reader does, not as smatch 1.0.4.
    """
    if not block.content:
        raise no_graph(block)
    joined = " ".join(block.content).replace("\t", " ")
    content = (rewrite(re.sub(" +", " ", joined)),)
    if early:
        collapse = not reader.startswith("damonte")
        reading = read_s2match(block, reader, content=content, collapse=collapse)
    else:
        reading = read_smatch(replace(block, content=content), reader)
    if reader in ("amrlib", "damonte"):
        return reading
    return Reading(reading.graph)


read_amrlib = partial(_read, reader="amrlib")
read_amrlib_unlabeled = partial(_read, reader="amrlib-unlabeled", rewrite=unlabeled)
read_amrlib_unsensed = partial(_read, reader="amrlib-unsensed", rewrite=unsensed)
read_amrlib_early = partial(_read, reader="amrlib-early", early=True)
read_damonte = partial(_read, reader="damonte", early=True)
read_damonte_unlabeled = partial(
    _read, reader="damonte-unlabeled", rewrite=unlabeled_undirected, early=True
)
read_damonte_unsensed = partial(
    _read, reader="damonte-unsensed", rewrite=unsensed, early=True
)

"""Checksums of graphs and sentences: equal contents have equal ones."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.formats.blocks import Block
from exactmatch.graphs.graph import Graph


def content_of(item: Any) -> bytes:
    """All of an item that any metric may look at, as bytes.

    Names of variables and comments belong to it, the place in a file does not.

    Args:
        item: a block of a file that has not been read; or a graph or sentence.
    """
    if isinstance(item, Block):
        known = None if item.known is None else sorted(item.known.items())
        return repr((item.format, known, item.lines)).encode()
    if isinstance(item, Graph):
        triples = (item.instances, item.attributes, item.relations, item.top)
        comments = sorted(item.metadata.items())
        words = (item.variables, item.labels, comments, item.document)
        return repr((triples, words)).encode()
    return item.encode() if isinstance(item, str) else pickle.dumps(item)


class Digest:
    """A checksum of everything that passes by.

    Args:
        secret: of at most 64 bytes; nobody can make the checksum without it.
    """

    def __init__(self, secret: bytes = b"") -> None:
        self._found = hashlib.blake2b(digest_size=16, key=secret)

    def watch(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield items on, and add them to the checksum."""
        for item in items:
            self.add(content_of(item))
            yield item
        self.add(b"end")

    def add(self, content: bytes) -> None:
        """Add one content, so that where it ends makes a difference."""
        self._found.update(len(content).to_bytes(8, "big") + content)

    def checksum(self) -> bytes:
        """The checksum of what has passed so far."""
        return self._found.digest()

    def text(self) -> str:
        """Return the checksum in hexadecimal digits."""
        return self._found.hexdigest()

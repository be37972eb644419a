"""What a file holds, told from how it begins.

A file that is not what a reader expects is named for what it is, before anything is
counted or read: its blank lines would otherwise cut it into blocks that look like
graphs that are broken.
"""

from __future__ import annotations

import json
import re

PACKED = {
    b"PK\x03\x04": ("a zip archive", "unpack it"),
    b"BZh": ("packed with bzip2", "unpack it, for example with bunzip2"),
    b"\xfd7zXZ\x00": ("packed with xz", "unpack it, for example with unxz"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "unpack it, for example with unzstd"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"\xff\xfe": ("UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"),
    b"\xfe\xff": ("UTF-16", "convert it, for example with iconv -f UTF-16 -t UTF-8"),
    b"%PDF": ("a PDF", "give the graphs as text"),
}
"""How files begin that are no text in UTF-8: what they are, and what to do."""

GZIP = b"\x1f\x8b"

HEAD = 2**16
"""How many bytes of a file tell what it is."""

_UMR = re.compile(
    r"^#\s*(?:sentence level graph|document level annotation|alignment)\s*:",
    re.MULTILINE | re.IGNORECASE,
)
_MRP_KEYS = {"framework", "flavor", "tops", "nodes", "edges"}


def packed(head: bytes) -> tuple[str, str] | None:
    """What a file is that is no text in UTF-8, and what to do about it."""
    for magic, found in PACKED.items():
        if head.startswith(magic):
            return found
    return None


def looks_like(head: str) -> str | None:
    """The name of the format that a text begins like; ``None`` for PENMAN or others.

    Args:
        head: the beginning of the text, which may end anywhere.
    """
    begun = head.lstrip()
    if begun.startswith("<"):
        return "XML"
    if begun.startswith(("{", "[")):
        return _kind_of_json(begun)
    if _UMR.search(head):
        return "UMR"
    return None


def _kind_of_json(text: str) -> str | None:
    """Which JSON it is; a line that is no JSON may yet be a graph."""
    line = text.partition("\n")[0]
    try:
        found = json.loads(line)
    except ValueError:
        keys = set(re.findall(r'"(\w+)"\s*:', line))
        return "MRP" if len(_MRP_KEYS & keys) > 1 else "JSON" if keys else None
    if isinstance(found, dict) and len(_MRP_KEYS & found.keys()) > 1:
        return "MRP"
    return "JSON"

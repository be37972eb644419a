"""Collections: XML files that list the files of a set, as the IAM databases do.

``<print file="a.gxl" class="A"/>`` is one entry of such a file (``.cxl``).  As it opens
files, only a file that the user named can be one: no text, no answer of a model and no
listed file lists others.  What it lists are plain names of regular files beside it.

Source: Riesen and Bunke (2008), "IAM graph database repository".
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from exactmatch.base.errors import InputError, shortened
from exactmatch.base.inputs import max_bytes
from exactmatch.formats.xml_text import local_name, parsed_xml

MAX_LISTED = 100_000
"""The most files that a collection lists."""

_MAX_RATIO = 1032
"""The most bytes that one byte of a gzip file can stand for (deflate's own limit)."""

_TAG = b"GraphCollection"


def is_collection(head: bytes) -> bool:
    """Tell whether a file that begins so may be a collection."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<" and _TAG in head


def files_listed(text: str, path: str) -> list[str] | None:
    """Return the paths of the files that a collection lists, in its order.

    Args:
        text: the text of the file.
        path: the file, beside which the listed ones lie.

    Returns:
        The paths; ``None`` if the root of the XML is not a collection.

    Raises:
        InputError: if it lists nothing, too much, or anything else than plain names of
            regular files beside it.
    """
    root = parsed_xml(text, path)
    if local_name(root) != _TAG.decode():
        return None
    names = [name for entry in root.iter() if (name := entry.get("file"))]
    if not names:
        raise InputError(f"{path}: lists no file; a collection has <print file=…/>")
    if len(names) > MAX_LISTED:
        raise InputError(
            f"{path}: lists {len(names):,} files; a collection lists at most "
            f"{MAX_LISTED:,}, so cut it into several"
        )
    folder = os.path.dirname(path)
    sizes = {name: _size(os.path.join(folder, name), name, path) for name in {*names}}
    _check_repeated(names, sizes, path)
    return [os.path.join(folder, name) for name in names]


def _size(file: str, name: str, path: str) -> int:
    """Return the size of a listed file, if it may be opened."""
    shown = shortened(repr(name))
    if name in (".", "..") or any(sign in name for sign in "/\\:\0"):
        raise InputError(
            f"{path}: lists {shown}, which is not a plain name; the files of a "
            "collection lie beside it"
        )
    try:
        facts = os.lstat(file)
    except (OSError, ValueError):
        why = f"lists {name}, and there is no such file beside it"
        raise InputError(f"{path}: {why}") from None
    if not stat.S_ISREG(facts.st_mode):
        why = f"lists {shown}, which is a link, a folder or a device and not a file"
        raise InputError(f"{path}: {why}")
    return facts.st_size * (_MAX_RATIO if name.endswith(".gz") else 1)


def _check_repeated(names: Sequence[str], sizes: dict[str, int], path: str) -> None:
    """Refuse a short list that stands for very much by naming files repeatedly."""
    limit = max_bytes()
    if sum(sizes[name] for name in names) - sum(sizes.values()) > limit:
        raise InputError(
            f"{path}: lists the same files again and again, more than {limit:,} bytes "
            "of them; raise --max-bytes, or list each once"
        )

"""Public test sets by name: addresses, licences, and how to fetch them.

A set is a line in :data:`SETS`.  No set is part of this project: on request it is
fetched from its own address, kept in the user's cache folder, and named ``@NAME``
wherever a file can be named; one of several files is ``@NAME/FILE``.  A set whose
licence forbids that is only listed with its address.

Every download is checked against its published checksum.  Where none was published, the
checksum of the download is shown and recorded, so that two people can compare theirs.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from exactmatch.base.errors import InputError, suggestion
from exactmatch.base.files import cache_root, write_bytes
from exactmatch.base.version import __version__

_NO_LICENCE = "none stated; ask its authors before you pass it on"
_ISI = "https://amr.isi.edu/download"
_GITHUB = "https://raw.githubusercontent.com"
_MOST = 2**28
"""The most bytes of a download; the largest set has 30 megabytes."""

_PATIENCE = 60.0
"""Seconds to wait for a server's next byte before giving up."""


class SetSource(NamedTuple):
    """File of a set.

    Attributes:
        name: its name in the set.
        url: its address.
        sha256: its checksum; empty if none was published.
        members: of an archive, the folder whose files are taken.
    """

    name: str
    url: str
    sha256: str = ""
    members: str = ""


class PublicSet(NamedTuple):
    """Public test set.

    Attributes:
        name: its name here.
        title: a description of its content.
        licence: its terms.
        home: the page about it.
        sources: its files; none if the licence forbids to fetch them.
        commit: the version, if its address names one.
    """

    name: str
    title: str
    licence: str
    home: str
    sources: tuple[SetSource, ...] = ()
    commit: str = ""


def _isi(name: str, title: str, path: str) -> PublicSet:
    source = SetSource(f"{name}.amr", f"{_ISI}/{path}")
    return PublicSet(name, title, _NO_LICENCE, f"{_ISI}.html", (source,))


def _github(
    name: str, title: str, version: str, files: Iterable[tuple[str, str, str]]
) -> PublicSet:
    """Return a set of files of a repository ``OWNER/NAME@COMMIT``.

    The files are triples of name, path and checksum.
    """
    repository, _, commit = version.partition("@")
    raw = f"{_GITHUB}/{repository}/{commit}"
    sources = (
        SetSource(file_name, f"{raw}/{path}", sha) for file_name, path, sha in files
    )
    home = f"https://github.com/{repository}"
    return PublicSet(name, title, _NO_LICENCE, home, tuple(sources), commit)


def _bamboo(name: str, kind: str, *files: str) -> PublicSet:
    """Return a part of BAMBOO; each path of a file is followed by its checksum."""
    title = f"BAMBOO: parsed {kind}, with human similarity"
    version = "flipz357/bamboo-amr-benchmark@bcfb55dcc814d27caa3f73b31b31ee2003cd310b"
    pairs = zip(files[::2], files[1::2], strict=True)
    named = ((PurePosixPath(path).name, path, sha) for path, sha in pairs)
    return _github(name, title, version, named)


def _all() -> Iterator[PublicSet]:
    prince = "The Little Prince, AMR bank"
    yield _isi("lp-1.6", f"{prince} 1.6", "amr-bank-struct-v1.6.txt")
    yield _isi("lp-3.0", f"{prince} 3.0", "amr-bank-struct-v3.0.txt")
    for part in ("training", "dev", "test"):
        path = f"amr-bank-struct-v1.6-{part}.txt"
        yield _isi(f"lp-1.6-{part}", f"{prince} 1.6, {part}", path)
    path = "2018-01-25/amr-release-bio-v3.0.txt"
    yield _isi("bio-3.0", "Bio AMR 3.0, sentences of biomedical papers", path)
    names = ("parsed.amr", "gold.amr", "preference.txt")
    paths = ("abparser/src.test.amr", "abparser/tgt.test.amr", "LABEL.txt")
    checksums = (
        "408394e618fbc7a2f93b340082dac6f492ffa4660c0f124dea0a0b35b223a63d",
        "c641ba3c76ed1f24a2665f6137ff1bc45b2e128474eb2e081f1034451bb90d66",
        "9d277283da592cf2c33c66604c54e01b808cf54f0b6c27cedddb5b0f8e8a360b",
    )
    yield _github(
        "lp-parses",
        "200 sentences of the Little Prince, two parses each, gold and judgement",
        "Heidelberg-NLP/AMRParseEval@6b9e7379362c2d30c1fccce50bcfbc6449dadcbb",
        zip(names, (f"qualitylp/{path}" for path in paths), checksums, strict=True),
    )
    yield _bamboo(
        "bamboo-para-test",
        "paraphrases (PARA)",
        "para/main/src.test.amr",
        "63e52edbb78100c4427ed35b6fb26d2670f1bf39ba01b8436e78ede9c6aa2999",
        "para/main/tgt.test.amr",
        "1df6da2ff01c66faf0e7aeaf3fc9f8e40e45cd1501a6dfb32c862f442d51530d",
        "para/test.y",
        "25a1ef752566c0926ac387bd41ee392031fb2e59ca294ee86f579e15fa8f8939",
    )
    yield _bamboo(
        "bamboo-sts-dev",
        "sentence pairs (STS)",
        "sts/main/src.dev.amr",
        "7d60385cfe82fc8836add874be78aeb12c7c036e73f686e362337a261fc66ae9",
        "sts/main/tgt.dev.amr",
        "38c3d7020335707861c15af48d1befe48b361214ab9cd7d84de53b377f3e9746",
        "sts/dev.y",
        "8241ae0a716438802287f465a461aa88087092dd1e19fe04db454357128997fb",
    )
    umr = "https://github.com/umr4nlp/umr-data"
    archive = f"{umr}/archive/2aaf4b6.zip"
    english = SetSource("english", archive, members="english/umr_data")
    title = "UMR 3.0, the English documents"
    yield PublicSet("umr-3.0-en", title, "CC BY-SA 4.0", umr, (english,), "2aaf4b6")
    dev = SetSource(
        "dev.tsv",
        f"{_GITHUB}/swarnaHub/ExplaGraphs/67ecab1/data/dev.tsv",
        "1b7e069501cf6f2d7f5d98fe6f0950ee8bd9a0f1986054ecb23873854993745a",
    )
    yield PublicSet(
        "explagraphs-dev",
        "ExplaGraphs: explanation graphs as triples, development set",
        "MIT in its repository, CC BY-SA 4.0 on its page",
        "https://explagraphs.github.io",
        (dev,),
        "67ecab1",
    )
    for version, number in (("2.0", "LDC2017T10"), ("3.0", "LDC2020T02")):
        yield PublicSet(
            f"amr-{version}",
            f"AMR Annotation Release {version}",
            "LDC user agreement: only the LDC provides it",
            f"https://catalog.ldc.upenn.edu/{number}",
        )


SETS: Mapping[str, PublicSet] = MappingProxyType({each.name: each for each in _all()})
"""Every set by name."""

RECORD = "fetched.json"
"""The file beside a set's files that records their addresses and checksums."""


def public_set(name: str) -> PublicSet:
    """Return the set of a name, which may begin with ``@``.

    Raises:
        InputError: if there is none; the message suggests one.
    """
    chosen = SETS.get(name.removeprefix("@"))
    if chosen is None:
        meant = suggestion(name.removeprefix("@"), list(SETS))
        raise InputError(
            f"no test set is called {name!r}{meant} (see 'exactmatch data list')"
        )
    return chosen


def folder_of(chosen: PublicSet) -> Path:
    """Return the folder of a set, fetched or not."""
    return cache_root() / "data" / chosen.name


def is_here(chosen: PublicSet) -> bool:
    """Return whether a set was fetched completely."""
    return (folder_of(chosen) / RECORD).is_file()


def path_of(text: str) -> str:
    """Return the path for ``@NAME`` or ``@NAME/FILE``; other texts are unchanged.

    A set with one file stands for this file, one with several for its folder.  An
    existing file of that name comes first.

    Raises:
        InputError: if there is no such set or file, or it was not fetched yet.
    """
    if not text.startswith("@") or os.path.exists(text):
        return text
    name, _, file = text[1:].partition("/")
    chosen = public_set(name)
    folder = folder_of(chosen)
    if not chosen.sources:
        raise InputError(
            f"{text} cannot be fetched ({chosen.licence}); see {chosen.home}"
        )
    if not is_here(chosen):
        raise InputError(
            f"{text} is not here yet; 'exactmatch data get {name}' fetches it"
        )
    names = [source.name for source in chosen.sources]
    if not file:
        return str(folder / names[0] if len(names) == 1 else folder)
    if file not in names:
        raise InputError(
            f"@{name} has no file {file!r}{suggestion(file, names)} (known: "
            f"{', '.join(names)})"
        )
    return str(folder / file)


def fetch(chosen: PublicSet, notify: Callable[[str], None]) -> Path:
    """Fetch a set's files, check them, and keep them.

    Args:
        chosen: the set, which has files.
        notify: is called with a sentence for each file: its name, size and checksum.

    Returns:
        The folder.

    Raises:
        InputError: if a server does not answer, or a checksum differs; nothing is kept
            then.
    """
    place = folder_of(chosen)
    with suppress(FileNotFoundError):
        (place / RECORD).unlink()
    record = []
    for source in chosen.sources:
        content = _downloaded(source.url)
        digest = hashlib.sha256(content).hexdigest()
        if source.sha256 and digest != source.sha256:
            raise InputError(
                f"{source.url}: has the checksum {digest}, not {source.sha256}; the "
                "file was changed or damaged, and is not kept"
            )
        state = "as promised" if source.sha256 else "none was promised"
        notify(f"{source.name}: {len(content):,} bytes, sha256 {digest} ({state})")
        for path, text in _files(source, content):
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(target, text)
        record.append({"name": source.name, "url": source.url, "sha256": digest})
    done = {"set": chosen.name, "licence": chosen.licence, "files": record}
    write_bytes(place / RECORD, (json.dumps(done, indent=2) + "\n").encode())
    return place


def _downloaded(url: str) -> bytes:
    """Download the content of an address.

    Raises:
        InputError: if the server does not answer, refuses, breaks off or sends more
            than it may.
    """
    agent = {"User-Agent": f"exactmatch/{__version__}"}
    request = urllib.request.Request(url, headers=agent)
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            promised = answer.headers.get("Content-Length")
            content: bytes = answer.read(_MOST + 1)
    except urllib.error.HTTPError as error:
        raise InputError(f"{url}: the server answers {error.code}") from None
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise InputError(f"{url}: cannot be fetched: {reason}") from None
    size = len(content)
    if size > _MOST:
        raise InputError(f"{url}: is larger than {_MOST:,} bytes")
    if promised is not None and promised.isdecimal() and int(promised) != size:
        raise InputError(f"{url}: broke off after {size:,} of {promised} bytes")
    return content


def _files(source: SetSource, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the files to keep: the download, or an archive's files.

    Raises:
        InputError: if the archive is broken or has no such folder.
    """
    if not source.members:
        yield source.name, content
        return
    folder = PurePosixPath(source.members).parts
    count = 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                parts = PurePosixPath(entry.filename).parts[1:]  # below the root
                inside = parts[len(folder) :]
                if entry.is_dir() or parts[: len(folder)] != folder or len(inside) != 1:
                    continue
                if entry.file_size > _MOST or inside[0] in (".", ".."):
                    raise InputError(
                        f"{source.url}: holds {entry.filename!r}, which is too large "
                        "or has no proper name; nothing is kept"
                    )
                count += 1
                yield f"{source.name}/{inside[0]}", archive.read(entry)
    except zipfile.BadZipFile as error:
        raise InputError(f"{source.url}: is not an archive: {error}") from None
    if not count:
        raise InputError(f"{source.url}: has no folder {source.members!r}")

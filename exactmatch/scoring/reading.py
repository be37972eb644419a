"""Read whatever stands for a graph or sentence: one policy for all that score.

:func:`read_one` gives an empty graph with the error for what cannot be read, and
remarks about what only a reader's leniency can read.  Where there is a report, the
error is raised or counted as the settings say, and the report holds the remarks; where
there is none, :func:`read_item` raises and warns.  Equal contents have equal checksums.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.base.errors import GraphError, InputError, warn_caller
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import Format
from exactmatch.formats.reading import Answers, Extract
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import GraphMetric, Metric, ReadItem
from exactmatch.scoring.sources import is_missing


def read_one(metric: Metric, given: Any, strict: bool = False) -> ReadItem:
    """Read what a metric compares: a block of a file, or whatever stands for a graph.

    Where *strict*, what only a reader's leniency can read is unreadable.  What is empty
    comes in the place of what cannot be read, with the error.
    """
    is_block = isinstance(given, Block)
    try:
        if not is_block:
            given = given.as_py() if hasattr(given, "as_py") else given  # of pyarrow
            if is_missing(given):
                raise InputError(f"a graph is missing: its value is {given}")
        read = metric.read(given)
    except InputError as error:
        if is_block and not isinstance(error, GraphError):
            raise
        return ReadItem(metric.empty, error=error)
    if strict and read.lenient:
        return ReadItem(metric.empty, error=read.lenient[0])
    if strict and is_block and given.faults:
        reason = f"is {', '.join(given.faults)}"
        return ReadItem(metric.empty, error=given.origin().error(reason))
    return read


def taken_out(metric: Metric, given: Any, extract: Extract | None) -> Any:
    """Return the block of the graph in an answer that is a text in memory."""
    is_text = metric.reads == "graph" and isinstance(given, str)
    if extract in (None, "off") or not is_text:
        return given
    from exactmatch.formats.machine.answers import answer

    return answer(given, 1, None, None, Answers(extract=extract))


def read_item(metric: Metric, given: Any) -> Any:
    """Read what a metric compares, for a caller who hears errors and warnings."""
    read = read_one(metric, given)
    if read.error is not None:
        raise read.error
    for remark in read.remarks():
        warn_caller(remark)
    return read.item


def faults_of(metric: Metric, given: Any, read: ReadItem) -> tuple[str, ...]:
    """List the faults of a prediction that no careful reader would take, by kind."""
    if isinstance(given, Block) and given.faults:
        return given.faults
    is_faulty = read.error is not None or read.lenient or is_missing(given)
    if metric.reads != "graph" or not is_faulty:
        return ()
    from exactmatch.formats import faults

    if is_missing(given):
        return (faults.MISSING,)
    if isinstance(given, Block) and given.format is None:
        given = "\n".join(given.lines)
    return (isinstance(given, str) and faults.faults_of(given)) or (faults.OTHER,)


def profile_remarks(
    formats: Iterable[Format], metrics: Iterable[Metric]
) -> Iterator[str]:
    """Remark on formats with a profile of their own where another one counts."""
    wanted = {one.name: one.profile for one in formats if one.profile}
    for name, profile in wanted.items():
        names = [
            metric.name
            for metric in metrics
            if isinstance(metric, GraphMetric)
            and metric.profile.name != profile
            and profile in metric.profiles
        ]
        if names:
            yield (
                f"{', '.join(names)}: graphs in format {name} are counted as AMR's "
                f"are; --profile {profile} counts them by their own rules"
            )


def content_of(item: Any) -> bytes:
    """All of a block, graph or sentence that any metric may look at, as bytes.

    Names of variables and comments belong to it, the place in a file does not.
    """
    if isinstance(item, Block):
        known = None if item.known is None else sorted(item.known.items())
        return repr((item.format, known, item.lines)).encode()
    if isinstance(item, Graph):
        triples = (item.instances, item.attributes, item.relations, item.top)
        comments = sorted(item.metadata.items())
        words = (item.variables, item.labels, comments, item.document)
        return repr((triples, words)).encode()
    if isinstance(item, str):
        return item.encode()
    import pickle

    return pickle.dumps(item)


class Digest:
    """A checksum of all that passes by, which nobody can make without the secret."""

    def __init__(self, secret: bytes = b"") -> None:
        import hashlib  # which takes longer to load than a small corpus to score

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

"""Read whatever stands for a graph or sentence, in the same way wherever one scores.

:func:`read_one` returns an empty graph with the error for what cannot be read, and
remarks on what only a lenient reader takes.  Where there is a report, the settings
decide whether the error is raised or counted, and the report holds the remarks; where
there is none, :func:`read_item` raises and warns.  Equal contents have equal checksums.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from exactmatch.base.deadline import OutOfTimeError, in_reading_time
from exactmatch.base.errors import GraphError, InputError, warn_caller
from exactmatch.base.paths import file_of, path_of, refuse_name
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import Format
from exactmatch.formats.pairs import SeveralGraphsError, only_block
from exactmatch.formats.reading import REPAIRED, Answers, Extract
from exactmatch.formats.remarks import is_well_formed
from exactmatch.formats.scored_by import AMR, CLAUSES, MRP, ScoredBy
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import (
    GraphMetric,
    Metric,
    ReadItem,
    names_missed,
)
from exactmatch.scoring.sources import is_missing


def read_one(metric: Metric, item: Any, strict: bool = False) -> ReadItem:
    """Read what a metric compares: a block of a file, or whatever stands for a graph.

    A ``Path`` is a file that holds one; a text is not the name of a file.  For what
    cannot be read, return an empty graph with the error.  If *strict*, a text that only
    a lenient reader takes cannot be read.
    """
    is_block = isinstance(item, Block)
    try:
        if not (is_block or isinstance(item, str)):
            item = item.as_py() if hasattr(item, "as_py") else item  # of pyarrow
            if is_missing(item):
                raise InputError(f"a graph is missing: its value is {item}")
            if (path := path_of(item)) is not None:
                item, is_block = only_block(path, metric.reads == "text"), True
        if isinstance(item, str):
            refuse_name(item)
        name = item.path if is_block else None
        read = in_reading_time(metric.read, item, name)
    except OutOfTimeError:
        raise
    except InputError as error:
        if is_block and not isinstance(error, GraphError):
            raise
        return ReadItem(metric.empty, error=error)
    if strict and read.lenient:
        return ReadItem(metric.empty, error=read.lenient[0])
    if strict and is_block and item.faults:
        reason = f"is {', '.join(item.faults)}"
        return ReadItem(metric.empty, error=item.origin().error(reason))
    return read


def taken_out(metric: Metric, item: Any, extract: Extract | None) -> Any:
    """Return the block of the graph in an answer that is a text in memory.

    A text with a fence is an answer, as it is in a file.
    """
    is_text = metric.reads != "text" and isinstance(item, str)
    if extract is None and is_fenced(item) and metric.reads != "document":
        extract = "repair"
    if extract in (None, "off") or not is_text:
        return item
    if metric.reads == "document":
        from exactmatch.formats.machine.whole_documents import answered

        return answered(item, extract)
    if extract == "all":
        raise InputError(
            "extract='all' splits the answers of files, and a text in memory is one "
            "graph; give extract='repair'"
        )
    from exactmatch.formats.machine.answers import answer

    return answer(item, 1, None, None, Answers(extract=extract))


def is_fenced(item: Any) -> bool:
    """Return whether an item is a text with a fence, and no graph begins it."""
    if not isinstance(item, str) or "```" not in item:
        return False
    return item.lstrip()[:1] not in ("(", "#")


def read_checked(metric: Metric, item: Any) -> ReadItem:
    """Read what a metric compares, or raise the error that makes it unreadable."""
    read = read_one(metric, item)
    if read.error is not None:
        raise read.error
    return read


def read_item(metric: Metric, graph: Any) -> Any:
    """Read what a metric compares; raise errors, and warn the caller of remarks."""
    read = read_checked(metric, taken_out(metric, graph, None))
    for remark in read.remarks():
        warn_caller(remark)
    return read.item


def refuse_whole_files(
    call: str, pred: Any, gold: Any, metric: object = None, end: str = ""
) -> None:
    """Refuse two files of several graphs where one pair is wanted.

    Args:
        call: the function that takes whole files.
        pred, gold: the sides; those that are not files are not looked at.
        metric: the metric, which the function is given if it is a name.
        end: what follows the call.

    Raises:
        InputError: if either file holds several graphs; the message ends with the call.
    """
    if isinstance(pred, str) and pred[:1] == "(":
        return
    files = [file_of(side) for side in (pred, gold)]
    for path in filter(None, files):
        if None in files or not _holds_several(path):
            continue
        arguments = [f"Path({one!r})" for one in files]
        arguments += [f"metric={metric!r}"] * isinstance(metric, str)
        raise InputError(
            f"{path}: holds several graphs, and one pair is scored here; for whole "
            f"files: {call}({', '.join(arguments)}){end}"
        )


def _holds_several(path: str) -> bool:
    """Return whether a file can be read and holds several graphs."""
    try:
        only_block(path)
    except SeveralGraphsError:
        return True
    except InputError:
        return False
    return False


def missed_names(metric: Metric, items: Iterable[Any]) -> Iterable[str]:
    """Return remarks on names in the metric's options that no item has."""
    if not metric.chooses_names:
        return ()
    return names_missed([metric], set().union(*map(metric.names_in, items)))


def faults_of(metric: Metric, item: Any, read: ReadItem) -> tuple[str, ...]:
    """Return the kinds of faults of a prediction that a careful reader would refuse."""
    if isinstance(item, Block) and item.faults:
        return item.faults
    is_broken = not is_well_formed(remark.reason for remark in read.lenient)
    is_faulty = read.error is not None or is_broken or is_missing(item)
    if metric.reads != "graph" or not is_faulty:
        return ()
    from exactmatch.formats import faults

    if is_missing(item):
        return (faults.MISSING,)
    if isinstance(item, Block) and item.format is None:
        item = "\n".join(item.lines)
    return (isinstance(item, str) and faults.faults_of(item)) or (faults.OTHER,)


def is_taken_out(kinds: Collection[str]) -> bool:
    """Return whether a well-formed graph was taken out of what stands around it."""
    if REPAIRED not in kinds:
        return False
    from exactmatch.formats.faults import AROUND

    return (AROUND | {REPAIRED}).issuperset(kinds)


def counts_as_amr(metric: Metric, profile: str) -> bool:
    """Return whether a metric knows a profile, and counts under another one."""
    return (
        isinstance(metric, GraphMetric)
        and metric.profile.name != profile
        and profile in metric.profiles
    )


def profile_remarks(
    formats: Iterable[Format], metrics: Iterable[Metric]
) -> Iterator[str]:
    """Remark on formats with rules of their own where those of AMR count."""
    formats, metrics = list(formats), list(metrics)
    ways = {f.name: f.scored_by for f in formats if isinstance(f.scored_by, ScoredBy)}
    for name, way in ways.items():
        names = [metric.name for metric in metrics if metric.name == AMR.metric]
        if way in (CLAUSES, MRP) and names:
            yield (
                f"{', '.join(names)}: graphs in format {name} are counted as AMR's "
                f"are; --metric {way.metric} counts them by their own rules"
            )
    profiles = {name: way.profile for name, way in ways.items()}
    for name, profile in profiles.items():
        if profile is None:
            continue
        names = [metric.name for metric in metrics if counts_as_amr(metric, profile)]
        if names:
            yield (
                f"{', '.join(names)}: graphs in format {name} are counted as AMR's "
                f"are; --profile {profile} counts them by their own rules"
            )


def content_of(item: Any) -> bytes:
    """Return everything in a block, graph or sentence that a metric may use, as bytes.

    Names of variables and comments are included, the place in a file is not.
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
    """Keyed BLAKE2b checksum over a stream of items."""

    def __init__(self, secret: bytes = b"") -> None:
        import hashlib  # which takes longer to load than a small corpus to score

        self._hash = hashlib.blake2b(digest_size=16, key=secret)

    def watch(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield items on, and add them to the checksum."""
        for item in items:
            self.add(content_of(item))
            yield item
        self.add(b"end")

    def add(self, content: bytes) -> None:
        """Add one content with its length, so that its end makes a difference."""
        self._hash.update(len(content).to_bytes(8, "big") + content)

    def checksum(self) -> bytes:
        """Return the checksum of what has passed so far."""
        return self._hash.digest()


def is_of_several(kinds: Collection[str]) -> bool:
    """Return whether an answer held several graphs, of which one was taken out."""
    from exactmatch.formats.faults import SEVERAL

    return SEVERAL in kinds

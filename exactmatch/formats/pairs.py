"""Pair the graphs of two or more sources, by position or by ``# ::id``.

Pairing by position never looks at ids, but ids that differ at a position are
reported.  Pairing by id follows the references' order; a duplicated, missing or
unmatched id is an error, unless the caller asked to go on without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, zip_longest
from typing import Any, Literal, TypeAlias, get_args

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import several
from exactmatch.base.records import NamedTuple, dataclass
from exactmatch.formats.block import Metadata
from exactmatch.formats.blocks import (
    Block,
    count_blocks,
    has_fences,
    read_blocks,
    read_lines,
    refuse_both_columns,
    refuse_idle_field,
)
from exactmatch.formats.files import (
    expand,
    file_key,
    is_dataset,
    is_read_once,
    named,
)
from exactmatch.formats.reading import Answers, HowRead, of_file

_Key: TypeAlias = tuple[str | None, str | None]
"""What a graph is paired by: its framework, if it has one, and its id."""
OnError: TypeAlias = Literal["raise", "skip", "empty"]


def error_action(value: str) -> OnError:
    """Read the action for graphs that cannot be read; ``fail`` is a synonym of raise.

    Raises:
        ValueError: if it is another word.
    """
    for known_action in get_args(OnError):
        if value == known_action or (value, known_action) == ("fail", "raise"):
            action: OnError = known_action
            return action
    raise ValueError(f"{value!r} is not one of {', '.join(get_args(OnError))}")


Warn: TypeAlias = Callable[[str, str], None]
"""Called with the kind of a warning, by which warnings are counted, and its text."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A pair that was left out, or scored with an empty graph in a bad one's place.

    Attributes:
        index: the pair's number, from 0.
        id: its id, if it has one.
        reason: what is wrong, with file and line.
        action: ``skipped``, or ``empty`` for an empty graph in its place.
        metrics: the metrics that leave the pair out; empty if all of them do.
    """

    index: int
    id: str | None
    reason: str
    action: Literal["skipped", "empty"]
    metrics: tuple[str, ...] = ()

    def concerns(self, metric: str) -> bool:
        """Return whether the metric of that name leaves the pair out."""
        return not self.metrics or metric in self.metrics

    def record(self) -> dict[str, Any]:
        """Return the omission as plain data, as JSON has it."""
        return {
            "index": self.index,
            "id": self.id,
            "reason": self.reason,
            "action": self.action,
            "metrics": [*self.metrics],
        }

    def __str__(self) -> str:
        under = f" under {', '.join(self.metrics)}" if self.metrics else ""
        return f"{self.action}{under}: {self.reason}"


class UnreadPair(NamedTuple):
    """A pair that is not read yet: blocks of files, or a caller's objects.

    Attributes:
        index: the pair's number, from 0.
        id: the reference's ``# ::id``, or the prediction's.
        pred: the prediction; ``None`` where it is missing.
        golds: its references, one from each source of references.
        reason: why a side is missing.
        numbers: a number for the prediction and each reference, the same wherever the
            same object is given, so that it is read once; empty if that is not known.
        done: the numbers that no later pair has, so that their graphs can be dropped.
    """

    index: int  # type: ignore[assignment]  # a tuple's method, of no use here
    id: str | None
    pred: Any
    golds: tuple[Any, ...]
    reason: str | None = None
    numbers: tuple[int, ...] = ()
    done: tuple[int, ...] = ()


class Pairer:
    """Rules by which blocks are paired.

    Args:
        by_id: pair by ``# ::id`` instead of by position.
        on_error: what to do about a block without partner.
        warn: receives warnings.
        omitted: receives references and predictions that no pair could be made of.
        sentences: counts the pairs whose sentences differ, and warns if most do.
    """

    def __init__(
        self,
        by_id: bool = False,
        on_error: OnError = "raise",
        warn: Warn | None = None,
        omitted: list[Omission] | None = None,
        sentences: SentencesSeen | None = None,
    ) -> None:
        self.by_id = by_id
        self.on_error = on_error
        self.warn = warn
        self.omitted = [] if omitted is None else omitted
        self.sentences = sentences
        self.without_id = 0  # how many were left out before any pair was made

    def pairs(
        self, preds: Iterable[Block], golds: tuple[Iterable[Block], ...]
    ) -> Iterator[UnreadPair]:
        """Yield the pairs in order.

        Raises:
            InputError: if the numbers of graphs differ (by position), or an id
                is missing, repeated or without partner (by id).
        """
        sides = (iter(preds), tuple(map(iter, golds)))
        return self._by_id(*sides) if self.by_id else self._by_position(*sides)

    def _by_position(
        self, preds: Iterator[Block], golds: tuple[Iterator[Block], ...]
    ) -> Iterator[UnreadPair]:
        for index, blocks in enumerate(zip_longest(preds, *golds)):
            if not all(blocks):
                counts = [index + (block is not None) for block in blocks]
                rests = [sum(1 for _ in rest) for rest in (preds, *golds)]
                raise unequal([n + m for n, m in zip(counts, rests, strict=True)])
            pred, references = blocks[0], blocks[1:]
            ids = [
                name for block in (*references, pred) if (name := block.id) is not None
            ]
            if len({*ids}) > 1 and self.warn is not None:
                self.warn("ids", different_ids(index + 1, blocks))
            elif len(ids) < len(blocks) or is_mrp(pred):
                self.compare_sentences(index, blocks)
            yield UnreadPair(index, ids[0] if ids else None, pred, references)
        self.say_differences()

    def _by_id(
        self, preds: Iterator[Block], golds: tuple[Iterator[Block], ...]
    ) -> Iterator[UnreadPair]:
        unpaired = self._indexed(preds)
        more_references = [self._indexed(source) for source in golds[1:]]
        first = self._indexed(golds[0])
        self.without_id = len(self.omitted)
        counts = [len(side) for side in (unpaired, first, *more_references)]
        if 0 in counts and any(counts) and not self.omitted:
            raise unequal(counts)
        for index, (key, block) in enumerate(first.items()):
            references = [
                block,
                *(indexed.pop(key, None) for indexed in more_references),
            ]
            if key in unpaired and None not in references:
                own = unpaired.pop(key)
                if is_mrp(own):
                    self.compare_sentences(index, [own, *references])
                yield UnreadPair(index, block.id, own, tuple(references))
                continue
            missing_side = "prediction" if key not in unpaired else "second reference"
            reason = self.refuse(_without_partner(block, missing_side))
            pred = unpaired.pop(key, None)
            yield UnreadPair(index, block.id, pred, tuple(references), reason)
        for block in [
            *unpaired.values(),
            *(b for o in more_references for b in o.values()),
        ]:
            self.leave_out(block.id, _without_partner(block, "reference"))
        self.say_differences()

    def compare_sentences(self, index: int, sides: Sequence[Any]) -> None:
        """Compare the sentences of a pair, of which a remark may follow."""
        if self.sentences is not None:
            key = "input" if is_mrp(sides[0]) else "snt"
            known = map(_metadata_of, sides)
            texts = [own.get(key, own.get("snt", "")) for own in known]
            self.sentences.compare(index + 1, texts)

    def say_differences(self) -> None:
        """Warn if the sentences of most pairs differ."""
        if self.warn is None or self.sentences is None:
            return
        if remark := self.sentences.remark():
            self.warn("sentences", remark)

    def refuse(self, error: InputError) -> str:
        """Raise an error, or return what it says if the caller asked to go on."""
        if self.on_error == "raise":
            raise error
        return str(error)

    def leave_out(self, name: str | None, error: InputError) -> None:
        """Note a graph that no pair is made of, or stop at it."""
        self.omitted.append(Omission(-1, name, self.refuse(error), "skipped"))

    def _indexed(self, blocks: Iterable[Block]) -> dict[_Key, Block]:
        by_key: dict[_Key, Block] = {}
        for block in blocks:
            key = block.framework, block.id
            if block.id is None:
                reason = "has no '# ::id' to pair it by (without --by-id, position "
                reason += "pairs graphs)"
            elif key in by_key:
                reason = f"repeats the id of line {by_key[key].content_line()}"
            else:
                by_key[key] = block
                continue
            self.leave_out(block.id, block.origin().error(reason))
        return by_key


def is_mrp(side: Any) -> bool:
    """Return whether a side is a graph of MRP, which has its sentence as ``input``."""
    text = side
    if isinstance(side, Block) and side.known is None:
        text = "".join(side.lines)
    if side is None or (isinstance(text, str) and "::framework" not in text):
        return False  # as nearly all are, found sooner
    return "framework" in _metadata_of(side)


def _metadata_of(side: Any) -> Mapping[str, str]:
    """Return the metadata of a block, or of a graph in memory."""
    if isinstance(side, Block):
        return side.metadata()
    if isinstance(side, str):
        return Metadata(tuple(side.splitlines())) if "::snt" in side else {}
    known = getattr(side, "metadata", getattr(side, "graph", None))
    return known if isinstance(known, Mapping) else {}


class SentencesSeen:
    """Sentences (``# ::snt``) of pairs, where both sides have them.

    Equal ids say that the sentences are equal, except those of MRP, whose graphs have
    ids always.
    """

    def __init__(self, seen: int = 0, different: int = 0, first: int = 0) -> None:
        self.seen, self.different = seen, different
        self.first = first  # position of the first different pair, from 1; 0: none

    def record(self) -> list[int]:
        """Return the counts, and the first position, as plain data."""
        return [self.seen, self.different, self.first]

    def merge(self, other: SentencesSeen, offset: int) -> None:
        """Add the pairs of another part, which are numbered from *offset*."""
        self.seen += other.seen
        self.different += other.different
        if not self.first and other.first:
            self.first = offset + other.first

    def compare(self, position: int, texts: Sequence[str]) -> None:
        """Compare the sentences of a pair by their letters and digits."""
        words = set(map(letters_of, texts))
        if "" not in words:
            self.seen += 1
            if len(words) > 1:
                self.different += 1
                self.first = self.first or position

    def remark(self) -> str:
        """Return a warning if half of the sentences differ, or more."""
        if not self.seen or 2 * self.different < self.seen:
            return ""
        return (
            f"the sentences of {self.different} of "
            f"{several(self.seen, 'pair')} differ, the first at position {self.first}: "
            "are both sides of the same text?"
        )


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, by which sentences are equal.

    >>> letters_of("Don't go, R2!") == letters_of("do n't go , r2 !")
    True
    """
    return "".join(filter(str.isalnum, text)).casefold()


def _without_partner(block: Block, missing_side: str) -> GraphError:
    """Return the error for a graph whose id the other side lacks."""
    reason = f"has no {missing_side} of that id"
    if block.framework is not None:
        reason += f" in framework {block.framework!r}; --framework takes the graphs of "
        reason += "one framework alone"
    return block.origin().error(reason)


def different_ids(position: int, blocks: Sequence[Block]) -> str:
    """Warning about graphs that are paired by position and have different ids."""
    first = blocks[0]
    return (
        f"{first.path or 'input'}:{first.content_line()}: ids differ at position "
        f"{position}: {', '.join(repr(block.id) for block in blocks)}"
    )


def sources(
    paths: Iterable[str],
    text_only: bool = False,
    format_in: HowRead = None,
    framework: str | None = None,
) -> tuple[Iterator[Block], ...]:
    """Open each path as a stream of blocks, read as it is consumed.

    Args:
        text_only: whether files without graphs hold one sentence a line.
    """
    paths = [*paths]
    if not text_only:
        refuse_idle_field(paths, format_in)
        refuse_both_columns(paths[1:], format_in)
    return tuple(
        read_lines(p)
        if text_only
        else read_blocks(p, of_file(format_in, place), framework)
        for place, p in enumerate(paths)
    )


class SeveralGraphsError(InputError):
    """A file holds several graphs, and one is wanted."""


def only_block(
    path: str,
    text_only: bool = False,
    format_in: HowRead = None,
    framework: str | None = None,
) -> Block:
    """Return the block of a file that holds one graph or sentence.

    Raises:
        SeveralGraphsError: if the file holds several.
        InputError: if it cannot be read, or holds none.
    """
    (side,) = sources([path], text_only, format_in, framework)
    blocks = list(islice(side, 2))
    if not blocks:
        raise InputError(f"{named(path)}: holds no graph")
    if len(blocks) > 1:
        raise SeveralGraphsError(
            f"{named(path)}: holds several graphs where one is wanted; score whole "
            "files with exactmatch.evaluate, or take a graph of "
            f"exactmatch.load(Path({path!r}))"
        )
    return blocks[0]


def checked_counts(
    paths: Sequence[str],
    by_id: bool,
    format_in: HowRead = None,
    framework: str | None = None,
) -> int | None:
    """Count the graphs of every source before any is scored.

    Of several folders, files of the same name belong together.

    Args:
        paths: predictions, then references.

    Returns:
        The number of references, or ``None`` if standard input or a pipe is among
        the sources and can be read only once.

    Raises:
        InputError: if graphs are paired by position and the sources hold different
            numbers of them, or if there is no graph at all.
    """
    if any(map(is_read_once, paths)):
        return None
    if not by_id:
        _check_folders(paths, format_in, framework)
    counts = [
        count_blocks(path, of_file(format_in, place), framework)
        for place, path in enumerate(paths)
    ]
    if 0 in counts:
        raise InputError(f"{paths[counts.index(0)]}: holds no graph")
    if not by_id and len(set(counts)) > 1:
        raise unequal(counts, ways_out(paths, format_in, framework))
    return counts[-1]


def _check_folders(
    paths: Sequence[str], format_in: HowRead, framework: str | None
) -> None:
    """Refuse folders if one has a file that another lacks, or one of another length."""
    folders = [
        (path, of_file(format_in, place))
        for place, path in enumerate(paths)
        if os.path.isdir(path) and not is_dataset(path)
    ]
    if len(folders) < 2:
        return
    (first, how), *other_folders = folders
    by_key = {file_key(path): path for path in expand(first)}
    for folder, other_how in other_folders:
        partners = {file_key(path): path for path in expand(folder)}
        without_partner = [
            (by_key[key], folder) for key in sorted(by_key.keys() - partners)
        ]
        without_partner += [
            (partners[key], first) for key in sorted(partners.keys() - by_key)
        ]
        for path, folder_without in without_partner:
            raise InputError(
                f"{path}: {folder_without!r} has no file of that name; files in "
                "folders are paired by name, or with --by-id by the ids of their graphs"
            )
        for key, path in by_key.items():
            both = (path, how), (partners[key], other_how)
            counts = [count_blocks(*one, framework) for one in both]
            if counts[0] != counts[1]:
                raise InputError(f"{path}: {unequal(counts)}")


def unequal(counts: list[int], way_out: str = "pair them with --by-id") -> InputError:
    """Return the error for sources of unequal length; it says what pairs them."""
    pred, *golds = counts
    gold_counts = [several(n, "reference") for n in dict.fromkeys(golds)]
    n_preds = several(pred, "prediction"), " and ".join(gold_counts)
    if 0 in counts:
        return InputError(f"{' but '.join(n_preds)}; one side holds no graph")
    return InputError(f"{' but '.join(n_preds)}; {way_out}")


# ------------------------------------- what pairs files of unequal length


def ways_out(
    paths: Sequence[str], format_in: HowRead = None, framework: str | None = None
) -> str:
    """Return the options that pair the graphs of files; each has been tried."""
    blocks_of = sources(paths, format_in=format_in, framework=framework)
    sides = [list(blocks) for blocks in blocks_of]
    ways = [*_frameworks(sides), *_documents(paths, format_in, framework)]
    ways += [*_fenced(paths, format_in, framework), *_ids(sides)]
    if ways:
        return "; or ".join(ways)
    why, way = "no id is on all sides", "give the graphs of a pair one '# ::id'"
    for path, side in zip(paths, sides, strict=True):
        if n_without_id := sum(block.id is None for block in side):
            why = f"{path} has {several(n_without_id, 'graph')} without '# ::id'"
            way = f"write '# ::id' above each graph of {path}"
            if has_fences(path):
                way = f"write the answers of {path} as rows of JSON with 'id' and "
                way += "'response'"
            break
    reason = f"--by-id cannot pair them either, because {why}{_parting(sides)}"
    return f"{reason}; {way}, and use --by-id --on-error skip"


def _frameworks(sides: Sequence[Sequence[Block]]) -> Iterator[str]:
    """Yield frameworks with equally many graphs, or the same ids, in all files."""
    side_frameworks = [{block.framework for block in side} - {None} for side in sides]
    if len(set().union(*side_frameworks)) < 2:
        return
    for name in sorted(filter(None, set.intersection(*side_frameworks))):
        parts = [[b for b in side if b.framework == name] for side in sides]
        if len({*map(len, parts)}) == 1:
            yield f"--framework {name} finds {several(len(parts[0]), 'pair')}"
        elif by_id := [*_ids(parts)]:
            yield f"--framework {name} {by_id[0]}"


def _documents(
    paths: Sequence[str], format_in: HowRead, framework: str | None
) -> Iterator[str]:
    """Whole files as documents, or sentences each by itself."""
    if not any(path.endswith(".umr") for path in paths):
        return
    for name in ("umr-file", "umr-sentences"):
        if name == format_in:
            continue
        try:
            counts = {count_blocks(path, name, framework) for path in paths}
        except InputError:
            continue
        if len(counts) == 1:
            yield f"--format-in {name} finds {several(counts.pop(), 'pair')}"


def _fenced(
    paths: Sequence[str], format_in: HowRead, framework: str | None
) -> Iterator[str]:
    """Several graphs in the fences of one text."""
    how = format_in if isinstance(format_in, Answers) else Answers(format_in)
    if how.extract == "all" or not any(map(has_fences, paths)):
        return
    with suppress(InputError):
        all_fences = how._replace(extract="all")
        counts = {
            count_blocks(path, of_file(all_fences, place), framework)
            for place, path in enumerate(paths)
        }
        if len(counts) == 1:
            yield f"--extract all finds {several(counts.pop(), 'pair')}"


def _ids(sides: Sequence[Sequence[Block]]) -> Iterator[str]:
    keys = [{(b.framework, b.id) for b in side if b.id is not None} for side in sides]
    if not (shared := set.intersection(*keys)):
        return
    pairs = several(len(shared), "pair")
    if n_unpaired := sum(map(len, sides)) - len(shared) * len(sides):
        graphs = several(n_unpaired, "graph")
        yield f"--by-id --on-error skip finds {pairs} and leaves out {graphs}"
    else:
        yield f"--by-id finds {pairs}"


def _parting(sides: Sequence[Sequence[Block]]) -> str:
    """Return the lines from which the sentences of both sides differ."""
    for blocks in zip(*sides, strict=False):
        texts = {block.metadata().get("snt") for block in blocks}
        if None in texts:
            return ""
        if len(texts) > 1:
            places = (f"{b.path}:{b.content_line()}" for b in blocks)
            return f"; their sentences differ from {' and '.join(places)} on"
    return ""

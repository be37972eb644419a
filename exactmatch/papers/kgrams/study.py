"""Extract the k-grams of graphs in files."""

from __future__ import annotations

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.options import function
from exactmatch.formats.pairs import sources
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.papers.kgrams.kgrams import GraphKgrams, Kgrams, kgrams_of
from exactmatch.papers.kgrams.options import KgramOptions
from exactmatch.scoring.reporter import SILENCE, Listener


def study(asked: KgramOptions, reporter: Listener = SILENCE) -> Kgrams:
    """List the k-grams of graphs: the paths that SemBleu compares.

    Raises:
        InputError: if a file holds no graph, or none can be read.
        GraphError: if one cannot be read, unless it is to be left out.

    >>> from importlib.resources import files
    >>> from exactmatch.papers import list_kgrams
    >>> found = list_kgrams(str(files("exactmatch") / "sample" / "gold.amr"), ngram=2)
    >>> len(found.graphs), found.graphs[0].totals
    (40, (1, 0))
    """
    profile = asked.profile
    if isinstance(profile, str):
        profile = get_profile(profile)
    metric = SemBleu(
        profile, sembleu=asked.sembleu, ngram=asked.ngram, weights=asked.weights
    )
    found: list[GraphKgrams] = []
    seen: set[tuple[str, ...]] = set()
    index = repeated = 0
    streams = sources(asked.files, False, asked.how_read, asked.framework)
    with reporter.progress("extracting", None) as advance:
        for path, stream in zip(asked.files, streams, strict=True):
            before = index
            for block in stream:
                advance()
                known = tuple(block.content) in seen
                seen.add(tuple(block.content))
                repeated += known
                index += 1
                if known and asked.table == "growth" and not asked.keep_repeated:
                    continue
                try:
                    read = metric.read(block)
                except GraphError as error:
                    if asked.on_error != "skip":
                        raise
                    reporter.note(f"skipped: {error}")
                    continue
                for remark in read.remarks():
                    reporter.warn("lenient", remark)
                found.append(kgrams_of(metric, read.item, index - 1))
                if reporter.is_verbose:
                    reporter.note(str(found[-1]))
            if index == before:
                raise InputError(f"{path}: holds no graph")
    if not found:
        raise InputError(f"{', '.join(asked.files)}: no graph to extract k-grams from")
    signature = "|".join(f"{key}:{value}" for key, value in metric.signature())
    return Kgrams(tuple(found), repeated, asked, signature)


list_kgrams = function("list_kgrams", KgramOptions, study)

"""The benchmarks: one line each."""

from __future__ import annotations

from benchmarks.speed.spec import BenchSpec

_PEERS = ("smatch", "smatchpp")

BENCHMARKS: dict[str, BenchSpec] = {
    spec.name: spec
    for spec in (
        BenchSpec(
            "para",
            "PARA test, 1,727 sentence pairs: whole commands, ours and the peers'",
            ("data", *_PEERS),
            "benchmarks.speed.corpora:para",
        ),
        BenchSpec(
            "sts",
            "STS test, 1,380 sentence pairs: whole commands",
            ("data", *_PEERS),
            "benchmarks.speed.corpora:sts",
        ),
        BenchSpec(
            "small",
            "1,500 STS pairs of at most 6 variables a side: whole commands",
            ("data", *_PEERS),
            "benchmarks.speed.corpora:small",
        ),
        BenchSpec(
            "reading",
            "whole commands on PARA test beside penman.decode of the same files",
            ("data",),
            "benchmarks.speed.corpora:reading",
        ),
        BenchSpec(
            "solving",
            "solving alone: the alignment problems of PARA test, by each solver",
            ("data",),
            "benchmarks.speed.solving:run",
        ),
        BenchSpec(
            "all-pairs",
            "all ordered pairs of 200 gold graphs in one Python call",
            ("data",),
            "benchmarks.speed.all_pairs:run",
        ),
        BenchSpec(
            "many",
            "2,000 graphs: cdist, search, ensemble, beside evaluate",
            ("data",),
            "benchmarks.speed.many:run",
        ),
        BenchSpec(
            "banks",
            "search in 5,693 graphs and in 100,000 perturbed ones; consensus",
            ("data", "smatch"),
            "benchmarks.speed.banks:run",
        ),
        BenchSpec(
            "metrics",
            "PARA test under every metric that takes its time: CPU of whole commands",
            ("data",),
            "benchmarks.speed.metrics:metrics",
        ),
        BenchSpec(
            "threads",
            "PARA test in a loop of prepared pairs: one thread and two",
            ("data",),
            "benchmarks.speed.threads:run",
        ),
        BenchSpec(
            "startup",
            "CPU time of --version and of one pair of graphs",
            (),
            "benchmarks.speed.startup:startup",
        ),
        BenchSpec(
            "time-limits",
            "by how much each command exceeds a limit of one second",
            (),
            "benchmarks.speed.time_limits:time_limits",
        ),
        BenchSpec(
            "documents-250",
            "multi-sentence graphs of about 250 variables, beside HiGHS",
            ("data",),
            "benchmarks.speed.document_solving:size_250",
        ),
        BenchSpec(
            "documents-500",
            "multi-sentence graphs of about 500 variables, beside HiGHS",
            ("data",),
            "benchmarks.speed.document_solving:size_500",
        ),
        BenchSpec(
            "documents",
            "multi-sentence graphs of 250 to 2,000 variables in one table",
            ("data",),
            "benchmarks.speed.document_solving:every_size",
        ),
        BenchSpec(
            "umr-documents",
            "Czech and English UMR documents, joined to 1,000 to 14,000 variables",
            ("data", "smatch"),
            "benchmarks.speed.umr_documents:run_every",
        ),
        BenchSpec(
            "growth",
            "seconds a pair against the size of the graphs, 5 to 500 variables",
            ("data", *_PEERS),
            "benchmarks.speed.growth:run",
        ),
        BenchSpec(
            "edit-distance",
            "exact graph edit distance: ours, highs, cpsat and networkx",
            (),
            "benchmarks.speed.edit_distance:run",
        ),
        BenchSpec(
            "edit-matrix",
            "edit distances of small graphs by the thousand, and searches",
            ("data",),
            "benchmarks.speed.edit_matrix:run",
        ),
        BenchSpec(
            "common-subgraphs",
            "common induced subgraphs of random graphs, ours and McSplit's",
            (),
            "benchmarks.speed.common_subgraphs:run",
        ),
        BenchSpec(
            "pages",
            "the error browser: size of its page, and how long a reader waits",
            ("data",),
            "benchmarks.speed.pages:run",
        ),
    )
}
"""Every benchmark by name, in the order in which they are run."""

"""The published tables about AMR metrics again, on graphs that anybody can have.

The papers measured on corpora of the Linguistic Data Consortium, which cannot be
passed on.  Here each table is measured on public graphs, the Little Prince as two
parsers read it and the BAMBOO benchmark, and our number stands beside the
published one.

    python -m benchmarks.papers --data FOLDER            # every table, and the page
    python -m benchmarks.papers opitz-table-3            # one of them

Every reproduction is a function from a :class:`~benchmarks.papers.spec.Setting` to
a :class:`~benchmarks.papers.spec.Finding`; :mod:`benchmarks.papers.registry` lists
them with what differs from the paper.
"""

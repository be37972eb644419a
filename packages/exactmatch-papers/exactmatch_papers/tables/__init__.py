"""The published tables about AMR metrics again, on graphs that anybody can have.

The papers measured on corpora of the Linguistic Data Consortium, which cannot be
passed on.  Here each table is measured on public graphs, the Little Prince as two
parsers read it and the BAMBOO benchmark, and our number stands beside the
published one.

    python -m exactmatch_papers.tables --data FOLDER       # every table, and the page
    python -m exactmatch_papers.tables opitz-table-3       # one of them

Every reproduction is a function from a :class:`~exactmatch_papers.tables.spec.Setting`
to a :class:`~exactmatch_papers.tables.spec.Finding`;
:mod:`exactmatch_papers.tables.registry` lists them with what differs from the paper.
"""

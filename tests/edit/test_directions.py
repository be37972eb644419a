"""An edge that is turned round is another edge, in every format that has directions."""

from __future__ import annotations

import pytest
from support.command import Cli
from support.files import Files

TURNED = {
    "mmd": ("flowchart TD\n  A-->B\n  A-->C\n", "flowchart TD\n  B-->A\n  C-->A\n"),
    "rel": ("p(A, B)\np(A, C)\n", "p(B, A)\np(C, A)\n"),
    "csv": ("subject,relation,object\nA,p,B\n", "subject,relation,object\nB,p,A\n"),
    "tsv": ("A\tp\tB\n", "B\tp\tA\n"),
    "dot": ("digraph { A -> B; A -> C }", "digraph { B -> A; C -> A }"),
    "ttl": (
        "@prefix : <http://x.org/> .\n:A :p :B .\n",
        "@prefix : <http://x.org/> .\n:B :p :A .\n",
    ),
}


@pytest.mark.parametrize("suffix", TURNED)
def test_a_turned_edge_costs(suffix: str, cli: Cli, files: Files) -> None:
    if suffix == "ttl":
        pytest.importorskip("rdflib")
    if suffix == "dot":
        pytest.importorskip("pydot")
    pair = [
        files.one(f"{name}.{suffix}", text)
        for name, text in zip("ab", TURNED[suffix], strict=True)
    ]
    assert float(cli.out("ged", pair[0], pair[0], "-q")) == 0
    assert float(cli.out("ged", *pair, "-q")) > 0


def test_turtle_may_begin_with_a_bracket(cli: Cli, files: Files) -> None:
    pytest.importorskip("rdflib")
    for text in ("[] <urn:p> <urn:o> .", "[ <urn:p> <urn:o> ] <urn:q> <urn:r> ."):
        path = files.one("a.ttl", text)
        assert float(cli.out("ged", path, path, "-q")) == 0

"""Read texts that strangers may write, and see that time is linear in their size.

``python -m benchmarks.reading_time`` reads each known attack, and texts of a format's
own tokens in random order that are repeated, at 50 and at 100 kB: in CPU seconds, the
least of a few runs.  It fails where the longer text takes more than 2.6 times as long.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from exactmatch.base.errors import ExactmatchError
from exactmatch.formats.formats import FORMATS, get_format, looks_like
from exactmatch.formats.machine.answer_texts import graph_in

_SIZE = 50_000
_MOST = 2.6
_NEGLIGIBLE = 0.05
"""CPU seconds below which a ratio is noise."""

_ANSWERS = "answer"
"""Texts in which a graph is looked for."""

_KNOWN = {
    _ANSWERS: (
        *(
            "\n",
            "\n ",
            "~",
            "~~~ ",
            "[/*,",
            "[/*]",
            "(a /",
            "[",
            "{",
            '["a" ',
            "a(b, c) ",
        ),
        *("a: ", "<think>", "```x`", "(a / b) ", "::id ", "1. ", '"', "\\", "\u201c a"),
        *("```\nr(a, b)\n", "(a/b ", "(a/b\n", "(a / b :c ", "and ", "r(a, ", "r/"),
        *("<tr><td>a", "<td>", "<tr ", "</tr>", "\\boxed{", "\\text{", "\\boxed{a} "),
        *("\uff08a\uff0cb\uff09", "\uff08", "\u3001a", "[a, b, c] ", "r(a, b)], ["),
    ),
    "mermaid": (
        *("b[#a;", "a((x)&", "a[[x]-->", "a{{x}-->", "#a;", "a&", "a -- ", "@{", "a@"),
        *("a-->b;", "a[x]-->", 'a["x"]&', "%%{", "subgraph x\n", "a:::b "),
    ),
    "dot": (
        "a;",
        "a->",
        "{",
        '"',
        "<",
        "/*",
        "a=b ",
        "a:b ",
        "subgraph c;",
        "[",
        '"\\"',
    ),
    "penman": ("(a ", ":x ", '\\" ', "# ::id a ", "/", "~e.1 ", '"', "(a / b)\n\n"),
    "umr": ("1:", "# :: snt1\n", "s1a: 1-1\n", "(a :b c) ", "#### ", "Words: a  \n"),
    "sbn": ("a.n.01\n", "NEGATION <1\n", "%%% [\n", '"', "Role +1 "),
    "clauses": ("b1 REF x1\n", '"', "% ", "[1...2] ", "\n\n"),
    "triples": ("a\tb\tc\n", "# ::id ", "\t", "\n", "a\n\n"),
    "table": ("a,b,c\n", '"', ",", "\n", '""'),
    "relations": ("a(b, c)\n", "a(", ")", "a: ", "a.b ", '"'),
    "worfbench": (
        *("1. a\n", "(1,2) ", "Edge: ", "- (START,1): x\n", "Node:\n", "( "),
        *("**", "## Edges\n", "1. **Edge**: (1, 2)\n", "\n ", "# "),
    ),
    "gspan": ("v 0 1\n", "t # 0\n", "e 0 1\n", "# \n", " ", "v 1 1\r\n"),
    "gml": ("node [ id 1 ] ", "[", '"', "edge [ source 1 target 2 ] ", "a 1 ", "#\n"),
    "graphml": ("<node id='a'/>", "<graph>", "<!--", "&amp;", "<?x?>", "<!DOCTYPE"),
    "gexf": ("<node id='a'/>", "<graph>", "<!--", "-", "<!DOCTYPE x>"),
    "gxl": ("<node id='a'/>", "<graph>", "<!-- -->", "<attr name='x'>"),
    "webnlg": ("<entry/>", "<mtriple>a | b | c</mtriple>", "<!--", "|"),
    "pajek": ('1 "a"\n', "*Arcs\n", "1 2 1\n", "%\n", '"'),
    "rdf": ("<a> <b> <c> .\n", "[", "(", '"', "# a\n", "@prefix a: <b> .\n", "_:x "),
    "node-link": ('{"nodes": [], "links": []}\n', "[", '{"id": 1},', '"', "\\"),
    "json": ('["a", "b", "c"],', "[", '{"a":', '"', "\n", "{}\n", "null,"),
    "document": ('{"a": 1}\n', "[", '{"a":', '"', "\n"),
    "mrp": ('{"id": 1, "framework": "amr", "nodes": []}\n', "[", '{"a":', '"'),
    "ged-json": ('{"n": 2, "edges": [[0, 1]]}\n', "[0, 1],", "[", '"'),
    "answers": ('{"prediction": "(a / b)"}\n', "[", '"', "\\n"),
    "smiles": ("C/C=C/C1", "CCO a\n", "C", "(", "C1", "# ", "[C@H]", "."),
    "sdf": ("$$$$\n", "a\n\n\n  0  0 V2000\nM  END\n$$$$\n", "\n", "M  END\n"),
    "edge-list": ("a b\n", "a b {'w': 1}\n", "{", "\n", "# "),
    "adjacency-list": ("a b\n", "a ", "\n", "\t"),
}
"""Repeated texts, by the format that they resemble: known attacks and tokens."""

_BEGINNINGS = {
    "mermaid": "graph TD\n",
    "dot": "digraph { ",
    "umr": "# :: snt1\n# document level annotation:\n(",
    "table": "subject,relation,object\n",
    "worfbench": "Node:\n1. a\n",
    "gspan": "t # 0\n",
    "gml": "graph [ ",
    "graphml": "<graphml><graph>",
    "gexf": "<gexf>",
    "gxl": "<gxl><graph>",
    "webnlg": "<benchmark>",
    "pajek": "*Vertices 2\n",
    "rdf": "@prefix a: <b> .\n",
}


class Attack(NamedTuple):
    """Text of any length: what it begins with, repeats and ends with."""

    format: str
    begin: str
    unit: str
    end: str

    def text(self, size: int) -> str:
        """Return a text of about that many characters."""
        return self.begin + self.unit * (size // len(self.unit)) + self.end


def attacks(rng: random.Random, count: int) -> Iterator[Attack]:
    """Yield the known attacks, and some random ones of each format."""
    for name, units in _KNOWN.items():
        begin = _BEGINNINGS.get(name, "")
        for unit in units:
            yield Attack(name, begin, unit, "x")
        for _ in range(count):
            unit = "".join(rng.choices(units, k=rng.randint(1, 4)))
            yield Attack(name, rng.choice((begin, "x")), unit, rng.choice(("", *units)))


def reader(name: str) -> Callable[[str], None]:
    """Return a function that recognises and reads a text, which may be refused."""

    def read(text: str) -> None:
        if name == _ANSWERS:
            graph_in(text, "repair")
            return
        looks_like(text)
        for block in get_format(name).blocks(io.StringIO(text, newline=None), "x"):
            get_format(block.format or "penman").read(block)

    return read


def seconds(read: Callable[[str], None], text: str) -> float:
    """Return the CPU seconds of reading a text."""
    began = time.process_time()
    with suppress(ExactmatchError):
        read(text)
    return time.process_time() - began


def ratio(attack: Attack, size: int) -> tuple[float, float, float]:
    """Return how many times as long twice the text takes, and both times."""
    read = reader(attack.format)
    short, long = attack.text(size), attack.text(2 * size)
    first, second = seconds(read, short), seconds(read, long)
    for _ in range(3):
        if second < _NEGLIGIBLE or second <= _MOST * first:
            break
        first = min(first, seconds(read, short))
        second = min(second, seconds(read, long))
    return (second / first if second >= _NEGLIGIBLE else 1.0), first, second


def main() -> int:
    """Try all attacks; 1 if one costs more than linear time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=1, help="attacks a format")
    parser.add_argument("--size", type=int, default=_SIZE, help="of the shorter text")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    missing = {*FORMATS.own} - {*_KNOWN}
    print("formats of one reader with another:", ", ".join(sorted(missing)))
    warnings.simplefilter("ignore")
    failures = count = 0
    for attack in attacks(random.Random(args.seed), args.random):
        times, first, second = ratio(attack, args.size)
        count += 1
        if times > _MOST:
            failures += 1
            print(f"MISSED {times:.1f} times ({first:.2f} s, {second:.2f} s): {attack}")
    print(f"{count} attacks, {failures} of them cost more than linear time")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

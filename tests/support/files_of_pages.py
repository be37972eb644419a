"""The files that the commands of the documentation are about, small and made up.

One folder holds all of them; where a page means something else by a name, ``OF_PAGES``
has its own.  Graphs are those of the bundled sample.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from support.samples import CLAUSES, MRP, SBN, UMR

import exactmatch

MANY = 12
"""Number of graphs of the sample in a file."""


def write_files(folder: Path, page: str) -> None:
    """Write every file that the commands of a page name."""
    for name, content in {**_files(), **OF_PAGES.get(page, {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(path)
        else:
            path.write_text(content, encoding="utf-8")


def _files() -> dict[str, str | Callable[[Path], None]]:
    return {
        **_of_meaning(),
        **_of_nodes_and_edges(),
        **_of_text(),
        **_of_people(),
        "encode.py": _encoder,
        "script.py": "import networkx as nx\n"
        "assert nx.graph_edit_distance(nx.path_graph(2), nx.path_graph(3)) == 2\n",
    }


def _of_meaning() -> dict[str, str | Callable[[Path], None]]:
    sample = Path(exactmatch.__file__).parent / "sample"
    pred, gold = (
        _with_ids((sample / name).read_text("utf-8").split("\n\n")[:MANY])
        for name in ("pred.amr", "gold.amr")
    )
    others = [*gold[:4], *pred[4:]], [*pred[:8], *gold[8:]]
    amr = dict.fromkeys(("parsed", "pred", "hyp", "bart", "a", "ann", "first"), pred)
    amr |= dict.fromkeys(("gold", "ref", "c", "cem", "graphs", "references"), gold)
    amr |= dict.fromkeys(("other", "b", "bob", "second", "mine"), others[0])
    amr |= dict.fromkeys(("t5", "d", "adjudicated"), others[1])
    amr |= {"foils-and-originals": [*pred[:6], *gold[6:]]}
    amr |= {"src.test": pred, "tgt.test": gold}
    amr |= {"parsed-0": pred[:6], "parsed-1": pred[6:]}
    amr |= {"gold-0": gold[:6], "gold-1": gold[6:]}
    files = {f"{name}.amr": "\n\n".join(graphs) for name, graphs in amr.items()}
    others_of = {  # each format's sample, and one word of it that differs
        "umr": (UMR, "run-02", "walk-01"),
        "sbn": (SBN, "small.a.01", "big.a.01"),
        "clf": (CLAUSES, "smile", "laugh"),
        "mrp": (MRP, "_run_v_away", "_run_v_1"),
    }
    for suffix, (text, word, other) in others_of.items():
        for name in ("gold", "ann", "document", "graphs", "first"):
            files[f"{name}.{suffix}"] = text
        for name in ("parsed", "system", "bob", "second"):
            files[f"{name}.{suffix}"] = text.replace(word, other)
    files["pb2va.json"] = '{"demand-01": {"label": "ask", "ARG0": "agent"}}\n'
    return {**files}


def _with_ids(blocks: Iterable[str]) -> list[str]:
    """Number the graphs as the pages name them, each with its sentence."""
    blocks = [_graph(block) for block in blocks]
    heads = [f"# ::id lpp_1943.{k}\n# ::snt Sentence {k} ." for k in range(18, 99)]
    return [f"{head}\n{block}" for head, block in zip(heads, blocks, strict=False)]


def _graph(block: str) -> str:
    return "\n".join(line for line in block.splitlines() if not line.startswith("#"))


def _of_nodes_and_edges() -> dict[str, str | Callable[[Path], None]]:
    files: dict[str, str | Callable[[Path], None]] = {}
    plan = {"nodes": ["open the door", "go out"], "edges": [[0, 1]]}
    walk = {"nodes": ["open door", "go out"], "edges": [[0, 1]]}
    files |= {"gold.json": json.dumps(plan), "pred.json": json.dumps(walk)}
    files["plan.mmd"] = "flowchart TD\n  a[open the door] --> b[go out]\n"
    files["answer.md"] = f"Here it is:\n```json\n{json.dumps(walk)[:-1]}\n```\n"
    right, wrong = [["Alan Bean", "in", "Texas"]], [["Bean", "in", "Texas"]]
    rows = [{"id": "1", "response": json.dumps(wrong)}]
    files["answers.jsonl"] = _lines(rows)
    files["gold.jsonl"] = _lines([{"id": "1", "triples": right}])
    run = {"id": "1", "model": {"response": json.dumps(wrong)}, "gold": right}
    files["run.jsonl"] = _lines([run])
    files["answers.parquet"] = _parquet
    for name, (triple,) in (("pred", wrong), ("gold", right), ("a", wrong)):
        files[f"{name}.tsv"] = "\t".join(triple) + "\n"
        files[f"{name}.csv"] = "subject,relation,object\n" + ",".join(triple) + "\n"
        parts = (part.replace(" ", "_") for part in triple)
        files[f"{name}.ttl"] = (
            " ".join(f"<http://x.org/{part}>" for part in parts) + " ."
        )
    files["b.tsv"] = files["parsed.tsv"] = files["gold.tsv"]
    return files | _of_any_kind()


def _of_any_kind() -> dict[str, str | Callable[[Path], None]]:
    """Return the files of ``ged``: graphs of any kind, molecules and problems."""
    files: dict[str, str | Callable[[Path], None]] = {}
    for name, labels in (("a", "CCO"), ("b", "CCN")):
        nodes = "".join(f'<node id="{k}"/>' for k in range(3))
        edges = '<edge source="0" target="1"/><edge source="1" target="2"/>'
        graph = (
            f'<graph edgedefault="undirected">{nodes}{edges * (name == "a")}</graph>'
        )
        head = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        files[f"{name}.graphml"] = f"{head}{graph}</graphml>"
        files[f"{name}.edges"] = "x y\n" + "y z\n" * (name == "a")
        files[f"{name}.jsonl"] = _lines([_links(labels)])
    for name, labels in (("first", "CCO"), ("second", "CCN"), ("queries", "CCO")):
        files[f"{name}/1.json"] = json.dumps(_links(labels))
    files |= {f"molecules/{t}.json": json.dumps(_links(t)) for t in ("CCO", "CCN", "C")}
    plain = [{"n": n, "labels": ["C"] * n, "edges": [[0, 1]]} for n in (2, 3, 4)]
    files |= dict.fromkeys(("aids.jsonl", "imdb.jsonl"), _lines(plain))
    for name, symbols in (("molecules", "CO"), ("others", "CN")):
        files[f"{name}.cxl"] = _collection([f"{name}.gxl"])
        atoms = (_gxl_node(k, {"chem": s}) for k, s in enumerate(symbols))
        files[f"{name}.gxl"] = _gxl(atoms, {"valence": "1"})
    letters = {"A": (0.0, 1.0), "B": (0.5, 0.2)}
    files["Letter/train.cxl"] = _collection(f"{name}.gxl" for name in letters)
    for name, at in letters.items():
        places = ({"x": str(x), "y": "0.5"} for x in at)
        corners = (_gxl_node(k, place) for k, place in enumerate(places))
        files[f"Letter/{name}.gxl"] = _gxl(corners, {})
    smiles = dict.fromkeys(("query.smi", "predicted.smi", "a.smi"), "CCO ethanol\n")
    smiles |= {"library.smi": "CCN\nCCO\nCCCO\n"}
    smiles |= dict.fromkeys(("true.smi", "b.smi"), "CCN\n")
    problem = "p 1 1 1 0\na 0 0 0 -1\n"
    problems = dict.fromkeys(("car1.dd", "house/1.dd", "house/2.dd"), problem)
    qap = "2\n\n0 3\n3 0\n\n0 5\n5 0\n"
    pairs = "1,CCO,CCN\n2,CCO,CCO\n"
    return (
        files
        | smiles
        | problems
        | {"nug12.dat": qap, "pairs.csv": pairs, "pairs.hdf5": _hdf5}
    )


def _links(symbols: str) -> dict[str, Any]:
    """Return a molecule as node-link JSON."""
    nodes = [{"id": k, "symbol": s, "valence": 1} for k, s in enumerate(symbols)]
    links = [{"source": k - 1, "target": k} for k in range(1, len(symbols))]
    return {"directed": False, "nodes": nodes, "links": links}


def _gxl_node(number: int, values: dict[str, str]) -> str:
    return f'<node id="{number}">{_gxl_values(values)}</node>'


def _gxl_values(values: dict[str, str]) -> str:
    texts = (f"<string>{value}</string>" for value in values.values())
    pairs = zip(values, texts, strict=True)
    return "".join(f'<attr name="{name}">{text}</attr>' for name, text in pairs)


def _gxl(nodes: Iterable[str], edge: dict[str, str]) -> str:
    """Return a graph of GXL with an edge from its first node to its second."""
    between = f'<edge from="0" to="1">{_gxl_values(edge)}</edge>'
    kind = '<graph id="g" edgeids="false" edgemode="undirected">'
    return f"<gxl>{kind}{''.join(nodes)}{between}</graph></gxl>"


def _collection(names: Iterable[str]) -> str:
    prints = "".join(f'<print file="{name}" class="x"/>' for name in names)
    return f"<GraphCollection><graphs>{prints}</graphs></GraphCollection>"


def _of_text() -> dict[str, str | Callable[[Path], None]]:
    words = ["a", "the", "cat", "dog", "sat", "down", "person.n.01"]
    vectors = "".join(f"{word} {k}.5 1.0 -{k}.25\n" for k, word in enumerate(words))
    hyp, ref, src = "a cat sat\n", "the cat sat down\n", "die Katze sitzt\n"
    embedded = {
        name: "".join(f"{word} 0.5 {k}.0\n" for k, word in enumerate(text.split()))
        + "\n"
        for name, text in (("hyp", hyp), ("ref", ref))
    }
    return {
        "hyp.txt": hyp,
        "ref.txt": ref,
        "src.txt": src,
        "hyp.conll": _conll(hyp),
        "ref.conll": _conll(ref),
        "hyp.emb": embedded["hyp"],
        "ref.emb": embedded["ref"],
        "en.vec": vectors,
        "de.vec": "die 0.5 1.0 0.25\nKatze 1.5 1.0 -1.25\nsitzt 0.0 1.0 0.0\n",
        "glove.6B.100d.txt": vectors,
        "cc.en.300.vec.gz": lambda path: _gzipped(path, vectors),
    }


def _conll(text: str) -> str:
    """Return words in CoNLL-2009's columns, the last but one a predicate."""
    words = text.split()
    lines = []
    for k, word in enumerate(words, 1):
        sense = "sit.01" if word == "sat" else "_"
        role = "A0" if word == "cat" else "_"
        head = k + 1 if k < len(words) else 0
        columns = [k, *[word] * 3, *["X"] * 2, *["_"] * 2, head, head, *["_"] * 2]
        lines.append([*columns, "Y" if sense != "_" else "_", sense, role])
    return "".join("\t".join(map(str, line)) + "\n" for line in lines) + "\n"


def _gzipped(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode()))


def _parquet(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    graphs = Path(path.parent, "gold.amr").read_text("utf-8").split("\n\n")
    rows = [{"id": str(k), "response": _graph(text)} for k, text in enumerate(graphs)]
    pq.write_table(pa.Table.from_pylist(rows), path)


def _hdf5(path: Path) -> None:
    import importlib.util

    if importlib.util.find_spec("h5py"):
        import h5py

        with h5py.File(path, "w") as file:
            file["smiles"] = ["CCO", "CCN"]
            file["computation_indices"] = [[0, 0, 1]]


def _encoder(path: Path) -> None:
    source = Path(__file__).parents[2] / "proofs" / "encode.py"
    path.write_bytes(source.read_bytes())


def _of_people() -> dict[str, str | Callable[[Path], None]]:
    scores = [f"{k % 5 / 4}" for k in range(MANY)]
    files = {"similarity.txt": "\n".join(scores) + "\n"}
    for turn, name in enumerate(("anna", "ben", "cleo")):
        files[f"{name}.txt"] = "\n".join([*scores[turn:], *scores[:turn]]) + "\n"
    rows = [
        f"{system}\tlpp_1943.{18 + k}\t{(k * 7 + turn * 11) % 100}"
        for turn, system in enumerate("abcd")
        for k in range(MANY)
    ]
    files["judgement.tsv"] = "\n".join(["system\tsegment\tscore", *rows]) + "\n"
    return {**files}


def _lines(rows: Iterable[Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


_PEOPLE = {"people": [{"id": 1, "friends": [2]}, {"id": 2, "friends": []}], "lead": 1}
_INVOICE = {"total": 7.25, "meta": {"timestamp": "now"}, "items": [{"name": "pen"}]}
_ANSWER = {"id": "1", "response": json.dumps(_INVOICE)}

_FENCED = "Here it is:\n```amr\n(b / bark-01 :ARG0 (d / dog))\n```\n"

OF_PAGES: dict[str, dict[str, str | Callable[[Path], None]]] = {
    "how-to/answers.md": {
        "answers.md": _FENCED,
        "gold.amr": "(b / bark-01 :ARG0 (c / cat))\n",
    },
    "how-to/umr-task.md": {
        f"{folder}/{number}.umr": text
        for number in (1, 2)
        for folder, text in (
            ("gold", UMR),
            ("alpha", UMR),
            ("beta", UMR.replace("run-02", "walk-01")),
        )
    },
    "formats.md": {
        "pred.json": json.dumps(_PEOPLE),
        "gold.json": json.dumps({**_PEOPLE, "lead": 2}),
    },
    "metrics/json.md": {
        "answers.jsonl": _lines([_ANSWER]),
        "gold.jsonl": _lines([_INVOICE]),
        "pred.json": json.dumps(_INVOICE),
        "gold.json": json.dumps({**_INVOICE, "total": 7.5}),
    },
}

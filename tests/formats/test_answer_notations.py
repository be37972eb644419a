"""Triples in every notation that models use, with all that they write around them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.cli.main import main
from exactmatch.formats.machine.answer_texts import graph_in
from exactmatch.formats.machine.json_graphs import labelled_network
from exactmatch.formats.machine.markdown import plain_line, unescaped
from exactmatch.formats.machine.nested import text_in
from exactmatch.formats.machine.network import UNLABELLED
from exactmatch.formats.machine.relations import relation_in
from exactmatch.formats.machine.statements import statements_in
from exactmatch.formats.reading import UNREADABLE

Triple = tuple[str, str, str]
Triples = Sequence[Triple]

PLAIN: Triples = (
    ("Azzurro", "lyrics_by", "Vito Pallavicini"),
    ("Azzurro", "composer", "Paolo Conte"),
)
LETTERS: Triples = (
    ("São Paulo", "größte_stadt", "Brasil"),
    ("北京", "首都", "中国"),
    ("Ahri'ahn", "also_known_as", "O'Brien"),
)
MANY: Triples = tuple((f"item {k}", f"r{k}", f"item {k + 1}") for k in range(12))


def edges_of(answer: str) -> set[Triple]:
    """The edges between labels of the graph in an answer."""
    found = labelled_network(graph_in(answer, "repair"))
    assert found is not None
    label = {name: own for name, (own, _) in found.nodes.items()}
    return {
        (label[s] or "", r or UNLABELLED, label[t] or "") for s, r, t in found.edges
    }


def lines(form: str) -> Callable[[Triples], str]:
    def write(triples: Triples) -> str:
        rows = enumerate(triples, 1)
        return "\n".join(form.format(k=k, s=s, r=r, o=o) for k, (s, r, o) in rows)

    return write


def below(head: str, form: str) -> Callable[[Triples], str]:
    return lambda triples: f"{head}\n{lines(form)(triples)}"


def escaped(triples: Triples) -> str:
    return lines("{r}({s}, {o})")(triples).replace("_", r"\_")


def cypher(triples: Triples) -> str:
    names = list(dict.fromkeys(end for s, _, o in triples for end in (s, o)))
    known = {name: f"n{k}" for k, name in enumerate(names)}
    made = [
        f'CREATE ({known[name]}:Thing {{name: "{name}", rank: {k}}})'
        for k, name in enumerate(names)
    ]
    paths = [
        f"({known[s]})-[:`{r}` {{since: 1968}}]->({known[o]})" for s, r, o in triples
    ]
    return "\n".join([*made, "CREATE " + ",\n  ".join(paths) + ";"])


def html(triples: Triples) -> str:
    rows = "".join(
        f"<tr>\n<td>{k}</td><td><b>{s}</b></td><td class='r'>{r}</td><td>{o}</td></tr>"
        for k, (s, r, o) in enumerate(triples)
    )
    names = ("#", "Head", "Relation", "Tail")
    head = "".join(f"<th scope=col>{name}</th>" for name in names)
    return (
        f"<table border=1><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def rebel(triples: Triples) -> str:
    heads = dict.fromkeys(s for s, _, _ in triples)
    said = "".join(
        f"<triplet> {head}"
        + "".join(f" <subj> {o} <obj> {r}" for s, r, o in triples if s == head)
        for head in heads
    )
    return f"<s>{said}</s>"


def graphrag(triples: Triples) -> str:
    names = dict.fromkeys(end for s, _, o in triples for end in (s, o))
    records = [f'("entity"<|>{name}<|>THING<|>What {name} is)' for name in names]
    records += [f'("relationship"<|>{s}<|>{o}<|>{r}<|>9)' for s, r, o in triples]
    return "\n##\n".join(records) + "\n<|COMPLETE|>"


def lightrag(triples: Triples) -> str:
    names = dict.fromkeys(end for s, _, o in triples for end in (s, o))
    records = [f"entity<|#|>{name}<|#|>Thing<|#|>What it is." for name in names]
    records += [
        f"relation<|#|>{s}<|#|>{o}<|#|>{r}<|#|>So it is." for s, r, o in triples
    ]
    return "\n".join([*records, "<|COMPLETE|>"])


def objects(*keys: str) -> Callable[[Triples], str]:
    def write(triples: Triples) -> str:
        rows = [dict(zip(keys, triple, strict=True)) for triple in triples]
        return json.dumps({"triples": rows}, ensure_ascii=False, indent=1)

    return write


NOTATIONS: dict[str, Callable[[Triples], str]] = {
    "relations": lines("{r}({s}, {o})"),
    "escapes": escaped,
    "bold": lines("**{r}**({s}, {o})"),
    "bold ends": lines("{r}(**{s}**, *{o}*)"),
    "code": lines("- `{r}({s}, {o})`"),
    "quotes": lines('{r}("{s}", "{o}")'),
    "numbers": lines("{k}. {r}({s}, {o})"),
    "numbers in brackets": lines("({k}) {r}({s}, {o})"),
    "bullets": lines("* {r}({s}, {o})"),
    "nested bullets": lines("    - **{k}.** {r}({s}, {o})"),
    "quoted": lines("> {r}({s}, {o})"),
    "brackets": lines("({s}, {r}, {o})"),
    "semicolons": lines("- ({s}; {r}; {o})"),
    "angles": lines("<{s}, {r}, {o}>"),
    "introduced": lines("Triple {k}: ({s} | {r} | {o})"),
    "one line": lambda triples: ", ".join(f"({s}, {r}, {o})" for s, r, o in triples),
    "tabs": lines("{s}\t{r}\t{o}"),
    "bars": lines("{s} | {r} | {o}"),
    "a table": below(
        "| Subject | Relation | Object |\n|---|---|---|", "| {s} | {r} | {o} |"
    ),
    "a table in another order": below(
        "| Relation | Head | Tail |\n|:---|:---:|---:|", "| {r} | **{s}** | {o} |"
    ),
    "a table with numbers": below(
        "| # | Subject | Predicate | Object | Source |\n|--|--|--|--|--|",
        "| {k} | {s} | {r} | {o} | sentence {k} |",
    ),
    "a table in another language": below(
        "| Sujet | Relación | Objeto |\n| --- | --- | --- |", "| {s} | {r} | {o} |"
    ),
    "a table without edges": below(
        "Entity 1 | Relationship | Entity 2\n--- | --- | ---", "{s} | {r} | {o}"
    ),
    "a table without a rule": below(
        "| Subject | Predicate | Object |", "| {s} | {r} | {o} |"
    ),
    "commas below a heading": below("head,relation,tail", '"{s}",{r},"{o}"'),
    "tabs below a heading": below("Subject\tPredicate\tObject", "{s}\t{r}\t{o}"),
    "a table of html": html,
    "rows of html": lines("<tr><td>{s}<td>{r}<td>{o}</tr>"),
    "a list of html": lines("<li><code>{r}</code>({s}, {o})</li>"),
    "wide brackets": lines("{k}、{r}（{s}，{o}）。"),
    "wide commas": lines("- {r}({s}，{o})"),
    "wide triples": lines("（{k}）【{s}；{r}；{o}】"),
    "wide enumerations": lines("({s}、{r}、{o})"),
    "arabic commas": lines("{r}({s}، {o})"),
    "lists of relations": lambda triples: ", ".join(
        f"[{r}({s}, {o})]" for s, r, o in triples
    ),
    "relations joined by and": lambda triples: " AND ".join(
        f"{r}({s}, {o})" for s, r, o in triples
    ),
    "cells of relations": lines("| {r}({s}, {o}) |"),
    "relations of tex": lines("$${r}({s}, {o})$$"),
    "arrows": lines("{s} -> {r} -> {o}"),
    "signs of arrows": lines("{k}. {s} → {r} → {o}"),
    "long arrows": lines("- **{s}** --> {r} --> **{o}**"),
    "arrows backwards": lines("{o} <- {r} <- {s}"),
    "labelled arrows": lines("{s} --{r}--> {o}"),
    "labels between dashes": lines("{s} -- {r} --> {o}"),
    "arrows with brackets": lines("{s} -[{r}]-> {o}"),
    "arrows of quotes": lines('"{s}" -> "{r}" -> "{o}"'),
    "paths": lines("({s})-[:{r}]->({o})"),
    "paths backwards": lines("({o})<-[:{r}]-({s})"),
    "paths without colon": lines("({s}) -[{r}]-> ({o})"),
    "cypher": cypher,
    "cypher in one line": lines(
        'MERGE (a{k}:X {{name: "{s}"}})-[:`{r}`]->(b{k}:Y {{name: "{o}"}})'
    ),
    "cypher with variables used anew": lines(
        'MATCH (a {{name: "{s}"}}), (b {{name: "{o}"}}) CREATE (a)-[:`{r}`]->(b);'
    ),
    "cypher, all statements on one line": lambda triples: " ".join(
        f'MATCH (a {{name: "{s}"}}), (b {{name: "{o}"}}) CREATE (a)-[:`{r}`]->(b);'
        for s, r, o in triples
    ),
    "numbers in bold": lines("**{k}.** ({s}, {r}, {o})"),
    "lines in bold": lines("**{k}. ({s}, {r}, {o})**"),
    "rebel": rebel,
    "rebel with types": lambda triples: (
        "tp_XX"
        + "".join(f"<triplet> {s} <org> {o} <loc> {r} " for s, r, o in triples)
        + "</s>"
    ),
    "graphrag": graphrag,
    "graphrag on one line": lambda triples: graphrag(triples).replace("\n", ""),
    "lightrag": lightrag,
    "entities": objects("entity_1", "relationship", "entity_2"),
    "entities in order": objects("entity1", "relation", "entity2"),
    "nodes": objects("node_1", "edge", "node_2"),
    "types": objects("head", "type", "tail"),
    "fields in a line": lines("- **Subject:** {s}, **Relation:** {r}, **Object:** {o}"),
    "fields between bars": lines("Head: {s} | Relation: {r} | Tail: {o}"),
    "fields in lines": lines("Subject: {s}\nPredicate: {r}\nObject: {o}"),
    "fields of entities": lines("entity_1: {s}; relationship: {r}; entity_2: {o}"),
}
"""How models write triples, each a function of the triples."""

AROUND: dict[str, Callable[[str], str]] = {
    "alone": str,
    "fence": lambda text: f"```\n{text}\n```",
    "prose": lambda text: f"Sure! Here they are:\n\n{text}\n\nI hope this helps!",
    "line ends": lambda text: f"Triples:\r\n{text}\r\n".replace("\n", "\r\n"),
    "blank lines": lambda text: f"\n\n{text}\n\n\n",
    "thoughts": lambda text: f"<think>a(b, c) or x -> y -> z?</think>\n{text}",
    "attempts": lambda text: (
        f"```\n{text}\nx(y, z)\n```\nNo, better:\n~~~text\n{text}\n~~~"
    ),
    "a box": lambda text: f"Thus:\n$$\\boxed{{\n{text}\n}}$$",
    "slashes": lambda text: (
        f"In 3 (km/s) and/or (TI-99/4A):\n{text}\nSo (w/o 2) it is."
    ),
    "an open fence": lambda text: f"Here:\n{text}\n```\nThat is all.",
}


@pytest.mark.slow
@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("around", AROUND)
def test_triples_are_read_whatever_stands_around(notation: str, around: str) -> None:
    for triples in (PLAIN, LETTERS, MANY, PLAIN[:1]):
        answer = AROUND[around](NOTATIONS[notation](triples))
        assert edges_of(answer) == {*triples}, answer


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_line_that_cannot_be_read_is_counted(notation: str) -> None:
    answer = NOTATIONS[notation](MANY)
    rows = answer.split("\n")
    rows.append("and ( so | on,")
    block = graph_in("\n".join(rows), "repair")
    assert UNREADABLE not in block.faults
    assert edges_of("\n".join(rows)) >= {*MANY}


@pytest.mark.parametrize(
    ("answer", "triples"),
    [
        ("It lacks starring(Bolt, Hulk) and f(x).", {("Bolt", "starring", "Hulk")}),
        ("r(A (b, c), D (e))", {("A (b, c)", "r", "D (e)")}),
        ("(rel(a, b), sub(c, d), top(e))", {("a", "rel", "b"), ("c", "sub", "d")}),
        ("- __r__(a, b)", {("a", "r", "b")}),
        ("A -> in -> Washington D.C.", {("A", "in", "Washington D.C.")}),
        ("capital(US, Washington D.C.)", {("US", "capital", "Washington D.C.")}),
        ("triples = []\n\nr(a, b)", {("a", "r", "b")}),
        (
            "(a)-[:r]->(b)-[:s]->(c)<-[:t]-(d)",
            {("a", "r", "b"), ("b", "s", "c"), ("d", "t", "c")},
        ),
        (
            "MATCH (x:P {name: 'A, b'}), (y) WHERE y.name = 'C' CREATE (x)-[:R]->(y)",
            {("A, b", "R", "C")},
        ),
        ("MERGE (x:P {name: 'Ahri\\'ahn'})-[:R]->(y:Q)", {("Ahri'ahn", "R", "y")}),
        ("| a | r | b |\n| c | d |\n| e | r | f |", {("a", "r", "b"), ("e", "r", "f")}),
        ("| s \\| t | r | o |", {("s | t", "r", "o")}),
        (
            "subject,relation,object\na,r,b\nnot a row\nc,r,d",
            {("a", "r", "b"), ("c", "r", "d")},
        ),
        (
            "1. r(a, b)\n2. r(a)\n3. r(c, )\n4. r(c, d)",
            {("a", "r", "b"), ("c", "r", "d")},
        ),
        ("Relation: r(a, b)", {("a", "r", "b")}),
        ("```\nnothing here\n```\nr(a, b)", {("a", "r", "b")}),
    ],
)
def test_answers_as_models_write_them(answer: str, triples: set[Triple]) -> None:
    assert edges_of(answer) == triples


@pytest.mark.parametrize(
    "answer",
    [
        "The river (long, wide, deep) is in Paris, France, and so on.",
        "Note: a - b is not c; see the table (in two parts).",
        "5 * 3 is 15 and *this* is emphasised.",
        "One -> two, and no more.",
        "Subject: nothing to say",
        "| a |",
    ],
)
def test_words_are_no_triples(answer: str) -> None:
    assert UNREADABLE in graph_in(answer, "repair").faults


def test_pipes_arrows_and_colons_in_penman_are_no_triples() -> None:
    text = 'So: (w / want-01 :ARG0 (b / boy) :name "a -> b -> c")'
    assert graph_in(text, "repair").format is None


def test_what_is_left_out_beside_triples_is_counted() -> None:
    (found,) = [statements_in(NOTATIONS["graphrag"](PLAIN))]
    assert found.facts == 2 * 3 + 2
    assert [*found.entities] == ["Azzurro", "Vito Pallavicini", "Paolo Conte"]
    assert statements_in(NOTATIONS["cypher"](PLAIN)).facts > 0


def test_escapes_of_other_formats_stay() -> None:
    assert unescaped(r'{"a": "b\n\"c\" \\_"}') == r'{"a": "b\n\"c\" \\_"}'
    dot = r'digraph { a [label="x\|y"]; a -> b [label="r\_s"]; }'
    assert graph_in(dot, "repair").faults == ()
    assert plain_line("* `a`") == "a"


HOSTILE = [
    "r(a, b" * 5000,
    "aa(" * 5000,
    '"' * 40000,
    "*" * 40000,
    "** " * 15000,
    "| " * 20000,
    "|-" * 20000 + "x",
    "-" * 40000 + "x",
    "a -> " * 9000,
    "(a)-[:r]->" * 4000,
    "-[" * 20000,
    "(" * 40000,
    "(a {name: '" * 4000,
    "a:" * 20000,
    "Subject: a, " * 4000,
    "<triplet> a <subj> " * 2500,
    "<|>" * 15000,
    "\\_" * 20000,
    "> " * 20000,
    "1. " * 15000,
    "a\t" * 20000,
    " " * 40000 + "x",
    "(a, b, c)" * 5000,
    "<a" * 20000,
]


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:8]))
def test_hostile_lines_are_read(text: str) -> None:
    """Time in the square of these texts would be minutes."""
    assert graph_in(text, "repair").line == 1
    assert graph_in(text.replace(" ", "\n"), "repair").line == 1


# ------------------------------------------------------ replies of services

TEXT = "r(a, b)"
REPLIES = {
    "batch": {
        "status_code": 200,
        "body": {"choices": [{"message": {"content": TEXT}}]},
    },
    "completion": {"choices": [{"text": TEXT, "index": 0}]},
    "chat": {
        "id": "x",
        "object": "chat.completion",
        "choices": [
            {"message": {"role": "assistant", "content": TEXT, "refusal": None}}
        ],
    },
    "parts": {"role": "assistant", "content": [{"type": "text", "text": TEXT}]},
    "responses": [
        {"type": "reasoning", "summary": []},
        {"type": "message", "content": [{"type": "output_text", "text": TEXT}]},
    ],
    "gemini": {
        "candidates": [{"content": {"parts": [{"text": TEXT}], "role": "model"}}]
    },
    "messages": [
        {"role": "user", "content": "x(y, z)"},
        {"role": "assistant", "content": TEXT},
    ],
    "generated": [{"generated_text": TEXT}],
    "message": {"role": "assistant", "content": TEXT},
}


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("column", ["prediction", "response", "output"])
def test_replies_are_opened(reply: str, column: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    rows = [{"id": str(k), column: REPLIES[reply]} for k in range(2)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    graphs = exactmatch.load(path)
    assert [graph.id for graph in graphs] == ["0", "1"]
    assert all(len(graph.relations) == 1 for graph in graphs)


def test_rows_that_are_replies_are_known_by_the_id_of_their_request(
    tmp_path: Path,
) -> None:
    path = tmp_path / "batch.jsonl"
    row = {"id": "batch_req_1", "custom_id": "s1", "response": REPLIES["batch"]}
    path.write_text(json.dumps(row), encoding="utf-8")
    assert exactmatch.load(path)[0].id == "s1"
    row = {
        "custom_id": "s2",
        "result": {"type": "succeeded", "message": REPLIES["parts"]},
    }
    path.write_text(json.dumps(row), encoding="utf-8")
    assert exactmatch.load(path)[0].id == "s2"


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"body": {"content": TEXT}}, "body.content"),
        ({"a": {"b": [1]}, "c": TEXT}, "a.b, c"),
        ({"text": TEXT, "score": 3}, "text, score"),
        ([{"verdict": "yes"}], "verdict"),
    ],
)
def test_unknown_mappings_are_an_error_that_names_their_fields(
    value: object, field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, golds = tmp_path / "a.jsonl", tmp_path / "g.amr"
    answers.write_text(json.dumps({"id": "1", "response": value}), encoding="utf-8")
    golds.write_text("(b / bark-01)\n", encoding="utf-8")
    assert main([str(answers), str(golds)]) == 2
    assert field in capsys.readouterr().err


def test_graphs_in_mappings_are_no_replies(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    value = {"answer": {"nodes": ["a", "b"], "edges": [[0, "r", 1]]}}
    path.write_text(json.dumps({"response": value}), encoding="utf-8")
    (graph,) = exactmatch.load(path)
    assert len(graph.relations) == 1
    assert text_in({"nodes": []}) is None


def test_the_arguments_of_a_tool_are_the_answer_where_there_is_no_text() -> None:
    call = {"function": {"name": "graph", "arguments": '{"triples": []}'}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    for reply in (
        {"choices": [{"message": message}]},
        {"response": {"body": {"choices": [{"message": message}]}}},
        {
            "choices": [
                {"message": {"content": None, "function_call": call["function"]}}
            ]
        },
    ):
        assert text_in(reply) == '{"triples": []}'
    message["content"] = "r(a, b)"
    assert text_in({"choices": [{"message": message}]}) == "r(a, b)"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r'\["A", "r", "B"\]', '["A", "r", "B"]'),
        (r"r(A, \"B C\")", 'r(A, "B C")'),
        (r"(a / b :c \"d\")", '(a / b :c "d")'),
        (r'["A \"B\"", "r"]', r'["A \"B\"", "r"]'),
    ],
)
def test_quotation_marks_are_escaped_where_all_of_them_are(
    text: str, plain: str
) -> None:
    assert unescaped(text) == plain


# --------------------------------------------------- columns, and several graphs


@pytest.mark.parametrize("swapped", [False, True])
def test_a_field_concerns_the_files_that_have_columns(
    swapped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = "(b / bark-01 :ARG0 (d / dog))"
    rows, graphs = tmp_path / "a.jsonl", tmp_path / "g.amr"
    rows.write_text(json.dumps({"id": "1", "completion": graph}), encoding="utf-8")
    graphs.write_text(f"{graph}\n", encoding="utf-8")
    files = [str(rows), str(graphs)][:: -1 if swapped else 1]
    assert main([*files, "--field", "completion"]) == 0
    assert "1.0000" in capsys.readouterr().out
    as_json = tmp_path / "g.json"
    as_json.write_text('{"nodes": ["a"], "edges": []}', encoding="utf-8")
    mixed = [str(rows), str(as_json), "--field", "completion", "--metric", "smatch"]
    assert main(mixed) == 0
    assert main([str(graphs), str(graphs), "--field", "completion"]) == 2
    assert "--field has no effect" in capsys.readouterr().err
    assert main([str(rows), str(graphs), "--field", "missing"]) == 2
    assert "'completion'" in capsys.readouterr().err
    with pytest.raises(InputError, match="--field has no effect"):
        exactmatch.load(graphs, field="completion")


def test_a_reply_of_several_graphs_is_split(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fences = [f"Number {k}:\n```\nr(a{k}, b{k})\n```\n" for k in range(3)]
    reply, golds = tmp_path / "reply.md", tmp_path / "gold.jsonl"
    reply.write_text("".join(fences), encoding="utf-8")
    golds.write_text(
        "\n".join(json.dumps([[f"a{k}", "r", f"b{k}"]]) for k in range(3)), "utf-8"
    )
    arguments = [str(reply), str(golds), "--metric", "graph"]
    assert main([*arguments, "--extract", "all"]) == 0
    shown = capsys.readouterr()
    assert "1.0000" in shown.out
    assert "(3 of them in fences or among other text)" in shown.out
    assert main([*arguments, "--extract", "repair"]) == 2
    rows = tmp_path / "rows.jsonl"
    row = {"id": "x", "response": "".join(fences)}
    rows.write_text(json.dumps(row), encoding="utf-8")
    graphs = exactmatch.load(rows, extract="all")
    assert [graph.id for graph in graphs] == ["x.1", "x.2", "x.3"]
    with pytest.raises(InputError, match="in memory"):
        exactmatch.evaluate(["r(a, b)"], ["r(a, b)"], metric="graph", extract="all")


@pytest.mark.slow
def test_random_triples_are_read_in_all_notations() -> None:
    rng = random.Random(7)
    words = ["Rome", "New York", "Jean-Luc", "3 May 1968", "C3PO", "Ngũgĩ", "x y z"]
    for _ in range(30):
        triples = [
            (rng.choice(words), rng.choice(["in", "born_on", "isA"]), rng.choice(words))
            for _ in range(rng.randrange(1, 6))
        ]
        for notation, write in NOTATIONS.items():
            assert edges_of(write(triples)) == {*triples}, (notation, write(triples))


@pytest.mark.parametrize(
    ("line", "triple"),
    [
        ("1. season(1. FC Magdeburg, 2014 3. Liga)", "1. FC Magdeburg"),
        ("- airport(Bangalore - 560090, India)", "Bangalore - 560090"),
        ("genre(Sports- und Freizeit, Text)", "Sports- und Freizeit"),
    ],
)
def test_only_the_bullet_of_a_line_goes(line: str, triple: str) -> None:
    found = relation_in(line)
    assert found is not None
    assert found[0] == triple

"""Every task of ``exactmatch help tasks`` is done by the very line that is listed."""

import importlib.util
import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import networkx
import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.cli.commands import COMMANDS, GROUPS
from exactmatch.cli.tasks import OTHER_NAMES, TASKS, Task, typed

BARK = '(b / bark-01 :ARG0 (d / dog :name (n / name :op1 "Rex")))'
MEOW = "(m / meow-01 :ARG0 (c / cat))"
WANT = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
UMR = """# :: snt1
Words: Ann left

# sentence level graph:
(s1l / {} :ARG0 (s1p / person))

# alignment:

# document level annotation:
(s1s0 / sentence :temporal ((document-creation-time :before s1l)))
"""
CLAUSES = """b1 REF x1
b1 {} "n.02" x1
b1 REF e1
b1 run "v.01" e1
b1 Agent e1 x1
"""
MRP = {
    "framework": "eds",
    "flavor": 1,
    "version": 1.0,
    "time": "2020-01-01",
    "input": "x",
    "tops": [0],
}
MOLECULE = "t # 0\nv 0 C\nv 1 {}\ne 0 1 1\n"


def amrs(*graphs: str) -> str:
    """Return a file of graphs whose ids are A, B, C and so on."""
    ids = "ABCDEFGH"
    return "\n".join(f"# ::id {i}\n{g}\n" for i, g in zip(ids, graphs, strict=False))


def mrps(*labels: str) -> str:
    """Return a file of MRP graphs of one node each."""
    nodes = ([{"id": 0, "label": label}] for label in labels)
    rows = (MRP | {"id": f"{k}", "nodes": n, "edges": []} for k, n in enumerate(nodes))
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def molecule(symbol: str) -> str:
    """Return a molecule of two atoms as node-link JSON."""
    graph = networkx.Graph([(0, 1)])
    graph.add_nodes_from([(0, {"symbol": "C"}), (1, {"symbol": symbol})])
    return json.dumps(networkx.node_link_data(graph, edges="edges"))


USUAL = {
    "PRED": amrs(BARK, MEOW, WANT),
    "GOLD": amrs(BARK, MEOW.replace("cat", "kitten"), WANT),
    "GOLD2": amrs(BARK, MEOW, MEOW),
    "A": amrs(BARK, MEOW, MEOW),
    "B": amrs(BARK, BARK, WANT),
    "C": amrs(BARK, MEOW, WANT),
    "ANN": amrs(BARK, MEOW, WANT),
    "BOB": amrs(BARK, MEOW, MEOW),
    "FILE": amrs(BARK, BARK, MEOW, WANT),
    "BANK": amrs(BARK, MEOW, WANT),
    "QUERIES": amrs(MEOW),
    "HYP": "a cat sat\n",
    "REF": "the cat sat\n",
    "MOLECULES": molecule("O"),
    "OTHERS": molecule("N"),
    "ANSWERS.jsonl": "".join(
        json.dumps({"id": name, "response": f"Sure:\n```\n{graph}\n```"}) + "\n"
        for name, graph in (("A", BARK), ("B", MEOW), ("C", WANT))
    ),
    "RATED.csv": "system,segment,score\n"
    + "".join(
        f"{s},{i},{(k * 7) % 5}\n"
        for k, (s, i) in enumerate(
            (system, segment) for system in "AB" for segment in "ABC"
        )
    ),
}
OTHER_FILES: dict[str, dict[str, str]] = {
    "UMR documents": {"PRED": UMR.format("go-02"), "GOLD": UMR.format("leave-11")},
    "AMR documents": {
        "PRED": amrs(f"(m / multi-sentence :snt1 {BARK} :snt2 (s / snow-01))"),
        "GOLD": amrs(f"(m / multi-sentence :snt1 {BARK} :snt2 (s / sleep-01))"),
    },
    "clauses of DRSs": {"PRED": CLAUSES.format("dog"), "GOLD": CLAUSES.format("cat")},
    "DRSs in SBN": {
        "PRED": "male.n.02\ngo.v.01 Theme -1\n",
        "GOLD": "male.n.02\nleave.v.01 Theme -1\n",
    },
    "MRP graphs": {"PRED": mrps("dog", "cat"), "GOLD": mrps("dog", "kitten")},
    "triples, knowledge graphs": {
        "PRED": "Alan Bean\tborn in\tTexas\n",
        "GOLD": "Alan Bean\tborn in\tTexas\nTexas\tin\tUSA\n",
    },
    "workflows, Mermaid": {
        "PRED": "flowchart TD\n  a[Fetch] --> b[Parse]\n",
        "GOLD": "flowchart TD\n  x[Fetch] --> y[Parse] --> z[Save]\n",
    },
    "edit distance of files": {"A": MOLECULE.format("O"), "B": MOLECULE.format("N")},
    "word vectors": {"FILE": "cat 1 0\nkitten 0.9 0.1\ndog 0 1\n"},
}
SAYS = {
    "score two files": "0.9444",
    "clauses of DRSs": "0.6667",
    "UMR documents": "0.7500",
    "MRP graphs": "0.7500",
    "triples, knowledge graphs": "0.6667",
    "workflows, Mermaid": "0.7500",
    "answers of a model": "0.9444",
    "labels and edit costs": " 1",
    "similar graphs": "1 query",
    "edit distance of files": " 1",
}
"""What the answer holds, worked out by hand."""

LISTED = """
score; compare; worst; ids; fences; references; vectors; umr; agreement; clauses; mrp;
documents; nearest; consensus; clusters; ged; backend; labels; trl; dspy; latex;
published; triples; mermaid; thresholds; certificates; live; frame; mcs; human; wiki;
metric
"""
"""Words for the tasks that everybody has."""


@pytest.fixture
def folder(files: Files) -> Files:
    files.enter()
    files(USUAL)
    return files


PYTHON = [task for task in TASKS if typed(task.line).startswith("in Python")]
COMMAND_LINES = [
    task for task in TASKS if task not in PYTHON and "--serve" not in task.line
]
"""All others but the live page, whose server another test runs."""


@pytest.mark.slow
@pytest.mark.parametrize("task", COMMAND_LINES, ids=lambda task: task.title)
def test_the_command_of_a_task_does_it(task: Task, cli: Cli, folder: Files) -> None:
    folder(OTHER_FILES.get(task.title, {}))
    words = ["sembleu" if word == "NAME" else word for word in task.line.split()]
    if words[0] == "verify":
        cli.out("PRED", "GOLD", "--certificates", "PROOFS")
    ran = cli(*words)
    assert ran.code == 0, ran.err
    assert ran.out or "-o" in words
    assert SAYS.get(task.title, "") in ran.out
    for output in ("PAGE.html", "PICTURE.svg", "PROOFS"):
        assert (folder.folder / output).exists() or output not in words


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("task", PYTHON, ids=lambda task: task.title)
def test_the_python_of_a_task_does_it(task: Task) -> None:
    is_backend = "backend" in task.line
    if is_backend and not entry_points(group="networkx.backends", name="exactmatch"):
        pytest.skip("exactmatch is not installed")
    if "to_frame" in task.line and not importlib.util.find_spec("pandas"):
        pytest.skip("pandas is not installed")
    a, b = networkx.cycle_graph(4), networkx.path_graph(4)
    if "symbol" in task.line:
        networkx.set_node_attributes(a, "C", "symbol")
        networkx.set_node_attributes(b, "C", "symbol")
    names: dict[str, Any] = {
        "exactmatch": exactmatch,
        "networkx": networkx,
        "Path": Path,
        "a": a,
        "b": b,
        "pred": BARK,
        "gold": MEOW,
        "preds": [BARK],
        "golds": [MEOW],
        "NAME": "rematch",
        "PRED": "PRED",
        "GOLD": "GOLD",
    }
    answer = eval(task.line, names)
    if "adapters" in task.line:
        assert callable(answer)
    elif "ged(" in task.line or is_backend:
        assert getattr(answer, "distance", answer) == 1
    elif "common" in task.line:
        assert answer.size == 3
    elif "metric=NAME" in task.line:
        assert answer.score == 0
    else:
        assert len(answer)


def test_every_task_of_everybody_is_listed(cli: Cli) -> None:
    listed = cli.out("help", "tasks")
    assert len(LISTED.split(";")) >= 30
    for task in TASKS:
        assert task.title in listed
        assert task.line in listed  # in one piece, to be copied
    words = {
        word.lower()
        for task in TASKS
        for word in f"{task.title} {task.line} {task.words}".replace(",", " ").split()
    }
    for word in LISTED.split(";"):
        assert word.strip() in words, word


def test_lines_fit(cli: Cli) -> None:
    assert max(map(len, cli.out("help", "tasks").splitlines())) <= 88


def test_the_words_of_tasks_are_no_commands() -> None:
    assert len({task.line for task in TASKS}) == len(TASKS)
    assert not {*OTHER_NAMES} & {*COMMANDS}


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("glove", "--vectors"),
        ("GloVe", "--vectors"),
        ("pandas", "to_frame"),
        ("certificate", "exactmatch help proofs"),
        ("certificates", "exactmatch verify PROOFS PRED GOLD"),
        ("spearman", "exactmatch correlate"),
        ("mcs", "maximum_common_edge_subgraph"),
        ("csv", "exactmatch help columns"),
        ("csv", "exactmatch help table"),
        ("csv", "--format"),
        ("molecule", "exactmatch ged MOLECULES OTHERS --labels symbol"),
        ("bootstrap", "exactmatch PRED GOLD --confidence"),
        ("fences", "exactmatch ANSWERS.jsonl GOLD"),
        ("docamr", "--profile doc-amr"),
        ("wikidata", "--metric graph --count edges"),
        ("VeriPB", "--proofs"),
        ("SMATCH++", "exactmatch help smatchpp"),
        ("to_html", "exactmatch.Report"),
    ],
)
def test_a_word_is_searched_for(word: str, line: str, cli: Cli) -> None:
    out = cli.out("help", word)
    assert out.startswith(f"search: {word}\n")
    assert f"  {line}" in out or f".{line}" in out or line in out


def test_words_are_searched_for_together(cli: Cli) -> None:
    first = cli.out("help", "edit", "distance").splitlines()[2]
    assert first == "  exactmatch ged A B"


def test_a_format_says_what_its_columns_are_called(cli: Cli) -> None:
    answers, table = cli.out("help", "answers"), cli.out("help", "table")
    assert "prediction, response, output" in answers
    assert "exactmatch ANSWERS.jsonl GOLD" in answers
    assert {"subject", "relation", "object"} <= {*table.split()}
    assert "scored by: --metric graph --count edges\n" in table
    assert "scored by: --metric smatch --profile umr\n" in cli.out("help", "umr")


@pytest.mark.usefixtures("folder")
def test_the_columns_of_pairs_are_explained(cli: Cli) -> None:
    heading = cli.out("PRED", "GOLD", "--per-pair", "--format", "csv").splitlines()[0]
    explained = cli.out("help", "columns").replace(",", " ").split()
    assert {*heading.split(",")} <= {*explained}


def test_a_message_is_found_by_its_words(cli: Cli) -> None:
    out = cli.out("help", "embeddings", "hypotheses", "sentences", "units")
    assert "  message" in out or "--embeddings" in out


@pytest.mark.parametrize("word", ["", "x", "??", "%s", "(", "qqqqqq"])
def test_what_is_nowhere_is_refused_in_a_sentence(word: str, cli: Cli) -> None:
    assert "there is no help on" in cli.refusal("help", word)


def test_the_version_says_whether_kernels_are_compiled(cli: Cli) -> None:
    assert cli.out("--version").endswith((" (compiled)\n", " (interpreted)\n"))
    assert cli.out("--version") == cli.out("-q", "--version")


def test_groups_have_every_command_of_tasks() -> None:
    known = {name for names in GROUPS.values() for name in names} | {"help"}
    for task in TASKS:
        first = task.line.split()[0]
        if first.islower() and "." not in first and first not in ("from",):
            assert first in known or first.startswith("--"), first

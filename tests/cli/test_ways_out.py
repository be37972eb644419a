"""What is refused says the option that goes on, of these very files."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.cli.commands import COMMANDS, INSTALLED_APART
from exactmatch.cli.parsers import make_parser
from exactmatch.cli.tasks import OPTIONS_ELSEWHERE

BARK = "(b / bark-01 :ARG0 (d / dog))"
BAD = "(c / cat))"
GOES_ON = "; --on-error skip leaves it out, --on-error empty counts it as empty\n"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("search", "nearest"),
        ("diff", "align"),
        ("significance", "compare"),
        ("version", "--version"),
        ("cite", "--cite"),
        ("clusters", "cluster"),
        ("Compare", "compare"),
        ("correlat", "correlate"),
    ],
)
def test_a_command_that_does_not_exist_is_no_file(
    cli: Cli, files: Files, word: str, meant: str
) -> None:
    files.enter()
    for arguments in ([word], [word, "a.amr", "b.amr"]):
        refusal = cli.refusal(*arguments)
        assert (
            f"'{word}' is not a command or a file; did you mean '{meant}'?" in refusal
        )


@pytest.mark.parametrize("command", INSTALLED_APART)
def test_a_command_of_another_package_of_ours_names_it(cli: Cli, command: str) -> None:
    if command in COMMANDS:
        pytest.skip("the package is installed")
    said = cli.refusal(command, "a.amr")
    assert f"{command!r} is in a package of its own, exactmatch-papers: pip" in said


@pytest.mark.parametrize(
    ("command", "option", "meant"),
    [
        ("score", "--no-senses", "--no-sense"),
        ("score", "--ignore-senses", "--no-sense"),
        ("score", "--bootstrap", "--confidence"),
        ("score", "--workers", "-j N"),
        ("score", "--timeout", "--time-limit SECONDS"),
        ("score", "--extract-all", "--extract all"),
        ("score", "--umr", "--profile umr"),
        ("cluster", "--n-clusters", "-k N"),
        ("nearest", "--k", "-k N"),
        ("cluster", "--threshold", "--at-least SCORE"),
        ("ged", "--attributes", "--labels NAME,…"),
        ("correlate", "--scores", "--human FILE"),
        ("audit", "--score", "--published SCORE"),
        ("score", "-m", "--metric NAME,…"),
    ],
)
def test_options_of_other_tools_have_their_names_here(
    cli: Cli, files: Files, command: str, option: str, meant: str
) -> None:
    """The option ends the sentence."""
    pair = files.pair(BARK, BARK)
    assert cli.refusal(command, *pair, option, "2").endswith(
        f"; did you mean {meant!r}?\n"
    )


def test_every_option_that_is_meant_exists() -> None:
    """One command has it at least, and a name of ours is not listed as foreign."""
    flags: set[str] = set()
    for name, module in COMMANDS.working():
        flags |= make_parser(module, name, [])._option_string_actions.keys()
    for words, option in OPTIONS_ELSEWHERE:
        assert words, option
        assert option.partition(" ")[0] in flags, option


def test_two_files_take_the_places_of_graphs_in_a_call(cli: Cli, files: Files) -> None:
    """The line for Python runs as it is."""
    files.enter()
    for name in ("a.json", "b.json"):
        files.one(name, '{"nodes": [{"id": 1}, {"id": 2}], "links": []}')
    _, line = cli.refusal("mcs", "a.json", "b.json").strip().split("; type: ")
    start = 'python -c "import exactmatch; from pathlib import Path; print('
    call = "exactmatch.maximum_common_edge_subgraph(Path('a.json'), Path('b.json'))"
    assert line == f'{start}{call})"'
    assert eval(call, {"exactmatch": exactmatch, "Path": Path}).bound == 0


@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("docsmatch", "type 'exactmatch PRED GOLD --profile doc-amr'"),
        ("worst", "type 'exactmatch PRED GOLD --worst 10'"),
        ("labels", "type 'exactmatch ged MOLECULES OTHERS --labels symbol"),
        ("reward", "in Python: exactmatch.adapters.trl.smatch_reward(gold='COLUMN')"),
        ("feedback", "in Python: exactmatch.feedback("),
        ("search", "did you mean 'nearest'?"),
    ],
)
def test_a_word_for_a_task_is_answered_wherever_it_stands(
    cli: Cli, files: Files, word: str, typed: str
) -> None:
    files.enter()
    pair = files.pair(BARK, BARK)
    ours = typed.replace("PRED GOLD", shlex.join(pair))
    assert f"; {ours}" in cli.refusal(word, *pair)
    if word not in ("worst", "labels"):  # which are options
        assert f"; {typed}" in cli.refusal(*pair, f"--{word}")


def test_pairing_by_id_says_what_pairs_without_it(cli: Cli, files: Files) -> None:
    pair = files.pair(BARK, BARK)
    assert "without --by-id, position pairs" in cli.refusal(*pair, "--by-id")


def test_a_file_that_is_called_like_a_command_elsewhere(cli: Cli, files: Files) -> None:
    files.enter()
    files({"consensus": BARK, "search": BARK})
    assert cli.out("consensus", "search", "-b") == "1.0000\n"


def test_other_words_are_told_where_commands_are(cli: Cli) -> None:
    assert "'exactmatch --help' lists the commands" in cli.refusal("qqq")
    assert "qqq: no such file" in cli.refusal("qqq", "x.amr")


@pytest.mark.parametrize(
    "command", ["score", "align", "nearest", "agreement", "compare", "ensemble"]
)
def test_the_sentence_has_the_option_that_goes_on(
    cli: Cli, files: Files, command: str
) -> None:
    paths = [files.one("a.amr", f"{BARK}\n\n{BAD}\n"), ""]
    paths[1] = files.one("b.amr", f"{BARK}\n\n{BARK}\n")
    more = [paths[1]] if command == "compare" else []
    refusal = cli.refusal(command, *paths, *more, "--profile", "clean")
    assert refusal.endswith(GOES_ON)
    assert "a.amr:3:10: the graph has a ')' without its '('" in refusal
    going = ("--profile", "clean", "--on-error", "empty")
    assert cli(command, *paths, *more, *going).code == 0


def test_no_option_is_named_that_was_given_or_is_not_there(
    cli: Cli, files: Files
) -> None:
    path = files.one("a.amr", BAD)
    assert "--on-error" not in cli.refusal("draw", path, "--profile", "clean")


def test_many_graphs_leave_out_what_cannot_be_read(cli: Cli, files: Files) -> None:
    """Numbers from 1 stay those of the file."""
    path = files.one("a.amr", f"{BAD}\n\n{BARK}\n\n{BARK}\n")
    start = ("--profile", "clean", "--on-error")
    found = cli.json("duplicates", path, *start, "skip")
    assert "a.amr:1:10" in cli("duplicates", path, *start, "skip").err
    (pair,) = found["pairs"]
    assert [pair["first_id"], pair["second_id"]] == ["2", "3"]
    rows = cli.json("matrix", path, *start, "empty")["scores"]
    assert [rows[0][2], rows[1][2]] == [0.0, 1.0]
    alone = files.one("bad.amr", BAD)
    assert "nothing to compare" in cli.refusal("matrix", alone, *start, "skip")
    assert "--on-error empty" in cli.refusal("ensemble", path, path, *start, "skip")


def mrp(number: str, framework: str) -> str:
    return json.dumps(
        {
            "id": number,
            "framework": framework,
            "version": 1.0,
            "time": "2020-01-01",
            "flavor": 1,
            "input": "x",
            "tops": [0],
            "nodes": [{"id": 0, "label": "x"}],
            "edges": [],
        }
    )


def refused(cli: Cli, *paths: str) -> str:
    return cli.refusal("score", *paths)


def test_frameworks_are_told_apart(cli: Cli, files: Files) -> None:
    many = [mrp(number, name) for number in "ab" for name in ("amr", "eds")]
    paths = [
        files.lines("pred.mrp", many),
        files.lines("gold.mrp", [mrp(number, "eds") for number in "ab"]),
    ]
    refusal = refused(cli, *paths)
    assert "4 predictions but 2 references; --framework eds finds 2 pairs" in refusal
    assert "--by-id --on-error skip finds 2 pairs and leaves out 2 graphs" in refusal
    assert cli.json("score", *paths, "--framework", "eds")["metrics"][0]["pairs"] == 2
    skipped = cli.json("score", *paths, "--by-id", "--on-error", "skip")
    assert skipped["metrics"][0]["pairs"] == 2


def test_ids_pair_what_they_can(cli: Cli, files: Files) -> None:
    paths = [
        files.graphs("pred.amr", [BARK] * 3, "x{}"),
        files.graphs("gold.amr", [BARK] * 2, "x{}"),
    ]
    refusal = refused(cli, *paths)
    assert "--by-id --on-error skip finds 2 pairs and leaves out 1 graph" in refusal
    assert cli("score", *paths, "--by-id", "--on-error", "skip").code == 0


def test_without_ids_the_place_is_told_where_sentences_part(
    cli: Cli, files: Files
) -> None:
    def lines(*sentences: str) -> str:
        return "\n".join(f"# ::snt {text}\n{BARK}\n" for text in sentences)

    paths = files({"p.amr": lines("a", "c"), "g.amr": lines("a", "b", "c")})
    refusal = refused(cli, *paths)
    assert "--by-id cannot pair them either" in refusal
    assert "p.amr has 2 graphs without '# ::id'" in refusal
    assert "their sentences differ from" in refusal
    assert "p.amr:5 and" in refusal


def test_ids_of_which_none_is_shared(cli: Cli, files: Files) -> None:
    paths = [
        files.graphs("pred.amr", [BARK] * 3, "x{}"),
        files.graphs("gold.amr", [BARK] * 2, "y{}"),
    ]
    assert "because no id is on all sides" in refused(cli, *paths)


def test_a_metric_of_another_program_is_called_by_its_name_here(cli: Cli) -> None:
    told = cli.refusal("--metric", "docsmatch")
    assert (
        "unknown metric 'docsmatch'; here it is called smatch under profile doc-amr"
        in told
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tMarie\twon\tprize\n2\tA\tr\tB\n", "a table without a heading"),
        ("Marie,won,prize\nA,r,B\n", "write subject,relation,object above it"),
        ("Marie | won | prize\nA | r | B\n", "--extract repair reads them"),
        ("(Marie, won, prize)\n(A, r, B)\n", "--extract repair reads them"),
        ("- (Marie; won; prize)\n- (A; r; B)\n", "--extract repair reads them"),
    ],
)
def test_triples_in_no_format_have_a_way_out(
    cli: Cli, files: Files, text: str, message: str
) -> None:
    path = files.one("triples.csv", text)
    assert message in cli.refusal(path, path)
    if "extract" in message:
        data = cli.json(path, path, "--extract", "repair")
        assert data["metrics"][0]["matched"] == 2
        return
    names = (
        "subject,relation,object" if text[0] == "M" else "id,subject,relation,object"
    )
    heading = names.replace(",", "\t" if "\t" in text else ",")
    path = files.one("triples.csv", f"{heading}\n{text}")
    assert cli.out(path, path, "-q") == "1.0000\n"


def test_comments_of_graphs_are_not_taken_for_markdown(cli: Cli, files: Files) -> None:
    """One graph that cannot be read leaves the file one of graphs."""
    text = f"## head\n# - a list\n{BARK}\n\n- (a b c)\n"
    assert cli.refusal(*files.pair(text, text)).endswith(GOES_ON)


def test_one_file_with_both_columns_has_a_way_out(cli: Cli, files: Files) -> None:
    files.enter()
    row = json.dumps({"prediction": "(a / b)", "gold": "(a / b :ARG0 (c / d))"})
    files.one("rows.jsonl", row)
    way_out = "rows.jsonl rows.jsonl --field prediction,gold"
    assert cli.refusal("rows.jsonl").endswith(f"hold both sides: {way_out}\n")
    assert cli.json(*way_out.split())["metrics"][0]["gold_total"] > 2
    files.one("graphs.amr", "(a / b)")
    assert cli.refusal("graphs.amr").endswith("; name predictions and references\n")


def test_answers_in_fences_of_one_text_have_a_way_out(cli: Cli, files: Files) -> None:
    files.enter()
    graphs = ["(b / bark-01)", "(m / meow-01)", "(s / sing-01)"]
    fenced = "\n\n".join(f"Graph {graph[1]}:\n\n```\n{graph}\n```" for graph in graphs)
    files.one("answers.md", f"{fenced}\n")
    three, four = (
        files.graphs(f"{n}.amr", [*graphs, "(x / x)"][:n], None) for n in (3, 4)
    )
    assert cli.out("answers.md", three, "-q") == "1.0000\n"
    files.one("answers.txt", f"{fenced}\n")
    assert cli.out("answers.txt", three, "-q") == "1.0000\n"
    files.one("answers.amr", f"{fenced}\n")
    assert "--extract all finds 3 pairs" in cli.refusal("answers.amr", three)
    assert cli.out("answers.amr", three, "--extract", "all", "-q") == "1.0000\n"
    for more in ((), ("--extract", "all")):
        refusal = cli.refusal("answers.md", four, *more)
        assert "write the answers of answers.md as rows of JSON with 'id'" in refusal
    rows = [{"id": k, "response": f"```\n{g}\n```"} for k, g in enumerate(graphs)]
    files.lines("answers.jsonl", map(json.dumps, rows))
    with_ids = files.graphs("ids.amr", [*graphs, "(x / x)"])
    by_id = ("--by-id", "--on-error", "skip", "-q")
    assert cli.out("answers.jsonl", with_ids, *by_id) == "1.0000\n"
    two = files.graphs("two.amr", graphs[:2], None)
    assert "write '# ::id' above each graph of two.amr, and use" in cli.refusal(
        "two.amr", four
    )
    assert two.endswith("two.amr")


def test_what_may_be_ignored_is_named_as_here(cli: Cli, files: Files) -> None:
    """``--ignore`` is an option of documents; what is ignored of graphs has others."""
    pair = files.pair("(b / bark-01)", "(b / bark-02)")
    for value, way in (
        ("sense,wiki", "--no-sense --no-wiki"),
        ("senses", "--no-sense"),
        (":ARG0,wiki,time", "--no-wiki --except-roles ARG0,time"),
    ):
        refusal = cli.refusal(*pair, "--ignore", value)
        assert refusal.endswith(f"which belongs to json; here it is {way}\n")
        assert cli(*pair, *way.split()).code == 0
    no_sense: Any = {"no_sense": True}
    with pytest.raises(TypeError, match=r"make_metric\('smatch', sense=False\)"):
        exactmatch.evaluate(["(a / b)"], ["(a / b)"], **no_sense)
    no_structure: Any = {"no_structure": True}
    with pytest.raises(TypeError, match="give structure=False"):
        exactmatch.compare({"a": ["(a / b)"]}, ["(a / b)"], **no_structure)


@pytest.mark.parametrize("options", [["-o", "x.amr"], ["--output=x.amr"]])
def test_a_consensus_of_graphs_has_the_command_to_paste(
    options: list[str], cli: Cli, files: Files
) -> None:
    files.enter()
    names = [files.graphs(f"{name}.amr", ["(b / bark-01)"], "p{}") for name in "abc"]
    refusal = cli.refusal("ensemble", *names, *options)
    line = refusal.partition("for graphs: exactmatch ")[2]
    assert "--graphs" in line
    cli.out(*shlex.split(line))
    assert "(b / bark-01)" in Path("x.amr").read_text()
    refusal = cli.refusal(*names[:2], *options)
    assert refusal.endswith("its name ends in .txt, .csv, .json, .tex or .html\n")


def test_graphs_of_several_sentences_have_a_hint(cli: Cli, files: Files) -> None:
    """One of them among many graphs is no document."""
    document = "(m / multi-sentence :snt1 (b / bark-01) :snt2 (r / run-02))"
    hint = "--profile doc-amr aligns each sentence with its own; see 'exactmatch help"
    one = files.pair(document, document)
    assert hint in cli(*one).err
    assert hint not in cli(*one, "--profile", "doc-amr").err
    assert hint not in cli(*one, "--profile", "clean").err
    few = files.pair(*["\n\n".join([document, "(a / b)", "(c / d)"])] * 2)
    assert "multi-sentence" not in cli(*few).err
    assert "--profile doc-amr" in cli.out("help", "documents")
    assert "help documents" in cli.out("help", "multi-sentence")


def test_ids_that_share_a_document_have_a_hint(cli: Cli, files: Files) -> None:
    """Where intervals or tests take sentences as independent."""
    files.enter()
    graphs = ["(b / bark-01)", "(r / run-02)", "(s / sit-01)"]

    def named(name: str, *ids: str) -> str:
        rows = (f"# ::id {i}\n{g}\n" for i, g in zip(ids, graphs, strict=True))
        return files.one(f"{name}.amr", "\n".join(rows))

    pair = [named(name, "doc1.1", "doc1.2", "doc2.1") for name in ("pred", "gold")]
    hint = "3 pairs of 2 documents, named by their ids; units: pairs, as if documents"
    assert hint in cli(*pair, "--confidence").err
    assert hint not in cli(*pair).err
    whole = cli(*pair, "--confidence", "--unit", "document").err
    assert "3 pairs of 2 documents, named by their ids; units: documents" in whole
    for ids in (("x.1", "x.2", "x.3"), ("a.1", "a.2", "b"), ("a.1", "b.1", "c.1")):
        other = [named(name, *ids) for name in ("pred", "gold")]
        assert "documents" not in cli(*other, "--confidence").err


def test_the_format_says_which_metric_and_profile_it_chose(
    cli: Cli, files: Files
) -> None:
    """Clauses and boxes of one meaning have metrics of their own."""
    clauses = files.one("a.clf", 'b1 REF x1\nb1 dog "n.02" x1\n')
    boxes = files.one("a.sbn", "dog.n.02\nrun.v.01 Agent -1\n")
    for file, line in (
        (
            clauses,
            "DRSs as clauses: metric counter, which matches clauses, as Counter does; "
            "another: --metric NAME",
        ),
        (
            boxes,
            "DRSs in simplified box notation: metric smatch, profile drs, which counts "
            "boxes as nodes",
        ),
    ):
        assert cli.out(file, file).partition("\n")[0] == line
    assert "profile" not in cli.out(boxes, boxes, "--profile", "drs").split("\n")[0]
    refusal = cli.refusal(clauses, boxes)
    assert "--metric counter or --metric smatch --profile drs" in refusal


def test_first_guesses_have_the_option_to_add(cli: Cli, files: Files) -> None:
    """Of AMRs, the metric that grades labels; a profile that sounds like a metric."""
    pair = files.pair(BARK, BARK)
    refusal = cli.refusal(*pair, "--vectors", "v.txt")
    assert refusal.endswith("; add --metric s2match\n")
    for name in ("smatch++", "smatchpp"):
        refusal = cli.refusal(*pair, "--metric", name)
        assert "here it is called smatch under profile smatchpp" in refusal
    refusal = cli.refusal("convert", pair[0], "--format", "json")
    assert "did you mean '--to'?" in refusal


def test_python_names_what_a_first_guess_meant(files: Files) -> None:
    files.enter()
    graphs = [BARK, "(m / meow-01)"]
    for name in ("a", "b", "gold"):
        files.graphs(f"{name}.amr", graphs, "p{}")
    two = r"\{'a': Path\('a.amr'\), 'b': Path\('b.amr'\)\}"
    wrong: Any = [Path("a.amr"), Path("b.amr")]
    with pytest.raises(exactmatch.InputError, match=two):
        exactmatch.compare(wrong, Path("gold.amr"))
    with pytest.raises(exactmatch.InputError, match="and then the references"):
        exactmatch.compare(Path("gold.amr"), wrong)  # type: ignore[arg-type]  # a guess
    with pytest.raises(TypeError, match=r"the result has \.worst\(…\)"):
        exactmatch.evaluate(graphs, graphs, worst=3)  # type: ignore[call-arg]  # a guess
    result = exactmatch.audit(graphs, graphs, published=0.9, runs=1)
    assert repr(result).startswith("published 0.9 ")


def test_options_for_roles_lead_to_what_does_them(cli: Cli, files: Files) -> None:
    pair = files.pair("(a / b)", "(a / b)")
    for option in ("--ignore-roles", "--exclude-roles"):
        assert "did you mean '--except-roles ROLE,…'?" in cli.refusal(*pair, option)
    assert "finegrained" in cli.refusal(*pair, "--no-roles")


@pytest.mark.parametrize(
    "heading",
    [
        "subj\tpred\tobj",
        "Entity 1\tRelation\tEntity 2",
        "head_entity\trelation_type\ttail_entity",
    ],
)
def test_headings_of_triples_are_no_triple(
    cli: Cli, files: Files, heading: str
) -> None:
    path = files.one("kg.tsv", f"{heading}\nMarie\twon\tprize\n")
    assert cli.json(path, path)["metrics"][0]["gold_total"] == 1


def test_s2match_without_vectors_says_so(cli: Cli, files: Files) -> None:
    pair = files.pair(BARK, f"{BARK}\n")
    advice = "the paper's S2match has GloVe: --vectors FILE"
    assert advice in cli(*pair, "--metric", "smatch,s2match").err
    assert cli(*pair, "--metric", "s2match", "--similarity", "lcs").err == ""
    assert advice not in cli(*pair, "--metric", "all").err

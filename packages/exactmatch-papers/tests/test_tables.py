"""Every published table is measured again, on some of the bundled sample's pairs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from exactmatch.formats.readings import read
from exactmatch_papers.tables import uniform

ROOT = Path(__file__).parents[3]
NAMES = (
    "sembleu-figure-2",
    "sembleu-table-1",
    "sembleu-figure-3",
    "sembleu-table-2",
    "sembleu-table-3",
    "sembleu-table-4",
    "opitz-table-1",
    "opitz-table-2",
    "opitz-table-3",
    "opitz-figure-4",
    "opitz-table-4",
    "opitz-table-5",
    "opitz-figure-6",
    "opitz-table-7",
    "opitz-figure-8",
    "opitz-figure-10",
    "opitz-table-8",
    "opitz-figure-11",
    "opitz-table-9",
    "opitz-table-10",
    "bamboo",
    "coli",
    "drs",
    "edit-distances",
    "mces",
    "umr-task",
    "public-umr",
)

pytestmark = pytest.mark.slow


def papers(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    environment.pop("EXACTMATCH_DATA", None)
    return subprocess.run(
        [sys.executable, "-m", "exactmatch_papers.tables", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One smoke run of everything."""
    folder = tmp_path_factory.mktemp("papers")
    run = papers("--smoke", "--output", str(folder))
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


def record_of(results: Path, name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((results / f"{name}.json").read_text("utf-8"))
    return record


def test_this_list_of_tables_is_complete() -> None:
    listed = papers("--help").stdout.partition("tables:\n")[2]
    assert tuple(line.split()[0] for line in listed.splitlines()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_numbers_and_a_page(results: Path, name: str) -> None:
    record = record_of(results, name)
    assert f"[{name}]({name}.md)" in (results / "README.md").read_text("utf-8")
    page = (results / f"{name}.md").read_text("utf-8")
    assert record["tables"]
    for table in record["tables"]:
        assert f"**{table['title']}**" in page
        for row in table["rows"]:
            assert len(row["cells"]) == len(table["header"]) - 1
            for cell in row["cells"]:
                assert cell["shown"] in page
    for picture in record["pictures"]:
        assert "<svg" in (results / picture).read_text("utf-8")
        assert f"]({picture})" in page


def test_every_table_and_figure_has_a_page_or_a_reason(results: Path) -> None:
    page = (results / "README.md").read_text("utf-8")
    reasons = page.partition("| without a page | why |")[2].partition("\n\n")[0]
    sembleu, opitz = reasons.split("| Opitz et al. (2020), ")
    for paper, absent, figures, tables in (
        ("sembleu", sembleu, 3, 4),
        ("opitz", opitz, 11, 10),
    ):
        for kind, count in (("figure", figures), ("table", tables)):
            for number in range(1, count + 1):
                has_page = f"({paper}-{kind}-{number}.md)" in page
                has_reason = re.search(
                    rf"(?:^|\| |, ){kind} {number}(?: \||,)", absent, re.MULTILINE
                )
                assert has_page != bool(has_reason), (paper, kind, number)


def test_no_folder_of_this_machine_is_on_a_page(results: Path) -> None:
    page = "\n".join(path.read_text("utf-8") for path in results.glob("*.md"))
    for folder in (str(ROOT), str(results), os.path.dirname(str(results))):
        assert folder not in page


def test_errors_hit_as_many_kgrams_as_the_paper_derives(results: Path) -> None:
    """Opitz et al. (2020), footnote 9: d leaves 3d, the root d² + d + 1, and so on."""
    table = record_of(results, "opitz-table-4")["tables"][0]
    assert [row["name"] for row in table["rows"]] == ["2", "3", "4", "5"]
    for row in table["rows"]:
        d = int(row["name"])
        here = [cell["here"] for cell in row["cells"]]
        assert here == [3 * d, d * d + d + 1, d * d + 2 * d + 3]


def test_the_exact_scores_neither_wander_nor_depend_on_the_order(
    results: Path,
) -> None:
    ratios, means = record_of(results, "opitz-table-1")["tables"]
    exact = [ratios["header"].index(name) - 1 for name in ("Smatch", "S²Match")]
    for row in (*ratios["rows"], *means["rows"]):
        assert [row["cells"][k]["here"] for k in exact] == [0.0, 0.0]
    for row in record_of(results, "opitz-table-5")["tables"][0]["rows"][-2:]:
        assert {cell["here"] for cell in row["cells"]} == {0.0}


def test_unigrams_are_the_nodes(results: Path) -> None:
    """Song and Gildea (2019), section 3.3."""
    for table in record_of(results, "sembleu-figure-3")["tables"]:
        slope = table["rows"][0]["cells"][1]["here"]
        assert slope == pytest.approx(1.0)


def test_the_papers_own_graphs_have_the_papers_n_grams(results: Path) -> None:
    """Song and Gildea (2019), table 1, the only table about graphs that they print."""
    (table,) = record_of(results, "sembleu-table-1")["tables"]
    assert len(table["rows"]) == 6
    assert {row["cells"][0]["published"] for row in table["rows"]} == {"the same"}


def test_exact_scores_lie_on_the_diagonal(results: Path) -> None:
    (table,) = record_of(results, "opitz-figure-4")["tables"]
    for row in table["rows"]:
        numbers = [cell["here"] for cell in row["cells"]]
        assert len(numbers) == 4
        if row["name"].startswith("Smatch"):
            assert numbers == [0.0] * 4
        elif row["name"] == "SemBleu, gold ↔ BART":
            assert 0 < numbers[0] < numbers[3]


def test_the_papers_own_pair_scores_as_in_the_paper(results: Path) -> None:
    """Opitz et al. (2020), figure 10: Smatch, which needs no word vectors, is 0.63."""
    (table,) = record_of(results, "opitz-figure-10")["tables"]
    here = {row["name"]: row["cells"][0]["here"] for row in table["rows"]}
    assert here["Smatch"] == pytest.approx(0.625)
    assert here["SemBleu"] < here["Smatch"] <= here["S²Match"]


def test_bleu_is_symmetric_in_sentences_of_equal_length(results: Path) -> None:
    """Of the smoke run's two translations one is worse; the graphs' sentences equal."""
    (table,) = record_of(results, "opitz-table-2")["tables"]
    worst, average, *same = [
        [cell["here"] for cell in row["cells"]] for row in table["rows"]
    ]
    assert worst[1] > average[1] > 0
    assert (worst[2], average[2]) == (100, 100)
    assert same
    assert {(*row[:3], row[4]) for row in same} == {(0.0, 0.0, 0.0, 0.0)}


def test_graded_concepts_never_lower_a_score(results: Path) -> None:
    (table,) = record_of(results, "opitz-figure-8")["tables"]
    *ours, papers = table["rows"]
    assert papers["name"] == "the paper's"
    for row in ours:
        assert row["cells"][2]["here"] >= 0


def test_every_part_of_bamboo_at_hand_is_measured(results: Path) -> None:
    record = record_of(results, "bamboo")
    (table,) = record["tables"]
    variants = ("main", "reify", "syno", "role confusion")
    tasks = ("STS", "SICK", "PARA")
    assert table["header"] == [
        "metric",
        *(
            f"{task} {variant}, {part}"
            for variant in variants
            for part in ("test", "dev")
            for task in tasks
        ),
    ]
    (smatch,) = [row for row in table["rows"] if row["name"] == "Smatch"]
    published = dict(
        zip(
            table["header"][1:],
            (cell["published"] for cell in smatch["cells"]),
            strict=True,
        )
    )
    assert published["SICK reify, test"] == 61.79
    assert published["PARA role confusion, test"] == 88.14
    assert published["SICK reify, dev"] is None
    assert not [note for note in record["notes"] if "Not measured" in note]


def test_parts_that_are_missing_are_named_and_others_measured(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    write = (
        "import pathlib, sys; "
        "from exactmatch_papers.tables.corpora import write_smoke_data; "
        "write_smoke_data(*map(pathlib.Path, sys.argv[1:]))"
    )
    sample = ROOT / "exactmatch" / "sample"
    command = [sys.executable, "-c", write, str(data), str(sample)]
    subprocess.run(command, cwd=ROOT, check=True)
    shutil.rmtree(data / "mtool")
    shutil.rmtree(data / "wmt18-submitted-data")
    shutil.rmtree(data / "bamboo" / "sick")
    (data / "bamboo" / "para" / "syno" / "tgt.test.amr").unlink()
    names = ("bamboo", "coli", "opitz-table-2", "opitz-table-7")
    run = papers(*names, "--data", str(data), "--output", str(tmp_path))
    assert run.returncode == 0, run.stderr
    record = record_of(tmp_path, "bamboo")
    (text,) = [note for note in record["notes"] if "Not measured" in note]
    assert "para/syno, test;" in text
    assert "sick/role_confusion, dev," in text
    header = record["tables"][0]["header"]
    assert "PARA syno, test" not in header
    assert "STS syno, test" in header
    cells = record["tables"][0]["rows"][1]["cells"]
    assert cells[header.index("PARA syno, dev") - 1]["published"] == 39.54
    assert cells[header.index("STS syno, dev") - 1]["published"] is None
    (text,) = record_of(tmp_path, "coli")["notes"]
    assert "mtool/data/score/amr/coli.system.amr" in text
    assert record_of(tmp_path, "coli")["tables"] == []
    text, _ = record_of(tmp_path, "opitz-table-2")["notes"]
    assert "wmt18-submitted-data/txt/references/newstest2018-ende-ref.de" in text
    rows = record_of(tmp_path, "opitz-table-2")["tables"][0]["rows"]
    assert [row["cells"][0]["shown"] for row in rows[:2]] == ["– (81.3)", "– (72.7)"]
    (text,) = record_of(tmp_path, "opitz-table-7")["notes"]
    assert "sick/main, test" in text


FORI = """
import json, sys
from exactmatch_papers.tables.distances import fori_table
rows = fori_table(json.load(sys.stdin)).rows
print(json.dumps([[str(cell) for cell in cells] for _, cells in rows]))
"""


def test_a_distance_that_is_not_gurobis_is_refused() -> None:
    pair = {"set": "AIDS_21_30", "distance": 4.0, "proven": True, "proof": "dual"}
    same = {**pair, "found": 4.0, "wall": 0.5}
    slow = {**same, "proven": False, "wall": 90.0, "found": 5.0}

    def table_of(*pairs: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", FORI],
            input=json.dumps(pairs),
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )

    row, total = json.loads(table_of(same, slow).stdout)
    assert row[:3] == ["2", "50.0", "50.0"]
    assert row == total
    refusal = table_of({**same, "found": 4.5}).stderr
    assert "AssertionError: {'set': 'AIDS_21_30'" in refusal


ISOMERS = """
import json, sys
from exactmatch_papers.tables.molecules import isomer_table
rows = isomer_table(iter(json.load(sys.stdin))).rows
print(json.dumps([[str(cell) for cell in cells] for _, cells in rows]))
"""


def test_a_proven_distance_that_is_not_cbcs_is_refused() -> None:
    pair = {"k": 1, "ours": 4.0, "proven": True, "seconds": 0.5}
    same = {**pair, "cbc": {"dist": 4.0, "mode": 1, "cpu": 2.0}}
    bound = {**pair, "cbc": {"dist": 9.0, "mode": 5, "cpu": 3.0}}

    def table_of(*pairs: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", ISOMERS],
            input=json.dumps(pairs),
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )

    rows = json.loads(table_of(same, bound).stdout)
    assert rows == [
        ["4", "4", "0.500", "2.00"],
        ["4", "9*", "0.500", "3.00"],
        ["–", "–", "1.000", "5.00"],
    ]
    assert "AssertionError" in table_of({**same, "ours": 5.0}).stderr


def test_inner_nodes_stand_in_more_kgrams_than_leaves(results: Path) -> None:
    (table,) = record_of(results, "opitz-figure-6")["tables"]
    means = {row["name"]: row["cells"][1]["here"] for row in table["rows"]}
    assert means["root"] > means["leaf"]
    assert means["branching"] > means["leaf"]


def test_a_better_parser_ranks_first(results: Path) -> None:
    """In a smoke run the second parser's graphs are the references."""
    rows = record_of(results, "sembleu-table-4")["tables"][0]["rows"]
    ranks = {row["name"]: row["cells"][0]["here"] for row in rows}
    assert ranks == {
        "Smatch, T5": 1,
        "Smatch, BART": 2,
        "SemBleu, T5": 1,
        "SemBleu, BART": 2,
    }


def test_a_single_table_joins_the_index(tmp_path: Path) -> None:
    """The command runs in the process or in one of its own."""
    for name, how in (
        ("opitz-table-4", ()),
        ("sembleu-figure-3", ("--our-python", sys.executable)),
    ):
        run = papers(name, "--smoke", "--output", str(tmp_path), *how)
        assert run.returncode == 0, run.stderr
    page = (tmp_path / "README.md").read_text("utf-8")
    places = [page.index(f"({n}.md)") for n in ("sembleu-figure-3", "opitz-table-4")]
    assert places == sorted(places)


def test_the_committed_pages_are_of_the_committed_numbers(tmp_path: Path) -> None:
    committed = ROOT / "docs" / "papers"
    for path in committed.glob("*.json"):
        shutil.copy(path, tmp_path)
    shutil.copy(committed / "json-peers.md", tmp_path)
    assert {path.stem for path in tmp_path.glob("*.json")} == set(NAMES)
    assert papers("--page", "--output", str(tmp_path)).returncode == 0
    for path in tmp_path.glob("*.md"):
        page = (committed / path.name).read_text("utf-8")
        assert page == path.read_text("utf-8")
        for picture in re.findall(r"\]\(([\w-]+\.svg)\)", page):
            assert (committed / picture).exists()


def test_a_command_that_fails_is_reported(tmp_path: Path) -> None:
    run = papers(
        *("opitz-table-3", "--smoke", "--output", str(tmp_path)),
        *("--smatch-python", str(tmp_path / "no-such-python")),
    )
    assert run.returncode == 1
    assert "no-such-python" in run.stderr
    assert not (tmp_path / "opitz-table-3.json").exists()


def test_a_misspelt_table_is_refused(tmp_path: Path) -> None:
    run = papers("opitz-table-33", "--smoke", "--output", str(tmp_path / "results"))
    assert run.returncode == 2
    assert "unknown table 'opitz-table-33'" in run.stderr
    assert not (tmp_path / "results").exists()


def test_without_data_it_says_what_it_needs(tmp_path: Path) -> None:
    run = papers("opitz-table-4", "--output", str(tmp_path))
    assert run.returncode == 2
    assert "--data" in run.stderr


def test_evaluations_of_umr_have_the_published_numbers_beside_ours(
    results: Path,
) -> None:
    """Dogs bark in another sense: of four values three are equal."""
    juumatch, smatch, *of_task = record_of(results, "umr-task")["tables"]
    for row in juumatch["rows"][:-1]:
        assert [cell["here"] for cell in row["cells"]] == [3, 4, 4, 75.0, 2, 2, 2]
        assert all(cell["here"] == cell["published"] for cell in row["cells"])
    (row,) = smatch["rows"]
    assert [cell["published"] for cell in row["cells"]] == [None, None, 1, 4, 4, 0.25]
    assert [table["title"].split(":")[0] for table in of_task] == [
        f"Shared task, table {n}" for n in range(2, 15)
    ]
    for table in of_task:
        (row,) = table["rows"]
        assert row["name"] == "English"
        assert len({cell["here"] for cell in row["cells"]} | {1.0}) <= 2


def test_umr_files_are_scored_against_copies_and_refusals_listed(results: Path) -> None:
    scores, refused, largest = record_of(results, "public-umr")["tables"]
    rows = {
        row["name"]: [cell["here"] for cell in row["cells"]] for row in scores["rows"]
    }
    assert rows == {
        "UMR 3.0, english": [2, 1, 1, 1, 1],
        "ufal/UMR": [12, 12, 12, 12, 0],
    }
    (row,) = refused["rows"]
    assert row["name"] == "umr-data/english/umr_data/english_umr-2.umr"
    assert [cell["here"] for cell in row["cells"]] == [
        "1",
        "has no sentence; is this a UMR file?",
    ]
    assert all(row["cells"][2]["here"] > 0 for row in largest["rows"])


def test_a_copy_that_differs_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.umr"
    path.write_text(
        "# :: snt1\n\n# sentence level graph:\n(s1a / x :r (s1b / y))\n", "utf-8"
    )
    assert uniform.check_file(path).equal == (True, True, True)
    graph = read(path.read_text("utf-8"), "umr")
    poorer = partial(graph.revised, relations=())
    monkeypatch.setattr(uniform, "through_json", lambda _: poorer())
    assert uniform.check_file(path).equal == (True, True, False)
    path.write_text("", "utf-8")
    assert uniform.check_file(path).refusals == ((None, "the file is empty"),)

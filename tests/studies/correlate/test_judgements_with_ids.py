"""Judgements that name their pairs are paired by the names, in any order of rows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.cli.main import main
from exactmatch.studies.correlate.human import read_judgement
from exactmatch.studies.correlate.judgement_files import judged_in

SCORES = {f"s{k}": 5.0 - 0.7 * k for k in range(7)}
PREDS = [f"# ::id s{k}\n(a / x{k % 3} :ARG0 (b / y{k % 2}))" for k in range(7)]
GOLDS = [f"# ::id s{k}\n(a / x0 :ARG0 (b / y0))" for k in range(7)]

FORMS = {
    "tabs": ("id\thuman", "{id}\t{score}"),
    "commas": ("id,score", "{id},{score}"),
    "semicolons": ("ID;Score", "{id};{score}"),
    "quotes": ('"id","score"', '"{id}","{score}"'),
    "score first": ("score\tid", "{score}\t{id}"),
    "segment": ("segment\tscore", "{id}\t{score}"),
    "a column of any name": ("id\tlikeness", "{id}\t{score}"),
    "more columns": ("snt\tid\trating\tnote", "a, b\t{id}\t{score}\tx"),
    "no heading": ("", "{id}\t{score}"),
    "no heading, blanks": ("", "{id} {score}"),
    "a judge": ("id\tjudge\tscore", "{id}\tAnna\t{score}"),
}


@pytest.fixture(name="graphs")
def fixture_graphs(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "p.amr", tmp_path / "g.amr"
    for path, texts in zip(paths, (PREDS, GOLDS), strict=True):
        path.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return paths


def table(form: str, names: list[str], end: str = "\n") -> str:
    heading, line = FORMS[form]
    rows = [line.format(id=name, score=SCORES[name]) for name in names]
    return end.join([*filter(None, [heading]), *rows]) + end


def numbers_of(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["correlate", *map(str, arguments), "--format", "csv"]) == 0
    return capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_the_order_of_rows_does_not_matter(
    form: str, end: str, graphs: tuple[Path, Path], tmp_path: Path, capsys: object
) -> None:
    assert isinstance(capsys, pytest.CaptureFixture)
    by_position = tmp_path / "lines.txt"
    by_position.write_text("\n".join(map(str, SCORES.values())), encoding="utf-8")
    wanted = numbers_of(capsys, *graphs, by_position)
    names = [*SCORES]
    random.Random(3).shuffle(names)
    path = tmp_path / "people.tsv"
    path.write_bytes(table(form, names, end).encode())
    assert numbers_of(capsys, *graphs, path) == wanted
    assert numbers_of(capsys, *graphs, path, "--by-id") == wanted
    assert numbers_of(capsys, *graphs[::-1], "--human", path) == wanted


def test_graphs_in_another_order_have_their_own_judgements(
    graphs: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, permuted = tmp_path / "people.tsv", tmp_path / "permuted.amr"
    path.write_text(table("tabs", [*SCORES]), encoding="utf-8")
    permuted.write_text("\n\n".join(PREDS[::-1]), encoding="utf-8")
    wanted = numbers_of(capsys, *graphs, path)
    assert numbers_of(capsys, permuted, graphs[1], path, "--by-id") == wanted


def test_pairs_without_a_judgement_are_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "people.tsv"
    path.write_text("id\tscore\ns5\t1\ns0\t3\ns2\t-\n", encoding="utf-8")
    known = {k: f"s{k}" for k in range(7)}
    answers = read_judgement(str(path)).of_pairs(known).answers[0].tolist()
    assert [k for k, value in enumerate(answers) if value == value] == [0, 5]
    assert answers[0] == 3


def test_judges_may_order_their_rows_as_they_like(tmp_path: Path) -> None:
    first, second = tmp_path / "anna.tsv", tmp_path / "ben.tsv"
    first.write_text("id\tscore\ns0\t1\ns1\t2\n", encoding="utf-8")
    second.write_text("id\tscore\ns1\t4\ns0\t3\n", encoding="utf-8")
    both = tmp_path / "both.csv"
    both.write_text("judge,id,score\nA,s0,1\nB,s1,4\nB,s0,3\nA,s1,2\n", "utf-8")
    known = {0: "s0", 1: "s1"}
    for paths in ([first, second], [both]):
        found = read_judgement(*map(str, paths)).of_pairs(known)
        assert found.answers.tolist() == [[1, 2], [3, 4]]


def test_preferences_are_known_by_the_first_of_two(tmp_path: Path) -> None:
    path = tmp_path / "people.tsv"
    path.write_text("id\tpreference\nb\t0\na\t1\n", encoding="utf-8")
    known = {0: "a", 1: "a2", 2: "b", 3: "b2"}
    assert read_judgement(str(path)).of_pairs(known).answers.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("id\tscore\ns0\t1\ns99\t2\n", "no pair has the id 's99'"),
        ("id\tscore\ns0\t1\ns0\t2\n", "judges 's0' for the second time"),
        ("id\tscore\ns0\t1\ns1\tgood\n", "2|'good' is not a number"),
        ("id\tscore\ns0\t1\n\t3\n", "has no id"),
        ("id\tscore\ns0\n", "has 1 column"),
        ("id\ta\tb\ns0\t1\t2\n", "call the column"),
        ("id\tscore\n", "holds no judgement"),
        ("id\tid\tscore\ns0\ts1\t3\n", "names id twice"),
        ("judge\tscore\nA\t3\nB\t4\n", "no column of ids"),
    ],
)
def test_tables_that_are_refused(
    text: str, reason: str, graphs: tuple[Path, Path], tmp_path: Path, capsys: object
) -> None:
    assert isinstance(capsys, pytest.CaptureFixture)
    path = tmp_path / "people.tsv"
    path.write_text(text, encoding="utf-8")
    assert main(["correlate", *map(str, graphs), str(path)]) == 2
    assert reason.rpartition("|")[2] in capsys.readouterr().err


def test_ids_are_refused_where_graphs_have_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graphs, path = tmp_path / "a.amr", tmp_path / "people.tsv"
    graphs.write_text("(a / b)\n\n(c / d)\n", encoding="utf-8")
    path.write_text("id\tscore\n1\t1\n2\t2\n", encoding="utf-8")
    assert main(["correlate", str(graphs), str(graphs), str(path)]) == 2
    assert "leave out the column of ids" in capsys.readouterr().err


def test_a_heading_without_ids_is_by_position(tmp_path: Path) -> None:
    path = tmp_path / "people.txt"
    path.write_text("score\n1\n-\n3\n", encoding="utf-8")
    (found,) = judged_in(str(path))
    assert found.ids is None
    assert found.values[::2] == [1, 3]


def test_one_system_in_a_table_of_systems(
    graphs: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [*SCORES]
    random.Random(5).shuffle(names)
    path, other = tmp_path / "people.tsv", tmp_path / "ids.tsv"
    rows = [f"p.amr\t{name}\t{SCORES[name]}" for name in names]
    rows += [f"other.amr\t{name}\t1" for name in names]
    path.write_text("\n".join(["system\tsegment\tscore", *rows]), encoding="utf-8")
    other.write_text(table("tabs", [*SCORES]), encoding="utf-8")
    pred, gold = graphs
    wanted = numbers_of(capsys, pred, gold, other)
    assert numbers_of(capsys, gold, pred, "--human", path) == wanted
    for name in ("p", "runs/p.amr"):  # as its file is called, or a part of that
        text = "\n".join(["system\tsegment\tscore", *rows])
        path.write_text(text.replace("p.amr", name), encoding="utf-8")
        assert numbers_of(capsys, gold, pred, "--human", path) == wanted
    assert main(["correlate", str(gold), str(gold), "--human", str(path)]) == 2
    assert "no row of the system 'g.amr'" in capsys.readouterr().err
    path.write_text("system\tscore\np.amr\t3\n", encoding="utf-8")
    assert main(["correlate", str(gold), str(pred), "--human", str(path)]) == 2
    assert "judges several systems" in capsys.readouterr().err


def test_scores_by_id_in_memory() -> None:
    wanted = exactmatch.correlate(PREDS, GOLDS, [*SCORES.values()])
    permuted = dict(reversed(SCORES.items()))
    for human in (permuted, {"Anna": permuted}):
        assert exactmatch.correlate(PREDS, GOLDS, human).metrics == wanted.metrics
    with pytest.raises(InputError, match="no pair has the id 's9'"):
        exactmatch.correlate(PREDS, GOLDS, SCORES | {"s9": 1})

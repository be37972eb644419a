"""``exactmatch yisi``: what it says, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.command import Cli, record_in
from support.files import Files

from exactmatch.metrics.yisi.text import YiSiText


@pytest.fixture
def folder(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files.enter()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files.one("h", "the cat sat\na dog\n")
    files.one("r", "the cat sits\na dog\n")
    files.one("one", "the cat\n")
    files.one("none", "")
    files.one("latin", b"ok\nna\xefve\n")
    files.one("roles", "1 2 3\n")
    files.one("bad", "1\ta\tb\n")
    row = "\t".join(["1", "a", *"_" * 6, "0", "0", "_", "_", "_", "_"])
    files.one("three.conll", "\n\n".join([row] * 3))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("h one", "h: holds 2 sentences but one 1; give one line"),
        ("h nix", "nix: no such file"),
        ("h latin", "latin:2: byte 0xef is not UTF-8"),
        ("none none", "none: holds no sentence"),
        ("h", "yisi0 compares with references; name a file"),
        ("- -", "standard input can be only one of the files"),
        (
            "h r --variant yisi1",
            "yisi1 compares embeddings; name word vectors with --vectors",
        ),
        ("h r --variant yisi2", "yisi2 compares with the input; name it with --input"),
        ("h r --vectors v", "--vectors is not used by yisi0"),
        ("h r --variant yisi1 --vectors v,w", "takes one"),
        ("h r --input r", "yisi0 does not use --input"),
        ("h r --srl-hyp bad", "give --srl-hyp and --srl-ref"),
        ("h r --srl-hyp bad --srl-ref bad", "bad:1: holds 3 columns"),
        (
            "h r --srl-hyp three.conll --srl-ref bad",
            "the frames of 3 sentences, not of 2",
        ),
        ("h r --role-weights roles", "roles: holds 3 numbers; write 8"),
        ("h r --idf learned", "--idf is 'learned'"),
        ("h r --idf counts:nix", "nix: no such file"),
        ("h r --alpha 1.5", "argument --alpha: '1.5' is not between 0 and 1"),
        ("h r --ngram -1", "--ngram is -1"),
        ("h r --ngram 0 --yisi paper", "--ngram is 0"),
    ],
)
def test_errors_name_culprit_and_way_out(
    arguments: str, message: str, cli: Cli
) -> None:
    code, out, err = cli("yisi", *arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith("exactmatch: error: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "latex"])
def test_every_format_renders(form: str, cli: Cli) -> None:
    assert ("73." if form == "latex" else "0.73") in cli.out(
        "yisi", "h", "r", "--per-pair", "--format", form
    )


@pytest.mark.usefixtures("folder")
def test_signature_tells_what_determines_the_number(
    cli: Cli,
) -> None:
    signature = cli(
        "yisi", "h", "r", "--ref2", "r", "--ngram", "2", "--yisi", "paper"
    ).out.splitlines()[-1]
    assert "metric:yisi0|yisi:paper|sim:lcs|ngram:2|alpha:0.7" in signature
    assert "|nrefs:2|" in signature


def test_swapped_vector_files_are_noticed(folder: Path, cli: Cli) -> None:
    """The order is hypotheses, input; the words tell if it was meant the other way."""
    (folder / "src").write_text("die katze\nein hund\n")
    (folder / "en").write_text("the 1 0\ncat 0 1\ndog 1 1\na 1 0\n")
    (folder / "de").write_text("die 1 0\nkatze 0 1\nhund 1 1\nein 1 0\n")
    scores = []
    for order in ("en,de", "de,en"):
        command = f"h --variant yisi2 --input src --vectors {order} --format json"
        code, out, err = cli("yisi", *command.split())
        assert code == 0
        scores.append(record_in(out)["score"])
        assert ("warning" in err) == (order == "de,en")
    assert scores[0] == scores[1] > 0.5


def test_vectors_of_two_spaces_are_refused(folder: Path, cli: Cli) -> None:
    (folder / "en").write_text("the 1 0\n")
    (folder / "de").write_text("the 1 0 0\n")
    assert "the files have 2 and 3 dimensions" in cli.refusal(
        "yisi", "h", "--variant", "yisi2", "--input", "r", "--vectors", "en,de"
    )


def test_beta_without_frames_is_remarked_upon(folder: Path, cli: Cli) -> None:
    assert (folder / "h").exists()
    ran = cli("yisi", "h", "r", "--beta", "0.1")
    assert ran.code == 0
    assert "no frames are given" in ran.err


def record(cli: Cli, *arguments: str) -> Any:
    """What the command reports, as JSON."""
    return cli.record("yisi", *arguments)


GRAPHS = {
    "pred.amr": [("two", "a dog"), ("one", "the cat sat"), ("three", "it rains")],
    "gold.amr": [("one", "the cat sits"), ("two", "a dog")],
}


@pytest.fixture
def graphs(folder: Path) -> Path:
    """Graphs with sentences, in different orders, and one without partner."""
    for name, stated in GRAPHS.items():
        blocks = [f"# ::id {key}\n# ::snt {text}\n(x / y)\n" for key, text in stated]
        (folder / name).write_text("\n".join(blocks))
    return folder


def test_sentences_of_graphs_are_paired_by_id(graphs: Path, cli: Cli) -> None:
    assert "holds 3 sentences but gold.amr 2" in cli.refusal(
        "yisi", "pred.amr", "gold.amr"
    )
    assert "three" in cli.refusal("yisi", "pred.amr", "gold.amr", "--by-id")
    options = ("--by-id", "--on-error", "skip", "--per-pair")
    found = record(cli, "pred.amr", "gold.amr", *options)
    by_position = record(cli, "h", "r", "--per-pair")
    assert [pair["id"] for pair in found["per_pair"]] == ["one", "two"]
    assert [pair["score"] for pair in found["per_pair"]] == [
        pair["score"] for pair in by_position["per_pair"]
    ]
    assert "skipped:1" in found["signature"]
    assert (graphs / "gold.amr").exists()


def test_a_graph_without_sentence_is_left_out_or_empty(graphs: Path, cli: Cli) -> None:
    text = (graphs / "gold.amr").read_text().replace("# ::snt a dog\n", "")
    (graphs / "gold.amr").write_text(text)
    (graphs / "pred.amr").write_text("the cat sat\na dog\n")
    assert "gold.amr:6: graph 'two' has no '# ::snt'" in cli.refusal(
        "yisi", "pred.amr", "gold.amr"
    )
    skipped = record(cli, "pred.amr", "gold.amr", "--on-error", "skip")
    assert skipped["pairs"] == 1
    empty = record(cli, "pred.amr", "gold.amr", "--on-error", "empty")
    assert (empty["pairs"], empty["score"]) == (2, skipped["score"] / 2)


@pytest.mark.slow
def test_several_processes_score_frames_and_units_alike(folder: Path, cli: Cli) -> None:
    row = "\t".join(["1", "a", *"_" * 6, "0", "0", "_", "_", "Y", "a.01"])
    (folder / "frames").write_text(f"{row}\n\n" * 2)
    (folder / "units").write_text("the 1 0\ncat 0 1\nsat 1 1\n\na 1 2\ndog 2 1\n\n")
    frames = ("--srl-hyp", "frames", "--srl-ref", "frames")
    units = ("--embeddings-hyp", "units", "--embeddings-ref", "units")
    for options in (frames, ("--variant", "yisi1", *units), ("--ref2", "h")):
        one = record(cli, "h", "r", *options, "--per-pair")
        assert record(cli, "h", "r", *options, "--per-pair", "-j", "2") == one


def test_intervals_of_the_mean(folder: Path, cli: Cli) -> None:
    (folder / "h").write_text("the cat sat\na dog\nit rains\n" * 8)
    (folder / "r").write_text("the cat sits\na dog\nit pours\n" * 8)
    found = record(cli, "h", "r", "--confidence", "90", "--samples", "50")
    assert found["score_low"] < found["score"] < found["score_high"]
    assert "interval:halves,50,seed:0" in found["signature"]


def test_ctrl_c_leaves_what_was_scored(
    folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare = YiSiText.compare
    scored: list[Any] = []

    def interrupted(self: YiSiText, *sentences: Any, **more: Any) -> Any:
        if scored:
            raise KeyboardInterrupt
        scored.append(sentences)
        return compare(self, *sentences, **more)

    monkeypatch.setattr(YiSiText, "compare", interrupted)
    ran = cli("yisi", "h", "r", "--format", "json")
    assert ran.code == 130
    found = record_in(ran.out)
    assert (found["pairs"], found["partial"]) == (1, True)
    assert (folder / "h").exists()


def test_a_text_may_begin_with_a_bracket(folder: Path, cli: Cli) -> None:
    """A first line ``(Applause)`` does not make a file one of graphs."""
    (folder / "h").write_text("(Applause)\n#1 fan\n(a / b)\n")
    (folder / "r").write_text("( Applause )\n#1 fan\n(a / b)\n")
    found = record(cli, "h", "r", "--per-pair")["per_pair"]
    assert [pair["score"] > 0 for pair in found] == [True] * 3


@pytest.mark.usefixtures("folder")
def test_means_are_means_already(cli: Cli) -> None:
    macro, plain = cli("yisi", "h", "r", "--macro"), cli("yisi", "h", "r")
    assert "--macro has no effect on yisi" in macro.err
    assert "--macro" not in plain.err
    assert macro.out == plain.out

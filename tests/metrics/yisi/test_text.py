"""YiSi on text: words, phrases, frames, matching, and the command."""

from __future__ import annotations

import gzip
import itertools
import json
import math
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactmatch.cli.main import main
from exactmatch.errors import InputError
from exactmatch.metrics.yisi.conll import (
    ROLE_TYPES,
    Sentence,
    read_conll09,
    role_type,
)
from exactmatch.metrics.yisi.files import read_parses, read_sentences
from exactmatch.metrics.yisi.frames import (
    Compare,
    Filler,
    Frame,
    Likeness,
    Rules,
    structural_similarity,
)
from exactmatch.metrics.yisi.matching import best_matching
from exactmatch.metrics.yisi.phrases import phrasal_similarity
from exactmatch.metrics.yisi.sentences import Weights, YisiScorer, f_score
from exactmatch.metrics.yisi.text import YiSiText
from exactmatch.metrics.yisi.words import (
    Idf,
    read_counts,
    substring_similarity,
    uniform_weight,
    vector_similarity,
)
from exactmatch.similarity import Vectors

WORDS = st.sampled_from(["the", "cat", "cats", "sat", "Sat", "a", "dog"])
PHRASES = st.lists(WORDS, max_size=5)
no_deadline = settings(deadline=None)
"""SciPy takes its time when it is first imported."""


# --- words ------------------------------------------------------------------


@no_deadline
@given(st.text("abÄ", max_size=6), st.text("abÄ", max_size=6), st.booleans())
def test_substring_similarity_tries_every_substring(
    a: str, b: str, in_bytes: bool
) -> None:
    left, right = (a.encode(), b.encode()) if in_bytes else (a, b)
    lengths = [
        end - start
        for start, end in itertools.combinations(range(len(left) + 1), 2)
        if left[start:end] in right
    ]
    total = len(left) + len(right)
    expected = 2 * max(lengths, default=0) / total if total else 1.0
    assert substring_similarity(in_bytes=in_bytes)(a, b) == pytest.approx(expected)


def test_bytes_and_characters_differ_beyond_ascii() -> None:
    """``Ä`` and ``ä`` share the first of their two bytes, but no character."""
    assert substring_similarity(in_bytes=True)("Ä", "ä") == 0.5
    assert substring_similarity(in_bytes=False)("Ä", "ä") == 0.0


def vectors_of(**vectors: Sequence[float]) -> Vectors:
    return Vectors.of({word: np.array(v, float) for word, v in vectors.items()})


def test_vectors_by_word_then_lower_case_then_unknown() -> None:
    table = vectors_of(cat=(1, 0), dog=(3, 4), Sat=(0, 1), bad=(-1, 0), null=(0, 0))
    similarity = vector_similarity(table)
    assert similarity("cat", "CAT") == 1.0
    assert similarity("CAT", "dog") == pytest.approx(0.6)
    assert similarity("Sat", "dog") == pytest.approx(0.8)
    assert similarity("sat", "dog") == 0.0, "no vector of that word"
    assert similarity("cat", "bad") == 0.0, "negative cosines are 0"
    assert similarity("cat", "null") == 0.0
    with_unknown = vector_similarity(vectors_of(**{"cat": (1, 0), "<unk>": (1, 1)}))
    assert with_unknown("cat", "zzz") == pytest.approx(math.sqrt(0.5))


def test_across_languages_equal_words_are_alike_unless_both_have_vectors() -> None:
    """``Gift`` is not ``gift``, but ``2019`` is ``2019``."""
    english, german = vectors_of(gift=(1, 0), x=(1, 0)), vectors_of(gift=(0, 1))
    similarity = vector_similarity(english, german)
    assert similarity("gift", "gift") == 0.0
    assert similarity("2019", "2019") == 1.0
    assert similarity("x", "X") == 1.0


def test_idf_counts_sentences_not_words() -> None:
    idf = Idf.of([["the", "the", "cat"], ["the", "Dog"]])
    assert idf("the") == pytest.approx(math.log2(1 + 3 / 3))
    assert idf("THE") == pytest.approx(math.log2(1 + 3 / 3))
    assert idf("cat") == pytest.approx(math.log2(1 + 3 / 2))
    assert idf("dog") == pytest.approx(math.log2(1 + 3 / 1)), "Dog is not dog"


def test_counts_are_read_in_either_order() -> None:
    assert read_counts(["5", "4 the", "2 1992"], "f") == Idf(5, {"the": 4, "1992": 2})
    assert read_counts(["5", "the 4", "1992 2"], "f") == Idf(5, {"the": 4, "1992": 2})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "f: is empty"),
        (["5 the"], "f:1: holds 2 fields"),
        (["5", "", "the"], "f:3: holds 1 fields"),
        (["five"], "f:1: 'five' is not a number"),
        (["5", "the x"], "f:2: 'x' is not a number"),
        (["5", "-1 the"], "f:2: '-1' is not a number"),
    ],
)
def test_bad_counts_are_named(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_counts(lines, "f")


# --- phrases ----------------------------------------------------------------


def spelled_out(own: list[str], other: list[str], n: int, idf: Idf) -> float:
    """The formula of Lo (2019), §2.1, written down as it is printed."""
    lcs = substring_similarity(in_bytes=False)
    n = min(n, len(own), len(other))
    if not n:
        return 0.0
    top = sum(
        max(
            sum(idf(own[a + k]) * lcs(own[a + k], other[b + k]) for k in range(n))
            for b in range(len(other) - n + 1)
        )
        for a in range(len(own) - n + 1)
    )
    bottom = sum(idf(own[a + k]) for a in range(len(own) - n + 1) for k in range(n))
    return top / bottom


@no_deadline
@given(PHRASES, PHRASES, st.integers(0, 4))
def test_phrasal_similarity_is_the_printed_formula(
    own: list[str], other: list[str], n: int
) -> None:
    idf = Idf.of([own, other, ["the", "cat"]])
    found = phrasal_similarity(own, other, idf, substring_similarity(in_bytes=False), n)
    assert found == pytest.approx(spelled_out(own, other, n, idf))


def test_order_counts_from_two_words_on() -> None:
    scores = [
        phrasal_similarity(
            ["b", "a"], ["a", "b"], uniform_weight, lambda e, f: float(e == f), n
        )
        for n in (1, 2, 3)
    ]
    assert scores == [1.0, 0.0, 0.0]


# --- matching ---------------------------------------------------------------

MATRICES = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(
            st.sampled_from([0.0, 0.25, 0.5, 1.0]),
            min_size=shape[1],
            max_size=shape[1],
        ),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@no_deadline
@given(MATRICES)
def test_matching_equals_brute_force(weights: list[list[float]]) -> None:
    """No permutation is worth more, and worthless pairs are left out."""
    size = max(len(weights), len(weights[0]))
    padded = [[*row, *[0.0] * (size - len(row))] for row in weights]
    padded += [[0.0] * size for _ in range(size - len(weights))]
    best = max(
        sum(padded[i][j] for i, j in enumerate(order))
        for order in itertools.permutations(range(size))
    )
    found = best_matching(weights)
    chosen = [j for j in found if j is not None]
    assert len(set(chosen)) == len(chosen)
    values = [weights[i][j] for i, j in enumerate(found) if j is not None]
    assert sum(values) == best
    assert all(value > 0 for value in values)


def test_matching_of_nothing() -> None:
    assert best_matching([]) == []
    assert best_matching([[], []]) == [None, None]


# --- frames -----------------------------------------------------------------

ROLES = st.sampled_from(["who", "what", "how"])
UNITS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(tuple)


@st.composite
def frames(draw: st.DrawFn) -> list[Frame]:
    found = []
    for _ in range(draw(st.integers(0, 3))):
        parts = draw(st.lists(st.tuples(ROLES, UNITS), max_size=3))
        fillers = tuple(Filler(r, u, tuple(range(len(u)))) for r, u in parts)
        predicate = draw(st.sampled_from("abcd"))
        found.append(Frame(Filler("did", (predicate,), (9,)), fillers))
    return found


def shared(own: Filler, other: Filler) -> Likeness:
    value = sum(unit in other.units for unit in own.units) / len(own.units)
    return Likeness(value, value)


def alignments(n: int, m: int) -> list[dict[int, int]]:
    """Every partial one-to-one alignment of n things with m."""
    places = [*range(m), *[None] * n]
    found = {order[:n] for order in itertools.permutations(places, n)}
    return [{i: j for i, j in enumerate(o) if j is not None} for o in found]


def brute_force(
    own: list[Frame], other: list[Frame], compare: Compare, rules: Rules
) -> float:
    """Structural precision by trying all alignments of frames and of fillers.

    Alignments are compared by similarity and, where that ties, by value; under
    ``joint`` by value alone.
    """

    def covered(frame: Frame) -> float:
        if rules.frame_weights == "uniform":
            return 1.0
        parts = (frame.predicate, *frame.fillers)
        if rules.count_overlap:
            return sum(len(part.units) for part in parts)
        return len({place for part in parts for place in part.places})

    def value(frame: Frame, sought: Frame) -> float:
        """The largest value of the fillers' best alignments."""
        tried = []
        for pairs in alignments(len(frame.fillers), len(sought.fillers)):
            similarity = worth = 0.0
            for i, j in pairs.items():
                mine, theirs = frame.fillers[i], sought.fillers[j]
                same = mine.role == theirs.role or rules.same_role == "no"
                if same or rules.same_role == "after":
                    similarity += compare(mine, theirs).rank
                if same:
                    worth += rules.role_weight(mine) * compare(mine, theirs).value
            tried.append((0.0 if rules.joint else round(similarity, 9), worth))
        weight = rules.role_weight(frame.predicate)
        mass = weight + sum(map(rules.role_weight, frame.fillers))
        predicate = compare(frame.predicate, sought.predicate).value
        return (weight * predicate + max(tried)[1]) / mass

    tried = []
    for pairs in alignments(len(own), len(other)):
        ranks = {
            (i, j): compare(own[i].predicate, other[j].predicate).rank
            for i, j in pairs.items()
        }
        kept = [p for p, r in ranks.items() if r or rules.align_unlike or rules.joint]
        worth = sum(covered(own[i]) * value(own[i], other[j]) for i, j in kept)
        tried.append((0.0 if rules.joint else round(sum(ranks.values()), 9), worth))
    total = sum(map(covered, own))
    return max(tried)[1] / total if own else 0.0


@no_deadline
@given(
    frames(),
    frames(),
    st.sampled_from(["no", "after", "before"]),
    st.sampled_from(["coverage", "uniform"]),
    st.booleans(),
    st.booleans(),
)
def test_structure_equals_brute_force(
    own: list[Frame],
    other: list[Frame],
    same_role: Any,
    frame_weights: Any,
    align_unlike: bool,
    joint: bool,
) -> None:
    rules = Rules(
        lambda filler: {"who": 2.0, "what": 1.0, "how": 3.0, "did": 0.5}[filler.role],
        frame_weights,
        count_overlap=align_unlike,
        same_role=same_role,
        align_unlike=align_unlike,
        joint=joint,
    )
    found = structural_similarity(own, [other], shared, rules)
    assert found == pytest.approx(brute_force(own, other, shared, rules), abs=1e-6)


@no_deadline
@given(frames(), frames())
def test_joint_alignment_is_worth_no_less(own: list[Frame], other: list[Frame]) -> None:
    one, both = (
        structural_similarity(
            own, [other], shared, Rules(lambda _: 1.0, joint=joint, align_unlike=True)
        )
        for joint in (False, True)
    )
    assert both >= one - 1e-9


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("V", "did"),
        ("C-V", "did"),
        ("A0", "who"),
        ("R-ARG1", "what"),
        ("ARG2-FOR", "whom"),
        ("BNF", "whom"),
        ("AM-TMP", "when"),
        ("C-R-AM-TMP", "when"),
        ("ARG4-TMP", "when"),
        ("A3", "where"),
        ("ARG5-DIR", "where"),
        ("LOC", "where"),
        ("ARGM-PRP", "why"),
        ("ARG2-CAU", "why"),
        ("A5", "how"),
        ("AM-NEG", "how"),
        ("arg1-pat", "what"),
        ("argM-fin", "when"),
        ("argL-null", "how"),
        ("unheard-of", "how"),
    ],
)
def test_role_types(label: str, kind: str) -> None:
    """As in ``yisi_srl.labelconfig``, which comes with NRC's program."""
    assert role_type(label) == kind
    assert kind in ROLE_TYPES


def conll(*rows: str) -> list[str]:
    """CoNLL-2009 from ``form head pred label…``; the other columns do not matter."""
    lines = []
    for i, row in enumerate(rows, 1):
        if not row:
            lines.append("")
            continue
        form, head, pred, *labels = row.split()
        fields = [str(i), form, *"_" * 6, head, head, "_", "_", "_", pred, *labels]
        lines.append("\t".join(fields))
    return lines


def test_labels_are_spread_to_unlabelled_dependents() -> None:
    """Each run of one label is a filler; the predicate stops the spreading."""
    lines = conll(
        "the 2 _ _",
        "man 4 _ A0",
        "old 2 _ _",
        "sees 0 see.01 _",
        "a 6 _ _",
        "dog 4 _ A1",
        "here 2 _ _",
    )
    (sentence,) = read_conll09(lines, "f")
    (frame,) = sentence.frames
    assert frame.predicate == Filler("did", ("sees",), (3,))
    assert [(f.role, f.units) for f in frame.fillers] == [
        ("who", ("the", "man", "old")),
        ("what", ("a", "dog")),
        ("who", ("here",)),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1\ta\tb"], "f:1: holds 3 columns"),
        (conll("a x _"), "f:1: HEAD is 'x'"),
        (conll("a 2 _"), "f:1: HEAD is 2; the sentence has 1 words"),
        (conll("a 0 _ A0"), "f:1: has a label in role column 1"),
        (conll("a 0 _", "", "b 0 _"), "f:3: ID is 3; the sentence's word 1 is due"),
    ],
)
def test_malformed_frames_are_named(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_conll09(lines, "f")


def test_a_cycle_of_heads_ends() -> None:
    (sentence,) = read_conll09(conll("a 2 _ _", "b 1 _ A0", "c 0 c.01 _"), "f")
    assert [f.units for f in sentence.frames[0].fillers] == [("a", "b")]


def test_parses_of_empty_sentences_and_blank_lines_too_many(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("\n".join([*conll("a 0 _"), "", "", *conll("b 0 _"), "", "", ""]))
    assert [p.tokens for p in read_parses(str(path), ["a", "", "b"])] == [
        ("a",),
        (),
        ("b",),
    ]
    assert [p.tokens for p in read_parses(str(path), ["a", "b"])] == [("a",), ("b",)]
    with pytest.raises(InputError, match="the frames of 2 sentences, not of 1"):
        read_parses(str(path), ["a"])


ALIGNED = """\
# ::tok the boy wants not to go
(w / want-01~e.2 :ARG0 (b / boy~e.1) :ARG1 (g / go-02~e.5 :ARG0 b :polarity -~e.3))
"""


def test_frames_from_aligned_graphs(tmp_path: Path) -> None:
    path = tmp_path / "f.amr"
    path.write_text(ALIGNED)
    (sentence,) = read_parses(str(path), ["the boy wants not to go"])
    assert sentence.tokens == ("the", "boy", "wants", "not", "to", "go")
    assert [
        (f.predicate.units, [(x.role, x.units) for x in f.fillers])
        for f in sentence.frames
    ] == [
        (("wants",), [("who", ("boy",)), ("what", ("boy", "not", "go"))]),
        (("go",), [("who", ("boy",)), ("how", ("not",))]),
    ]
    path.write_text(ALIGNED.replace("~e.5", "~e.6"))
    with pytest.raises(InputError, match="is aligned to word 6; its sentence has 6"):
        read_parses(str(path), ["the boy wants not to go"])


# --- scores -----------------------------------------------------------------


def scorer(**options: Any) -> YisiScorer:
    return YisiScorer(
        substring_similarity(in_bytes=True),
        Weights(uniform_weight, uniform_weight),
        **options,
    )


@no_deadline
@given(PHRASES.filter(bool), st.floats(0, 1))
def test_an_identical_sentence_scores_one_without_frames(
    words: list[str], alpha: float
) -> None:
    sentence = Sentence(tuple(words))
    assert scorer(alpha=alpha).score(sentence, sentence).score == pytest.approx(1)


def test_an_identical_sentence_scores_less_under_beta_if_it_has_no_frame() -> None:
    """The official program's structural part is then 0; the paper's is undefined."""
    sentence = Sentence(("a", "very", "small", "dog"))
    official = scorer(beta=0.1).score(sentence, sentence)
    assert official.score == pytest.approx(0.9)
    assert scorer(beta=0.1, edition="paper").score(sentence, sentence).score == 1


@no_deadline
@given(PHRASES, PHRASES, st.integers(1, 3))
def test_exchanging_the_sides_exchanges_precision_and_recall(
    one: list[str], two: list[str], n: int
) -> None:
    """With one weight for both sides; the score is the same if α is 0.5."""
    a, b = Sentence(tuple(one)), Sentence(tuple(two))
    there, back = (scorer(ngram=n, alpha=0.5).score(*pair) for pair in ((a, b), (b, a)))
    assert there.precision == pytest.approx(back.recall)
    assert there.score == pytest.approx(back.score)
    assert 0 <= there.score <= 1


@no_deadline
@given(PHRASES, PHRASES, PHRASES)
def test_of_two_references_each_component_takes_the_better(
    hyp: list[str], one: list[str], two: list[str]
) -> None:
    sentences = [Sentence(tuple(words)) for words in (hyp, one, two)]
    both = scorer().score(*sentences)
    single = [scorer().score(sentences[0], other) for other in sentences[1:]]
    assert both.precision == max(score.precision for score in single)
    assert both.recall == max(score.recall for score in single)


def labelled(*fillers: tuple[str, int, int], predicate: int = 0) -> Sentence:
    tokens = ("sees", "him", "her", "it")
    parts = tuple(Filler(r, (), tuple(range(a, b))) for r, a, b in fillers)
    frame = Frame(Filler("did", (), (predicate,)), parts)
    return Sentence(tokens, (frame,)).with_tokens(tokens)


def test_official_recall_overlooks_role_types_and_the_paper_does_not() -> None:
    """NRC's program compares role types for precision only."""
    hyp, ref = labelled(("who", 1, 2)), labelled(("what", 1, 2))
    weights = dict.fromkeys(ROLE_TYPES, 1.0)
    for reading, recall in (("official", 1.0), ("paper", 0.5)):
        yisi = scorer(beta=1.0, role_weights=weights, edition=reading)
        found = yisi.score(hyp, ref)
        assert found.structural_precision == 0.5
        assert found.structural_recall == recall


def test_f_score_is_harmonic_at_one_half_and_leans_to_recall_above() -> None:
    assert f_score(0.5, 1.0, 0.5) == pytest.approx(2 / 3)
    assert f_score(0.5, 1.0, 1.0) == 1.0
    assert f_score(0.0, 1.0, 0.5) == 0.0


def test_the_metric_gives_what_the_command_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hyps, refs = ["the cat sat", "dogs"], ["a cat sits", "a dog"]
    (tmp_path / "h").write_text("\n".join(hyps) + "\n")
    (tmp_path / "r").write_text("\n".join(refs) + "\n")
    main(["yisi", str(tmp_path / "h"), str(tmp_path / "r"), "--format", "json"])
    metric = YiSiText()
    metric.fit(map(metric.prepare, refs))
    measured = [metric.measure(h, r) for h, r in zip(hyps, refs, strict=True)]
    total = tuple(
        sum(column) for column in zip(*(m.statistics for m in measured), strict=True)
    )
    record = json.loads(capsys.readouterr().out)
    assert metric.scores(total).score == pytest.approx(record["score"])
    assert metric.scores(total).recall == pytest.approx(record["recall"])
    assert metric.scores(metric.identity()).score == 0
    sent = pickle.loads(pickle.dumps(metric))
    assert sent.measure(hyps[0], refs[0]) == measured[0]


# --- the command ------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "h").write_text("the cat sat\na dog\n")
    (tmp_path / "r").write_text("the cat sits\na dog\n")
    (tmp_path / "one").write_text("the cat\n")
    (tmp_path / "none").write_text("")
    (tmp_path / "latin").write_bytes(b"ok\nna\xefve\n")
    (tmp_path / "roles").write_text("1 2 3\n")
    (tmp_path / "bad").write_text("1\ta\tb\n")
    (tmp_path / "three.conll").write_text("\n\n".join(["\n".join(conll("a 0 _"))] * 3))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("h one", "h: holds 2 sentences but one 1; give one line"),
        ("h nix", "nix: no such file"),
        ("h latin", "latin:2: byte 0xef is not UTF-8"),
        ("none none", "none: holds no sentence"),
        ("h", "yisi0 compares with references; name REF"),
        ("- -", "standard input can be only one of the files"),
        (
            "h r --variant yisi1",
            "yisi1 compares embeddings; name word vectors with --vectors",
        ),
        ("h r --variant yisi2", "yisi2 compares with the input; name it with --input"),
        ("h r --vectors v", "--vectors is not used by yisi0"),
        ("h r --variant yisi1 --vectors v,w", "takes one"),
        ("h r --input r", "--input is not read by yisi0"),
        ("h r --srl-hyp bad", "give --srl-hyp and --srl-ref"),
        ("h r --srl-hyp bad --srl-ref bad", "bad:1: holds 3 columns"),
        (
            "h r --srl-hyp three.conll --srl-ref bad",
            "the frames of 3 sentences, not of 2",
        ),
        ("h r --role-weights roles", "roles: holds 3 numbers; write 8"),
        ("h r --idf learned", "--idf is 'learned'"),
        ("h r --idf counts:nix", "nix: no such file"),
        ("h r --alpha 1.5", "--alpha is 1.5; it must be from 0 to 1"),
        ("h r --ngram -1", "--ngram is -1"),
        ("h r --ngram 0 --yisi paper", "--ngram is 0"),
    ],
)
def test_errors_name_culprit_and_way_out(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["yisi", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("exactmatch: error: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "latex"])
def test_every_format_renders(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yisi", "h", "r", "--per-pair", "--format", form]) == 0
    assert ("73." if form == "latex" else "0.73") in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_signature_tells_what_determines_the_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["yisi", "h", "r", "--ref2", "r", "--ngram", "2", "--yisi", "paper"])
    signature = capsys.readouterr().out.splitlines()[-1]
    assert "metric:yisi0|yisi:paper|sim:lcs|ngram:2|alpha:0.7" in signature
    assert "|nrefs:2|" in signature


def test_swapped_vector_files_are_noticed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The order is hypotheses, input; the words tell if it was meant the other way."""
    (folder / "src").write_text("die katze\nein hund\n")
    (folder / "en").write_text("the 1 0\ncat 0 1\ndog 1 1\na 1 0\n")
    (folder / "de").write_text("die 1 0\nkatze 0 1\nhund 1 1\nein 1 0\n")
    scores = []
    for order in ("en,de", "de,en"):
        command = f"h --variant yisi2 --input src --vectors {order} --format json"
        assert main(["yisi", *command.split()]) == 0
        captured = capsys.readouterr()
        scores.append(json.loads(captured.out)["score"])
        assert ("warning" in captured.err) == (order == "de,en")
    assert scores[0] == scores[1] > 0.5


def test_vectors_of_two_spaces_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "en").write_text("the 1 0\n")
    (folder / "de").write_text("the 1 0 0\n")
    assert (
        main(["yisi", "h", "--variant", "yisi2", "--input", "r", "--vectors", "en,de"])
        == 2
    )
    assert "the files have 2 and 3 dimensions" in capsys.readouterr().err


def test_beta_without_frames_is_remarked_upon(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (folder / "h").exists()
    assert main(["yisi", "h", "r", "--beta", "0.1"]) == 0
    assert "no frames are given" in capsys.readouterr().err


def test_only_foreseen_vectors_are_read_until_another_is_asked_for(
    folder: Path,
) -> None:
    (folder / "v").write_text("cat 1 0\ndog 3 4\nfox 0 1\n")
    metric = YiSiText(vectors="v", idf="uniform")
    metric.preload(["Cat dog"])
    assert metric.vectors is not None
    assert metric.measure("CAT", "dog").statistics[1] == pytest.approx(0.6)
    assert metric.measure("fox", "dog").statistics[1] == pytest.approx(0.8)
    assert dict(metric.signature())["vectors"].startswith("v@")


def test_sentences_of_graph_files_and_packed_files(folder: Path) -> None:
    (folder / "g.amr").write_text("# ::snt A dog .\n(d / dog)\n\n# ::snt\n(c / cat)\n")
    assert read_sentences("g.amr") == ["A dog ."]
    (folder / "t.gz").write_bytes(gzip.compress("ä\r\n\nb".encode()))
    assert read_sentences("t.gz") == ["ä", "", "b"]

"""Matrices of scores are what a plain double loop finds, to the last bit."""

from __future__ import annotations

import pickle
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import parts

import exactmatch
from exactmatch import InputError
from exactmatch.base import compiled as kernels
from exactmatch.graphs.graph import Graph
from exactmatch.many import blocks, matrix, packed
from exactmatch.many.blocks import Block, score_blocks
from exactmatch.metrics.finegrained.aspects import aspects
from exactmatch.solvers.problem import AlignmentProblem

pytestmark = pytest.mark.filterwarnings("ignore:.* as read")

SLOW = [HealthCheck.too_slow]  # drawing graphs takes long on a busy machine
EMPTY = Graph((), (), (), (), ())
GRAPHS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG0 b :time (n / now)))",
    "(b / bark-01 :polarity - :ARG0 (d / dog :mod (b2 / big)))",
    "(d / dog)",
]
many = st.lists(parts(repeat=True).map(lambda drawn: drawn.graph()), max_size=5)


def double_loop(queries: Any, choices: Any, metric: Any) -> Any:
    """The oracle: every pair prepared and compared by itself."""
    if isinstance(metric, str):
        metric = exactmatch.make_metric(metric)
    if metric.learns:
        metric = metric.copy()
        metric.fit([metric.prepare(metric.read(choice).item) for choice in choices])
    return np.array(
        [
            [exactmatch.score(query, choice, metric=metric).score for choice in choices]
            for query in queries
        ]
    ).reshape(len(queries), len(choices))


@pytest.fixture(params=["compiled", "interpreted"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run with the compiled kernel and with its interpreted twin."""
    for name in ("_packing", "_pairs"):
        loaded = kernels.load(f"exactmatch.engine.{name}")
        if request.param == "interpreted":
            loaded = kernels.load_interpreted(f"exactmatch.engine.{name}")
        elif not kernels.is_compiled(loaded):
            pytest.skip("the kernel is not compiled")
        monkeypatch.setattr(packed, name, loaded)
    return request.param


@pytest.mark.slow
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("profile", ["smatch", "clean", "smatchpp", "smatchpp-generic"])
def test_it_is_the_double_loop(profile: str) -> None:
    @settings(max_examples=examples(25), deadline=None, suppress_health_check=SLOW)
    @given(queries=many, choices=many)
    def check(queries: Any, choices: Any) -> None:
        metric = exactmatch.make_metric("smatch", profile=profile)
        queries = [*queries, EMPTY]
        expected = double_loop(queries, choices, metric)
        assert np.array_equal(exactmatch.cdist(queries, choices, metric), expected)
        both = exactmatch.cdist(queries, queries, metric)
        assert np.array_equal(both, double_loop(queries, queries, metric))
        assert np.array_equal(both, both.T)

    check()


@pytest.mark.usefixtures("kernel")
@settings(max_examples=examples(25), deadline=None, suppress_health_check=SLOW)
@given(graphs=many, cutoff=st.sampled_from([0, 0.25, 0.5, 2 / 3, 0.8, 1]))
def test_a_cutoff_puts_zeros_and_changes_nothing_else(graphs: Any, cutoff: Any) -> None:
    graphs = [*graphs, EMPTY]
    whole = exactmatch.cdist(graphs, graphs)
    expected = np.where(whole >= cutoff, whole, 0.0)
    found = exactmatch.cdist(graphs, graphs, at_least=cutoff)
    assert np.array_equal(found, expected)
    if cutoff > 0:
        sparse = exactmatch.cdist(graphs, graphs, at_least=cutoff, sparse=True)
        assert np.array_equal(sparse.toarray(), expected)


@pytest.mark.usefixtures("kernel")
def test_a_cutoff_that_is_a_score_keeps_it() -> None:
    """Every score of the matrix is a cutoff that it passes."""
    whole = exactmatch.cdist(GRAPHS, GRAPHS)
    for cutoff in np.unique(whole[whole > 0]):
        found = exactmatch.cdist(GRAPHS, GRAPHS, at_least=cutoff)
        assert np.array_equal(found, np.where(whole >= cutoff, whole, 0.0))


@pytest.mark.parametrize("graphs", [[], GRAPHS[:1]], ids=["none", "one"])
def test_several_workers_may_have_nothing_to_do(graphs: list[Any]) -> None:
    """A graph beside itself has nothing right of the diagonal."""
    expected = exactmatch.cdist(graphs, graphs)
    assert np.array_equal(exactmatch.cdist(graphs, graphs, jobs=2), expected)
    assert exactmatch.many.pdist(graphs, jobs=2).size == 0


@pytest.mark.parametrize("workers", [2, 5])
def test_threads_share_a_small_matrix_in_small_blocks(
    workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a file are the same with any workers, so that others can go on."""
    graphs = GRAPHS * 50
    whole = exactmatch.cdist(graphs, graphs)
    taken: list[list[Block]] = []

    def noted(sides: Any, blocks: list[Block], *rest: Any) -> Any:
        taken.append(blocks)
        return score_blocks(sides, blocks, *rest)

    monkeypatch.setattr(matrix, "score_blocks", noted)
    others = list(graphs)
    assert np.array_equal(exactmatch.cdist(graphs, others, jobs=workers), whole)
    for number in (1, workers):
        path = tmp_path / f"{number}.npy"
        found = exactmatch.cdist(graphs, others, jobs=number, out=path)
        assert np.array_equal(found, whole)
    in_memory, in_file, in_other = taken
    largest = max(block.shape[0] * block.shape[1] for block in in_memory)
    assert largest * 16 * workers <= whole.size
    assert in_file == in_other
    assert 16 <= len(in_file) < 20


@settings(max_examples=examples(30), deadline=None, suppress_health_check=SLOW)
@given(graphs=many)
def test_pdist_is_the_upper_triangle(graphs: Any) -> None:
    square = exactmatch.cdist(graphs, graphs)
    expected = square[np.triu_indices(len(graphs), 1)]
    assert np.array_equal(exactmatch.many.pdist(graphs), expected)


@pytest.mark.parametrize("metric", ["smatch", "s2match", "sembleu", "yisi"])
@pytest.mark.parametrize("solver", ["auto", "highs", "hillclimb"])
def test_any_metric_and_any_solver(metric: str, solver: str) -> None:
    if metric != "smatch" and solver != "auto":
        pytest.skip("the solvers are Smatch's matter here")
    made = exactmatch.make_metric(metric, solver=solver)
    expected = double_loop(GRAPHS, GRAPHS[:3], made)
    assert np.array_equal(exactmatch.cdist(GRAPHS, GRAPHS[:3], made), expected)
    square = double_loop(GRAPHS, GRAPHS, made)
    assert np.array_equal(exactmatch.cdist(GRAPHS, GRAPHS, made), square)
    above = exactmatch.cdist(GRAPHS, GRAPHS, made, at_least=0.4)
    assert np.array_equal(above, np.where(square >= 0.4, square, 0.0))


def test_a_pair_that_the_kernel_cannot_prove_is_proved_by_the_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a tree of no nodes at all, every search is left to the solver."""
    interpreted = kernels.load_interpreted("exactmatch.engine._pairs")
    monkeypatch.setattr(packed, "_pairs", interpreted)
    asked = []
    metric: Any = exactmatch.make_metric("smatch")
    solve = metric.solver.solve

    def counted(_: Any, problem: AlignmentProblem, limits: Any = None) -> Any:
        asked.append(problem)
        return solve(problem, limits)

    matched = kernels.load_interpreted("exactmatch.engine._matched")
    monkeypatch.setattr(matched, "NODES", 0)
    monkeypatch.setattr("exactmatch.solvers.auto.Auto.solve", counted)
    found = exactmatch.cdist(GRAPHS, GRAPHS)
    assert asked
    assert np.array_equal(found, double_loop(GRAPHS, GRAPHS, "smatch"))


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["smatch", "sembleu"])
@pytest.mark.parametrize("pool", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_it_is_the_same_whoever_works(
    metric: str, pool: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks are small here, so that there are some of every kind."""
    for sides in (blocks.PackedSides, blocks.PreparedSides):
        monkeypatch.setattr(sides, "block_shape", (3, 4))
    graphs = GRAPHS * 3
    alone = exactmatch.cdist(graphs, graphs, metric)
    assert np.array_equal(alone, double_loop(graphs, graphs, metric))
    if pool is None:
        for given_graphs in (graphs, tuple(graphs)):
            found = exactmatch.cdist(given_graphs, graphs, metric, jobs=2)
            assert np.array_equal(found, alone)
        found = exactmatch.many.pdist(graphs, metric, jobs=2)
        assert np.array_equal(found, alone[np.triu_indices(len(graphs), 1)])
        return
    with pool(2) as executor:
        found = exactmatch.cdist(graphs, graphs, metric, executor=executor)
        assert np.array_equal(found, alone)
        found = exactmatch.cdist(graphs, graphs[:5], metric, executor=executor)
        assert np.array_equal(found, alone[:, :5])


def test_arrays_of_the_caller_and_other_types() -> None:
    out = np.full((4, 4), 7, dtype=np.float32)
    assert exactmatch.cdist(GRAPHS, GRAPHS, out=out) is out
    assert np.array_equal(out, exactmatch.cdist(GRAPHS, GRAPHS).astype(np.float32))
    assert exactmatch.cdist(GRAPHS, [], dtype="f4").shape == (4, 0)
    assert exactmatch.cdist([], []).shape == (0, 0)
    assert exactmatch.many.pdist(GRAPHS[:1]).shape == (0,)
    assert exactmatch.cdist(iter(GRAPHS), iter(GRAPHS)).shape == (4, 4)
    generator = iter(GRAPHS)
    assert exactmatch.cdist(generator, generator).shape == (4, 4)


READ_ONLY = np.zeros((4, 4))
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at_least": float("nan")}, "not a score between 0 and 1"),
        ({"at_least": 1.5}, "in percent is written as 50%"),
        ({"score_cutoff": 50}, "at_least: 50 is not a score between 0 and 1"),
        ({"sparse": True}, "set at_least"),
        ({"jobs": 0}, "not a number of workers from 1, nor -1"),
        ({"metric": "smach"}, "did you mean 'smatch'"),
        ({"metric": "all"}, "name one"),
        ({"profil": "clean"}, "has no option 'profil'"),
        ({"out": np.zeros((2, 2))}, "has the shape"),
        ({"out": np.zeros((4, 4), dtype=int)}, "scores are shares of 1"),
        ({"out": [[0.0] * 4] * 4}, "out is a list"),
        ({"out": np.zeros((4, 4)).view(np.matrix)}, "out is a matrix"),
        ({"out": READ_ONLY}, "read-only"),
        (
            {"dtype": "f2", "at_least": 0.5, "sparse": True},
            "sparse matrices cannot hold",
        ),
        ({"dtype": "int8"}, "scores are shares of 1"),
        ({"dtype": "half a number"}, "a floating-point type of NumPy"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.cdist(GRAPHS, GRAPHS, **options)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: exactmatch.cdist(GRAPHS[0], GRAPHS),
        lambda: exactmatch.cdist(GRAPHS, GRAPHS[0]),
        lambda: exactmatch.many.pdist(GRAPHS[0]),
        lambda: exactmatch.search(GRAPHS[0], GRAPHS),
        lambda: exactmatch.search(GRAPHS, GRAPHS[0]),
    ],
)
def test_a_text_is_not_read_letter_by_letter(ask: Any) -> None:
    with pytest.raises(InputError, match="one text where a list of graphs is wanted"):
        ask()


@pytest.mark.parametrize("nothing", [None, 3, True])
def test_what_is_no_list_at_all_is_told(nothing: Any) -> None:
    for ask in (
        lambda: exactmatch.cdist(nothing, GRAPHS),
        lambda: exactmatch.cdist(GRAPHS, nothing),
        lambda: exactmatch.many.pdist(nothing),
        lambda: exactmatch.search(GRAPHS, nothing),
        lambda: exactmatch.search(nothing, GRAPHS),
        lambda: exactmatch.many.duplicates(nothing),
        lambda: exactmatch.ensemble(nothing),
    ):
        with pytest.raises(InputError, match="is not a list of graphs; give a list"):
            ask()


def test_a_pair_that_is_too_large_is_named() -> None:
    metric = exactmatch.make_metric("smatch", max_terms=20)
    with pytest.raises(InputError, match="graphs 1 and 1 are too large: 36 pairs"):
        exactmatch.cdist(GRAPHS, GRAPHS, metric)


@pytest.mark.parametrize("metric", ["smatch", "sembleu"])
@pytest.mark.parametrize(
    ("what", "given"),
    [
        ("query", lambda graphs, metric: exactmatch.cdist(graphs, ["(a / b)"], metric)),
        (
            "choice",
            lambda graphs, metric: exactmatch.cdist(["(a / b)"], graphs, metric),
        ),
        ("item", lambda graphs, metric: exactmatch.cdist(graphs, graphs, metric)),
        ("item", lambda graphs, metric: exactmatch.many.pdist(graphs, metric)),
    ],
)
@pytest.mark.parametrize(
    ("broken", "message"),
    [("(a / ", "lacks 1 closing parenthesis"), (3, "int is not a graph")],
)
def test_an_unreadable_graph_is_named_by_its_number(
    metric: str, what: str, given: Any, broken: Any, message: str
) -> None:
    graphs = ["(a / b)", "(c / d)", broken, "(e / "]
    told = f"^{what} 3: .*{message}"
    with pytest.raises(exactmatch.errors.ItemError, match=told) as caught:
        given(graphs, metric)
    assert pickle.loads(pickle.dumps(caught.value)).index == 2


def test_an_unreadable_graph_is_named_in_search_and_duplicates() -> None:
    graphs = ["(a / b)", "(c / "]
    for what, call in (
        ("item", lambda: exactmatch.search(["(a / b)"], graphs)),
        ("query", lambda: exactmatch.search(graphs, ["(a / b)"])),
        ("item", lambda: exactmatch.many.duplicates(graphs)),
    ):
        with pytest.raises(exactmatch.errors.ItemError, match=f"^{what} 2: "):
            call()


@pytest.mark.parametrize(
    "compared",
    [
        lambda graphs: exactmatch.cdist(graphs, graphs),
        lambda graphs: exactmatch.many.pdist(graphs),
        lambda graphs: exactmatch.search(graphs[:1], graphs, k=1),
        lambda graphs: exactmatch.many.duplicates(graphs),
    ],
    ids=["cdist", "pdist", "search", "duplicates"],
)
def test_what_only_a_lenient_reader_takes_is_warned_of(compared: Any) -> None:
    """As :func:`exactmatch.smatch` does; the line that the warning is about is ours."""
    graphs = ["(b / bark-01)", "(b / bark-01 :ARG0 (d / dog)"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compared(graphs)
    (found,) = caught
    assert str(found.message) == (
        "item 2: line 1: the graph lacks a closing parenthesis; read as smatch does"
    )
    assert found.category is exactmatch.errors.ExactmatchWarning
    assert found.filename == __file__


ALIKE = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(w / want-02 :ARG0 (g / boys) :ARG1 (l / leave-11 :ARG0 g))",
    "(s / sleep-01 :ARG0 (d / dog :mod (b / big)))",
    "(s / sleep-01 :ARG0 (d / dogs :mod (b / bigger)) :ARG1 (c / cat))",
    "(a / and :op1 (c / cat) :op2 (d / dog) :op3 (b / boy))",
    '(c / city :name (n / name :op1 "Rome") :mod c)',
    "(d / dog)",
]


@pytest.mark.parametrize("name", ["s2match", "mrp", "agent", "smatch"])
@pytest.mark.parametrize("cutoff", [0.2, 0.5, 0.8, 1.0])
def test_a_bound_spares_only_what_is_below_the_cutoff(name: str, cutoff: float) -> None:
    """Of metrics that score pair by pair, whose bound is found without a search."""
    metric: Any = {m.name: m for m in aspects()}.get(name) or exactmatch.make_metric(
        name, solver="cpsat" if name == "smatch" else "auto"
    )
    assert not metric.packs
    graphs = ALIKE
    whole = exactmatch.cdist(graphs, graphs, metric)
    found = exactmatch.cdist(graphs, graphs, metric, at_least=cutoff)
    assert np.array_equal(found, np.where(whole < cutoff, 0.0, whole), equal_nan=True)
    if name != "mrp":
        wanted = [
            [(j, s) for j, s in sorted(enumerate(row), key=lambda one: -one[1])]
            for row in whole.tolist()
        ]
        nearest = exactmatch.search(
            graphs, graphs, None, at_least=cutoff, metric=metric
        )
        kept = [[(j, s) for j, s in row if s >= cutoff] for row in wanted]
        assert nearest == kept

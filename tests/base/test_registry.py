"""Names of other packages: found, refused in a sentence, never in the way of ours."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

import exactmatch
from exactmatch.base.errors import ExactmatchWarning
from exactmatch.base.registry import Registry
from exactmatch.cli.plugins import REGISTRIES
from exactmatch.metrics import METRICS
from exactmatch.metrics.base import Metric
from exactmatch.metrics.rematch import Rematch

OTHER = "other_package"

SOURCE = """
from collections import Counter

from exactmatch import Profile
from exactmatch.metrics.counts import DirectMetric, f1_of
from exactmatch.metrics.rematch import Rematch
from exactmatch.solvers.base import Solver

class Mine(Rematch):
    name = "mine"

class Counted(DirectMetric):
    def prepare(self, item):
        return Counter(item.labels[label] for _, label in item.instances)

    def statistics(self, pred, gold):
        return (pred & gold).total(), pred.total(), gold.total()

    def scores(self, sums):
        return f1_of(self, sums)

    def signature(self):
        return self.profile.signature()

    def identity(self):
        return 0, 0, 0

class Concepts(Counted):
    name = "concepts"
    title = "Concepts"

class Nameless(Counted):
    pass

class NamedWhenMade(Counted):
    def __init__(self, profile=None):
        super().__init__(profile)
        self.name = self.title = "made"

class Solves(Solver):
    pass

THEIRS = Profile("theirs", "penman", "exact")

NOTHING = 3
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package on the path, with metadata as an installed one has."""
    (tmp_path / f"{OTHER}.py").write_text(SOURCE)
    info = tmp_path / f"{OTHER}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(
        "[exactmatch.metrics]\n"
        f"mine = {OTHER}:Mine\n"
        f"smatch = {OTHER}:Mine\n"
        f"missing = {OTHER}:Missing\n"
        f"nothing = {OTHER}:NOTHING\n"
        "[exactmatch.profiles]\n"
        f"theirs = {OTHER}:THEIRS\n"
        "[exactmatch.commands]\n"
        f"broken = {OTHER}_that_is_not\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return tmp_path


@pytest.fixture
def registry(package: Path) -> Registry[type[Metric]]:
    """The metrics, as a new process would find them."""
    assert package.exists()
    return Registry("metric", METRICS.own, METRICS._fits, "x")


def test_a_name_of_another_package_is_found(registry: Registry[Any]) -> None:
    assert issubclass(registry["mine"], Rematch)
    assert "mine" in registry
    assert list(registry)[-3:] == ["mine", "missing", "nothing"]


def test_ours_stay_ours(registry: Registry[Any]) -> None:
    assert registry["smatch"].__module__ == "exactmatch.metrics.smatch"
    problems = {row.name: registry.problem(row) for row in registry.declared()}
    assert problems["mine"] is None
    assert problems["smatch"] == "exactmatch has a metric of this name"
    assert "has no attribute 'Missing'" in str(problems["missing"])
    assert f"{OTHER}:NOTHING must be x" in str(problems["nothing"])


def test_what_is_broken_is_a_warning_where_all_are_asked(
    registry: Registry[Any],
) -> None:
    with pytest.warns(ExactmatchWarning) as told:
        assert "mine" in dict(registry.working())
    names = [str(warning.message).split("'")[1] for warning in told]
    assert names == ["missing", "nothing"]


def test_what_is_broken_is_a_sentence_where_it_is_asked(
    registry: Registry[Any],
) -> None:
    with pytest.raises(exactmatch.InputError, match=r"of other 1\.2 cannot be loaded"):
        registry.find("missing")
    with pytest.raises(exactmatch.InputError, match="did you mean 'mine'"):
        registry.find("mina")
    with pytest.raises(KeyError):
        registry["mina"]


@pytest.mark.usefixtures("package")
def test_a_place_is_a_name() -> None:
    found = exactmatch.score("(a / b)", "(a / b)", metric=f"{OTHER}:Mine")
    assert (found.metric, found.score) == ("mine", 1.0)
    with pytest.raises(exactmatch.InputError, match="must be a subclass of"):
        exactmatch.score("(a / b)", "(a / b)", metric="math:pi")
    with pytest.raises(
        exactmatch.errors.SolverError, match="is not one: math:pi must be a"
    ):
        exactmatch.smatch("(a / b)", "(a / b)", solver="math:pi")


@pytest.mark.usefixtures("package")
def test_a_metric_needs_a_name_and_counts_under_clean() -> None:
    pred, gold = "(a / b :ARG0 (c / c))", "(a / b)"
    found = exactmatch.score(pred, gold, metric=f"{OTHER}:Concepts")
    assert found.score == pytest.approx(2 / 3)
    signature = exactmatch.make_metric(f"{OTHER}:Concepts").signature()
    assert dict(signature)["profile"] == "clean"
    made = exactmatch.score(pred, gold, metric=f"{OTHER}:NamedWhenMade")
    assert (made.metric, made.score) == ("made", found.score)
    with pytest.raises(exactmatch.InputError, match="Nameless' has no name"):
        exactmatch.score(pred, gold, metric=f"{OTHER}:Nameless")
    with pytest.raises(exactmatch.errors.SolverError, match="Solver with a name"):
        exactmatch.smatch(pred, gold, solver=f"{OTHER}:Solves")


def test_a_solver_by_its_place_takes_options() -> None:
    place = "exactmatch.solvers.hillclimb:HillClimb:restarts=2"
    found = exactmatch.make_metric("smatch", solver=place).signature()
    assert dict(found)["solver"] == "hillclimb:restarts=2"


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Other packages are looked for anew, in the test and after it."""
    for registry in REGISTRIES:
        registry.__dict__.pop("active_entry_points", None)
    yield
    for registry in REGISTRIES:
        registry.__dict__.pop("active_entry_points", None)


@pytest.mark.usefixtures("package", "forgotten")
def test_the_command_lists_them(cli: Cli) -> None:
    rows = {row["name"]: row for row in cli.json("plugins")["plugins"]}
    assert rows["mine"] == {
        "kind": "metric",
        "name": "mine",
        "package": "other 1.2",
        "place": f"{OTHER}:Mine",
        "problem": None,
    }
    assert "No module named" in rows["broken"]["problem"]


@pytest.mark.usefixtures("package", "forgotten")
def test_a_profile_counts_and_is_explained(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "lower").write_text("(b / bark :ARG0 (d / dog))")
    (tmp_path / "upper").write_text("(b / bark :ARG0 (d / Dog))")
    both = (str(tmp_path / "lower"), str(tmp_path / "upper"))
    (found,) = cli.json(*both, "--profile", "theirs")["metrics"]
    assert found["f1"] == 0.75
    assert "|profile:theirs|" in cli.out(*both, "--profile", "theirs")
    assert cli.out("help", "theirs").startswith(
        "profile theirs: a profile of other 1.2"
    )
    assert "a profile of other 1.2" in cli.out("help", "profiles")


def test_nothing_is_looked_for_where_a_name_is_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**_: object) -> None:
        raise AssertionError("other packages were asked")

    monkeypatch.setattr(importlib.metadata, "entry_points", refuse)
    fresh = Registry("metric", METRICS.own, METRICS._fits, "x")
    assert fresh["smatch"].name == "smatch"
    assert "wlk" in fresh

"""What the documents promise: their commands run, and every command has help."""

import contextlib
import json
import re
import shlex
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from traceback import walk_stack
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics import METRICS
from exactmatch.solvers import SOLVERS
from exactmatch.solvers.cpsat import CpSat
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

PARSED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))\n"
GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG0 b :time (n / now)))\n"
OTHER = "(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11))\n"
UMR = """# :: snt1
Words: He left

# sentence level graph:
(s1l / leave-11 :ARG0 (s1b / boy))

# alignment:
s1l: 2-2

# document level annotation:
(s1s0 / sentence :temporal ((document-creation-time :before s1l)))
"""


def blocks(language: Any) -> list[Any]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[Any]:
    """The README's exactmatch command lines, without comments."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [
        shlex.split(line, comments=True)[1:]
        for line in lines
        if line.startswith("exactmatch ")
    ]


@pytest.fixture
def in_folder_with_files(files: Files, tmp_path: Path) -> Path:
    files.enter()
    files.one("parsed.amr", f"# ::id 1\n# ::snt He left .\n{PARSED}")
    files.one("gold.amr", f"# ::id 1\n# ::snt He went .\n{GOLD}")
    files.one("parsed.umr", UMR)
    files.one("gold.umr", UMR.replace("boy", "girl"))
    files.one("parsed.sbn", "male.n.02\ngo.v.01 Theme -1\n")
    files.one("gold.sbn", "male.n.02\nleave.v.01 Theme -1\n")
    answer = '```json\\n{\\"nodes\\": [\\"open door\\"], \\"edges\\": []}\\n```'
    files.one("answers.jsonl", f'{{"id": "1", "response": "Here: {answer}"}}\n')
    files.one("gold.jsonl", '{"id": "1", "nodes": ["open the door"], "edges": []}\n')
    files.one("other.amr", f"# ::id 1\n# ::snt He left .\n{OTHER}")
    return tmp_path


@pytest.mark.parametrize("arguments", commands(), ids=" ".join)
@pytest.mark.usefixtures("in_folder_with_files")
def test_the_readmes_commands_run(arguments: list[str], cli: Cli) -> None:
    if arguments[0] == "verify":
        main(["parsed.amr", "gold.amr", "--certificates", arguments[1]])
    ran = cli(*arguments)
    assert ran.code in (0, 1), ran.err
    if ran.code == 1:
        assert arguments[0] == "lint" or "--require-optimal" in arguments


def test_the_readmes_first_example_is_real(
    in_folder_with_files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_folder_with_files / "parsed.amr").write_text(PARSED)
    (in_folder_with_files / "gold.amr").write_text(GOLD)
    shown = blocks("console")[0].split("$ exactmatch parsed.amr gold.amr\n")[1]
    assert main(["parsed.amr", "gold.amr"]) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.usefixtures("in_folder_with_files")
def test_the_readmes_python_runs() -> None:
    for block in blocks("python"):
        subprocess.run([sys.executable, "-c", block], check=True, capture_output=True)


TRACED = """
import json, sys
import exactmatch
seen = {}
def profile(frame, event, _):
    if event == "call":
        code = frame.f_code
        seen.setdefault((code.co_filename, code.co_name), len(seen))
if sys.argv[1:]:
    from exactmatch.cli.process import run as work
else:
    def work():
        exactmatch.smatch("(a / b)", "(a / b)")
    exactmatch.make_metric("smatch")
sys.setprofile(profile)
try:
    work()
finally:
    sys.setprofile(None)
    print(json.dumps([*seen]), file=sys.stderr)
"""
"""Lists the functions that a call enters, in the order of their first calls."""

HOP = re.compile(r"^\| (\d+) \| `(\S+)` `(\w+)`", re.MULTILINE)
"""Number, file and function of each hop of a pair."""

WAYS = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## How a pair travels")[1]


@pytest.mark.parametrize(
    ("title", "arguments"),
    [("`exactmatch PRED GOLD`", ["pred.amr", "gold.amr"]), ("`exactmatch.smatch(", [])],
)
def test_the_way_of_a_pair_is_as_drawn(
    title: str, arguments: list[str], in_folder_with_files: Path
) -> None:
    """Each hop is entered for the first time after the one before it."""
    for name, text in (("pred.amr", PARSED), ("gold.amr", GOLD)):
        (in_folder_with_files / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", TRACED, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    package = Path(exactmatch.__file__).parent
    seen = {}
    for number, (file, function) in enumerate(json.loads(done.stderr.splitlines()[-1])):
        with contextlib.suppress(ValueError):
            seen[Path(file).relative_to(package).as_posix(), function] = number
    hops = HOP.findall(WAYS.split(title)[1].split("\n\n")[1])
    assert [int(number) for number, _, _ in hops] == list(range(1, len(hops) + 1))
    assert len(hops) <= 12
    kernels = {file for _, file, _ in hops if Path(file).name.startswith("_")}
    entered = [seen[file, name] for _, file, name in hops if file not in kernels]
    assert entered == sorted(entered)


def test_the_way_of_an_option_is_as_drawn(
    in_folder_with_files: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files on the stack are those of the table, and no room is entered twice."""
    package = Path(exactmatch.__file__).parent
    stacks: list[list[str]] = []

    def solve(_: CpSat, problem: AlignmentProblem, progress: Progress) -> Proposal:
        seconds = progress.limits.seconds  # without what building the problem took
        assert seconds is not None
        assert 0 < seconds <= 7.25
        files = [frame.f_code.co_filename for frame, _ in walk_stack(sys._getframe())]
        ours = [Path(f) for f in files[::-1] if Path(f).is_relative_to(package)]
        stacks.append([path.relative_to(package).as_posix() for path in ours])
        return Proposal((-1,) * problem.n_left, None)

    monkeypatch.setattr(CpSat, "_solve", solve)
    for name, text in (("pred.amr", PARSED), ("gold.amr", GOLD)):
        (in_folder_with_files / name).write_text(text)
    cli("pred.amr", "gold.amr", "--solver", "cpsat", "--time-limit", "7.25")
    drawn = re.findall(r"^\| \d+ \| `(\S+)` \|", WAYS, re.MULTILINE)
    (stack,) = stacks
    assert [*dict.fromkeys(stack)] == drawn
    assert len(drawn) <= 12
    rooms = [room for room, _ in groupby(stack, key=lambda f: f.partition("/")[0])]
    assert len(rooms) == len({*rooms})


def test_ci_runs_the_readmes_two_commands() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    install, test = (blocks("sh")[k].strip() for k in range(2))
    quiet = script.replace("--quiet ", "").replace(" --quiet", "")
    assert install in quiet
    assert test in quiet


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 90


def test_the_readmes_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README)
    assert links
    for link in links:
        assert link.startswith("https://") or (ROOT / link).is_file(), link


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_has_a_row_in_the_docs(name: str) -> None:
    page = (ROOT / "docs" / "solvers.md").read_text(encoding="utf-8")
    shown = "pulp:NAME" if name == "pulp" else name
    assert f"| `{shown}`" in page


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_in_the_docs(name: str) -> None:
    page = (ROOT / "docs" / "which-number.md").read_text(encoding="utf-8")
    assert f"`{name}`" in page


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_row_in_the_docs(name: str) -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert f"| `{name}` | `{FORMATS[name].suffix}` |" in page


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_in_the_help(name: str, cli: Cli) -> None:
    assert name in re.sub(r"\n\s+", "", cli.out("--help-all"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str, cli: Cli) -> None:
    assert re.search(r"Example:\n +exactmatch ", cli.out(name, "--help"))


def test_help_imports_no_solver_package() -> None:
    """Nor SciPy, networkx, penman or rich: help is for people in a hurry."""
    code = (
        "import sys; from exactmatch.cli.main import main\n"
        "for arguments in (['--help'], ['score', '--help']):\n"
        "    try: main(arguments)\n"
        "    except SystemExit: pass\n"
        "heavy = {'ortools', 'pulp', 'scipy', 'networkx', 'penman', 'rich'}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_public_names_exist() -> None:
    import exactmatch

    for name in exactmatch.__all__:
        assert getattr(exactmatch, name) is not None
    assert set(exactmatch.__all__) <= set(dir(exactmatch))


def folders_with(pattern: str) -> set[str]:
    """The packages whose folders hold such files."""
    named = {ROOT / "exactmatch": "exactmatch", ROOT / "solvers": "exactmatch.solvers"}
    return {
        ".".join((name, *path.parent.relative_to(root).parts))
        for root, name in named.items()
        for path in root.rglob(pattern)
    }


def test_every_package_is_installed() -> None:
    """A folder that ``pyproject.toml`` does not list would be left behind."""
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    assert listed == folders_with("*.py") | {"exactmatch.sample"}


def test_the_types_of_every_kernel_are_installed() -> None:
    """Without them a compiled kernel would be taken for one of an older source."""
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    data = project["tool"]["setuptools"]["package-data"]
    listed = {name for name, patterns in data.items() if "*.pxd" in patterns}
    assert listed == folders_with("*.pxd")

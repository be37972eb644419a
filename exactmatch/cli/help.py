"""The first screen, and ``exactmatch help NAME``.

The first screen is what somebody sees who has only just installed the program; it
imports nothing.  ``help NAME`` explains a command, a metric, a profile, a solver, a
format or a topic; of a name that is several of these, each.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from exactmatch.base.registry import registry_of
from exactmatch.base.version import __version__
from exactmatch.cli.commands import COMMANDS, GROUPS, TASKS, documentation, meant, typed
from exactmatch.cli.parsers import COMMON, common_option, make_parser

_DEFAULTS = {"--metric": "smatch", "--solver": "auto"}

TOPICS = {
    "tasks": "what to type for what",
    "metrics": "what can be measured",
    "profiles": "what counts as a triple, and as equal",
    "solvers": "who finds the optimum and proves it",
    "formats": "the files that can be read",
    "signature": "what determines a number",
    "proofs": "what proven means, and how to check it",
    "as-read": "what a line 'as read' says",
    "files": "what can be named as a file",
    "exit-codes": "what a script is told",
    "defaults": "defaults from files",
}
"""What is neither a command nor a name, and is explained."""

_TEXTS = {
    "signature": """\
The signature stands below every score and names all that determines it: the metric, the
profile and its options, the solver, how many pairs are proven, and the version:

  metric:smatch|profile:smatch|read:smatch|case:smatch|top:constant|dup:product|
  solver:auto|proven:2/2|version:0.1.0

Publish it with the number: equal signatures and equal files give equal numbers.""",
    "proofs": """\
A solver returns an alignment and an upper bound. A pair is proven when the alignment's
value, counted anew, equals the bound; otherwise both are reported.

  --require-optimal     exit with 1 unless every pair is proven
  --certify             have each proof checked by a checker that shares no code
                        with the solvers
  --certificates FILE   write the proofs; exactmatch verify FILE PRED GOLD checks
                        them anywhere, at any time
  --time-limit SECONDS  for each pair; what is not proven in time is an interval""",
    "as-read": """\
A metric reads graphs as the program reads them that published it, faults
included, so that numbers compare with published ones. A line such as

  smatch: as read: 3 quoted values cut at their first space

says what that program does not see: smatch 1.0.4 reads :name "New York" as New.
Nothing is wrong with the score, and nothing is to be done. To count everything,
choose a reader that does: --profile clean. Where such places are says
'exactmatch lint --profile smatch FILE'.""",
    "files": """\
A file holds graphs of one of the formats (exactmatch help formats), told from how it
begins. Gzipped files, folders (paired by the names of their files), pipes and - for
standard input will do. Predictions come first, then references:

  exactmatch PRED GOLD [GOLD …]""",
    "exit-codes": """\
  0    fine
  1    a demanded property does not hold: a proof is missing (--require-optimal) or
       was rejected
  2    bad input, bad usage or a missing package; one sentence says which
  130  Ctrl-C; 143 after SIGTERM, 129 after SIGHUP""",
    "defaults": """\
Options can have other defaults: in exactmatch.toml, or under [tool.exactmatch] in
pyproject.toml, in the current folder or the nearest one above it:

  metric = ["smatch", "sembleu"]
  profile = "clean"             # the long name of an option, without its hyphens
  by-id = true
  [compare]                     # [tool.exactmatch.compare]: this command alone
  test = "randomisation"

The command line counts more; --no-config leaves the files alone. Each run says which
defaults it took, and the signature names all that determines its number.""",
}
"""The explanations of topics that are no lists."""


def first_screen() -> str:
    """Its purpose, its commands, the options to know, and where the rest is."""
    commands = "\n".join(
        f"  {'' if k else title:<9} {name:<16} {summary}"
        for title, group in GROUPS.items()
        for k, (name, summary) in enumerate(group.items())
    )
    options = "\n".join(common_option(f, _DEFAULTS.get(f, "")) for f in COMMON)
    topics = list(TOPICS)
    return f"""\
exactmatch {__version__}: exact, proven, fast scores for graphs of meaning

  exactmatch PRED GOLD [GOLD …]   score predictions against references
  exactmatch sample               score the bundled sample
  exactmatch COMMAND …            one of these:

{commands}

common options
{options}

exactmatch COMMAND --help has a command's options, --help-all every one;
exactmatch help NAME explains a metric, profile, solver, format or topic:
  {" ".join(topics[:7])}
  {" ".join(topics[7:])}
exactmatch --cite prints what to cite, as text and as BibTeX
"""


def explain(names: Sequence[str]) -> int:
    """Print what the names mean, or the first screen where there is none."""
    shown = [part for name in names for part in _explained(name)] or [first_screen()]
    print("\n".join(shown), end="")
    return 0


def _explained(name: str) -> list[str]:
    from exactmatch.base.errors import InputError, suggestion

    kinds: list[tuple[Sequence[str], Callable[[str], str]]] = [(list(TOPICS), _topic)]
    kinds += [(list(registry_of(kind)), shown) for kind, shown in _OF_KIND.items()]
    found = [explained(name) for known, explained in kinds if name in known]
    if name in COMMANDS:
        command = make_parser(COMMANDS[name], f"exactmatch {name}", ()).format_help()
        found = [f"{part}\nsee also: exactmatch {name} --help\n" for part in found]
        return found or [command]
    if not found:
        every = [known_name for known, _ in kinds for known_name in known]
        known = meant(name)
        hint = f"; {known}" if known else suggestion(name, [*every, *COMMANDS])
        topics = ", ".join(TOPICS)
        raise InputError(f"there is no help on {name!r}{hint} (topics: {topics})")
    return found


def _topic(name: str) -> str:
    lines: dict[str, Callable[[str, Any], str]] = {
        "metrics": lambda _, found: documentation(found).partition("\n")[0],
        "profiles": _about_profile,
        "solvers": lambda _, found: str(found.summary),
        "formats": lambda _, found: str(found.title),
    }
    head = f"{name}: {TOPICS[name]}\n"
    if name in _TEXTS:
        return f"{head}\n{_TEXTS[name]}\n"
    entries = [(words.split()[0], typed(n)) for n, words in TASKS.items()]
    if name in lines:
        working = registry_of(name.removesuffix("s")).working()
        entries = [(n, lines[name](n, found)) for n, found in working]
    listed = "".join(_entry(n, text) for n, text in entries)
    return f"{head}\n{listed}\nmore: exactmatch help NAME\n"


def _entry(name: str, text: str) -> str:
    """A name and what it is, in lines of at most 80 columns."""
    import textwrap

    indent = " " * 20
    first = f"  {name:<16}  " if len(name) <= 16 else f"  {name}\n{indent}"
    lines = textwrap.wrap(text, 60)
    return first + f"\n{indent}".join(lines) + "\n"


def _about(documented: type) -> str:
    """The docstring of a class up to its arguments."""
    text = documentation(documented)
    for heading in ("\n\nArgs:", "\n\nClass attributes:", "\n\nAttributes:"):
        text = text.partition(heading)[0]
    return text.replace("``", "")


def _metric(name: str) -> str:
    cls = registry_of("metric")[name]
    text = f"metric {name}: {_about(cls)}\n"
    if hasattr(cls, "profiles"):
        text += f"\nprofiles: {', '.join(cls.profiles)} ({cls.default_profile})\n"
    text += "\noptions:\n" if cls.options else ""
    for option in cls.options:
        choices = f" ({', '.join(option.choices)})" if option.choices else ""
        text += _entry(f"--{option.name.replace('_', '-')}", option.help + choices)
    return text


def _about_profile(name: str, profile: Any) -> str:
    added = registry_of("profile").added.get(name)
    return f"a profile of {added.package}" if added else str(profile.summary)


def _profile(name: str) -> str:
    profile = registry_of("profile")[name]
    parts = "|".join(f"{key}:{value}" for key, value in profile.signature())
    return (
        f"profile {name}: {_about_profile(name, profile)}\n\nsignature: {parts}\n"
        "options that compose with it: exactmatch score --help-all, 'what counts'\n"
    )


def _solver(name: str) -> str:
    cls = registry_of("solver")[name]
    options = [
        f"{p.name}={p.default}" if p.default is not p.empty else p.name
        for p in inspect.signature(cls).parameters.values()
    ]
    text = f"solver {name}: {cls.summary}\n\n{_about(cls)}\n"
    shown = f"\noptions: --solver {name}:{','.join(options)}\n"
    return text + shown if options else text


_OF_KIND: dict[str, Callable[[str], str]] = {
    "metric": _metric,
    "profile": _profile,
    "solver": _solver,
    "format": lambda name: f"format {name}: {registry_of('format')[name].title}\n",
}
"""How the things of a kind are explained."""

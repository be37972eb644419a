"""``exactmatch completion``: the script that completes command lines in the shell."""

from itertools import chain

from exactmatch.base.options import Options, option
from exactmatch.base.registry import registry_of
from exactmatch.cli.commands import COMMANDS, summary
from exactmatch.cli.parsers import Parser, make_parser
from exactmatch.cli.topics import TOPICS
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.command import Command

SHELLS = ("bash", "zsh", "fish")

_FALL_BACK = "\ncomplete -o bashdefault -o default -F _shtab_exactmatch exactmatch"
"""Line for bash that completes names of files where nothing else fits."""

_OWN_WORDS = {
    "help": "explain a command, metric, profile, solver, format or topic",
    "sample": "score the bundled sample",
}
"""Words that may stand in the place of a command."""


class CompletionOptions(Options, purpose="shows"):
    """Shell in which command lines are completed."""

    shell: str = option(", ".join(SHELLS), choices=SHELLS, operand="SHELL")


def study(options: CompletionOptions, reporter: Listener = SILENCE) -> str:
    """Return the script that completes commands, options and choices in a shell."""
    del reporter
    import shtab

    script: str = shtab.complete(whole_parser(), options.shell)
    return script.rstrip("\n") + (_FALL_BACK if options.shell == "bash" else "")


def whole_parser() -> Parser:
    """Return one parser of all commands, with the options of score without one."""
    import shtab

    parser = make_parser(COMMANDS["score"], "exactmatch", ["--help-all"])
    for action in [a for a in parser._actions if not a.option_strings]:
        parser._remove_action(action)  # the first place is the command's
    commands = parser.add_subparsers(parser_class=Parser, metavar="COMMAND")
    for name, module in COMMANDS.working():
        does = summary(name)
        sub = commands.add_parser(name, help=does, description=does)
        module.add_arguments(sub, ["--help-all"])
        _complete(sub, shtab.FILE)
    for name, does in _OWN_WORDS.items():
        sub = commands.add_parser(name, help=does, description=does)
        if name == "help":
            sub.add_argument(
                "name", choices=[*TOPICS, *chain(*map(registry_of, _KINDS))]
            )
    _complete(parser, shtab.FILE)
    return parser


_KINDS = ("metric", "profile", "solver", "format")


def _complete(parser: Parser, complete: object) -> None:
    """Mark the operands and options whose values are files, or registered names."""
    for action in parser._actions:
        declared = parser.declared.get(action)
        if declared is None:
            names_file = not action.option_strings  # of a command of another package
        else:
            names_file = declared.purpose in ("opens", "writes") and action.nargs != 0
            if declared.registry and action.choices is None:
                action.choices = tuple(registry_of(declared.registry))
        if names_file and action.choices is None:
            action.complete = complete  # type: ignore[attr-defined]  # shtab's way


COMMAND = Command(
    """Write what bash, zsh or fish needs to complete commands, options and choices.

bash: add to ~/.bashrc
  eval "$(exactmatch completion bash)"
zsh: a file in a folder of $fpath
  exactmatch completion zsh -o ~/.zfunc/_exactmatch
fish:
  exactmatch completion fish -o ~/.config/fish/completions/exactmatch.fish

Example:
  exactmatch completion bash""",
    CompletionOptions,
    "exactmatch.cli.completion:study",
    is_verbose=False,
    output="text",
)

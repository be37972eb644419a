"""Options of a conversion."""

from __future__ import annotations

from exactmatch.base import values
from exactmatch.base.options import flag, option
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles


class ConvertOptions(GraphFiles, purpose="shows"):
    """Options of the graphs to convert, and of the format."""

    TITLE = "conversion"

    to: str = option(
        "the format to write (default: by the suffix of the file after -o)",
        read=values.name_in("exactmatch.formats.formats:FORMATS"),
        metavar="NAME",
        registry="format",
    )
    lossy: bool = flag(
        "write graphs even if something is lost, and name the loss", purpose="writes"
    )


COMMAND = Command(
    """Write graphs in another format if nothing is lost; else name what would be.

Example:
  exactmatch convert gold.amr --to node-link -o gold.json
  exactmatch convert document.umr -o document.json
  exactmatch convert graphs.mrp --to triples""",
    ConvertOptions,
    "exactmatch.studies.convert.study:study",
    output="text",
    by_output=(("to", "exactmatch.formats.conversion:format_of_name"),),
)

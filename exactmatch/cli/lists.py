"""Options that take a list: what is given again is added.

``--only ARG0 --only ARG1`` means ``--only ARG0,ARG1``, where an option of a single
value has the last one that it is given.
"""

from __future__ import annotations

import argparse
from typing import Any


class Listing(argparse.Action):
    """An option that takes a list, with commas or as several words.

    Only the first time does a value take the place of the default.  An option with
    ``nargs=1``, which has one word for its list, refuses to be given twice.
    """

    _filled: argparse.Namespace | None = None
    """Where the option has been given before."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Take a list, or add one to what was given before.

        Raises:
            argparse.ArgumentError: if there can be one value, or it is refused.
        """
        del option_string
        if self._filled is namespace:
            if self.nargs == 1:
                raise argparse.ArgumentError(self, "is given twice; name one file")
            values = self._added(parser, getattr(namespace, self.dest), values)
        self._filled = namespace
        setattr(namespace, self.dest, values)

    def _added(self, parser: argparse.ArgumentParser, before: Any, more: Any) -> Any:
        """The option's value as if both lists had been given as one."""
        if self.nargs is not None:
            return [*before, *more]
        joined = ",".join(map(_text, (before, more)))
        return parser._get_value(self, joined)


def _text(value: str | tuple[Any, ...]) -> str:
    return value if isinstance(value, str) else ",".join(map(str, value))

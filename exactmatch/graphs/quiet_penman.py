"""The package penman, imported when it is needed, and its model of AMR's roles.

What penman finds strange in a text goes to its log, which Python prints to standard
error where no program has set up logging.  A text's readers say themselves what a
caller has to know of it, so its log is left to programs that ask for one.
"""

import logging

import penman as penman
from penman.models import amr as amr

logging.getLogger("penman").addHandler(logging.NullHandler())

"""Every error and warning that this package raises."""

from exactmatch.base.errors import CertificationError as CertificationError
from exactmatch.base.errors import ExactmatchError as ExactmatchError
from exactmatch.base.errors import ExactmatchWarning as ExactmatchWarning
from exactmatch.base.errors import GraphError as GraphError
from exactmatch.base.errors import IgnoredAttributesWarning as IgnoredAttributesWarning
from exactmatch.base.errors import InputError as InputError
from exactmatch.base.errors import ItemError as ItemError
from exactmatch.base.errors import MissingExtraError as MissingExtraError
from exactmatch.base.errors import PairError as PairError
from exactmatch.base.errors import ProblemError as ProblemError
from exactmatch.base.errors import SolverError as SolverError

"""Conditions over the columns of a row, such as ``f1 < 0.5 and id != 'x'``.

A condition is a small part of Python: names of columns, numbers, texts, lists,
``None``, ``True``, ``False``; ``< <= > >= == != in not in is``; ``and or not``;
``+ - * / %``; ``abs len max min round``.  It is parsed, checked node by node and
evaluated here: nothing else of Python can be said, so that a condition from anywhere is
safe to try.  What is missing (``None``) is neither less nor greater than anything, and
computing with it gives nothing.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from exactmatch.base.errors import InputError, suggestion

Row = Mapping[str, Any]

_PLAIN = (ast.Name, ast.BoolOp, ast.Compare, ast.Tuple, ast.List, ast.Set)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_CALLS: dict[str, Callable[..., Any]] = {
    call.__name__: call for call in (abs, len, max, min, round)
}
_LONGEST = 2000  # characters of a condition, so that none is nested too deeply


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that rows fulfil or not.

    >>> low = Condition("f1 < 0.5 and id not in ('a', 'b')")
    >>> low({"f1": 0.4, "id": "c"}), low({"f1": None, "id": "c"})
    (True, False)
    """

    text: str
    _tree: ast.expr = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            if len(self.text) > _LONGEST:
                raise ValueError("too long")
            tree = ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise ValueError(
                f"{self.text!r} is not a condition; one is such as 'f1 < 0.5'"
            ) from None
        _check(tree)
        object.__setattr__(self, "_tree", tree)

    def __call__(self, row: Row) -> bool:
        try:
            return bool(_value(self._tree, row))
        except InputError:
            raise
        except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
            raise InputError(f"{self.text!r} cannot be computed: {error}") from None


def column(row: Row, name: str) -> Any:
    """Return a row's value by the column's name, where ``_`` may stand for ``-``."""
    if name in row:
        return row[name]
    for known_column in row:
        if known_column.replace("-", "_").replace(" ", "_") == name:
            return row[known_column]
    hint = suggestion(name, row)
    raise InputError(f"{name!r} is not a column{hint} (columns: {', '.join(row)})")


def _check(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=value):
            is_known = value is None or isinstance(value, bool | int | float | str)
        case ast.UnaryOp(op=op) | ast.BinOp(op=op):
            is_known = type(op) in _OPERATORS
        case ast.Call(func=ast.Name(id=name), keywords=[]):
            is_known = name in _CALLS
        case _:
            is_known = isinstance(node, _PLAIN)
    if not is_known:
        raise ValueError(
            f"{ast.unparse(node)!r} cannot be part of a condition: it has columns, "
            "numbers, texts, lists, comparisons, and, or, not, + - * / %, and "
            f"{', '.join(_CALLS)}"
        )
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr):
            _check(part)


def _value(node: ast.expr, row: Row) -> Any:
    match node:
        case ast.Name(id=name):
            return column(row, name)
        case ast.Constant(value=value):
            return value
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_value(value, row) for value in values)
        case ast.BoolOp(values=values):
            return any(_value(value, row) for value in values)
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, row)
            is_missing = value is None and not isinstance(op, ast.Not)
            return None if is_missing else _OPERATORS[type(op)](value)
        case ast.BinOp(left=left, op=by, right=right):
            sides = [_value(left, row), _value(right, row)]
            if None in sides:
                return None
            for number in sides:  # texts could be repeated without end
                if not isinstance(number, int | float):
                    raise TypeError(f"{number!r} is not a number")
            return _OPERATORS[type(by)](*sides)
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [_value(part, row) for part in (left, *others)]
            return all(map(_compared, ops, values, values[1:]))
        case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
            return [_value(part, row) for part in elts]
        case ast.Call(func=ast.Name(id=name), args=args):
            values = [_value(part, row) for part in args]
            return None if None in values else _CALLS[name](*values)
    raise AssertionError(ast.dump(node))


def _compared(op: ast.cmpop, left: Any, right: Any) -> Any:
    if isinstance(op, _ORDERS) and (left is None or right is None):
        return False
    return _OPERATORS[type(op)](left, right)

# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Tables of the common parts of many items with many others.

Texts are compared by bits: each word holds 63 letters of one text, and each letter of
another one takes a few operations a word.  Source: Hyyrö (2004), "Bit-parallel
LCS-length computation revisited".

The code is Python that Cython compiles.  Small changes cost speed here; time
``python -m benchmarks.json_peers`` before and after one.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np

BITS = 63 if cython.compiled else 10**6
"""Letters of a text in a word; with one bit more, a sum of two words fits.  Whole
numbers of Python have any number of bits."""


def similarities(left: list, right: list, unit: int, weight: int):
    """Return the common part of each left text and each right one, in units.

    Args:
        left, right: the letters of texts, which are strings.
        unit: the common part of two equal texts.
        weight: a factor of all values.

    Returns:
        An array of shape ``(left, right)``.
    """
    n: cython.Py_ssize_t = len(left)
    m: cython.Py_ssize_t = len(right)
    numbers: dict = {}
    left_array = _numbered(left, numbers)
    right_array = _numbered(right, numbers)
    begins_array = _begins(left)
    ends_array = _begins(right)
    longest: cython.Py_ssize_t = 1
    for text in left:
        longest = max(longest, len(text))
    bits: cython.Py_ssize_t = BITS
    words: cython.Py_ssize_t = longest // bits + 1
    table_array = np.zeros((n, m), dtype=np.int64)
    masks_array = _words(max(1, len(numbers)) * words)
    row_array = _words(words)
    table: cython.longlong[:, ::1] = table_array
    left_letters: cython.int[::1] = left_array
    right_letters: cython.int[::1] = right_array
    begins: cython.longlong[::1] = begins_array
    ends: cython.longlong[::1] = ends_array
    masks: cython.ulonglong[::1] = masks_array
    row: cython.ulonglong[::1] = row_array
    one: cython.ulonglong = cython.cast(cython.ulonglong, 1)
    all_bits: cython.ulonglong = (one << bits) - one
    marks_array = _words(m)
    right_marks: cython.ulonglong[::1] = marks_array
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    w: cython.Py_ssize_t
    for j in range(m):
        right_marks[j] = _marks(right_letters, ends[j], ends[j + 1])
    for i in range(n):
        begin: cython.Py_ssize_t = begins[i]
        size: cython.Py_ssize_t = begins[i + 1] - begin
        of_text: cython.Py_ssize_t = (size + bits - 1) // bits
        for k in range(size):
            w = left_letters[begin + k] * words + k // bits
            masks[w] = masks[w] | (one << (k % bits))
        marks: cython.ulonglong = _marks(left_letters, begin, begin + size)
        for j in range(m):
            length: cython.Py_ssize_t = ends[j + 1] - ends[j]
            longer: cython.Py_ssize_t = size if size > length else length
            if 2 * (size + length - longer) <= longer or not (marks & right_marks[j]):
                continue
            common: cython.Py_ssize_t = 0  # bits that are 0
            if of_text == 1:
                word: cython.ulonglong = all_bits
                for k in range(ends[j], ends[j + 1]):
                    shared: cython.ulonglong = word & masks[right_letters[k] * words]
                    word = ((word + shared) & all_bits) | (word - shared)
                word ^= all_bits
                while word:
                    word &= word - one
                    common += 1
            else:
                for w in range(of_text):
                    row[w] = all_bits
                for k in range(ends[j], ends[j + 1]):
                    mask_start: cython.Py_ssize_t = right_letters[k] * words
                    carry: cython.ulonglong = 0
                    for w in range(of_text):
                        word = row[w]
                        shared = word & masks[mask_start + w]
                        total: cython.ulonglong = word + shared + carry
                        carry = total >> bits
                        row[w] = (total & all_bits) | (word - shared)
                for w in range(of_text):
                    word = row[w] ^ all_bits
                    while word:
                        word &= word - one
                        common += 1
            above: cython.longlong = 2 * common - longer
            if above > 0:  # not above * unit // most, which can be too large
                share: cython.longlong = unit // longer
                rest: cython.longlong = unit % longer
                table[i, j] = weight * (above * share + above * rest // longer)
        for k in range(size):
            masks[left_letters[begin + k] * words + k // bits] = 0
    return table_array


@cython.cfunc
@cython.returns(cython.ulonglong)
def _marks(letters: cython.int[::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t):
    """Return bits such that texts with a common letter have a common bit."""
    bits: cython.ulonglong = 0
    one: cython.ulonglong = cython.cast(cython.ulonglong, 1)
    k: cython.Py_ssize_t
    for k in range(begin, end):
        bits |= one << (letters[k] % 64)
    return bits


@cython.cfunc
def _words(count: cython.Py_ssize_t):
    """Return words that are 0."""
    return array("Q", bytes(8 * count)) if cython.compiled else [0] * count


@cython.cfunc
def _numbered(texts: list, numbers: dict):
    """Return the numbers of the letters of texts, one text behind the other."""
    letters: list = []
    for text in texts:
        for letter in text:
            number = numbers.get(letter)
            if number is None:
                number = numbers[letter] = len(numbers)
            letters.append(number)
    return array("i", letters or [0])


@cython.cfunc
def _begins(texts: list):
    """Return the begin of each text in all of them joined, and the end of the last."""
    begins: list = [0]
    end: cython.Py_ssize_t = 0
    for text in texts:
        end += len(text)
        begins.append(end)
    return array("q", begins)


def longest_common(left, right) -> int:
    """Return the length of the longest common subsequence of two texts.

    Args:
        left, right: their letters, which are strings.
    """
    masks: dict = {}
    size: cython.Py_ssize_t = len(left)
    bits: cython.Py_ssize_t = BITS
    one: cython.ulonglong = cython.cast(cython.ulonglong, 1)
    if size > bits:
        return int(_longer(left, right))
    mask: cython.ulonglong = one
    for letter in left:
        masks[letter] = masks.get(letter, 0) | mask
        mask <<= 1
    all_bits: cython.ulonglong = (one << size) - one
    word: cython.ulonglong = all_bits
    for letter in right:
        places = masks.get(letter)
        if places is not None:
            shared: cython.ulonglong = word & cython.cast(cython.ulonglong, places)
            word = ((word + shared) & all_bits) | (word - shared)
    word ^= all_bits
    common: cython.Py_ssize_t = 0
    while word:
        word &= word - one
        common += 1
    return common


@cython.cfunc
def _longer(left, right):
    """Return the length for texts with more letters than a word has bits."""
    masks: dict = {}
    bit: object = 1
    for letter in left:
        masks[letter] = masks.get(letter, 0) | bit
        bit = bit << 1
    full: object = bit - 1
    row: object = full
    for letter in right:
        mask = masks.get(letter)
        if mask is not None:
            shared = row & mask
            row = ((row + shared) | (row - shared)) & full
    return len(left) - bin(row).count("1")


def distinct(numbers: list):
    """Return the distinct numbers, and the place of each among them; -1 stays."""
    place_of: dict = {}
    places: list = []
    for number in numbers:
        index = -1
        if number >= 0:
            index = place_of.get(number, -1)
            if index < 0:
                index = len(place_of)
                place_of[number] = index
        places.append(index)
    return list(place_of), places


def by_name(contents: list, numbers: list):
    """Return the children of parts by their names; -1 where one has none.

    Args:
        contents: the names and the children of each part.
        numbers: the numbers of the parts.
    """
    columns: dict = {}
    n: cython.Py_ssize_t = len(numbers)
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for k in range(n):
        names, children = contents[numbers[k]]
        for i in range(len(names)):
            column = columns.get(names[i])
            if column is None:
                column = [-1] * n
                columns[names[i]] = column
            column[k] = children[i]
    return columns


def add_values(table, rows: list, columns: list, values):
    """Add the common part of the values of each row and column.

    Args:
        table: it is changed.
        rows, columns: the row and the column of each one in *values*; -1 for none.
        values: the common part of each two values.
    """
    n: cython.Py_ssize_t = len(rows)
    m: cython.Py_ssize_t = len(columns)
    sums: cython.longlong[:, ::1] = table
    parts: cython.longlong[:, ::1] = values
    left_places: cython.int[::1] = array("i", rows)
    right_places: cython.int[::1] = array("i", columns)
    for i in range(n):
        x: cython.Py_ssize_t = left_places[i]
        if x < 0:
            continue
        for j in range(m):
            y: cython.Py_ssize_t = right_places[j]
            if y >= 0:
                sums[i, j] = sums[i, j] + parts[x, y]


def add_equal(table, rows: list, columns: list, worth: int):
    """Add the common part of equal values.

    Args:
        table: it is changed.
        rows, columns: the number of the value of each one; -1 for none.
        worth: the common part of two equal values.
    """
    columns_of: dict = {}
    for j, number in enumerate(columns):
        if number >= 0:
            columns_of.setdefault(number, []).append(j)
    sums: cython.longlong[:, ::1] = table
    added: cython.longlong = worth
    i: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for number in rows:
        for k in columns_of.get(number, ()) if number >= 0 else ():
            sums[i, k] = sums[i, k] + added
        i += 1

# make: lint, types, contracts, tests.  make conformance: everything against
# the reference values (EXACTMATCH_DATA names the folder with golden/ and data/).

PYTHON ?= python

.PHONY: all lint types contracts test conformance bench

all: lint types contracts test

lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types:
	$(PYTHON) -m mypy

contracts:
	lint-imports

test:
	$(PYTHON) -m pytest

conformance:
	$(PYTHON) -m pytest tests/conformance --full-conformance

bench:
	$(PYTHON) -m benchmarks

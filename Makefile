# make: lint, types, contracts, tests.  make fix: formatting, and what ruff can mend.
# make quick: the tests that take no seconds.
# make coverage: what the tests run, with a floor.  make conformance: everything against
# the reference values (EXACTMATCH_DATA names the folder with golden/ and data/).
# make fuzz N=100000: a campaign of broken input.  make mutants SAMPLE=300: deliberate breaks that no
# test notices.

PYTHON ?= python

.PHONY: all fix lint types contracts test quick coverage conformance bench fuzz mutants

all: lint types contracts test

fix:
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types:
	$(PYTHON) -m mypy

contracts:
	lint-imports

test:
	$(PYTHON) -m pytest -n auto -m ""

quick:
	$(PYTHON) -m pytest -n auto

coverage:
	$(PYTHON) -m pytest -n auto -m "" --ignore tests/browser --cov

conformance:
	$(PYTHON) -m pytest -m "" tests/conformance --full-conformance

# as many command lines, proofs and files, broken at random, as N says
N ?= 100000
fuzz:
	EXACTMATCH_FUZZ=$(N) $(PYTHON) -m pytest -m "" tests/fuzz

# the code of some rooms broken in as many places as SAMPLE says; what no test notices is printed
SAMPLE ?= 300
mutants:
	$(PYTHON) -m tests.mutants --sample $(SAMPLE)

bench:
	$(PYTHON) -m benchmarks

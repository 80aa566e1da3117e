# The verbs a newcomer tries. Everything happens in a local virtual environment, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RELHASH_DATA ?= $(wildcard ../shared/data)
export RELHASH_DATA
# one line of remedy instead of a traceback when Debian's python lacks the venv module
MAKE_VENV = test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	{ echo "make: '$(PYTHON) -m venv' failed; on Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }

.PHONY: demo test lint types bench realdata slow docs clean venv resources help

help:            ## this list
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

venv: $(VENV)/.core     ## only make the virtual environment and install relhash into it

$(VENV)/.core: pyproject.toml
	@$(MAKE_VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml
	@$(MAKE_VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(VENV)/.core $@

demo: $(VENV)/.core     ## the main job on embedded data
	@$(BIN)/relhash demo

test: lint              ## static checks, then the test suite
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not realdata and not slow"

lint: $(VENV)/.dev      ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

realdata: $(VENV)/.dev  ## tests on the real corpora (RELHASH_DATA)
	$(BIN)/python -m pytest -m realdata tests/realdata

slow: $(VENV)/.dev      ## tests that take minutes
	$(BIN)/python -m pytest -m "slow and not realdata"

bench: $(VENV)/.dev     ## speed, each script one question
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

docs: $(VENV)/.dev      ## run the tutorials
	$(BIN)/python -m pytest tests/test_docs.py

clean:                  ## remove everything that was made here
	rm -rf $(VENV) build dist relhash-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis

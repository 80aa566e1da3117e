# The verbs a newcomer tries. Everything happens in a local virtual environment, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RELHASH_DATA ?= $(wildcard ../shared/data)
export RELHASH_DATA
# programs that tests start read our modules compiled, whatever the surroundings say
export PYTHONDONTWRITEBYTECODE :=
# one line of remedy instead of a traceback when Debian's python lacks the venv module
MAKE_VENV = test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	{ echo "make: '$(PYTHON) -m venv' failed; on Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }

.PHONY: demo test coverage release lint fuzz neural bench results mutants realdata slow docs clean venv help

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
	@$(BIN)/python -c "import matplotlib.font_manager"  # makes its table of fonts, for seconds: no test has to wait for it
	@touch $(VENV)/.core $@

demo: $(VENV)/.core     ## the main job on embedded data
	@$(BIN)/relhash demo

test: lint              ## static checks, then the test suite
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not realdata and not slow"

coverage: $(VENV)/.dev  ## which lines the tests run: at least 92 of 100, or it fails; docs/_build/coverage
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not realdata and not slow" --cov=relhash --cov-report=term:skip-covered \
		--cov-report=html:docs/_build/coverage --cov-fail-under=92

lint: $(VENV)/.dev      ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# a plain "torch" may bring gigabytes for graphics cards; name the version or build that suits the machine
TORCH ?= torch==2.13.0

$(VENV)/.neural: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(TORCH)"
	@touch $@

neural: $(VENV)/.neural ## install torch and run the tests of networks
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not realdata and not slow" tests/bench/rivals tests/hashing tests/model/test_model_file.py src/relhash/bench/rivals src/relhash/hashing

realdata: $(VENV)/.dev  ## tests on the real corpora (RELHASH_DATA)
	$(BIN)/python -m pytest -m realdata tests/realdata

slow: $(VENV)/.dev      ## tests that take minutes
	$(BIN)/python -m pytest -m "slow and not realdata"

N ?= 20000
fuzz: $(VENV)/.dev      ## damaged inputs for every reader and for model files, N a format
	RELHASH_FUZZ_ROUNDS=$(N) $(BIN)/python -m pytest tests/fuzz

bench: $(VENV)/.dev     ## speed, each script one question
	@for script in $(filter-out benchmarks/interval_coverage.py benchmarks/compare_cells.py benchmarks/raw_text_rows.py benchmarks/raw_text_sample.py,$(wildcard benchmarks/*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

results: $(VENV)/.dev   ## tables of docs/results.md from the files of results, and these from kept cells
	$(BIN)/python tools/make_results.py

mutants: $(VENV)/.dev   ## would the tests notice? breaks one line after the other in a copy of the sources
	$(BIN)/python tools/mutants.py
	$(BIN)/python tools/sampled_mutants.py

$(VENV)/.docs: $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	@touch $@

docs: $(VENV)/.docs     ## run what the pages say, then build the site: docs/_build/index.html
	$(BIN)/python -m pytest -n 2 tests/test_docs.py
	$(BIN)/python -m sphinx -W --keep-going -n -q docs docs/_build
	@echo "open docs/_build/index.html"

release: $(VENV)/.dev   ## sdist and wheel, locked constraints, SBOM, licences; tried in a clean environment
	$(BIN)/python tools/release/release.py

clean:                  ## remove everything that was made here
	rm -rf $(VENV) build dist docs/_build relhash-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis

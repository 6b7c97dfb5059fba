# Needs python3 with venv, g++ and make; everything else (cmake and ninja too) comes into .venv.
PYTHON ?= python3
WORKERS ?= 2
RUNS ?= 20
BENCH ?= all

# Otherwise every process that a test starts would compile the library again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
SANITIZERS := address,undefined thread
SITE_DIR := build/site

# Folders are listed with their files: adding or deleting a file touches its folder.
CORE := $(shell find cpp) CMakeLists.txt
CPP_FILES := $(shell find cpp -name '*.cpp' -o -name '*.hpp')

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-hard lint format sanitize torture core-tests docs bench bench-core clean
.DELETE_ON_ERROR:

help:
	@echo "make demo        train on real data with every search and compare"
	@echo "make test        run the tests and doctests"
	@echo "make test-fast   run those that take little time, in a minute"
	@echo "make test-hard   run the tests under hard conditions, RUNS=$(RUNS) times"
	@echo "make lint        ruff, mypy, import-linter, clang-format"
	@echo "make format      rewrite the sources the way lint wants them"
	@echo "make sanitize    run the core's tests with the sanitizers of memory, undefined behaviour and threads"
	@echo "make torture     attack it for two minutes, or for as long as HOURS=1 says"
	@echo "make docs        build the site in $(SITE_DIR), which runs the gallery"
	@echo "make bench       time frugalboost beside other libraries, and by threads (QUICK=1: two minutes)"
	@echo "make bench-core  measure errors, assessments and speed (BENCH=$(BENCH))"
	@echo "make clean       remove everything that was built"

demo: $(VENV)/.package
	@$(BIN)/frugalboost demo

test: $(VENV)/.package $(VENV)/.test
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

test-fast: $(VENV)/.package $(VENV)/.test
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not slow and not thorough" $(ARGS)

test-hard: $(VENV)/.package $(VENV)/.test
	@$(BIN)/python benchmarks/hard_runs.py --runs $(RUNS) --workers $(WORKERS) $(ARGS)

lint: $(VENV)/.package $(VENV)/.test $(VENV)/.lint
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@PYTHONPATH=src $(BIN)/lint-imports
	@$(if $(CPP_FILES),$(BIN)/clang-format --dry-run -Werror $(CPP_FILES))

format: $(VENV)/.lint
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(if $(CPP_FILES),$(BIN)/clang-format -i $(CPP_FILES))

# No program can have both kinds, so there are two.
sanitize: $(addprefix sanitize-,$(SANITIZERS))

sanitize-%: $(VENV)/.build
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/$@ -G Ninja --log-level=WARNING \
	    -DFRUGALBOOST_SANITIZE=$* -DFRUGALBOOST_CPP_TESTS=ON
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/$@ -- --quiet
	@build/$@/core_tests

# Only a long run is worth a place in the documentation, and worth building the core's tests for.
torture: $(VENV)/.package $(VENV)/.test $(if $(HOURS),core-tests)
	@cd benchmarks && ../$(BIN)/python -m torture --workers $(WORKERS) \
	    $(if $(HOURS),--hours $(HOURS) --docs ../docs/reliability.md,--minutes 2) $(ARGS)

core-tests: $(VENV)/.build
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/plain -G Ninja --log-level=WARNING \
	    -DFRUGALBOOST_CPP_TESTS=ON
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/plain -- --quiet

# From the start but for the gallery: pages that have gone must not stay, and Sphinx does not see
# that a docstring has changed.
docs: $(VENV)/.package $(VENV)/.docs
	@rm -rf $(SITE_DIR) docs/api
	@$(BIN)/python -m sphinx -q -W --keep-going -c docs -b html . $(SITE_DIR)
	@$(BIN)/python docs/_site/check_site.py $(SITE_DIR)

# Only a full run is worth a place in the documentation.
bench: $(VENV)/.package $(VENV)/.bench
	@cd benchmarks && ../$(BIN)/python -m peers \
	    $(if $(QUICK),--quick,--docs ../docs/benchmarks.md) $(ARGS)
	@cd benchmarks && ../$(BIN)/python -m threads \
	    $(if $(QUICK),--quick,--docs ../docs/threads.md) $(THREAD_ARGS)

bench-core: $(VENV)/.package $(VENV)/.test
	@$(BIN)/python benchmarks/exact_trees.py $(BENCH)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -rf docs/api docs/gallery
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: each step is done again only when what it depends on is newer.
# Dependency groups need pip 25.1, which the pip that comes with an older Python is not.
$(VENV)/.created:
	@echo "creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.build: $(VENV)/.created pyproject.toml
	@$(PIP) install --group build
	@touch $@

# Editable, so changed Python is picked up as it is; without isolation, so a changed kernel
# recompiles alone instead of the whole core in a new environment. Python is compiled as it is in a
# package that is installed, so that imports are as fast where Python may not write such files.
$(VENV)/.package: $(VENV)/.build $(CORE)
	@echo "building frugalboost"
	@$(PIP) install --no-build-isolation --editable ".[cli]"
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.test $(VENV)/.lint $(VENV)/.bench $(VENV)/.docs: $(VENV)/.%: $(VENV)/.created pyproject.toml
	@echo "installing what make $* needs"
	@$(PIP) install --group $*
	@touch $@

# Every target sets up what it needs: Python environment, Debian packages, dashboard. See deploy/setup.sh.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
unexport PYTHONDONTWRITEBYTECODE # images of containers set it; hundreds of processes of the tests would compile all modules each

.PHONY: help setup test test-all test-share lint docs demo bench ui release clean

help:
	@echo "make demo      broker, server, dashboard and real agents on the demo site (ARGS=\"--headless --until-complete\")"
	@echo "make test      linters, type checker, import rules and every test"
	@echo "make test-all  the same, and the full-size runs: power cuts, soaks, other brokers, a booted Debian; an hour and more"
	@echo "make test-share  a tenth of the full-size runs, chosen by the commit, in 20 minutes"
	@echo "make test T=F  one test, file or folder, without linters: T=tests/agent/test_settings.py::test_name"
	@echo "make lint      only linters, type checker and import rules"
	@echo "make docs      the site of documents in build/site/html, by version, every link checked"
	@echo "make bench     speeds on this machine, as ratios to its limits"
	@echo "make ui        build the dashboard again"
	@echo "make release   all files of a release in dist/VERSION, of the last commit (ARGS=--twice builds again and compares)"
	@echo "make clean     remove what these targets made"

setup:
	@PYTHON="$(PYTHON)" sh deploy/setup.sh $(VENV) test

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/check_words.py
	$(BIN)/python tools/check_dashboard.py

# Most of a system test is waiting for processes: three workers fill two cores. A file stays with one worker, and its fixtures with it.
# Files that start processes and files that compute alternate (tests/order.py).
# A test has one try. Its waits are bounds of minutes, which a stalled machine does not reach.
PYTEST := $(BIN)/python -m pytest
ifdef T
# Long tests, too: T names what is wanted.
test: setup
	$(PYTEST) -m "" $(T) $(ARGS)
else
test: lint
	$(PYTEST) -n 3 --dist loadfile --no-loadscope-reorder -m "not long and not alone" $(ARGS)
	$(PYTEST) -m "alone and not long" $(ARGS) || [ $$? = 5 ] # ARGS may choose none of these
endif

# What measures, cuts power or fills the machine runs by itself. What is missing is skipped with its reason.
LONG := $(PYTEST) -r as -p no:randomly --durations 20 --durations-min 60
test-all: test
	@PYTHON="$(PYTHON)" sh deploy/setup.sh $(VENV) long
	$(LONG) -n 2 --dist loadfile --no-loadscope-reorder -m "long and not alone" $(ARGS)
	$(LONG) -m "long and alone" $(ARGS) || [ $$? = 5 ]

# A part of the long tests, with the tools that are installed: SHARE=TEXT/N, which SHARE_MINUTES bounds.
SHARE         ?= $(shell git -c safe.directory="$(CURDIR)" rev-parse HEAD)/10
SHARE_MINUTES ?= 20
test-share: setup
	$(LONG) -m long --share "$(SHARE)" --share-minutes "$(SHARE_MINUTES)" $(ARGS)

docs: setup
	$(BIN)/python -m tools.build_site

demo:
	@PYTHON="$(PYTHON)" sh deploy/setup.sh $(VENV) run
	$(BIN)/edgefleet demo $(ARGS)

bench: setup
	$(BIN)/python -m benchmarks $(ARGS)

ui: setup
	$(BIN)/python fleet_server/hatch_build.py

release: setup
	@PYTHON="$(PYTHON)" sh deploy/setup.sh $(VENV) release
	$(BIN)/python -m tools.release $(ARGS)

clean:
	rm -rf $(VENV) .demo .cache .pytest_cache .ruff_cache .mypy_cache .import_linter_cache build dist fleet_server/edgefleet_server/ui fleet_server/dashboard/node_modules

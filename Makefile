# Every target sets up what it needs: Python environment, Debian packages, dashboard. See deploy/setup.sh.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
unexport PYTHONDONTWRITEBYTECODE # images of containers set it; hundreds of processes of the tests would compile all modules each

.PHONY: help setup test test-all lint docs demo bench ui clean

help:
	@echo "make demo      broker, server, dashboard and real agents on the demo site (ARGS=\"--headless --until-complete\")"
	@echo "make test      linters, type checker, import rules and every test"
	@echo "make test-all  the same, and the full-size runs: power cuts, soaks, other brokers, a booted Debian; hours"
	@echo "make test T=F  one test, file or folder, without linters: T=tests/agent/test_settings.py::test_name"
	@echo "make lint      only linters, type checker and import rules"
	@echo "make docs      the site of documents in build/site/html, by version, every link checked"
	@echo "make bench     speeds on this machine, as ratios to its limits"
	@echo "make ui        build the dashboard again"
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
# Real brokers, browsers, cameras and clocks on a shared machine stall now and then: a test that starts processes is tried twice more when it
# fails, and every such try is listed at the end (RERUN): each is a fault to look into. Any other test has one try.
PYTEST := $(BIN)/python -m pytest --reruns 2 --reruns-delay 5 -r aR
ifdef T
# Long tests, too: T names what is wanted.
test: setup
	$(BIN)/python -m pytest -m "" $(T) $(ARGS)
else
test: lint
	$(PYTEST) -n 3 --dist loadfile -m "not long and not alone" $(ARGS)
	$(PYTEST) -m "alone and not long" $(ARGS) || [ $$? = 5 ] # ARGS may choose none of these
endif

# Full-size runs go one after the other: they measure, cut power and fill the machine. What is missing is skipped with its reason.
test-all: test
	@PYTHON="$(PYTHON)" sh deploy/setup.sh $(VENV) long
	$(BIN)/python -m pytest -m long -r as -p no:randomly $(ARGS)

docs: setup
	$(BIN)/python -m tools.build_site

demo:
	@PYTHON="$(PYTHON)" sh deploy/setup.sh $(VENV) run
	$(BIN)/edgefleet demo $(ARGS)

bench: setup
	$(BIN)/python -m benchmarks $(ARGS)

ui: setup
	$(BIN)/python fleet_server/hatch_build.py

clean:
	rm -rf $(VENV) .demo .cache .pytest_cache .ruff_cache .mypy_cache .import_linter_cache build dist fleet_server/edgefleet_server/ui fleet_server/dashboard/node_modules

# The few words a newcomer needs. Everything runs in .venv, which is made on first use.
#
#   make play     play Qin here
#   make test     run all tests
#   make check    ruff, mypy, import-linter, buf, and whether the stubs are up to date
#   make format   let ruff lay out the code
#   make bench    measure, side by side with peers
#   make strength let the bots play each other, and write docs/strength.md; takes some minutes
#   make screenshots  draw the pictures of the README anew
#   make proto    regenerate the Python stubs from proto/, and the kit in examples/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH_BIN := .venv-bench/bin

.DEFAULT_GOAL := help
.PHONY: help play test check format bench strength screenshots proto clean

help:
	@sed -n 's/^#   //p' Makefile

play: $(VENV)/installed
	@$(BIN)/qin play

test: $(VENV)/installed-dev
	$(BIN)/pytest -n auto

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code
	@test ! -e proto/released.binpb || $(BIN)/buf breaking --against proto/released.binpb
	$(BIN)/python proto/generate.py --check
	$(BIN)/python examples/kit/make.py --check

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/buf format --write

bench: $(VENV)/installed .venv-bench/installed
	$(BIN)/python tests/bench/playouts.py --peer-python $(BENCH_BIN)/python
	$(BIN)/python tests/bench/served.py
	$(BIN)/python tests/bench/tournaments.py
	$(BIN)/python tests/bench/keys.py

strength: $(VENV)/installed
	$(BIN)/python tests/strength/measure.py

screenshots: $(VENV)/installed-dev
	PYTHONPATH=tests $(BIN)/python tests/screenshots/make.py

proto: $(VENV)/installed-dev
	$(BIN)/python proto/generate.py
	$(BIN)/python examples/kit/make.py

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/installed

.venv-bench/installed: tests/bench/requirements.txt
	$(PYTHON) -m venv .venv-bench
	$(BENCH_BIN)/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

clean:
	rm -rf $(VENV) .venv-bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

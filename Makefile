# Every target makes its own .venv when there is none; nothing else needs to be installed first
# than Python 3.11 or newer (with its venv module) and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
EXTRAS := all

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow lint format bench smoke-model docs clean

help:  ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

demo: $(STAMP)  ## a fortnight of an invented assistant, imported, dreamed and asked
	$(BIN)/slowwave demo

test: $(STAMP)  ## the fast tests (under three minutes)
	$(BIN)/pytest -n auto

test-slow: $(STAMP)  ## the slow ones: kill -9, concurrency, large files
	$(BIN)/pytest -m slow

lint: $(STAMP)  ## ruff, mypy, import-linter
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)  ## let ruff rewrite what it can
	$(BIN)/ruff check --fix src tests bench
	$(BIN)/ruff format src tests bench

bench: $(STAMP)  ## the measurements that need no data set
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/journal.py
	$(BIN)/python bench/recall.py

smoke-model: $(STAMP)  ## the whole line with a real small language model (130 MB into .venv-smoke)
	$(BIN)/python bench/smoke_model.py

docs: $(STAMP)  ## renew the generated reference and the pictures
	$(BIN)/python -m slowwave.cli.reference > docs/reference/commands.md
	$(BIN)/python bench/pictures.py

clean:  ## remove what the targets made
	rm -rf $(VENV) .venv-smoke build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# pip of older systems knows no dependency groups, so it is renewed first.
$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Slowwave needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev --editable ".[$(EXTRAS)]"
	$(BIN)/python -m compileall -q src  # a cold command takes half the time, also where Python keeps none
	touch $(STAMP)

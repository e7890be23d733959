# The front door: every target installs what it needs first, from the hashed lock.
# Another version of Python gets an environment of its own:
#   make test PYTHON=/path/to/python3.13 VENV=.venv313

PYTHON ?= python3
VENV ?= .venv
PYTEST_ARGS ?=

# Three processes, as tests of the page, the cluster and programs wait more than they work.
WORKERS := -n 3 --dist worksteal

# The longer cases wait a third of their time, for browsers, servers and other programs.
PROOF_WORKERS := -n 4 --dist worksteal

# make test, make test-times: all tests but the proofs.
SELECTION := $(WORKERS) -m "not proof"

# make quick: which files have changed, if not those that differ from HEAD.
PATHS ?=

# make check: the TypeScript compiler of the sample bot also checks the modules of the watch page.
SAMPLE := client/samples/typescript
TSC := $(SAMPLE)/node_modules/typescript/bin/tsc

# Whatever the environment says, compiled modules are kept: without them each of the processes that tests start
# compiles the whole project anew, and pytest all tests, three times.
export PYTHONDONTWRITEBYTECODE :=

# make simulate: how many seeds, from which on, and which planted bugs alone ("none": none at all).
SEEDS ?= 200
FIRST ?= 0
PLANTED ?=

# make cluster: anything here has it stay up until Ctrl-C.
STAY ?=

# make matrix, make balance: how many matches of each pairing or scenario, if not as many as the program says.
GAMES ?=

# make ablation: of which scenarios and abilities, how many pairs of matches, and a file for the figures.
SCENARIO ?=
WITHOUT ?=
PAIRS ?=
JSON ?=

# make mutants: of the core or of the shell alone.
GROUP ?=

# make proofs: all cases that `make test` leaves out (tests/proofs.toml), and the long form of these, each
# some seconds or a minute.
PROOFS := $(addprefix tests/, arena/test_after.py arena/test_beliefs_and_truth.py client/test_hunter.py \
	client/test_agent_tasks.py documents/test_import_contracts.py documents/test_kit_bot.py \
	match/turn/test_firing_arcs.py mutants/test_mutants.py protocol/replay/test_replay_file.py \
	scenarios/test_blip_parade.py scenarios/test_redondo.py second_reading/test_footprints.py second_reading/test_ground_probes.py \
	secrecy/test_vain_requests.py two_worlds/test_two_worlds.py)

BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SIM := .venv-sim
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo play cluster test test-times quick check bench arena matrix balance ablation verify leaks timing fuzz faults halves mutants proofs simulate dist lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: $(STAMP) ## watch two bots fight a match; ends by itself and saves a replay in .demo/
	@$(BIN)/sunglare demo

play: $(STAMP) ## take a seat against a bot
	@$(BIN)/sunglare play --local

cluster: $(STAMP) ## the demonstration on a whole cluster, whose busy worker is killed (needs a NATS server; STAY=1)
	@$(BIN)/python server/contrib/cluster.py $(if $(STAY),--stay)

test: $(STAMP) ## run the tests (PYTEST_ARGS="-k shadow" chooses)
	@$(BIN)/python -m pytest -q $(SELECTION) $(PYTEST_ARGS)

test-times: $(STAMP) ## run the tests, and print what each suite and the dearest tests cost in CPU seconds
	@$(BIN)/python -m pytest -q $(SELECTION) --test-times $(PYTEST_ARGS)

quick: $(STAMP) ## run the tests nearest to what differs from HEAD, in seconds (PATHS="server/... tests/..." chooses)
	@$(BIN)/python tests/quick.py $(PATHS)

check: $(STAMP) ## check format, lint, types and import contracts
	@$(BIN)/ruff format --check --quiet . || { echo "Format differs: run $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo
	@if command -v node >/dev/null && [ -f $(TSC) ]; then node $(TSC) -p client/sunglare_page; else \
		echo "The types of the watch page were not checked: npm ci --prefix $(SAMPLE)"; \
		test -z "$$SUNGLARE_NO_SKIPS"; \
	fi

bench: $(STAMP) ## measure the server
	@$(BIN)/python tests/bench/run.py

arena: $(STAMP) ## measure the shipped bots against the random bot, until a sequential test has its verdict
	@SUNGLARE_LONG=1 $(BIN)/python -m pytest -q tests/arena/test_strength.py

matrix: $(STAMP) ## play all shipped bots against all and write the tables of BOTS.md (GAMES=60 of each pairing)
	@$(BIN)/python tests/documents/matrix.py $(if $(GAMES),--games $(GAMES))

balance: $(STAMP) ## is every rung played, has every side a fair chance? at most 1,000 matches of each scenario (GAMES=40)
	@$(BIN)/python tests/balance/run.py $(if $(GAMES),--games $(GAMES))

ablation: $(STAMP) ## which abilities decide matches? one side goes without one (SCENARIO=orlog WITHOUT=sense PAIRS=20 JSON=out.json)
	@$(BIN)/python tests/ablation/run.py $(addprefix --scenario ,$(SCENARIO)) $(addprefix --without ,$(WITHOUT)) \
		$(if $(PAIRS),--pairs $(PAIRS)) $(if $(JSON),--json $(JSON))

verify: $(STAMP) ## the long form of the tests of verification: a thousand changed bytes, every scenario
	@SUNGLARE_LONG=1 $(BIN)/python -m pytest -q tests/arena/test_verify.py

leaks: $(STAMP) ## compare 100,000 windows of paired matches: does anything hidden reach the wire?
	@SUNGLARE_LONG=1 $(BIN)/python -m pytest -q -n 2 tests/two_worlds/test_planted_leaks.py tests/match/test_replay.py
	@$(BIN)/python tests/two_worlds/leaks.py

proofs: properties power cases ## the long form of the tests that make test plays a small form of, some minutes

properties: $(STAMP) ## draw 100 examples for each property; make test draws 5
	@HYPOTHESIS_PROFILE=many $(BIN)/python -m pytest -q $(WORKERS) -m "hypothesis and not proof"

cases: $(STAMP) ## the cases that make test leaves out (tests/proofs.toml), and the long form of some
	@HYPOTHESIS_PROFILE=many $(BIN)/python -m pytest -q $(PROOF_WORKERS) -m proof $(addprefix --ignore=,$(PROOFS)) \
		--ignore=tests/cluster/test_machines_killed.py $(PYTEST_ARGS)
	@HYPOTHESIS_PROFILE=many SUNGLARE_LONG=1 $(BIN)/python -m pytest -q $(PROOF_WORKERS) $(PROOFS) $(PYTEST_ARGS)

halves: $(STAMP) ## run the tests over sockets with each server as a worker and a gateway (HALVES=tests/... chooses)
	@SUNGLARE_HALVES=1 $(BIN)/python -m pytest -q -n 2 $(or $(HALVES),tests/end_to_end tests/outlets)

mutants: $(STAMP) ## put small faults into secrecy core and outer shell: does a quick test notice each? (GROUP=core|shell)
	@$(BIN)/python tests/mutants/run.py $(if $(GROUP),--group $(GROUP))

timing: $(STAMP) ## the long form of the timing test: 10,000 windows on the real beat, some minutes
	@SUNGLARE_LONG=1 $(BIN)/python -m pytest -q tests/secrecy/test_timing.py

fuzz: $(STAMP) ## hostile messages and records by the hundred thousand, 500 connections at once
	@SUNGLARE_LONG=1 $(BIN)/python -m pytest -q -n 2 tests/protocol/test_fuzz_codec.py tests/match/test_fuzz_records.py \
		tests/end_to_end/test_fuzz_session.py tests/end_to_end/test_load.py
	@$(BIN)/python tests/bench/decoding.py

faults: $(STAMP) ## 100 kills while 20 matches are played, stops, 2,000 matches for 30 days, half an hour of 50 at once: an hour
	@SUNGLARE_LONG=1 $(BIN)/python -m pytest -q tests/end_to_end/test_soak.py tests/end_to_end/test_sigkill.py \
		tests/end_to_end/test_sigstop.py tests/match/clock/test_clock_fuzz.py tests/match/clock/test_clock_error.py \
		tests/runtime/test_parking.py

simulate: ## run simulated matches with faults and look for planted bugs, SEEDS=200 (needs Python 3.12)
	@python=$$(sh tests/simulation/find_python.sh); \
	if [ -z "$$python" ]; then echo "simulate: skipped, as no Python 3.12 or 3.13 was found that runs"; exit 0; fi; \
	$(MAKE) --no-print-directory $(SIM)/.installed PYTHON="$$python" && \
	PYTHONPATH=server:client:protocol:tests $(SIM)/bin/python -m simulation.run \
		--seeds $(SEEDS) --first $(FIRST) $(if $(PLANTED),--planted $(PLANTED))

workers: $(STAMP) ## run simulated matches and queues at several workers and look for planted bugs, SEEDS=200
	@PYTHONPATH=server:client:protocol:tests $(BIN)/python -m simulation.workers.run \
		--seeds $(SEEDS) --first $(FIRST) $(if $(PLANTED),--planted $(PLANTED))

power: $(STAMP) ## cut the power of forty writers of the real journal (needs a C compiler)
	@PYTHONPATH=server:client:protocol:tests $(BIN)/python -m simulation.power

cluster-faults: $(STAMP) ## kill workers, gateways and a leading engine in play (SUNGLARE_LONG=1: 50 kills, 20 matches)
	@$(BIN)/python -m pytest -q tests/cluster/test_machines_killed.py

.PHONY: cases cluster-faults power properties proofs schema workers

schema: $(STAMP) ## write what the protocol has for other languages anew: schemas, types, recorded sessions
	@$(BIN)/python -m sunglare_protocol.schema protocol/schema
	@$(BIN)/python tests/client/sessionmaker.py

dist: $(STAMP) ## build the wheel and the source archive in dist/; the wheel is made of the archive
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation .

lock: ## pin the dependencies anew (needs uv)
	@command -v uv >/dev/null || { echo "make lock needs uv (any Python can install it)."; exit 1; }
	uv pip compile --quiet --universal --generate-hashes --no-header --all-extras --upgrade \
		pyproject.toml -o requirements.lock

clean: ## remove the environment, the caches and what the demo saved
	rm -rf $(VENV) $(SIM) .nats .demo .leaks .mutants .test-times .test-matches .hypothesis .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	rm -rf .coverage .coverage.* dist
	find server client protocol tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The lock is installed with its hashes checked; the project itself needs a step of its own,
# as pip has no hash for a folder. hatchling is in the lock, so that step fetches nothing.
$(STAMP): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "Sunglare needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "This Python lacks its venv module; on Debian: apt install python3-venv"; exit 1; }
	@echo "Installing into $(VENV) (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python .ci/install.py requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $(STAMP)

# Without the project itself: the simulation reads it where it lies.
$(SIM)/.installed: requirements.lock tests/simulation/requirements.lock
	@echo "Installing into $(SIM) (once, about a minute) ..."
	@$(PYTHON) -m venv $(SIM)
	@$(SIM)/bin/python .ci/install.py requirements.lock tests/simulation/requirements.lock
	@touch $@

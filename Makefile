# Everything a newcomer needs: `make demo` plays, `make test` checks. Both set up what they need in .venv.
PYTHON ?= python3
# How long a soak makes trouble on each database, and which.
SECONDS ?= 120
SEED ?= 7
BIN := .venv/bin
CATALOGUES := $(wildcard tgbot/locales/*/LC_MESSAGES/*.po)
# The newest of the pinned packages, and our own package on top of them (its build compiles the catalogues).
INSTALL_SELF := $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

.PHONY: demo test soak bench lint types contracts audit format run words lock clean

demo: .venv/play ## Play on this machine, in the browser; no token, no account
	$(BIN)/inbetween demo

run: .venv/play ## Run the bot; settings from the environment or from .env
	$(BIN)/inbetween run

test: lint types contracts ## Everything that CI runs
	$(BIN)/pytest -n auto --dist worksteal

soak: .venv/work ## Groups play while everything goes wrong; then the books are checked
	$(BIN)/python -m tests.soak --seconds $(SECONDS) --seed $(SEED)

bench: .venv/work ## What a tap costs, on both databases; ten minutes, and the machine should do nothing else
	$(BIN)/python -m tests.bench --json docs/bench.json

lint: .venv/work
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/work
	$(BIN)/mypy

audit: .venv/work ## Ask the public list of vulnerabilities about every package that is installed to play
	$(BIN)/uv tool run pip-audit --require-hashes --disable-pip --requirement requirements/play.txt

contracts: .venv/work
	$(BIN)/lint-imports

format: .venv/work ## Put the code in its form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

words: .venv/work ## Bring the catalogues up to date with the texts in the code
	$(BIN)/pybabel extract -F babel.cfg -k tr -k count:1,2 --no-location --sort-output --omit-header -o .venv/words.pot .
	for po in $(CATALOGUES); do \
	  $(BIN)/pybabel update --no-fuzzy-matching --ignore-obsolete --omit-header -i .venv/words.pot -o $$po \
	    -l $$(basename $$(dirname $$(dirname $$po))); done

lock: .venv/work ## Pin the newest packages that pyproject.toml allows
	$(BIN)/uv pip compile pyproject.toml --group build --universal --generate-hashes --no-header --upgrade \
	  --quiet -o requirements/play.txt
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-header --upgrade \
	  --quiet -o requirements/work.txt

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name it with: make PYTHON=python3.12 demo"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/play: .venv/bin/python requirements/play.txt pyproject.toml hatch_build.py $(CATALOGUES)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/play.txt
	$(INSTALL_SELF)
	@touch $@

.venv/work: .venv/bin/python requirements/work.txt pyproject.toml hatch_build.py $(CATALOGUES)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/work.txt
	$(INSTALL_SELF)
	@touch $@ .venv/play

clean: ## Remove what was set up
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

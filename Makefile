# Needs Python 3.11 or newer, git and make; the rest goes into .venv.
PY := .venv/bin/python
STAMP := .venv/.installed
FIND_PYTHON = for p in python3 python python3.13 python3.12 python3.11 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done

.DEFAULT_GOAL := help
.PHONY: help train test play fast bounds nojit lint format type docs notebooks golden bench rivals lock pin wheel clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

train: $(STAMP) ## train a player: make train ARGS="--steps 100000"
	$(PY) train.py $(ARGS)

test: $(STAMP) ## all tests
	$(PY) -m pytest -n auto --dist loadfile $(ARGS)

play: $(PY) ## play a hand in the terminal: make play ARGS="gin"; without torch it is soon installed
	@$(PY) -c 'import rummyzoo, numba, rich, prompt_toolkit' 2>/dev/null || { \
		echo "installing into .venv; takes a minute"; \
		$(PY) -m pip install -q --no-compile --disable-pip-version-check -c requirements/lock.txt -e '.[play]'; }
	@$(PY) -m rummyzoo.agents.cli play $(ARGS)

fast: $(STAMP) ## the tests without the slow ones
	$(PY) -m pytest -q -m "not slow" $(ARGS)

bounds: $(STAMP) ## the fast tests with bounds checks in the kernels
	NUMBA_BOUNDSCHECK=1 $(PY) -m pytest -q -m "not slow" $(ARGS)

nojit: $(STAMP) ## some tests with the kernels as plain Python: make nojit ARGS=tests/test_gin_arrange.py
	NUMBA_DISABLE_JIT=1 $(PY) -m pytest -q -m "not slow" $(ARGS)

lint: $(STAMP) ## ruff: lint and format, changing nothing
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

format: $(STAMP) ## ruff: format, and fix what can be fixed
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

type: $(STAMP) ## mypy
	$(PY) -m mypy src tests benchmarks train.py

docs: $(STAMP) ## build the docs: open docs/_build/html/index.html
	$(PY) -m sphinx -W --keep-going -b html $(ARGS) docs docs/_build/html

notebooks: $(STAMP) ## run the notebooks in full and keep what they show
	UPDATE_GOLDEN=1 $(PY) -m pytest -q tests/test_notebooks.py -k runs

golden: $(STAMP) ## write golden playthroughs, counts, what docs show anew; review the diff
	UPDATE_GOLDEN=1 $(PY) -m pytest -q tests/test_playthroughs.py tests/test_counts.py \
		tests/test_readme.py

bench: $(STAMP) ## measure speed: make bench ARGS="--help"
	$(PY) benchmarks/speed.py $(ARGS)

rivals: .venv-rivals/.installed ## a second environment with the packages that bench compares with

lock: $(PY) ## resolve pyproject.toml and requirements/lock.in into requirements/lock.txt
	$(PY) -m pip install -q --upgrade uv
	$(PY) -m uv pip compile pyproject.toml -q --upgrade --universal --python-version 3.11 \
		--all-extras --constraints requirements/lock.in --no-annotate --no-header -o requirements/lock.tmp
	@# torch names the exact CUDA packages of its own build; a CPU build needs none of them
	(echo '# Made by `make lock` from pyproject.toml and lock.in, for Python 3.11 and newer.'; \
		grep -vE '^(nvidia|cuda|triton)' requirements/lock.tmp) > requirements/lock.txt
	rm requirements/lock.tmp

pin: $(STAMP) ## leave the lock: make pin PIN=gymnasium==1.2.2, or PIN=latest
ifeq ($(PIN),latest)
	$(PY) -m pip install -q --upgrade --upgrade-strategy eager -e '.[train,dev]'
else
	$(PY) -m pip install -q '$(PIN)'
endif
	$(PY) -m pip list

wheel: $(STAMP) clean ## build sdist and wheel into dist/
	$(PY) -m build --no-isolation

clean: ## remove what builds and tools leave behind, but not .venv
	rm -rf build dist docs/_build *.egg-info src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +

$(PY):
	@python=$$($(FIND_PYTHON)); test -n "$$python" || { echo "Python 3.11 or newer not found" >&2; exit 1; }; \
		echo "making .venv with $$($$python --version)"; $$python -m venv .venv

$(STAMP): requirements/lock.txt pyproject.toml | $(PY)
	@echo "installing into .venv; the first time takes a few minutes"
	$(PY) -m pip install -q -r requirements/lock.txt
	$(PY) -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

.venv-rivals/.installed: benchmarks/requirements-rivals.txt
	@python=$$($(FIND_PYTHON)); test -n "$$python" || { echo "Python 3.11 or newer not found" >&2; exit 1; }; \
		$$python -m venv .venv-rivals
	.venv-rivals/bin/python -m pip install -q -r $<
	@touch $@

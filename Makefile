# The daily commands. `make check` and `make test` before a change is offered, `make ci` before a release.
.PHONY: install up check test unused report coverage mutants messages screens docs ci

PYTHON ?= python3
BIN := .venv/bin

install: ## an environment with the product and all that its tests and documents need
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -c constraints.txt -e '.[test,docs]'

up: ## the product with its own PostgreSQL and Redis, at http://localhost:8000
	$(BIN)/python manage.py up

check: ## lint, format, types, templates
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	git ls-files -z '*.html' | xargs -0 $(BIN)/djade --check

test: ## the everyday tests
	$(BIN)/pytest

unused: ## code that nothing calls, dependencies that nothing imports
	$(BIN)/deptry .
	! $(BIN)/vulture | grep -E "unused (class|function|import|method)"

report: ## lines and modules of each package, and how long they are
	$(BIN)/python docs/modules.py

coverage: ## the everyday tests, and which lines and branches they never take, package by package
	$(BIN)/pip install --quiet -c constraints.txt -e '.[measure]'
	$(BIN)/coverage erase
	-$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report
	for room in futura chat onet tasks projects; do printf '%-10s ' $$room; \
		$(BIN)/coverage report --include="$$room/*" --format=total; done

mutants: ## how many of COUNT small faults in ROOM its TESTS notice; changes the files while it runs
	$(BIN)/pip install --quiet -c constraints.txt -e '.[measure]'
	printf '[cosmic-ray]\nmodule-path = "%s"\nexcluded-modules = ["**/migrations/*"]\ntimeout = 300\ntest-command = "%s"\n[cosmic-ray.distributor]\nname = "local"\n' \
		"$(ROOM)" "$(BIN)/pytest -n 0 -x -q $(TESTS)" > .mutants.toml
	$(BIN)/cosmic-ray init --force .mutants.toml .mutants.sqlite
	$(BIN)/python -c "import sqlite3; base = sqlite3.connect('.mutants.sqlite'); [base.execute('DELETE FROM ' + table + ' WHERE job_id NOT IN (SELECT job_id FROM work_items ORDER BY job_id LIMIT $(COUNT))') for table in ('mutation_specs', 'work_items')]; base.commit()"
	$(BIN)/cosmic-ray baseline .mutants.toml # a test that fails anyway would notice every fault
	$(BIN)/cosmic-ray exec .mutants.toml .mutants.sqlite
	$(BIN)/cr-report --show-diff --surviving-only .mutants.sqlite

messages: ## new texts into the catalogues of every language, and compiled
	$(BIN)/python manage.py makemessages --all --no-obsolete --add-location file \
		--ignore tests --ignore docs --ignore site --ignore .venv
	$(BIN)/python manage.py compilemessages --ignore .venv

screens: ## the main pages in every language, size and theme, for the documents
	$(BIN)/python -m tests.browser.shots docs/screens

docs: ## the documents as a site, in site/
	$(BIN)/python docs/reference.py
	$(BIN)/zensical build --strict --clean

ci: ## everything that continuous integration runs
	bash .ci/run

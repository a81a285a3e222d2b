# The daily commands. `make check` and `make test` before a change is offered, `make ci` before a release.
.PHONY: install up check test messages screens docs ci

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

#!/usr/bin/env python3
"""Futura's command line."""

import os
import sys


def main() -> None:
    """Runs a management command; what is wrong with the setting-up is said in one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import OperationalError
        from environs import EnvError

        from futura import garbage
    except ModuleNotFoundError as error:
        sys.exit(f"{error}. Install Futura first: .venv/bin/pip install -c constraints.txt -e .")
    garbage.look_seldom()  # what is loaded from here on is there to stay
    try:
        if sys.argv[1:2] == ["up"]:
            # what it forks shares what it loads, so it loads Django itself, beside the services
            from futura.embedded import up

            up.main(sys.argv[2:])
        else:
            execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, EnvError) as error:
        sys.exit(f"manage.py: {error}")
    except OperationalError as error:
        reason = str(error).partition("\n")[0]
        code = getattr(error.__cause__, "sqlstate", None) or ""
        if code[:2] in {"40", "55"} or code == "57014":
            # a deadlock, a lock or a statement that took too long: the server is well
            sys.exit(f"manage.py: the database broke this off: {reason}. Run the command again.")
        # no fault of ours: the server is away, refuses a password, or its disk is full
        sys.exit(f"manage.py: the database cannot be used: {reason}")


if __name__ == "__main__":
    main()

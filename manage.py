#!/usr/bin/env python3
"""Futura's command line."""

import os
import sys


def main() -> None:
    """Runs a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

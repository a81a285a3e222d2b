"""The arguments of `manage.py up`, which must be known before the settings are read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

DEFAULT_PORT: Final = 8000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares them; once for the early reading, once for the command and its `--help`."""
    parser.add_argument(
        "--port",
        type=_port,
        default=_port(os.environ.get("FUTURA_PORT") or str(DEFAULT_PORT)),
        help="where the pages are served (8000)",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (127.0.0.1: this machine only)"
    )
    parser.add_argument(
        "--data-dir",
        type=Path,
        default=None,
        help="where everything is kept (FUTURA_DATA_DIR, or .futura beside manage.py)",
    )


def apply_early(arguments: Sequence[str]) -> None:
    """Hands `up`'s arguments to the settings by the environment; other commands are left alone."""
    if not arguments or arguments[0] != "up" or {"-h", "--help"} & set(arguments):
        return
    parser = argparse.ArgumentParser(prog="manage.py up", add_help=False)
    add_arguments(parser)
    given, _rest = parser.parse_known_args(arguments[1:])
    if given.data_dir is not None:
        os.environ["FUTURA_DATA_DIR"] = str(given.data_dir.expanduser().absolute())
    os.environ["FUTURA_PORT"] = str(given.port)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; ports are 1 to 65535")
    return int(text)

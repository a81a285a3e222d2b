"""A database with all tables and the starter catalogue, made once for the present migrations.

Running every migration takes longer than most modules of tests. So the first test run does it in a
folder that later ones copy: `futura` has the catalogue too, `test_futura` the tables only, and
copies of the catalogue's beside them: a test that needs it puts them back in a twelfth of the time
that loading takes. The folder's name is a digest of what it was made from.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from django.db import connection, transaction
from psycopg import sql

from futura.embedded import services
from futura.embedded.folder import Trouble

PROJECT = Path(__file__).resolve().parents[1]
STARTER = "starter_catalogue"  # the schema of the copies
MOST = 10  # databases that are there at once, for as many states of the migrations
_MAKE = f"""
import django
django.setup()
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from futura.embedded import addresses
call_command("migrate", interactive=False, verbosity=0)
call_command("onet_load", starter=True, if_needed=True, verbosity=0)
connection.close()
connection.close_pool()
address = addresses.database_url(settings.DATA_DIR)
with psycopg.connect(address.replace("/futura?", "/postgres?"), autocommit=True) as server:
    server.execute("CREATE DATABASE test_futura TEMPLATE futura")
with psycopg.connect(address.replace("/futura?", "/test_futura?")) as tests:
    tests.execute("CREATE SCHEMA {STARTER}")
    tables = tests.execute("SELECT tablename FROM pg_tables WHERE tablename ~ '^onet_'")
    for (table,) in tables.fetchall():
        tests.execute(f"CREATE TABLE {STARTER}.{{table}} AS TABLE public.{{table}}")
    tests.execute("TRUNCATE onet_release, onet_workactivity, onet_detailedactivity CASCADE")
"""


def copy_to(folder: Path) -> None:
    """Puts the database into a data folder in which there is none yet."""
    source = _made()
    subprocess.run(["cp", "-a", str(source / "postgres"), str(folder / "postgres")], check=True)


def put_starter_catalogue() -> None:
    """Fills the catalogue's tables, which are empty, as loading the starter catalogue would."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [STARTER])
        for (name,) in cursor.fetchall():
            table, copy = sql.Identifier(name), sql.Identifier(STARTER, name)
            cursor.execute(sql.SQL("INSERT INTO {} TABLE {}").format(table, copy))


def _made() -> Path:
    """The folder with the database, made first when there is none of the present migrations."""
    home = Path(tempfile.gettempdir()) / f"futura-test-tables-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    made = home / _digest()
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            new = home / "new"
            shutil.rmtree(new, ignore_errors=True)
            _make(new)
            new.rename(made)
            for old in sorted(home.glob("*/"), key=lambda place: place.stat().st_mtime)[:-MOST]:
                shutil.rmtree(old, ignore_errors=True)
        os.utime(made)  # those that are used stay the longest
    return made


def _make(folder: Path) -> None:
    hidden = ("FUTURA_", "OPENAI_", "DATABASE_", "REDIS_", "SECRET_", "EMAIL_")
    own = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    own |= {
        "DJANGO_SETTINGS_MODULE": "futura.settings",
        "FUTURA_DATA_DIR": str(folder),
        "FUTURA_ENV_FILE": "none",
    }
    use = services.use(folder, parts=["PostgreSQL", "Redis"])
    try:
        done = subprocess.run(
            [sys.executable, "-c", _MAKE],
            cwd=PROJECT,
            env=own,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    finally:
        use.leave()
    if done.returncode != 0:
        raise Trouble(f"The tables could not be made: {done.stdout[-2000:]}")


def _digest() -> str:
    digest = hashlib.sha256()
    for app in ("chat", "futura", "onet", "projects", "tasks"):
        for file in sorted((PROJECT / app).rglob("migrations/*.py")):
            digest.update(str(file.relative_to(PROJECT)).encode() + file.read_bytes())
    for pattern in (
        "onet/starter/**/*",
        "onet/loading/*.py",
        "constraints.txt",
        "futura/roles.py",
        "tests/tables.py",
    ):
        for file in sorted(PROJECT.glob(pattern)):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]

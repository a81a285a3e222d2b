"""Loading releases through `manage.py onet_load`."""

from __future__ import annotations

import io
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from futura.progress import Reporter
from onet.loading.release import LOCK, Catalogue, write_release
from onet.models import (
    AlternateTitle,
    DetailedActivity,
    EmbeddingSpace,
    Occupation,
    Release,
    StatementVector,
    TaskStatement,
    WorkActivity,
)
from tests.extent import some
from tests.onet.releases import OPTIONAL, tables, write_folder, write_zip

pytestmark = pytest.mark.django_db


def onet_load(*args: object, **options: object) -> tuple[str, str]:
    """Runs the command; what it wrote on standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    call_command("onet_load", *map(str, args), stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "db_30_2_text", tables())


def everything() -> dict[str, int]:
    models = (Release, Occupation, AlternateTitle, WorkActivity, DetailedActivity, TaskStatement)
    return {model.__name__: model.objects.count() for model in models}


def test_a_folder_becomes_the_active_release_with_all_its_links(folder: Path) -> None:
    out, err = onet_load(folder)

    release = Release.objects.get(is_active=True)
    assert (release.name, release.is_starter) == ("O*NET 30.2", False)
    assert out.startswith("O*NET 30.2: loaded")
    assert "      4 statements\n" in out
    assert err == ""
    plate = TaskStatement.objects.get(task_id="2")
    assert plate.text == 'Plate "amuse-bouche" dishes.'
    assert (plate.kind, plate.importance, plate.occupation.code) == ("Core", 3.1, "35-2014.00")
    ids = plate.activities.order_by("element_id").values_list("element_id", "group")
    assert list(ids) == [("4.A.2.b.2", "mentalProcesses"), ("4.A.3.a.2", "workOutput")]
    assert plate.detailed.count() == 2
    unrated = TaskStatement.objects.get(task_id="4")
    assert (unrated.kind, unrated.importance, unrated.activities.count()) == ("", None, 0)
    developers = Occupation.objects.get(code="15-1252.00")
    assert developers.job_zone == 4
    assert set(developers.alternate_titles.values_list("title", "short_title", "kind")) == {
        ("Software Engineer", "", "alternate"),
        ("Software Development Engineer", "SDE", "alternate"),
        ("Programmer", "", "reported"),
    }
    assert WorkActivity.objects.count() == 3
    assert release.counts["emerging tasks left out"] == 1


def test_the_database_plans_by_the_sizes_of_the_release_that_was_loaded(folder: Path) -> None:
    onet_load(folder)
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE oid = 'onet_taskstatement'::regclass")
        assert cursor.fetchone() == (4,)


def test_line_ends_a_byte_order_mark_and_the_order_of_columns_make_no_difference(
    tmp_path: Path,
) -> None:
    turned = {name: [row[::-1] for row in rows] for name, rows in tables().items()}
    plain, _ = onet_load(write_folder(tmp_path / "plain", tables()))
    windows, err = onet_load(
        write_folder(tmp_path / "windows", turned, line_end="\r\n", mark="\ufeff")
    )
    assert windows.split("\n")[1:] == plain.split("\n")[1:]
    assert err == ""


def test_the_same_release_again_changes_nothing(folder: Path) -> None:
    onet_load(folder)
    before = everything()
    out, _ = onet_load(folder)
    assert out.startswith("O*NET 30.2: already loaded")
    assert everything() == before


def test_a_dry_run_checks_and_writes_nothing(folder: Path) -> None:
    out, _ = onet_load(folder, dry_run=True)
    assert out.startswith("O*NET 30.2: checked, nothing written")
    assert sum(everything().values()) == 0


@pytest.mark.parametrize("absent", some(OPTIONAL, 3))
def test_an_optional_file_may_be_absent(tmp_path: Path, absent: str) -> None:
    release = tables()
    del release[absent]
    onet_load(write_folder(tmp_path / "release", release))
    assert TaskStatement.objects.count() == 4


def test_all_optional_files_may_be_absent_together(tmp_path: Path) -> None:
    release = {name: rows for name, rows in tables().items() if name not in OPTIONAL}
    onet_load(write_folder(tmp_path / "release", release))
    assert set(TaskStatement.objects.values_list("importance", flat=True)) == {None}


def test_every_missing_file_and_column_is_named_in_one_sentence(tmp_path: Path) -> None:
    release = tables()
    del release["DWA Reference.txt"]
    del release["Task Statements.txt"]
    release["Occupation Data.txt"][0][1] = "Job"
    release["Task Ratings.txt"][0][4] = "Value"
    with pytest.raises(CommandError) as failure:
        onet_load(write_folder(tmp_path / "release", release))
    assert "missing: “Task Statements.txt”, “DWA Reference.txt”;" in str(failure.value)
    assert "“Occupation Data.txt” has no column “Title”" in str(failure.value)
    assert "“Task Ratings.txt” has no column “Data Value”" in str(failure.value)
    assert "Use the text release of the O*NET database" in str(failure.value)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("Occupation Data.txt", "No occupations could be read"),
        ("Task Statements.txt", "No task statements could be read"),
        ("Content Model Reference.txt", "No work activities could be read"),
    ],
)
def test_a_needed_table_without_rows_stops_the_load(tmp_path: Path, table: str, said: str) -> None:
    release = tables()
    release[table] = release[table][:1]
    with pytest.raises(CommandError, match=said):
        onet_load(write_folder(tmp_path / "release", release))
    assert sum(everything().values()) == 0


def test_an_empty_file_is_one_without_columns(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "release", tables())
    (folder / "Task Statements.txt").write_bytes(b"")
    with pytest.raises(CommandError, match=r"“Task Statements.txt” has no column “Task ID”"):
        onet_load(folder)


def test_odd_rows_are_left_out_and_counted(tmp_path: Path) -> None:
    release = tables()
    release["Task Statements.txt"] += [
        ["99-9999.99", "5", "Of an unknown occupation.", "Core"],
        ["35-2014.00", "1", "Listed twice.", "Core"],
        ["35-2014.00", "6", "", "Core"],
        ["35-2014.00", "", "Without an id.", "Core"],
        ["35-2014.00", "7", "Broken by a", "tab", "too", "many", "8", "9"],
    ]
    release["Task Ratings.txt"] += [
        ["35-2014.00", "77", "IM", "n/a", "4.0"],
        ["35-2014.00", "2", "IM", "n/a", "9.0"],
        ["35-2014.00", "2", "IM", "n/a", "much"],
        ["35-2014.00", "2", "IM", "n/a", "nan"],
    ]
    release["Tasks to DWAs.txt"] += [
        ["35-2014.00", "78", "4.A.3.a.2.I01.D01"],
        ["35-2014.00", "1", "4.A.9.x.9.I01.D01"],
    ]
    release["DWA Reference.txt"] += [["1.A", "1.A.I01", "1.A.I01.D01", "Be able."]]
    _, err = onet_load(write_folder(tmp_path / "release", release))
    for note in (
        "3 statements without text or known occupation, or listed twice, left out",
        "1 rows of “Task Statements.txt” without “Task ID”, left out",
        "1 links to unknown detailed activities, left out",
        "1 detailed activities under no known activity, or listed twice, left out",
    ):
        assert f"note: {note}\n" in err
    assert set(TaskStatement.objects.values_list("task_id", flat=True)) == {"1", "2", "3", "4", "7"}
    assert TaskStatement.objects.get(task_id="2").importance == 3.1


def test_texts_with_markup_null_characters_and_old_encodings_are_kept_as_text(
    tmp_path: Path,
) -> None:
    folder = write_folder(tmp_path / "release", tables())
    with (folder / "Task Statements.txt").open("ab") as file:
        file.write("35-2014.00\t8\t<script>x</script>\x00 \\N \\. Café\tCore\n".encode())
        file.write("35-2014.00\t9\tFlambé crêpes\tCore\n".encode("cp1252"))
    onet_load(folder)
    assert TaskStatement.objects.get(task_id="8").text == "<script>x</script> \\N \\. Café"
    assert TaskStatement.objects.get(task_id="9").text == "Flambé crêpes"


def test_overlong_titles_are_cut_and_said(tmp_path: Path) -> None:
    release = tables()
    release["Alternate Titles.txt"].append(["15-1252.00", "x" * 400, "n/a", "08"])
    release["Job Zones.txt"].append(["35-2014.00", "many", "", ""])
    _, err = onet_load(write_folder(tmp_path / "release", release))
    assert "note: 1 texts cut at 250 characters" in err
    assert AlternateTitle.objects.filter(title="x" * 250).exists()
    assert Occupation.objects.get(code="35-2014.00").job_zone is None


def test_a_failed_load_leaves_the_release_before_in_place(folder: Path, tmp_path: Path) -> None:
    onet_load(folder)
    before = everything()
    release = tables()
    release["Task Statements.txt"] = release["Task Statements.txt"][:1]
    with pytest.raises(CommandError):
        onet_load(write_folder(tmp_path / "broken", release))
    assert everything() == before
    assert Release.objects.get(is_active=True).name == "O*NET 30.2"


def test_a_load_that_breaks_while_writing_leaves_no_half_rows(folder: Path) -> None:
    onet_load(folder)
    before = everything()
    cooks = Occupation(code="35-2014.00", title="Cooks", description="Cook.")
    catalogue = Catalogue("Broken", "nowhere", "f" * 64)
    catalogue.occupations = [cooks]
    catalogue.statements = [
        TaskStatement(task_id="1", occupation=cooks, text="Stir.", kind="Core") for _ in range(2)
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        write_release(catalogue, Reporter())
    assert everything() == before
    assert Release.objects.get(is_active=True).name == "O*NET 30.2"


def test_the_one_before_is_kept_and_older_ones_go_with_their_vectors(tmp_path: Path) -> None:
    for number in range(4):
        release = tables()
        release["Occupation Data.txt"][1][1] = f"Cooks {number}"
        onet_load(write_folder(tmp_path / f"db_3{number}_0_text", release))
        active = Release.objects.get(is_active=True)
        space = EmbeddingSpace.objects.create(release=active, name="lexical", dimension=2)
        StatementVector.objects.create(
            space=space, statement=active.statements.earliest("pk"), vector=[1.0, 0.0]
        )
    names = Release.objects.order_by("pk").values_list("name", flat=True)
    assert list(names) == ["O*NET 32.0", "O*NET 33.0"]
    assert StatementVector.objects.count() == EmbeddingSpace.objects.count() == 2
    assert TaskStatement.objects.count() == 8


def test_a_release_loaded_before_becomes_active_again_without_reading(
    folder: Path, tmp_path: Path
) -> None:
    onet_load(folder)
    onet_load("--starter")
    assert Release.objects.get(is_active=True).is_starter
    out, _ = onet_load(folder)
    assert out.startswith("O*NET 30.2: loaded before, active again")
    assert Release.objects.count() == 2


def test_a_folder_and_a_zip_of_the_same_files_are_the_same_release(
    folder: Path, tmp_path: Path
) -> None:
    onet_load(folder)
    out, _ = onet_load(write_zip(tmp_path / "x.zip", tables(), top="db_30_2_text/"))
    assert out.startswith("O*NET 30.2: already loaded")


def test_the_starter_is_not_loaded_over_a_full_release_when_not_needed(folder: Path) -> None:
    out, _ = onet_load(starter=True, if_needed=True)
    assert out.startswith("Starter catalogue: loaded")
    out, _ = onet_load(starter=True, if_needed=True)
    assert out.startswith("Starter catalogue: already loaded")
    onet_load(folder)
    out, _ = onet_load(starter=True, if_needed=True)
    assert out == "A full release is active; the starter catalogue is not needed.\n"
    assert not Release.objects.get(is_active=True).is_starter


@pytest.mark.parametrize("arguments", [[], ["somewhere", "--starter"]])
def test_a_source_or_the_starter_must_be_asked_for(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="Give a source, or --starter"):
        onet_load(*arguments)


@contextmanager
def another_load():
    """Holds the lock of loading on a connection of its own."""
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [LOCK])
                held.set()
                done.wait(30)
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [LOCK])
        finally:
            connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert held.wait(30)
        yield
    finally:
        done.set()
        thread.join()


def test_two_loads_at_once_do_not_mix(folder: Path) -> None:
    with another_load(), pytest.raises(CommandError, match="Another load is running"):
        onet_load(folder)
    onet_load(folder)
    assert Release.objects.get().is_active

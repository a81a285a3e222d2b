"""Small O*NET text releases for tests, written as folders or zip files, whole or damaged."""

from __future__ import annotations

import zipfile
from pathlib import Path

REAL = Path(__file__).resolve().parents[3] / "shared" / "onet"
"""The real release beside the project; tests that want it skip where it is absent."""

Tables = dict[str, list[list[str]]]


def tables() -> Tables:
    """A release with three occupations, four statements and three activities; all its files."""
    return {
        "Occupation Data.txt": [
            ["O*NET-SOC Code", "Title", "Description"],
            ["35-2014.00", "Cooks, Restaurant", "Cook meals."],
            ["35-2019.00", "Cooks, All Other", "All cooks not listed, in restaurants or not."],
            ["15-1252.00", "Software Developers", 'Write "clean" programs.'],
        ],
        "Task Statements.txt": [
            [
                "O*NET-SOC Code", "Task ID", "Task", "Task Type", "Incumbents Responding", "Date",
                "Domain Source",
            ],
            ["35-2014.00", "1", "Stir soups.", "Supplemental", "90", "08/2023", "Incumbent"],
            ["35-2014.00", "2", 'Plate "amuse-bouche" dishes.', "Core", "n/a", "08/2023", "x"],
            ["15-1252.00", "3", "Repair programs.", "Core", "95", "08/2023", "Incumbent"],
            ["15-1252.00", "4", "Name variables.", "n/a", "95", "08/2023", "Incumbent"],
        ],
        "Tasks to DWAs.txt": [
            ["O*NET-SOC Code", "Task ID", "DWA ID", "Date", "Domain Source"],
            ["35-2014.00", "1", "4.A.3.a.2.I01.D01", "08/2023", "Analyst"],
            ["35-2014.00", "2", "4.A.3.a.2.I01.D01", "08/2023", "Analyst"],
            ["35-2014.00", "2", "4.A.2.b.2.I01.D01", "08/2023", "Analyst"],
            ["15-1252.00", "3", "4.A.3.b.1.I01.D01", "08/2023", "Analyst"],
        ],
        "DWA Reference.txt": [
            ["Element ID", "IWA ID", "DWA ID", "DWA Title"],
            ["4.A.3.a.2", "4.A.3.a.2.I01", "4.A.3.a.2.I01.D01", "Prepare foods."],
            ["4.A.2.b.2", "4.A.2.b.2.I01", "4.A.2.b.2.I01.D01", "Design dishes."],
            ["4.A.3.b.1", "4.A.3.b.1.I01", "4.A.3.b.1.I01.D01", "Write programs."],
        ],
        "Content Model Reference.txt": [
            ["Element ID", "Element Name", "Description"],
            ["1.A", "Abilities", "What people can do."],
            ["4.A", "Work Activities", "Groups of activities."],
            ["4.A.3", "Work Output", "Doing."],
            ["4.A.3.a.2", "Handling Things", "By hand."],
            ["4.A.2.b.2", "Thinking Up Things", "By head."],
            ["4.A.3.b.1", "Using Computers", "By keyboard."],
        ],
        "Task Ratings.txt": [
            [
                "O*NET-SOC Code", "Task ID", "Scale ID", "Category", "Data Value", "N",
                "Standard Error", "Recommend Suppress",
            ],
            ["35-2014.00", "1", "FT", "3", "55.00", "80", "1.0", "N"],
            ["35-2014.00", "1", "IM", "n/a", "4.90", "80", "0.1", "N"],
            ["35-2014.00", "1", "RT", "n/a", "88.00", "80", "1.0", "N"],
            ["35-2014.00", "2", "IM", "n/a", "3.10", "80", "0.1", "N"],
            ["15-1252.00", "3", "IM", "n/a", "4.00", "80", "0.1", "N"],
        ],
        "Alternate Titles.txt": [
            ["O*NET-SOC Code", "Alternate Title", "Short Title", "Source(s)"],
            ["15-1252.00", "Software Engineer", "n/a", "08"],
            ["15-1252.00", "Software Development Engineer", "SDE", "08"],
        ],
        "Sample of Reported Titles.txt": [
            ["O*NET-SOC Code", "Reported Job Title", "Shown in My Next Move"],
            ["15-1252.00", "Programmer", "Y"],
        ],
        "Job Zones.txt": [
            ["O*NET-SOC Code", "Job Zone", "Date", "Domain Source"],
            ["15-1252.00", "4", "08/2023", "Analyst"],
        ],
        "Emerging Tasks.txt": [
            ["O*NET-SOC Code", "Task", "Category"],
            ["15-1252.00", "Prompt models.", "New"],
        ],
    }  # fmt: skip


OPTIONAL = (
    "Task Ratings.txt",
    "Alternate Titles.txt",
    "Sample of Reported Titles.txt",
    "Job Zones.txt",
    "Emerging Tasks.txt",
)


def text_of(rows: list[list[str]], *, line_end: str = "\n", mark: str = "") -> bytes:
    """A table as bytes, tab-separated, without quoting."""
    return (mark + "".join("\t".join(row) + line_end for row in rows)).encode()


def write_folder(folder: Path, release: Tables, *, line_end: str = "\n", mark: str = "") -> Path:
    """The release as a folder of text files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in release.items():
        (folder / name).write_bytes(text_of(rows, line_end=line_end, mark=mark))
    return folder


def write_zip(file: Path, release: Tables, *, top: str = "") -> Path:
    """The release as a zip file, its files inside the folder `top`."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in release.items():
            archive.writestr(f"{top}{name}", text_of(rows))
    return file

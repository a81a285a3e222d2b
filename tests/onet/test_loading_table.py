"""The reader of tab-separated tables."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from onet.loading.reading import is_activity
from onet.loading.release import CannotLoad
from onet.loading.source import SourceFile, Table, missing_columns, rows

TABLE = Table("T.txt", ("Id", "Text"), ("Note",))


def file_of(content: bytes) -> SourceFile:
    return SourceFile("T.txt", lambda: io.BytesIO(content))


def read(content: bytes) -> list[tuple[str, ...]]:
    return list(rows(file_of(content), TABLE, Counter()))


def test_values_come_in_the_table_s_order_whatever_the_file_s() -> None:
    assert read(b"Note\tOther\tText\tId\nn1\to1\tt1\t1\n") == [("1", "t1", "n1")]


def test_an_absent_optional_column_reads_as_no_value() -> None:
    assert read(b"Id\tText\n1\tt\n") == [("1", "t", "")]


@pytest.mark.parametrize("mark", [b"n/a", b"N/A", b" n/a ", b""])
def test_the_mark_for_no_value_reads_as_empty(mark: bytes) -> None:
    assert read(b"Id\tText\n1\t" + mark + b"\n") == [("1", "", "")]


def test_quotation_marks_are_characters_like_any_other() -> None:
    assert read(b'Id\tText\n1\t"a\n2\tb"\n') == [("1", '"a', ""), ("2", 'b"', "")]


def test_blank_lines_and_short_rows_do_no_harm() -> None:
    assert read(b"Id\tText\tNote\n\n1\n\r\n2\tb\n") == [("1", "", ""), ("2", "b", "")]


def test_separators_of_other_kinds_do_not_end_a_line() -> None:
    text = "a\u2028b\x0bc\x85d"
    assert read(f"Id\tText\n1\t{text}\n".encode()) == [("1", text, "")]


def test_columns_are_known_in_upper_and_lower_case() -> None:
    assert missing_columns(file_of(b"ID\ttext\n"), TABLE) == []
    assert missing_columns(file_of(b"Id\n"), TABLE) == ["Text"]
    assert missing_columns(file_of(b""), TABLE) == ["Id", "Text"]


cell = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\x00"), max_size=20).map(
    str.strip
)


@given(
    table=st.lists(st.tuples(cell.filter(bool), cell, cell), max_size=10),
    line_end=st.sampled_from([b"\n", b"\r\n"]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
def test_what_was_written_is_read_back(
    table: list[tuple[str, str, str]], line_end: bytes, mark: bytes
) -> None:
    lines = [b"Id\tText\tNote", *("\t".join(row).encode() for row in table)]
    content = mark + line_end.join(lines) + line_end

    def value(text: str) -> str:
        return "" if text.lower() == "n/a" else text

    expected = [tuple(map(value, row)) for row in table]
    assert read(content) == [row for row in expected if row[0]]


@given(content=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_and_never_crash(content: bytes) -> None:
    try:
        found = read(b"Id\tText\n" + content)
    except CannotLoad:
        return
    assert all(len(row) == 3 and "\x00" not in "".join(row) for row in found)


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("4.A.2.b.1", True),
        ("4.A.1.a.2", True),
        ("4.A.2.b", False),
        ("4.A", False),
        ("4.A.2.b.1.I01", False),
        ("4.C.2.b.1", False),
        ("4.A.5.b.1", False),
        ("", False),
    ],
)
def test_only_elements_of_five_places_under_the_four_groups_are_activities(
    element: str, expected: bool
) -> None:
    assert is_activity(element) is expected

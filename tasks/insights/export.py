"""The sums of a campaign as a table for spreadsheets; what is hidden on the page is left out."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tasks import export
from tasks.insights.page import LEVEL_NAMES, sections
from tasks.insights.report import Report


def table(report: Report, least: int) -> str:
    """CSV; times in percent of working time."""
    head = [
        *(
            _("Sorted by"),
            _("Key"),
            _("Catalogue"),
            _("Name"),
            _("Occupation of the statement"),
            _("People"),
        ),
        *(_("Tasks"), _("Percent of time"), *map(str, LEVEL_NAMES.values())),
        *(one.name for one in report.exposures),
    ]
    return export.table(head, _rows(report, least))


def _rows(report: Report, least: int) -> Iterator[list[object]]:
    for section in sections(report, least, whole=None):
        for row in section.rows:
            line = row.line
            told = [section.title, line.key, line.catalogue or "", line.name, line.about]
            scores = [line.scores.get(one.name) for one in report.exposures]
            yield [
                *told,
                *(line.people, line.tasks),
                *(f"{one:.2f}" for one in (line.share, *row.times)),
                *("" if one is None else one for one in scores),
            ]

"""The sums of a campaign as a table for spreadsheets; what is hidden on the page is left out."""

from __future__ import annotations

import csv
import io

from django.utils.translation import gettext as _

from tasks.export import safe_cell
from tasks.insights.page import LEVEL_NAMES, sections
from tasks.insights.report import Report


def table(report: Report, least: int) -> str:
    """CSV with a byte order mark; times in percent of working time."""
    out = io.StringIO()
    writer = csv.writer(out)
    scores = [one.name for one in report.exposures]
    writer.writerow(
        [
            *(_("Sorted by"), _("Key"), _("Name"), _("Occupation of the statement"), _("People")),
            *(_("Tasks"), _("Percent of time"), *map(str, LEVEL_NAMES.values())),
            *scores,
        ]
    )
    for section in sections(report, least, whole=None):
        for row in section.rows:
            line = row.line
            told = [section.title, line.key, line.name, line.about, line.people, line.tasks]
            figures = [f"{one:.2f}" for one in (line.share, *row.times)]
            values = ["" if line.scores.get(one) is None else line.scores[one] for one in scores]
            writer.writerow([safe_cell(cell) for cell in (*told, *figures, *values)])
    return "\ufeff" + out.getvalue()

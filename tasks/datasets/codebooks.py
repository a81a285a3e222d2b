"""The codebook of a campaign's files: what each column means, from the columns themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tasks.campaigns.models import Campaign
from tasks.datasets.rows import LIST_MARK, TABLES, Choice, columns
from tasks.export import table as csv_table
from tasks.staff import second

Format = Literal["csv", "md"]
TYPES: Final[dict[Format, str]] = {
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
}


def written(campaign: Campaign, choice: Choice, form: Format) -> str:
    """A row for each column of both tables; in Markdown with the agreement of second codes."""
    head = (_("Table"), _("Column"), _("Meaning"), _("Type"), _("Unit"), _("Allowed values"),
            _("Missing value"))  # fmt: skip
    rows = [
        (
            name,
            column.name,
            str(column.about),
            column.kind,
            str(column.unit),
            LIST_MARK.join(column.values),
            str(column.missing),
        )
        for name in TABLES
        for column in columns(campaign, name, choice)
    ]
    return csv_table(head, rows) if form == "csv" else _markdown(campaign, head, rows)


def _markdown(campaign: Campaign, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    title, twice = _("Codebook"), _("Second coding")
    parts = [f"# {title}: {_cell(campaign.title)}", _(
        "A missing value is null, in CSV an empty cell. Lists stand in one cell of CSV, with “;” "
        "between their values."
    )]  # fmt: skip
    lines = [head, ["---"] * len(head), *rows]
    parts.append("\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines))
    agreement = second.agreement_in(campaign)
    if agreement.number:
        kappa = agreement.kappa
        words = _(
            "Coded twice: %(n)d. Same choice: %(same)d. Expected by chance: %(chance)s. "
            "Cohen's kappa: %(kappa)s."
        )
        parts.append(f"## {twice}")
        parts.append(
            words
            % {
                "n": agreement.number,
                "same": agreement.agreeing,
                "chance": number_format(agreement.expected, 2),
                "kappa": "–" if kappa is None else number_format(kappa, 2),
            }
        )
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    """Words of others neither end a cell nor begin a line."""
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").split())

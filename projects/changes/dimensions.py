"""Changes of one dimension: a text replaces what is there, or joins it before or behind."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args

from django.utils.translation import gettext as _

from chat.operations.changes import Update
from futura.errors import BadInput
from projects import dimensions
from projects.checks import checked
from projects.models import Project, ProjectDraft

Merge = Literal["replace", "append", "prepend"]
MERGES: Final[tuple[Merge, ...]] = get_args(Merge)


def merged_text(old: str, new: str, merge: Merge) -> str:
    """Two Markdown texts as one, a blank line between them; what stands there is not repeated."""
    old, new = old.strip(), new.strip()
    if merge == "replace" or not old:
        return new
    if not new or new in old:
        return old
    return f"{old}\n\n{new}" if merge == "append" else f"{new}\n\n{old}"


def dimension_edited(
    of: Project | ProjectDraft,
    field: str,
    text: str,
    merge: Merge = "replace",
    *,
    version: int | None = None,
) -> Update:
    """A text for one dimension of a project or draft; a draft notes that it is covered.

    An append or prepend is bound to the version it was joined with. Raises BadInput, TooLong.
    """
    if field not in dimensions.BY_FIELD:
        raise BadInput(_("There is no such dimension."), field="dimension")
    if merge not in MERGES:
        raise BadInput(_("A text can replace, append or prepend."), field="merge_strategy")
    values: dict[str, Any] = checked({field: merged_text(getattr(of, field), text, merge)})
    if isinstance(of, ProjectDraft):
        values |= covered_with(of, {field: values[field]})
    if version is None and merge != "replace":
        version = of.version
    entity = "draft" if isinstance(of, ProjectDraft) else "project"
    return Update(entity, of.pk, values, version)


def covered_with(draft: ProjectDraft, values: dict[str, Any]) -> dict[str, Any]:
    """`dimensions_covered` as it must be when these texts are written; empty when it stays."""
    covered = [*draft.dimensions_covered]
    covered += [one for one in dimensions.FIELDS if values.get(one) and one not in covered]
    return {"dimensions_covered": covered} if covered != draft.dimensions_covered else {}

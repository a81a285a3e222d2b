"""“Tell its story in your portfolio”: what a finished project's page offers, and where it leads
who asks for it elsewhere.
"""

from __future__ import annotations

from django.urls import reverse

from futura.errors import NotFound
from projects.hooks import Handover, Offer, Place
from projects.models import Project
from projects.portfolio.builder import starting
from projects.portfolio.builder.presenter import workspace_url
from projects.portfolio.models import Entry, Portfolio


def story_of(project: Project) -> Offer | None:
    """A button that drafts an entry from the project's records, or the way to the one there is."""
    own = Entry.objects.filter(project=project, owner_id=project.owner_id, deleted_at=None)
    entry = own.filter(portfolio__deleted_at=None).order_by("created_at").first()
    portfolios = Portfolio.objects.filter(owner_id=project.owner_id, deleted_at=None)
    context = {
        "project": project,
        "entry": entry,
        "portfolios": list(portfolios.order_by("-updated_at")[:5]),
    }
    return Offer("projects/portfolio/builder/_offer.html", context)


def place_for(handover: Handover) -> Place:
    """The conversation about an entry: a project's, or a new one that begins with what was said.

    Where there is no portfolio yet the page leads to that begins one. Raises BadInput, TooLong.
    """
    own = Portfolio.objects.filter(owner_id__in=handover.owner_ids, deleted_at=None)
    if handover.project is not None:
        own = own.filter(owner_id=handover.project.owner_id)
    portfolio = own.select_related("owner").order_by("-updated_at").first()
    if portfolio is None:
        return Place(reverse("portfolio:home"))
    others = handover.has_others_words
    if handover.project is not None:
        session = starting.tell_project(portfolio.owner, portfolio, handover.project)
    elif handover.says:
        session = starting.begin(portfolio.owner, portfolio, handover.says, handover.key,
                                 is_opened_with_others=others)  # fmt: skip
    else:
        return Place(reverse("builder:tell", args=[portfolio.pk]))
    entry = starting.entry_of(session)
    if entry is None:
        raise NotFound
    title = entry.title or (handover.project.name if handover.project else "")
    return Place(workspace_url(entry), title, session.pk)

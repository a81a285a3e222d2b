"""“Tell its story in your portfolio”: what a finished project's page offers."""

from __future__ import annotations

from projects.afterwards import Offer
from projects.models import Project
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

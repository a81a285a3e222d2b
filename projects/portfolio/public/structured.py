"""What search engines are told of a page: schema.org data as JSON that can stand in a page.

A data block is no script: the content security policy lets it be, and nothing in it runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urljoin

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from chat.languages import known
from projects.portfolio.article import Article
from projects.portfolio.models import Entry, Portfolio
from projects.portfolio.public.queries import Public

# so that no text can end the element it stands in
_ESCAPES: Final = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


def absolute(path: str) -> str:
    """The whole address of a path on this site."""
    return urljoin(f"{settings.SITE_URL}/", path)


def owner_of(public: Public, url: str, picture: str) -> SafeString:
    """The owner, a person or an organisation; `picture` is the address of the photo or empty."""
    portfolio, profile = public.portfolio, public.profile
    told = _who(portfolio) | {"url": url, "description": profile.headline if profile else ""}
    told["image"] = picture
    if profile is not None:
        told["sameAs"] = [str(one.get("url", "")) for one in profile.social_links]
        told["knowsAbout"] = list(profile.top_skills)
        if portfolio.kind == Portfolio.Kind.INDIVIDUAL:
            told["jobTitle"] = profile.current_role or portfolio.domain_label
    page = {"@type": "ProfilePage", "inLanguage": known(portfolio.language), "mainEntity": told}
    return _block(page)


def work_of(entry: Entry, article: Article, url: str, owner_url: str) -> SafeString:
    """A piece of work and who made it."""
    told: dict[str, Any] = {
        "@type": "CreativeWork",
        "name": article.title,
        "headline": article.seo_title,
        "description": article.seo_description,
        "url": url,
        "inLanguage": known(entry.portfolio.language),
        "keywords": ", ".join(article.tags),
        "author": _who(entry.portfolio) | {"url": owner_url},
        "image": absolute(article.hero.url) if article.hero else "",
        "datePublished": entry.published_at.date().isoformat() if entry.published_at else "",
    }
    return _block(told)


def _who(portfolio: Portfolio) -> dict[str, Any]:
    is_person = portfolio.kind == Portfolio.Kind.INDIVIDUAL
    return {"@type": "Person" if is_person else "Organization", "name": portfolio.owner_name}


def _block(told: Mapping[str, Any]) -> SafeString:
    said = {"@context": "https://schema.org", **_filled(told)}
    text = json.dumps(said, ensure_ascii=False).translate(_ESCAPES)
    return mark_safe(text)  # noqa: S308 - escaped right here


def _filled(told: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is empty."""
    return {
        key: _filled(value) if isinstance(value, Mapping) else value
        for key, value in told.items()
        if value
    }

"""The contact form of a public page: a message to the owner, whose address nobody sees."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat.identity import identity_of
from futura.errors import TooMany, Unavailable
from projects.portfolio.public import actions, addresses
from projects.portfolio.queries import published_portfolio


class ContactForm(forms.Form):
    """`website` is filled by machines only."""

    sender = forms.CharField(label=_("Your name"), max_length=120)
    reply_to = forms.EmailField(label=_("Your mail address"), help_text=_("For the answer."))
    text = forms.CharField(
        label=_("Message"), max_length=2_000, widget=forms.Textarea(attrs={"rows": 6})
    )
    website = forms.CharField(required=False, widget=forms.HiddenInput)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def contact(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; POST writes to the owner."""
    portfolio = published_portfolio(slug)
    at = addresses.public(portfolio)
    form = ContactForm(request.POST or None)
    status = 422 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        values = {name: form.cleaned_data[name] for name in ("sender", "reply_to", "text")}
        try:
            if not form.cleaned_data["website"]:
                actions.write_to_owner(identity=identity_of(request), portfolio=portfolio, **values)
        except (TooMany, Unavailable) as error:
            form.add_error(None, str(error))
            status = error.status
        else:
            return redirect(f"{at.contact}?sent=yes")
    context = {
        "portfolio": portfolio, "addresses": at, "form": form, "part": "contact",
        "title": portfolio.owner_name, "canonical": request.build_absolute_uri(at.contact),
        "is_sent": "sent" in request.GET,
    }  # fmt: skip
    return render(request, "projects/portfolio/public/contact.html", context, status=status)

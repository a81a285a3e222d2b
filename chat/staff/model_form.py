"""The form of the model settings: which server, which model, and a key that is never shown."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from futura.llm.models import ModelServer

Provider = ModelServer.Provider
# What goes into a header or a request is one word: no blank, no control character.
WORD: Final = RegexValidator(
    r"\A[!-~]+\Z", gettext_lazy("Use letters, digits and signs without blanks.")
)


def check_address(text: str) -> None:
    """Raises ValidationError for what is no address that calls can be added to."""
    try:
        parts = urlsplit(text)
        is_sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_sound = False
    if not is_sound or {"?", "#", "@"} & set(text):
        raise forms.ValidationError(
            _("Give an address that starts with http:// or https://, without a password.")
        )


class ModelServerForm(forms.Form):
    """What can be set; `has_key` says whether a key is stored for the saved address."""

    provider = forms.ChoiceField(label=gettext_lazy("Provider"), choices=Provider.choices)
    base_url = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=300,
        validators=[WORD, check_address],
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
        help_text=gettext_lazy("Such as https://models.example/v1. The presets know their own."),
    )
    model = forms.CharField(
        label=gettext_lazy("Model"),
        required=False,
        max_length=120,
        validators=[WORD],
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "The name the server knows it by. Without one, OpenAI’s models are used, each for its "
            "own step."
        ),
    )
    key = forms.CharField(
        label=gettext_lazy("Key"),
        required=False,
        max_length=500,
        validators=[WORD],
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, saved: ModelServer | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.saved = saved
        self.fields["base_url"].needed = _("for another server")  # type: ignore[attr-defined]
        self.fields["model"].needed = _("not for OpenAI")  # type: ignore[attr-defined]
        has_key = saved is not None and bool(saved.sealed_key)
        self.fields["key"].help_text = (
            _("A key is stored. Leave this empty to keep it; another address needs it again.")
            if has_key
            else _("Stored encrypted and never shown again. Servers of your own may need none.")
        )

    def clean_base_url(self) -> str:
        """Calls are added to its end."""
        return str(self.cleaned_data["base_url"]).rstrip("/")

    def clean(self) -> dict[str, Any]:
        """What one provider needs and another does not."""
        given = super().clean() or {}
        provider = given.get("provider")
        if provider == Provider.OPENAI:
            if given.get("base_url"):
                self.add_error("base_url", _("OpenAI needs no address. Choose “Another server”."))
            elif not given.get("key") and not self._has_key_for(""):
                self.add_error("key", _("OpenAI needs a key."))
        elif provider == Provider.OTHER and not given.get("base_url"):
            self._miss("base_url", _("Another server needs its address."))
        if provider and provider != Provider.OPENAI and not given.get("model"):
            self._miss("model", _("Name the model that shall answer."))
        return given

    def _has_key_for(self, address: str) -> bool:
        saved = self.saved
        return saved is not None and bool(saved.sealed_key) and saved.base_url == address

    def _miss(self, name: str, message: str) -> None:
        if name not in self.errors:
            self.add_error(name, message)

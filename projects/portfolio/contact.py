"""Contact data in texts: mail addresses, telephone numbers, postal addresses.

Found by rules that rather show one too many: a person looks at every hit.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["mail", "phone", "post"]


@dataclass(frozen=True)
class ContactHit:
    """A piece of contact data in a text, as it stands there."""

    kind: Kind
    text: str
    start: int


_MAIL: Final = re.compile(
    r"[\w.+-]{1,64}[@＠][\w-]{1,64}(?:\.[\w-]{1,64})+"
    r"|[\w.+-]{1,64}\s*[\[({]\s*(?:at|arroba|@)\s*[\])}]\s*[\w-]+"
    r"(?:\s*(?:[\[({]\s*(?:dot|punkt|punto|point|\.)\s*[\])}]|\.)\s*[\w-]+)+",
    re.IGNORECASE,
)
_PHONE: Final = re.compile(r"(?<![\w./,-])(?:\+|\()?\d[\d ()./-]{6,20}\d(?![\w-])")
_CALLED: Final = re.compile(
    r"\b(?:t[eé]l|phone|t[eé]l[eé]phone|mobile|cell|fax|whatsapp|handy|telefon|mobil|rufnummer|"
    r"tel[eé]fono|m[oó]vil|טלפון|נייד|هاتف|جوال|موبايل)\b[\s.:]{0,4}"
    r"((?:\+|\()?\d[\d ()./-]{4,20}\d)",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}[./-]\d{4}|\d{4}[./-]\d{1,2}|\d{4} ?- ?\d{4}"
)
_TRUNK: Final = re.compile(
    r"\+|00|\(?0|\(\d{3}\)|\d{3}[ .-]\d{3}[ .-]\d{4}$"
    r"|[679]\d\d([ -])\d{3}\1\d{3}(?<!000)$|[679]\d\d(?: \d\d){3}$"  # as Spain groups them
)
_LEAST_DIGITS, _MOST_DIGITS = 7, 15

_STREET_EN: Final = (
    r"Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Boulevard|Blvd|Court|Place|Square|"
    r"Terrace|Crescent|Parkway|Pkwy|Highway"
)
_STREET_END: Final = (
    r"straße|strasse|str\.|weg|gasse|platz|allee|damm|ufer|gatan|vägen|gränd|vej|gade|veien|gata|"
    r"straat|laan|plein|katu|tie"
)
_STREET_FRONT: Final = (
    r"Calle|Avenida|Av\.|Plaza|Paseo|Via|Viale|Piazza|Corso|Rua|Praça|Ulica|ul\.|Am|An der|Auf der"
)
_STREET_FR: Final = "rue|avenue|boulevard|place|chemin|allée|quai"
_OF: Final = r"(?:d[eu]s?\s+|la\s+|le\s+|les\s+|l['’]|d['’])*"
_NAME: Final = r"[A-ZÀ-ÖØ-Þ][\w'’.-]*"
_POST: Final = tuple(
    re.compile(item)
    for item in (
        rf"\b\d{{1,5}}[a-zA-Z]?,?\s+(?:{_NAME}\s+){{1,4}}(?:{_STREET_EN})\b\.?",
        rf"(?i:\b[A-ZÀ-ÖØ-Þ][\w-]*(?:{_STREET_END}))\s+\d{{1,4}}\s?[a-hA-H]?\b",
        rf"\b(?:{_STREET_FRONT})\s+{_NAME}(?:\s+{_NAME}){{0,3}},?\s+\d{{1,4}}\b",
        rf"\b\d{{1,4}}(?:\s?(?:bis|ter))?,?\s+(?i:{_STREET_FR})\s+{_OF}{_NAME}(?:[ -]{_NAME})*",
        r"\b(?i:p\.?\s?o\.?\s?box|postfach|boîte postale)\s+\d{1,6}\b",
        r"\b[A-Z]{1,2}\d[A-Z\d]?\s+\d[A-Z]{2}\b",
        r"\b(?:D|A|CH|F|S|SE|NL|B|DK)-\d{3,5}\b\s*[A-ZÀ-ÖØ-Þ]?\w*",
        r"\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b",
    )
)


def find_contacts(text: str) -> list[ContactHit]:
    """Everything in a text by which somebody could be reached, in order; nothing twice."""
    hits = [ContactHit("mail", item[0], item.start()) for item in _MAIL.finditer(text)]
    hits += [
        ContactHit("phone", item[0].strip(), item.start())
        for item in _PHONE.finditer(text)
        if _is_number(item[0])
    ]
    hits += [ContactHit("phone", item[1].strip(), item.start(1)) for item in _CALLED.finditer(text)]
    for pattern in _POST:
        hits += [
            ContactHit("post", item[0].strip(), item.start()) for item in pattern.finditer(text)
        ]
    distinct: list[ContactHit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -len(hit.text))):
        if not distinct or hit.start >= distinct[-1].start + len(distinct[-1].text):
            distinct.append(hit)
    return distinct


def _is_number(text: str) -> bool:
    """Whether digits can be dialled: not a date, a span of years or a mere large number.

    Digits of any script, such as the Arabic ones.
    """
    digits = sum(item.isdigit() for item in text)
    if not _LEAST_DIGITS <= digits <= _MOST_DIGITS or _DATE.match(text.strip()):
        return False
    western = "".join(str(unicodedata.digit(sign, sign)) for sign in text)
    return bool(_TRUNK.match(western.strip()))

"""Words by which a resume's lines are told apart: titles, schools, degrees, places, contacts."""

from __future__ import annotations

import re
from typing import Final

TITLE: Final = re.compile(
    r"\b(?:engineer|developer|programmer|designer|architect|manager|director|analyst|scientist|"
    r"researcher|research\s+(?:fellow|assistant|associate)|intern|trainee|apprentice|consultant|"
    r"lead|head|chief|c[tefo]o|vice\s+president|vp|president|founder|co-founder|cofounder|partner|"
    r"professor|lecturer|teacher|tutor|instructor|teaching\s+assistant|postdoc\w*|fellow|"
    r"assistant|associate|specialist|coordinator|administrator|officer|producer|editor|writer|"
    r"author|journalist|illustrator|artist|animator|photographer|curator|strategist|planner|"
    r"technician|operator|supervisor|representative|advisor|adviser|volunteer|mentor|owner|"
    r"freelancer|contractor|student\s+(?:worker|assistant)|werkstudent|working\s+student|sre|"
    r"devops|qa|tester|data\s+steward|librarian|nurse|accountant|copywriter|typographer|"
    r"art\s+direction|creative\s+direction|principal\s+investigator|group\s+leader|member|driver|coach|trainer|organi[sz]er|chef|"
    # German, with its feminine forms
    r"\w*(?:entwickler|ingenieur|assistent|leiter|berater|trainer|lehrer|referent|redakteur|"
    r"sachbearbeiter|techniker|pfleger|gestalter|designer|manager|vorleser|helfer|fahrer|"
    r"forscher|mitarbeiter|praktikant|werkstudent|architekt)(?:in)?|\w*leitung|vorstand)\b",
    re.IGNORECASE,
)
SCHOOL: Final = re.compile(
    r"\b(?:universit\w+|college|school|institute\s+of|institut\w*|academy|akademi\w*|polytechnic\w*|"
    r"\w*hochschule|\w*schule|\w*akademie|école|escuela|eth|epfl|mit|tu|kth|ucl|ucla|nyu|risd|conservatory|"
    r"bootcamp|gymnasium|lycée|uni)\b",
    re.IGNORECASE,
)
DEGREE: Final = re.compile(
    r"(?<!\w)(?:B\.?\s?Sc|M\.?\s?Sc|B\.?A|M\.?A|B\.?S|M\.?S|B\.?\s?Eng|M\.?\s?Eng|B\.?\s?Tech|"
    r"M\.?\s?Tech|MBA|MFA|BFA|M\.?\s?Des|B\.?\s?Des|M\.?Arch|B\.?Arch|MPhil|D\.?Phil|Ph\.?\s?D|"
    r"(?:Bachelor|Master|Doctor)(?:['’]s)?(?:\s+of\s+(?:Fine\s+)?[A-Z]\w+)?(?:\s+degree)?|"
    r"Associate(?:['’]s)?\s+degree|Diplom\w*|Magister|Staatsexamen|Matura|Doctorate|Doktorat|A-levels|Abitur|"
    r"(?:Graduate\s+|Postgraduate\s+)?Certificate|Minor)\.?(?!\w)(?:\s*\(Hons\.?\)|\s+Hons\b\.?)?"
)
_STATES: Final = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM "
    "NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC D.C. ON BC QC AB UK USA U.S. US UAE"
).split()
_COUNTRIES: Final = (
    "Argentina Australia Austria Belgium Brazil Bulgaria Canada Chile China Colombia Croatia "
    "Czechia Denmark Egypt England Estonia Finland France Germany Greece Hungary Iceland India "
    "Indonesia Ireland Israel Italy Japan Kenya Latvia Lithuania Luxembourg Malaysia Mexico "
    "Morocco Netherlands Nigeria Norway Pakistan Peru Philippines Poland Portugal Romania Scotland "
    "Serbia Singapore Slovakia Slovenia Spain Sweden Switzerland Taiwan Thailand Turkey Ukraine "
    "Vietnam Wales California Texas Massachusetts Washington Oregon Colorado Illinois Georgia"
).split()
_LONG_COUNTRIES: Final = (
    "United Kingdom|United States|New Zealand|South Africa|South Korea|Czech Republic|"
    "The Netherlands|Hong Kong|Costa Rica|Saudi Arabia|New York|North Carolina|British Columbia"
)
_CITIES: Final = (
    "Amsterdam Athens Atlanta Austin Bangalore Bengaluru Barcelona Basel Beijing Berlin Bern Boston "
    "Brussels Bucharest Budapest Cambridge Chicago Cologne Copenhagen Dallas Delhi Denver Dresden "
    "Dublin Edinburgh Frankfurt Geneva Glasgow Gothenburg Hamburg Helsinki Houston Istanbul Kyiv "
    "Leipzig Lisbon London Lyon Madrid Malmö Manchester Melbourne Miami Milan Montreal Moscow Mumbai "
    "Munich Nairobi Oslo Oxford Paris Philadelphia Porto Prague Riga Rome Rotterdam Seattle Seoul "
    "Shanghai Sofia Stockholm Stuttgart Sydney Tallinn Tokyo Toronto Turin Utrecht Vancouver Vienna "
    "Vilnius Warsaw Zagreb Zurich Zürich"
).split()
_AREAS: Final = "|".join(map(re.escape, [*_STATES, *_COUNTRIES])) + "|" + _LONG_COUNTRIES
_CITY: Final = r"[A-ZÀ-Þ][\w.'’-]+(?:\s+(?:[A-ZÀ-Þ][\w.'’-]+|de|la|am|an|der|upon)){0,3}"
_REMOTE: Final = r"(?:fully\s+)?(?:remote|hybrid|on-?site)"
_NAMED_CITY: Final = rf"(?:{'|'.join(_CITIES)}|New York(?: City)?|San Francisco|Los Angeles|San Diego|San Jose|Tel Aviv|São Paulo|Buenos Aires|Mexico City|Cape Town|Hong Kong|Singapore|Den Haag|The Hague)"
PLACE: Final = re.compile(
    rf"^(?:(?i:{_REMOTE})|{_NAMED_CITY}(?:,\s*{_CITY})?|{_CITY},\s*(?:{_AREAS})\.?)"
    rf"(?:\s*[,/(]\s*(?i:{_REMOTE}|{_AREAS})\)?)*$"
)
PLACE_AT_END: Final = re.compile(
    rf"(?:^|[,|·•–—(]\s*|\s{{2,}})((?i:{_REMOTE})|(?:{_NAMED_CITY}|{_CITY}(?=,\s*(?:{_AREAS})\b))"
    rf"(?:,\s*(?:{_AREAS}))?)\)?\s*$"
)
LEGAL_FORM: Final = re.compile(
    r"^(?:inc|ltd|llc|gmbh|co|corp|plc|ag|ab|oy|bv|b\.v|s\.?a|pty)\b\.?", re.IGNORECASE
)
AWARD: Final = re.compile(
    r"award|prize|medal|scholarship|fellowship|\bgrant|honou?r|\bwinner|finalist|distinction|"
    r"preis\b|stipend|auszeichnung|dean['’]s list",
    re.IGNORECASE,
)
TECHNOLOGIES: Final = re.compile(
    r"^(?:technologies|tech(?:nology)?(?:\s+stack)?|tools|stack|skills|environment|keywords|built with|methods|software)"
    r"(?:\s+used)?\s*:\s*(.+)$",
    re.IGNORECASE,
)
EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE: Final = re.compile(r"(?<![\w/.-])(?:\+|00)?\(?\d[\d ()./-]{7,17}\d(?![\w/-])")
WEB: Final = re.compile(
    r"(?:https?://|www\.)[^\s,;|)>\]]+|\b(?:github|linkedin)\.com/[^\s,;|)>\]]+", re.IGNORECASE
)
VOLUNTEER: Final = re.compile(
    r"\b(?:volunteer\w*|pro bono|unpaid|board member|organis?er)\b", re.IGNORECASE
)


def experience_type(text: str) -> str:
    """What kind of position the words of its header tell."""
    plain = text.casefold()
    if re.search(r"\bintern(?:ship)?\b|\btrainee\b|\bapprentice|\bpraktik", plain):
        return "internship"
    if re.search(r"\bfreelanc|\bself-employed|\bindependent\b|\bown (?:practice|studio)", plain):
        return "freelance"
    if re.search(r"\bcontract(?:or)?\b|\bfixed[- ]term|\btemporary\b|\bconsultant\b", plain):
        return "contract"
    if re.search(
        r"\bpart[- ]time|\bvolunteer|\bunpaid|\bwerkstudent|\bworking student|\bteaching assistant|\bmember\b|\bmentor\b",
        plain,
    ):
        return "other"
    return "full_time"


def contacts_in(text: str) -> list[str]:
    """Addresses of mail and telephone numbers in a text, in order."""
    numbers = [one[0].strip() for one in PHONE.finditer(text) if _is_number(one[0])]
    return list(dict.fromkeys([*(one[0] for one in EMAIL.finditer(text)), *numbers]))


def _is_number(told: str) -> bool:
    """Not a span of years, and not a date."""
    digits = re.sub(r"\D", "", told)
    is_years = re.fullmatch(r"\s*(?:19|20)\d\d\s*[-/–. ]\s*(?:19|20)\d\d\s*", told)
    is_date = re.fullmatch(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}", told.strip())
    return 8 <= len(digits) <= 15 and not is_years and not is_date

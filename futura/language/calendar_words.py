"""The words of dates and times in four languages, and the patterns that they form."""

# ruff: noqa: E501 - a pattern is read best in one line
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, get_args

Language = Literal["en", "de", "es", "fr"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


@dataclass(frozen=True)
class CalendarWords:
    """One language. Words are lower case; alternatives are separated by blanks.

    `patterns` name a reader of `futura.language.dates` and what it reads. `leads` are what may
    stand before a date, by what that makes of it. After a date may stand the words of `followers`,
    before one that nothing leads may not stand those of `blockers`. `ambiguous` are short names
    that are words of their own; they count capitalised or where something leads them. `opening`
    is how the rest of a line begins when a date stands first, or after any date where
    `verb_last`. `day_parts` follow an hour, by the half of the day that they mean.
    """

    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    numbers: tuple[str, ...]
    relative: Mapping[str, int]
    units: Mapping[str, str]
    ordinals: tuple[str, ...]
    last: str
    next: str
    hours: Mapping[str, int]
    patterns: tuple[tuple[str, str], ...]
    repeats: tuple[tuple[str, str], ...]
    leads: Mapping[str, str]
    range_lead: str
    range_join: str
    followers: str
    blockers: str
    opening: str
    day_parts: Mapping[str, str] = field(default_factory=dict)
    ambiguous: frozenset[str] = field(default=frozenset())
    month_first: bool = False
    verb_last: bool = False


_NUMERIC: Final = (
    ("iso", r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])"),
    ("numeric", r"(?P<d>\d{1,2})/(?P<m>\d{1,2})(?:/(?P<y>\d{4}|\d\d))?(?![\d/])"),
    ("dotted", r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?![\d.])"),
)

ENGLISH: Final = CalendarWords(
    weekdays=(
        "monday mon", "tuesday tues tue", "wednesday wed", "thursday thurs thur thu",
        "friday fri", "saturday sat", "sunday sun",
    ),
    months=(
        "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
        "august aug", "september sept sep", "october oct", "november nov", "december dec",
    ),
    numbers=(
        "a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ),
    relative={
        "today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1, "tommorow": 1,
        "tommorrow": 1, "day after tomorrow": 2, "the day after tomorrow": 2, "eod": 0,
    },
    units={
        "days": "day", "day": "day", "weeks": "week", "week": "week", "fortnights": "fortnight",
        "fortnight": "fortnight", "months": "month", "month": "month", "years": "year",
        "year": "year", "quarter": "quarter", "weekday": "weekday", "weekdays": "weekday",
        "workday": "weekday",
    },
    ordinals=("first", "second", "third", "fourth", "fifth"),
    last="last",
    next="next",
    hours={"noon": 12, "midday": 12, "midnight": 0},
    patterns=(
        ("month_day", r"(?:<WD>,?\s+)?(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?<M><Y>"),
        ("month_day", r"(?:<WD>,?\s+)?<M>\s+(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?(?!:)<Y>"),
        ("relative", r"<REL>"),
        ("in_span", r"in\s+<N>\s+<UNIT>(?:[’']s?\s+time)?(?!\s+(?:from|after)\s)"),
        ("in_span", r"<N>\s+<UNIT>\s+from\s+(?:now|today)"),
        ("weeks_from", r"<N>\s+<UNIT>\s+(?:from|after|on)\s+(?:<WD>|<REL>)"),
        ("weeks_from", r"<WD>\s+(?P<unit>week|fortnight)"),
        ("nth_weekday", r"(?:the\s+)?<ORD>\s+<WD>\s+(?:of|in)\s+(?:<M><Y>|<WHICH>\s+month)"),
        ("weekday", r"(?:(?P<this>this|coming|this\s+coming)\s+|(?P<next>next)\s+)?<WD>"),
        ("end_of", r"(?:the\s+)?end\s+of\s+(?:(?:(?:<WHICH>|the)\s+)?(?P<unit>day|week|month|quarter|year)|<M><Y>)"),
        ("end_of", r"(?P<eo>eow|eom|eoy)"),
        ("start_of", r"(?:the\s+)?(?:start|beginning)\s+of\s+(?:<WHICH>\s+<UNIT>|<M><Y>)"),
        ("month_day", r"(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)\s+of\s+<WHICH>\s+month"),
        ("nth", r"(?P<the>the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)"),
        ("dotted", r"(?P<dotted>(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?!\d))"),
    ),
    repeats=(
        ("repeat_nth_weekday", r"(?:every|each)\s+<ORD>\s+<WD>(?:\s+of\s+(?:the|each|every)\s+month)?"),
        ("repeat_month_day", r"(?:every|each)\s+<ORD>\s+(?:day\s+)?of\s+(?:the|each|every)\s+month"),
        ("repeat_month_day", r"(?:every|each)\s+(?:month\s+on\s+the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)(?:\s+of\s+(?:the|each|every)\s+month)?"),
        ("repeat_month_day", r"on\s+the\s+(?:<ORD>(?:\s+day)?|(?P<d>\d{1,2})(?:st|nd|rd|th))\s+of\s+(?:each|every)\s+month"),
        ("repeat_weekdays", r"(?:every|each)\s+(?P<other>other\s+)?<WDS>"),
        ("repeat_unit", r"(?:every|each)\s+(?:(?P<other>other)\s+|<N>\s+)?<UNIT>"),
        ("repeat_year", r"(?:every|each)\s+(?:<M>\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?)"),
        ("repeat_year", r"(?:every|each)\s+(?:(?P<d>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?<M>)"),
    ),
    leads={
        "due": r"(?:it[’']?s\s+|is\s+)?due(?:\s+date)?(?:\s+(?:on|by|at|is))?|deadline(?:\s+(?:is|on))?"
        r"|(?:no|not)\s+later\s+than|on\s+or\s+before|until|till|by(?:\s+the\s+latest)?",
        "before": "before",
        "start": r"start(?:s|ing)(?:\s+(?:from|on))?|beginning(?:\s+(?:from|on))?|not\s+before",
        "on": r"on|@|at(?=\s+the\s+end\b)",
    },
    range_lead=r"(?:from|between)\s+",
    range_join=r"\s*[-–—]\s*|\s+(?:to|until|till|and|through)\s+",
    followers="about with to at in for from and then because if when so re regarding via using over "
    "by before after but unless please pls as on starting due until till the a an my our your",
    blockers="about of since after during around from like called named than vs to and or every "
    "each last past black good cyber ash palm easter casual super all via per in with is was the a "
    "an no any some what which how between regarding re not this that next for before until "
    "till read watch title version chapter page room day week night eve",
    opening=r"(?:add|ask|bake|book|bring|buy|call|cancel|check|clean|collect|cook|do|draft|email|fetch"
    r"|file|finish|fix|get|go|help|make|meet|order|pack|pay|phone|pick|plan|post|practi[cs]e|prepare"
    r"|print|read|renew|repair|reply|return|review|ring|sell|send|ship|sign|start|submit|take|tell"
    r"|test|text|tidy|update|visit|walk|wash|water|write)(?!\w|[’'-])",
    ambiguous=frozenset({"sun", "sat", "wed", "mon", "second"}),
    month_first=True,
)  # fmt: skip

GERMAN: Final = CalendarWords(
    weekdays=(
        "montag mo", "dienstag di", "mittwoch mi", "donnerstag do", "freitag fr",
        "samstag sonnabend sa", "sonntag so",
    ),
    months=(
        "januar jänner jan", "februar feb", "märz maerz", "april apr", "mai", "juni jun",
        "juli jul", "august aug", "september sept sep", "oktober okt", "november nov",
        "dezember dez",
    ),
    numbers=(
        "einem einer einen eine ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht",
        "neun", "zehn", "elf", "zwölf",
    ),
    relative={"heute": 0, "heute abend": 0, "morgen": 1, "übermorgen": 2, "uebermorgen": 2},
    units={
        "tagen": "day", "tage": "day", "tag": "day", "wochen": "week", "woche": "week",
        "monaten": "month", "monate": "month", "monats": "month", "monat": "month",
        "jahren": "year", "jahre": "year", "jahres": "year", "jahr": "year",
        "quartals": "quarter", "werktag": "weekday",
    },
    ordinals=("erste", "zweite", "dritte", "vierte", "fünfte"),
    last="letzte",
    next="nächst",
    hours={"mittags": 12, "mitternacht": 0},
    patterns=(
        ("month_day", r"(?:<WD>,?\s+)?(?:(?:den|dem|der)\s+)?(?P<d>\d{1,2})\.?\s+<M><Y>"),
        ("dotted", r"(?:<WD>,?\s+)?(?:(?:den|dem|der)\s+)?(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?!\d)"),
        ("relative", r"<REL>"),
        ("in_span", r"in\s+<N>\s+<UNIT>"),
        ("weeks_from", r"(?:<WD>|(?P<rel>heute|morgen))\s+in\s+<N>\s+<UNIT>"),
        ("weeks_from", r"<N>\s+<UNIT>\s+(?:nach|ab)\s+<WD>"),
        ("month_day", r"(?P<d>\d{1,2})\.\s+(?P<which>nächsten|diese[sn])\s+Monats"),
        ("nth", r"(?:(?<=am\s)|(?<=zum\s)|(?<=dem\s))(?P<d>\d{1,2})\."),
        ("nth_weekday", r"(?:(?:der|den|dem|am)\s+)?<ORD>[nrs]?\s+<WD>\s+(?:im|des)\s+(?:<M>s?<Y>|(?P<which>nächsten)\s+Monats?)"),
        ("weekday", r"(?:(?P<this>diese[nrms]?|kommende[nrms]?)\s+|(?P<next>nächste[nrms]?)\s+)?<WD>(?!\s+de[rn]\s+\d)"),
        ("end_of", r"ende\s+(?:(?P<which>nächste[rsn]|diese[rs]|der|des)?\s*(?P<unit>woche|monats|quartals|jahres)|<M><Y>)"),
        ("end_of", r"(?P<unit>monats|jahres)ende"),
        ("start_of", r"anfang\s+(?:(?P<which>nächste[rsn])\s+(?P<unit>woche|monats|jahres)|<M><Y>)"),
    ),
    repeats=(
        ("repeat_nth_weekday", r"jeden\s+<ORD>[nrs]?\s+<WD>\s+im\s+Monat"),
        ("repeat_month_day", r"(?:an\s+)?jede[mn]\s+(?:<ORD>[nr]?\s+(?:Tag\s+)?(?:im|des)\s+Monats?|(?P<d>\d{1,2})\.(?:\s+(?:im|des)\s+Monats?)?)"),
        ("repeat_month_day", r"am\s+(?:<ORD>[nr]?|(?P<d>\d{1,2})\.)\s+(?:jedes|jeden|eines\s+jeden)\s+Monats?"),
        ("repeat_nth_weekday", r"am\s+<ORD>[nr]?\s+<WD>\s+(?:jedes|jeden|eines\s+jeden)\s+Monats?"),
        ("repeat_weekdays", r"jede[nr]?\s+(?:(?P<other>zweite)n?\s+)?<WDS>"),
        ("repeat_plural", r"<WDP>"),
        ("repeat_unit", r"jede[rs]?\s+(?P<other>zweite)[nrs]?\s+<UNIT>"),
        ("repeat_year", r"(?:jede[ns]\s+|jedes\s+Jahr\s+am\s+)(?P<d>\d{1,2})\.\s+<M>"),
        ("repeat_unit", r"(?:jede[nrs]?|alle)\s+(?:<N>\s+)?<UNIT>"),
    ),
    leads={
        "due": r"fällig(?:\s+(?:am|bis))?|spätestens(?:\s+(?:am|bis))?|bis(?:\s+(?:zum|spätestens))?",
        "before": "vor",
        "start": r"ab(?:\s+dem)?|beginnend(?:\s+am)?",
        "on": "am|@",
    },
    range_lead=r"(?:vom|von|zwischen)\s+",
    range_join=r"\s*[-–—]\s*|\s+(?:bis(?:\s+zum)?|und)\s+",
    followers="mit um zu zum zur in für von und dann weil wenn wegen über bei nach aber bitte den die "
    "das dem der ein eine einen ab bis am an auf",
    blockers="über von vom an aus ohne seit nach während wie und oder jeden jeder letzten letzter vergangenen pro mit "
    "ist war der die das den dem ein eine kein zum zur für im in guten am vor bis schwarzer",
    opening=r"(?!(?:oder|und|nachts|mittags)\b).*\b(?-i:[a-zäöüß]+(?:en|ern|eln|tun))\W*$",
    day_parts={"am": "morgens|vormittags|früh", "pm": "nachmittags|abends"},
    verb_last=True,
    ambiguous=frozenset({"mo", "di", "mi", "do", "fr", "sa", "so"}),
)  # fmt: skip

SPANISH: Final = CalendarWords(
    weekdays=(
        "lunes", "martes", "miércoles miercoles", "jueves", "viernes", "sábado sabado", "domingo",
    ),
    months=(
        "enero ene", "febrero feb", "marzo", "abril abr", "mayo", "junio jun", "julio jul",
        "agosto ago", "septiembre setiembre sept sep", "octubre oct", "noviembre nov",
        "diciembre dic",
    ),
    numbers=(
        "un una uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
        "once", "doce",
    ),
    relative={
        "hoy": 0, "esta noche": 0, "mañana": 1, "manana": 1, "pasado mañana": 2, "pasado manana": 2,
    },
    units={
        "días": "day", "día": "day", "dias": "day", "dia": "day", "semanas": "week",
        "semana": "week", "meses": "month", "mes": "month", "años": "year", "año": "year",
        "trimestre": "quarter", "laborable": "weekday", "laborables": "weekday",
    },
    ordinals=("primer primero", "segundo", "tercer tercero", "cuarto", "quinto"),
    last="último ultimo",
    next="próxim",
    hours={"mediodía": 12, "mediodia": 12, "medianoche": 0},
    patterns=(
        ("month_day", r"(?:(?:el\s+)?<WD>,?\s+)?(?:el\s+)?(?:día\s+)?(?P<d>\d{1,2})\s+de\s+<M>(?:\s+(?:de|del)\s+(?P<y>\d{4}))?"),
        ("month_day", r"(?:el\s+)?(?P<d>\d{1,2})\s+<M><Y>"),
        ("numeric", r"el\s+(?P<d>\d{1,2})/(?P<m>\d{1,2})(?:/(?P<y>\d{4}|\d\d))?(?![\d/])"),
        ("relative", r"<REL>"),
        ("in_span", r"(?:en|dentro\s+de)\s+<N>\s+<UNIT>"),
        ("weeks_from", r"<N>\s+<UNIT>\s+después\s+del?\s+(?:<WD>|<REL>)"),
        ("month_day", r"(?:el\s+)?(?P<d>\d{1,2})\s+del\s+(?:(?P<which>próximo)\s+mes|mes\s+(?P<which2>que\s+viene|próximo))"),
        ("nth", r"(?:el\s+)?día\s+(?P<d>\d{1,2})(?!\s+de)"),
        ("nth_weekday", r"(?:el\s+)?<ORD>\s+<WD>\s+(?:de|del)\s+(?:<M>(?:\s+(?:de|del)\s+(?P<y>\d{4}))?|(?P<which>próximo)\s+mes)"),
        ("weekday", r"(?:el\s+|este\s+)?(?P<next>próximo\s+|proximo\s+)?<WD>(?:\s+(?P<next2>próximo|proximo|que\s+viene))?"),
        ("end_of", r"(?:a\s+)?fin(?:al(?:es)?)?\s+de\s+(?:la|esta)\s+(?P<which>próxima\s+)?(?P<unit>semana)(?:\s+(?P<which2>próxima|que\s+viene))?"),
        ("end_of", r"(?:a\s+)?fin(?:al(?:es)?)?\s+del?\s+(?:este\s+)?(?:(?P<which>próximo)\s+)?(?P<unit>mes|trimestre|año)(?:\s+(?P<which2>próximo|que\s+viene))?"),
        ("end_of", r"(?:a\s+)?fin(?:al(?:es)?)?\s+de\s+<M>(?:\s+de\s+(?P<y>\d{4}))?"),
        ("start_of", r"(?:a\s+)?principios\s+de\s+<M>(?:\s+de\s+(?P<y>\d{4}))?"),
        ("start_of", r"(?:a\s+)?principios\s+de(?:l|\s+la)\s+(?:(?P<which>próxim[oa])\s+)?(?P<unit>mes|semana|año)(?:\s+(?P<which2>que\s+viene|próxim[oa]))?"),
    ),
    repeats=(
        ("repeat_nth_weekday", r"(?:cada|todos\s+los)\s+<ORD>s?\s+<WD>\s+(?:de|del)\s+(?:cada\s+)?mes"),
        ("repeat_nth_weekday", r"el\s+<ORD>\s+<WD>\s+de\s+cada\s+mes"),
        ("repeat_month_day", r"(?:cada|el)\s+(?:día\s+)?(?:<ORD>|(?P<d>\d{1,2}))\s+(?:de\s+cada|del|de)\s+mes"),
        ("repeat_weekdays", r"(?:cada|todos\s+los)\s+<WDS>"),
        ("repeat_plural", r"los\s+<WDS>"),
        ("repeat_unit", r"(?:cada|todos\s+los)\s+días?\s+(?P<unit>laborables?)"),
        ("repeat_year", r"(?:cada(?:\s+año\s+el)?|todos\s+los\s+años\s+el)\s+(?P<d>\d{1,2})\s+de\s+<M>"),
        ("repeat_unit", r"(?:cada|todos\s+los|todas\s+las)\s+(?:<N>\s+)?<UNIT>"),
    ),
    leads={
        "due": r"(?:vence(?:\s+el)?|a\s+más\s+tardar(?:\s+el)?|hasta(?:\s+el)?|para(?:\s+el|(?=\s+(?:hoy|mañana|pasado\s+mañana)\b))|antes\s+de\s+que\s+acabe)",
        "before": r"antes\s+del?",
        "start": r"(?:a\s+partir\s+de(?:l)?|desde(?:\s+el)?|empezando(?:\s+el)?)",
        "on": "@",
    },
    range_lead=r"(?:del?|entre(?:\s+el)?)\s+",
    range_join=r"\s*[-–—]\s*|\s+(?:al?|hasta(?:\s+el)?|y(?:\s+el)?)\s+",
    followers="con a al en para de y luego porque si cuando por sobre antes después pero como el la los "
    "las un una mi hasta",
    blockers="sobre de desde después tras como y o cada todos último pasado por con es era el la los las "
    "un una del en sin esta este entre hasta para que",
    opening=r"\w+(?:ar|er|ir)(?:se|me|lo|la|le|los|las)?(?!\w)",
    day_parts={"am": r"de\s+la\s+(?:mañana|madrugada)", "pm": r"de\s+la\s+(?:tarde|noche)"},
)  # fmt: skip

FRENCH: Final = CalendarWords(
    weekdays=("lundi lun", "mardi", "mercredi", "jeudi jeu", "vendredi ven", "samedi sam", "dimanche dim"),
    months=(
        "janvier janv", "février fevrier févr", "mars", "avril avr", "mai", "juin", "juillet juil",
        "août aout", "septembre sept", "octobre oct", "novembre nov", "décembre decembre déc",
    ),
    numbers=(
        "un une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze",
        "douze",
    ),
    relative={
        "aujourd'hui": 0, "aujourd’hui": 0, "ce soir": 0, "demain": 1, "après-demain": 2, "apres-demain": 2,
    },
    units={
        "jours": "day", "jour": "day", "semaines": "week", "semaine": "week", "mois": "month",
        "ans": "year", "an": "year", "années": "year", "année": "year", "trimestre": "quarter",
        "ouvré": "weekday", "ouvrés": "weekday", "ouvrable": "weekday", "ouvrables": "weekday",
    },
    ordinals=("premier", "deuxième second", "troisième", "quatrième", "cinquième"),
    last="dernier",
    next="prochain",
    hours={"midi": 12, "minuit": 0},
    patterns=(
        ("month_day", r"(?:(?:le\s+)?<WD>,?\s+)?(?:le\s+)?(?P<d>\d{1,2})(?:er)?\s+<M><Y>"),
        ("numeric", r"le\s+(?P<d>\d{1,2})/(?P<m>\d{1,2})(?:/(?P<y>\d{4}|\d\d))?(?![\d/])"),
        ("relative", r"<REL>"),
        ("in_span", r"(?:dans|d[’']ici)\s+<N>\s+<UNIT>"),
        ("weeks_from", r"<N>\s+<UNIT>\s+après\s+(?:<WD>|<REL>)"),
        ("month_day", r"(?:le\s+)?(?P<d>\d{1,2})(?:er)?\s+du\s+mois\s+(?P<which>prochain)"),
        ("weeks_from", r"<WD>\s+en\s+(?P<eight>huit|quinze)"),
        ("nth_weekday", r"(?:le\s+)?<ORD>\s+<WD>\s+(?:de\s+|d[’'])(?:<M><Y>)"),
        ("nth_weekday", r"(?:le\s+)?<ORD>\s+<WD>\s+du\s+mois\s+(?P<which>prochain)"),
        ("weekday", r"(?:ce\s+)?<WD>(?:\s+(?P<next>prochain))?"),
        ("end_of", r"(?:la\s+)?fin\s+(?:(?:de\s+(?:la\s+|l[’'])|du\s+|d[’'])?(?P<unit>semaine|mois|trimestre|année)(?:\s+(?P<which>prochaine?))?|(?:de\s+|d[’'])?<M><Y>)"),
        ("start_of", r"(?:au\s+)?début\s+(?:de\s+|d[’'])?<M><Y>"),
        ("start_of", r"(?:au\s+)?début\s+(?:du\s+|de\s+la\s+|de\s+l[’'])(?P<unit>mois|semaine|année)\s+(?P<which>prochaine?)"),
    ),
    repeats=(
        ("repeat_nth_weekday", r"(?:chaque|tous\s+les)\s+<ORD>s?\s+<WD>\s+du\s+mois"),
        ("repeat_month_day", r"(?:chaque|tous\s+les|le)\s+<ORD>s?\s+(?:jour\s+)?(?:du|de\s+chaque)\s+mois"),
        ("repeat_nth_weekday", r"le\s+<ORD>\s+<WD>\s+de\s+chaque\s+mois"),
        ("repeat_month_day", r"le\s+(?P<d>\d{1,2})(?:er)?\s+(?:du|de\s+chaque)\s+mois(?!\s+(?:prochain|dernier|suivant))"),
        ("repeat_weekdays", r"(?:chaque|tous\s+les)\s+<WDS>"),
        ("repeat_plural", r"les\s+<WDP>"),
        ("repeat_weekdays", r"un\s+<WDS>\s+sur\s+(?P<other>deux)"),
        ("repeat_unit", r"une?\s+<UNIT>\s+sur\s+(?P<other>deux)"),
        ("repeat_unit", r"(?:chaque|tous\s+les)\s+jours?\s+(?P<unit>ouvr(?:és?|ables?))"),
        ("repeat_year", r"(?:chaque(?:\s+année\s+le)?|tous\s+les\s+ans\s+le)\s+(?P<d>\d{1,2})(?:er)?\s+<M>"),
        ("repeat_unit", r"(?:chaque|tous\s+les|toutes\s+les)\s+(?:<N>\s+)?<UNIT>"),
    ),
    leads={
        "due": r"(?:au\s+plus\s+tard(?:\s+le)?|jusqu[’']au|jusqu[’']à|pour(?:\s+le|(?=\s+(?:demain|aujourd|après-demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)))|d[’']ici(?:\s+(?:le|au))?|échéance(?:\s+le)?)",
        "before": r"avant(?:\s+le)?",
        "start": r"(?:à\s+partir\s+(?:du|de)|dès(?:\s+le)?)",
        "on": "@",
    },
    range_lead=r"(?:du|entre(?:\s+le)?|de)\s+",
    range_join=r"\s*[-–—]\s*|\s+(?:au|à|jusqu[’']au|et(?:\s+le)?)\s+",
    followers="avec à au aux en pour de et puis parce si quand par sur avant après mais comme le la les un "
    "une mon ma mes chez du",
    blockers="sur de du depuis après pendant comme et ou chaque tous dernier par avec est était le la les "
    "un une des en sans cette entre jusqu au pour que",
    opening=r"\w+(?:er|ir|re)(?!\w)",
    day_parts={"am": r"du\s+matin", "pm": r"de\s+l[’']après-midi|du\s+soir"},
)  # fmt: skip

WORDS: Final[Mapping[Language, CalendarWords]] = {
    "en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH,
}  # fmt: skip


def index_of(groups: tuple[str, ...], word: str) -> int:
    """The place of a word in a table, from 0; -1 when it is not there."""
    text = word.lower().rstrip(".")
    forms = (text, text.removesuffix("s"))
    return next(
        (n for n, group in enumerate(groups) if not set(forms).isdisjoint(group.split())), -1
    )


def alternatives(words: str) -> str:
    """A pattern for one of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words.split(), key=len, reverse=True))


def _bracketed(name: str, words: str, after: str = "") -> str:
    return rf"(?P<{name}>{words}){after}(?!\w)"


@cache
def fragments(language: Language) -> Mapping[str, str]:
    """The named pieces that patterns are made of."""
    own = WORDS[language]
    weekday = rf"(?:{alternatives(' '.join(own.weekdays))})(?!\w)\.?"
    weekdays = rf"(?:{alternatives(' '.join(own.weekdays))})s?(?!\w)\.?"
    plural = rf"(?:{alternatives(' '.join(weekday.split()[0] for weekday in own.weekdays))})s(?!\w)"
    ordinals = alternatives(" ".join((*own.ordinals, own.last)))
    relative = "|".join(
        re.escape(day).replace(r"\ ", r"\s+") for day in sorted(own.relative, key=len, reverse=True)
    )
    joined = {"en": "and", "de": "und", "es": "y", "fr": "et"}[language]
    return {
        "<WD>": rf"(?P<wd>{weekday})",
        "<WDS>": rf"(?P<wds>{weekdays}(?:(?:\s*,\s*|\s+{joined}\s+|\s*,\s*{joined}\s+){weekdays})*)",
        "<WDP>": rf"(?P<wds>{plural}(?:(?:\s*,\s*|\s+{joined}\s+){plural})*)",
        "<M>": rf"(?P<m>{alternatives(' '.join(own.months))})(?![^\W\d_])\.?",
        "<Y>": r"(?:,?\s+(?P<y>20\d\d)(?![\d:]))?",
        "<N>": rf"(?P<n>\d{{1,3}}|{alternatives(' '.join(own.numbers))})",
        "<UNIT>": _bracketed("unit", alternatives(" ".join(own.units))),
        "<REL>": _bracketed("rel", relative),
        "<ORD>": rf"(?P<ord>{ordinals})",
        "<WHICH>": _bracketed("which", "next|this"),
    }


@cache
def compiled(
    language: Language, kind: Literal["patterns", "repeats"]
) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns of a language with the readers that they are for."""
    own = WORDS[language]
    details = (*own.patterns, *_NUMERIC) if kind == "patterns" else own.repeats
    result = []
    for name, pattern in details:
        for mark, piece in fragments(language).items():
            pattern = pattern.replace(mark, piece)  # noqa: PLW2901 - built up piece by piece
        result.append((name, re.compile(rf"{pattern}(?!\w)", re.IGNORECASE)))
    return tuple(result)


@cache
def calendar_word(language: Language) -> re.Pattern[str]:
    """Any whole word of the calendar: weekdays, months, “tomorrow”, “week”."""
    own = WORDS[language]
    days = (item for item in own.relative if " " not in item)
    words = " ".join((*own.weekdays, *own.months, *own.units, *days))
    long = " ".join(word for word in words.split() if len(word) > 2)
    return re.compile(rf"(?<!\w)(?:{alternatives(long)})s?(?!\w)", re.IGNORECASE)

"""Job titles as employers type them, brought to plain words: noise off, short forms written out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from bm25s.stopwords import STOPWORDS_FRENCH, STOPWORDS_GERMAN, STOPWORDS_SPANISH

from futura.text import words

LONGEST: Final = 200
"""Characters looked at; a title that long is a sentence."""

_SHORT_FORMS: Final = {
    "accnt": "accountant", "acct": "accounting", "acctg": "accounting", "adm": "administrative",
    "admin": "administrative", "advert": "advertising", "ag": "agricultural", "alum": "aluminum",
    "appl": "application", "appr": "apprentice", "apps": "applications", "arch": "architect",
    "assem": "assembler", "assoc": "associate", "asso": "associate", "asst": "assistant",
    "ast": "assistant", "att": "attendant", "attd": "attendant", "attn": "attendant",
    "atty": "attorney", "auto": "automobile", "bkkpr": "bookkeeper", "biz": "business",
    "bldg": "building", "bus": "business", "cert": "certified", "chem": "chemical",
    "clk": "clerk", "cna": "certified nursing assistant", "comm": "communications",
    "const": "construction", "constr": "construction", "coord": "coordinator",
    "corp": "corporate", "cpa": "certified public accountant", "cs": "customer service",
    "csr": "customer service representative", "cust": "customer", "dba": "database administrator",
    "dept": "department", "dev": "developer", "devel": "development", "dir": "director",
    "dist": "district", "distr": "distribution", "dr": "doctor", "ed": "education",
    "elec": "electrical", "elect": "electrical", "elem": "elementary",
    "emt": "emergency medical technician", "eng": "engineer", "engr": "engineer",
    "engrg": "engineering", "env": "environmental", "equip": "equipment", "equipt": "equipment",
    "exec": "executive", "fab": "fabrication", "fin": "financial", "gen": "general",
    "govt": "government", "hr": "human resources", "hosp": "hospital", "hskpr": "housekeeper",
    "hvac": "heating air conditioning refrigeration", "hvy": "heavy", "ind": "industrial",
    "info": "information", "ins": "insurance", "insp": "inspector", "inst": "instructor",
    "instr": "instructor", "intl": "international", "inv": "investment", "jr": "junior",
    "lab": "laboratory", "lic": "licensed", "lpn": "licensed practical nurse",
    "mach": "machine", "maint": "maintenance", "mech": "mechanic", "med": "medical",
    "mfg": "manufacturing", "mfr": "manufacturer", "mgmt": "management", "mgr": "manager",
    "mkt": "marketing", "mktg": "marketing", "mngr": "manager", "mtce": "maintenance",
    "natl": "national", "np": "nurse practitioner", "nurs": "nursing", "ofc": "office",
    "off": "office", "op": "operator", "oper": "operator", "opr": "operator", "ops": "operations",
    "optr": "operator", "org": "organization", "pharm": "pharmacy",
    "pharma": "pharmaceutical", "pkg": "packaging", "pm": "project manager",
    "prep": "preparation", "pres": "president", "prin": "principal", "proc": "process",
    "prod": "production", "prof": "professor", "prog": "programmer", "pt": "physical therapist",
    "purch": "purchasing", "qa": "quality assurance", "qc": "quality control", "rec": "recreation",
    "recept": "receptionist", "reg": "registered", "rep": "representative",
    "repr": "representative", "res": "research", "rn": "registered nurse", "sci": "scientist",
    "sec": "secretary", "secy": "secretary", "serv": "service", "spec": "specialist",
    "stat": "statistical", "sup": "supervisor", "super": "supervisor", "supt": "superintendent",
    "supv": "supervisor", "supvr": "supervisor", "svc": "service", "svcs": "services",
    "swe": "software engineer", "sys": "systems", "syst": "systems", "tchr": "teacher",
    "tech": "technician", "techn": "technician", "telecom": "telecommunications",
    "trans": "transportation", "transp": "transportation", "treas": "treasurer",
    "univ": "university", "ux": "user experience", "veh": "vehicle", "vp": "vice president",
    "vet": "veterinary", "whse": "warehouse", "wkr": "worker",
}  # fmt: skip
"""What the short forms in job titles stand for, in our own choice."""

_NOISE: Final = frozenset(
    "i ii iii iv v vi vii sr jr senior junior level grade step temp temporary seasonal sca code "
    "wage h2b h2a h1b fulltime parttime m f".split()
)
_ASIDE: Final = re.compile(r"\([^)]*(?:\d{3,}|\bsca\b|\bwage\b)[^)]*\)?", re.IGNORECASE)
_MARKUP: Final = re.compile(r"<[^>]*>")
_INITIALS: Final = re.compile(r"\b(?:[A-Za-z]\.){2,}")

SMALL_WORDS: Final = frozenset((*STOPWORDS_FRENCH, *STOPWORDS_GERMAN, *STOPWORDS_SPANISH))
"""Of the interface's other languages; titles that share only these have nothing in common."""


@lru_cache(maxsize=4096)
def plain_words(title: str) -> tuple[str, ...]:
    """Lower-case words without levels, codes and noise, short forms written out.

    A title of nothing but noise keeps its words; a text without a word gives an empty tuple.
    """
    text = _MARKUP.sub(" ", title[:LONGEST])
    text = _INITIALS.sub(lambda initials: initials.group().replace(".", ""), text)
    terms = words(_ASIDE.sub(" ", text)) or words(text)
    stored = [word for word in terms if word not in _NOISE and not word.isdigit()] or terms
    return tuple(
        part for word in stored for part in _SHORT_FORMS.get(word, word.removesuffix("'s")).split()
    )

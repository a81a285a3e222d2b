"""Three résumés of two pages in three layouts, with the records that are true of each.

`HELD_OUT` was written with the others and left unread while the reader was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Record = dict[str, str]


@dataclass(frozen=True)
class Resume:
    """A résumé's text and its true records: the kind and the fields that name it."""

    name: str
    text: str
    records: tuple[tuple[str, Record], ...]


DATES_RIGHT: Final = Resume(
    "English, title and company on one line, dates at the right",
    """\
Helena Brandstätter
Structural engineer, Villach
helena@example.org | +43 660 9876543

PROFILE
Structural engineer for timber bridges and avalanche galleries. I like drawings that
a carpenter can read without calling me.

PROFESSIONAL EXPERIENCE
Senior Structural Engineer, Alpenbau GmbH                    04/2019 – present
Villach, Austria
• Designed 14 timber bridges along the Drava cycle path, the longest with a span of
62 metres.
• Led a team of five engineers and two draughtswomen.
• Introduced parametric models in Python and Grasshopper.

Structural Engineer, Holzer & Partner                        09/2014 – 03/2019
Klagenfurt, Austria
• Checked avalanche galleries for the federal railway.
• Wrote the load tables that the office still uses.

Research Assistant, Graz University of Technology            2012 – 2014
• Tested glued joints under long loads.

VOLUNTEERING
Mentor, Girls in Engineering                                 2020 – present
• Meets four pupils every month.
Volunteer, Mountain rescue service                           2011 – 2018

EDUCATION
MSc Civil Engineering, Graz University of Technology, 2014
BSc Civil Engineering, Graz University of Technology, 2011
A-levels, HTL Villach, 2007

AWARDS
Timber Prize of Carinthia, proHolz, 2021
Young Engineer Award, IABSE, 2017

PUBLICATIONS
Brandstätter H., Moser K. (2018): Creep of glued joints. Bautechnik.
Brandstätter H. (2014): Long loads on short beams. Wood Research.

CERTIFICATES
Chartered Engineer, Austrian Chamber of Engineers, 2018
First aid instructor, Red Cross, 2016

LANGUAGES
German (native), English (C1), Slovene (B1)

SKILLS
Software: RFEM, Grasshopper, Python
Fields: timber construction, bridges
""",
    (
        (
            "position",
            {
                "title": "Senior Structural Engineer",
                "company": "Alpenbau GmbH",
                "started": "2019-04",
                "ended": "",
            },
        ),
        (
            "position",
            {
                "title": "Structural Engineer",
                "company": "Holzer & Partner",
                "started": "2014-09",
                "ended": "2019-03",
            },
        ),
        (
            "position",
            {
                "title": "Research Assistant",
                "company": "Graz University of Technology",
                "started": "2012",
                "ended": "2014",
            },
        ),
        (
            "volunteering",
            {
                "title": "Mentor",
                "company": "Girls in Engineering",
                "started": "2020",
                "ended": "",
            },
        ),
        (
            "volunteering",
            {
                "title": "Volunteer",
                "company": "Mountain rescue service",
                "started": "2011",
                "ended": "2018",
            },
        ),
        (
            "education",
            {
                "degree": "MSc Civil Engineering",
                "institution": "Graz University of Technology",
                "ended": "2014",
            },
        ),
        (
            "education",
            {
                "degree": "BSc Civil Engineering",
                "institution": "Graz University of Technology",
                "ended": "2011",
            },
        ),
        ("education", {"degree": "A-levels", "institution": "HTL Villach", "ended": "2007"}),
        ("award", {"title": "Timber Prize of Carinthia", "issuer": "proHolz", "date": "2021"}),
        ("award", {"title": "Young Engineer Award", "issuer": "IABSE", "date": "2017"}),
        (
            "publication",
            {
                "title": "Brandstätter H., Moser K. (2018): Creep of glued joints. Bautechnik.",
                "date": "2018",
            },
        ),
        (
            "publication",
            {
                "title": "Brandstätter H. (2014): Long loads on short beams. Wood Research.",
                "date": "2014",
            },
        ),
        (
            "certificate",
            {
                "title": "Chartered Engineer",
                "issuer": "Austrian Chamber of Engineers",
                "date": "2018",
            },
        ),
        ("certificate", {"title": "First aid instructor", "issuer": "Red Cross", "date": "2016"}),
        ("language", {"title": "German", "level": "native"}),
        ("language", {"title": "English", "level": "C1"}),
        ("language", {"title": "Slovene", "level": "B1"}),
        ("skill", {"name": "RFEM"}),
        ("skill", {"name": "Grasshopper"}),
        ("skill", {"name": "Python"}),
        ("skill", {"name": "timber construction"}),
        ("skill", {"name": "bridges"}),
    ),
)

STACKED: Final = Resume(
    "English, company, role and dates on lines of their own",
    """\
OMAR FARAH
Logistics planner
Rotterdam
omar.farah@example.org

Summary
I make warehouses calm. Fifteen years between loading docks and spreadsheets.

Work experience

Maasvlakte Terminals
Head of Planning
Feb 2021 – Present
• Plans 400 lorries a day with a team of nine.
• Cut waiting at the gate from 50 to 22 minutes.

Maasvlakte Terminals
Shift Planner
Jun 2017 – Jan 2021
• Ran the night desk.

Veldhuis Fruit B.V.
Warehouse Coordinator
2012 – 2017
• Introduced hand scanners for 80 pickers.

Volunteer work

Food Bank Rotterdam
Driver
2019 – 2022

Dock Workers Choir
Treasurer

Education

Erasmus University Rotterdam
MSc Supply Chain Management
2010 – 2012

Hogeschool Rotterdam
BSc Logistics
2006 – 2010

Awards

Planner of the Year
Dutch Logistics Association, 2022

Safety Medal
Port of Rotterdam, 2018

Certifications

Certified Supply Chain Professional, ASCM, 2016

Publications

Farah, O. (2021). Calm gates: a field study. Port Journal 12(3).

Languages

Dutch (native)
Somali (native)
English (fluent)

Skills

SAP EWM, SQL, Excel, simulation
""",
    (
        (
            "position",
            {
                "title": "Head of Planning",
                "company": "Maasvlakte Terminals",
                "started": "2021-02",
                "ended": "",
            },
        ),
        (
            "position",
            {
                "title": "Shift Planner",
                "company": "Maasvlakte Terminals",
                "started": "2017-06",
                "ended": "2021-01",
            },
        ),
        (
            "position",
            {
                "title": "Warehouse Coordinator",
                "company": "Veldhuis Fruit B.V.",
                "started": "2012",
                "ended": "2017",
            },
        ),
        (
            "volunteering",
            {
                "title": "Driver",
                "company": "Food Bank Rotterdam",
                "started": "2019",
                "ended": "2022",
            },
        ),
        (
            "volunteering",
            {"title": "Treasurer", "company": "Dock Workers Choir", "started": "", "ended": ""},
        ),
        (
            "education",
            {
                "degree": "MSc Supply Chain Management",
                "institution": "Erasmus University Rotterdam",
                "ended": "2012",
            },
        ),
        (
            "education",
            {"degree": "BSc Logistics", "institution": "Hogeschool Rotterdam", "ended": "2010"},
        ),
        (
            "award",
            {
                "title": "Planner of the Year",
                "issuer": "Dutch Logistics Association",
                "date": "2022",
            },
        ),
        ("award", {"title": "Safety Medal", "issuer": "Port of Rotterdam", "date": "2018"}),
        (
            "certificate",
            {"title": "Certified Supply Chain Professional", "issuer": "ASCM", "date": "2016"},
        ),
        (
            "publication",
            {
                "title": "Farah, O. (2021). Calm gates: a field study. Port Journal 12(3).",
                "date": "2021",
            },
        ),
        ("language", {"title": "Dutch", "level": "native"}),
        ("language", {"title": "Somali", "level": "native"}),
        ("language", {"title": "English", "level": "fluent"}),
        ("skill", {"name": "SAP EWM"}),
        ("skill", {"name": "SQL"}),
        ("skill", {"name": "Excel"}),
        ("skill", {"name": "simulation"}),
    ),
)

GERMAN: Final = Resume(
    "German, dates at the left",
    """\
Lebenslauf
Miriam Seeberger
Krankenhausapothekerin, Freiburg
miriam.seeberger@example.org, +49 761 1234567

BERUFSERFAHRUNG
06/2018 – heute      Leitende Apothekerin, Klinikum Freiburg
• Versorgt elf Stationen mit Zytostatika.
• Leitung eines Teams von sieben Personen
03/2013 – 05/2018    Apothekerin, Sankt-Josefs-Krankenhaus
• Einführung der elektronischen Verordnung
2011 – 2013          Pharmazeutin im Praktikum, Bären-Apotheke

EHRENAMT
seit 2015            Rettungshelferin, Bergwacht Schwarzwald
2009 – 2012          Tutorin, Fachschaft Pharmazie

AUSBILDUNG
2013 – 2016          Promotion Pharmazie, Universität Freiburg
2006 – 2011          Staatsexamen Pharmazie, Universität Heidelberg
2006                 Abitur, Goethe-Gymnasium Emmendingen

AUSZEICHNUNGEN
2019    Innovationspreis der Deutschen Krankenhausapotheker
2016    Südbadischer Forschungspreis

ZERTIFIKATE
2020    Fachapothekerin für Klinische Pharmazie, Landesapothekerkammer
2017    Qualitätsbeauftragte, TÜV Süd

VERÖFFENTLICHUNGEN
Seeberger M., Roth A.: Stabilität von Lösungen. Krankenhauspharmazie, 2019.
Seeberger M.: Dosis und Zeit. Deutsche Apotheker Zeitung, 2016.

SPRACHEN
Deutsch (Muttersprache), Englisch (C1), Französisch (B2)

KENNTNISSE
SAP, Zenzy, Qualitätsmanagement
""",
    (
        (
            "position",
            {
                "title": "Leitende Apothekerin",
                "company": "Klinikum Freiburg",
                "started": "2018-06",
                "ended": "",
            },
        ),
        (
            "position",
            {
                "title": "Apothekerin",
                "company": "Sankt-Josefs-Krankenhaus",
                "started": "2013-03",
                "ended": "2018-05",
            },
        ),
        (
            "position",
            {
                "title": "Pharmazeutin im Praktikum",
                "company": "Bären-Apotheke",
                "started": "2011",
                "ended": "2013",
            },
        ),
        (
            "volunteering",
            {
                "title": "Rettungshelferin",
                "company": "Bergwacht Schwarzwald",
                "started": "2015",
                "ended": "",
            },
        ),
        (
            "volunteering",
            {
                "title": "Tutorin",
                "company": "Fachschaft Pharmazie",
                "started": "2009",
                "ended": "2012",
            },
        ),
        (
            "education",
            {
                "degree": "Promotion Pharmazie",
                "institution": "Universität Freiburg",
                "ended": "2016",
            },
        ),
        (
            "education",
            {
                "degree": "Staatsexamen Pharmazie",
                "institution": "Universität Heidelberg",
                "ended": "2011",
            },
        ),
        (
            "education",
            {"degree": "Abitur", "institution": "Goethe-Gymnasium Emmendingen", "ended": "2006"},
        ),
        (
            "award",
            {
                "title": "Innovationspreis der Deutschen Krankenhausapotheker",
                "issuer": "",
                "date": "2019",
            },
        ),
        ("award", {"title": "Südbadischer Forschungspreis", "issuer": "", "date": "2016"}),
        (
            "certificate",
            {
                "title": "Fachapothekerin für Klinische Pharmazie",
                "issuer": "Landesapothekerkammer",
                "date": "2020",
            },
        ),
        (
            "certificate",
            {"title": "Qualitätsbeauftragte", "issuer": "TÜV Süd", "date": "2017"},
        ),
        (
            "publication",
            {
                "title": "Seeberger M., Roth A.: Stabilität von Lösungen. "
                "Krankenhauspharmazie, 2019.",
                "date": "2019",
            },
        ),
        (
            "publication",
            {
                "title": "Seeberger M.: Dosis und Zeit. Deutsche Apotheker Zeitung, 2016.",
                "date": "2016",
            },
        ),
        ("language", {"title": "Deutsch", "level": "Muttersprache"}),
        ("language", {"title": "Englisch", "level": "C1"}),
        ("language", {"title": "Französisch", "level": "B2"}),
        ("skill", {"name": "SAP"}),
        ("skill", {"name": "Zenzy"}),
        ("skill", {"name": "Qualitätsmanagement"}),
    ),
)

SEEN: Final = (DATES_RIGHT, GERMAN)
HELD_OUT: Final = STACKED

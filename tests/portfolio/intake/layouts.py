"""Résumés of two pages as people lay them out: their text, and what is true of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Sample:
    """A resume with its true records: (title, company), (degree, school), (award, year).

    `without_record` are words of sections that have no kind of record yet; `most_unread` is how
    many true records may be left unread at most.
    """

    name: str
    text: str
    positions: tuple[tuple[str, str], ...]
    degrees: tuple[tuple[str, str], ...]
    awards: tuple[tuple[str, str], ...] = ()
    without_record: tuple[str, ...] = ()
    most_unread: int = 2


GEODESIST: Final = Sample(
    "dates at the right, undated lists",
    """\
Anna Berger
Survey engineer, Graz
anna.berger@example.org | +43 660 1234567

PROFESSIONAL EXPERIENCE
Survey Engineer, Alpine Geo GmbH                         03/2018 – present
Graz, Austria
• Measured 40 km of torrent beds for the Mur pilot with Lena Hofer and
Karl Moser.
• Wrote the tools that turn point clouds into cross sections (Python).

Junior Engineer, Vermessung Nord                         2015 – 02/2018
Linz
• Staked out two tunnels.

VOLUNTEER WORK
Coding mentor, CoderDojo Graz
Volunteer, Mountain rescue service

EDUCATION
MSc Geodesy, Graz University of Technology, 2015
BSc Geodesy, Graz University of Technology, 2012
A-levels, Gymnasium Leoben, 2009

AWARDS
Best Paper Award, AGIT, 2019; Young Surveyor Prize, FIG, 2017
Dean's Scholarship, Graz University of Technology, 2014

PUBLICATIONS
Berger A., Hofer L. (2020): Cross sections from point clouds. Survey Review.
Berger A. (2018): Torrents from above. AGIT Journal.

LANGUAGES
German (native), English (C1), Slovene (B1)

SKILLS
Languages: Python, C++
Tools: QGIS, CloudCompare
""",
    positions=(
        ("Survey Engineer", "Alpine Geo GmbH"),
        ("Junior Engineer", "Vermessung Nord"),
        ("Coding mentor", "CoderDojo Graz"),
        ("Volunteer", "Mountain rescue service"),
    ),
    degrees=(
        ("MSc", "Graz University of Technology"),
        ("BSc", "Graz University of Technology"),
        ("A-levels", "Gymnasium Leoben"),
    ),
    awards=(
        ("Best Paper Award", "2019"),
        ("Young Surveyor Prize", "2017"),
        ("Dean's Scholarship", "2014"),
    ),
    without_record=("Torrents from above", "Slovene (B1)"),
)

DESIGNER: Final = Sample(
    "name and dates on lines of their own, promotions",
    """\
SARA OKAFOR
Product designer

Summary
I design tools for people who work with their hands.

Experience
Northwind Studio
Lead Product Designer
Jan 2020 – Present
Leads a team of five.
• Redesigned the order desk used by 1,200 bakeries.
• Introduced weekly tests with bakers.
Product Designer
May 2017 – Dec 2019
• Drew the first pattern library.

City of Leeds
Service Designer
2014 – 2017
• Mapped how permits are asked for.

Volunteering
Repair Cafe Leeds
Organiser
2018 – 2021
• Ran forty evenings.
Food Bank
Driver

Education
Royal College of Art
MA Service Design
2012 – 2014
University of Leeds
BA Graphic Design
2009 – 2012
Park Lane College
Diploma Art and Design
2007 – 2009

Awards
Design Week Award
Centaur Media, 2021
Core77 Notable
2019

Certifications
Certified Usability Analyst, HFI, 2016
""",
    positions=(
        ("Lead Product Designer", "Northwind Studio"),
        ("Product Designer", "Northwind Studio"),
        ("Service Designer", "City of Leeds"),
        ("Organiser", "Repair Cafe Leeds"),
        ("Driver", "Food Bank"),
    ),
    degrees=(
        ("MA", "Royal College of Art"),
        ("BA", "University of Leeds"),
        ("Diploma", "Park Lane College"),
    ),
    awards=(("Design Week Award", "2021"), ("Core77 Notable", "2019")),
    without_record=("Certified Usability Analyst",),
    most_unread=7,
)

GERMAN: Final = Sample(
    "German, dates at the left",
    """\
Lebenslauf
Jana Köhler
Softwareentwicklerin, Leipzig

BERUFSERFAHRUNG
04/2019 – heute     Softwareentwicklerin, Stadtwerke Leipzig
• Entwicklung des Zählerportals in Java
• Einführung von Docker
09/2015 – 03/2019   Projektassistentin, Verlag am Markt
• Betreuung der Autorendatenbank

EHRENAMT
seit 2020           Trainerin, TSV Leipzig
2016 – 2019         Vorleserin, Stadtbibliothek

AUSBILDUNG
2013 – 2015         M.Sc. Informatik, Universität Leipzig
2010 – 2013         B.Sc. Informatik, HTWK Leipzig
2010                Abitur, Thomasschule

AUSZEICHNUNGEN
2015    Leibniz-Preis der Fakultät
2012    Deutschlandstipendium

SPRACHEN
Deutsch (Muttersprache), Englisch (C1)

VERÖFFENTLICHUNGEN
Köhler, J.: Zählerdaten lesen. Informatik Spektrum, 2021.

KENNTNISSE
Java, Python, Docker
""",
    positions=(
        ("Softwareentwicklerin", "Stadtwerke Leipzig"),
        ("Projektassistentin", "Verlag am Markt"),
        ("Trainerin", "TSV Leipzig"),
        ("Vorleserin", "Stadtbibliothek"),
    ),
    degrees=(
        ("M.Sc.", "Universität Leipzig"),
        ("B.Sc.", "HTWK Leipzig"),
        ("Abitur", "Thomasschule"),
    ),
    awards=(("Leibniz-Preis der Fakultät", "2015"), ("Deutschlandstipendium", "2012")),
    without_record=("Englisch (C1)", "Zählerdaten lesen"),
    most_unread=4,
)

RESEARCHER: Final = Sample(
    "prose, double degrees, headings nobody knows",
    """\
Dr. Ilse Brandt

APPOINTMENTS
Research Associate, Institute of Hydrology, 2016 – 2023
Built the low-water model of the Ems.
Teaching Assistant, University of Bergen, 2012 – 2016
Taught statistics to beginners.

FIELD CAMPAIGNS
Svalbard, 2019 – 2020
Greenland, 2017

STUDIES
PhD and MSc in Hydrology, University of Bergen, 2010 – 2016
BSc Physics, University of Oslo
2007 – 2010

HONOURS
Fram Prize 2018, Polar Medal 2021
Travel grant of the Nansen Fund

PATENTS
Buoy with folding mast, NO 334455
""",
    positions=(
        ("Research Associate", "Institute of Hydrology"),
        ("Teaching Assistant", "University of Bergen"),
    ),
    degrees=(("PhD", "University of Bergen"), ("MSc", "University of Bergen"),
             ("BSc", "University of Oslo")),
    awards=(("Fram Prize", "2018"), ("Polar Medal", "2021"), ("Travel grant", "")),
    without_record=("Buoy with folding mast", "Svalbard"),
    most_unread=6,
)  # fmt: skip

NURSE: Final = Sample(
    "British, points under titles, two roles without dates",
    """\
Grace Adeyemi RN
Senior staff nurse, Bristol

Profile
I look after people on wards where every minute counts.

Employment History
Senior Staff Nurse | Southmead Hospital | Sept 2019 - present
- Leads shifts of nine nurses
- Trains new colleagues in triage

Staff Nurse | Royal Infirmary | Jan 2015 - Aug 2019
- Looked after 24 beds

Volunteering
Nurse | Festival Medical Services
Trustee, Avon Hospice

Education and Training
Postgraduate Certificate in Critical Care, University of the West of England, 2018
BSc (Hons) Adult Nursing, University of the West of England, 2014
Access to Nursing, City of Bristol College, 2011

Awards
- Nurse of the Year, Southmead Hospital, 2022
- Shortlisted for the Florence Nightingale Award, 2020

Languages
English, Yoruba

References
On request
""",
    positions=(
        ("Senior Staff Nurse", "Southmead Hospital"),
        ("Staff Nurse", "Royal Infirmary"),
        ("Nurse", "Festival Medical Services"),
        ("Trustee", "Avon Hospice"),
    ),
    degrees=(
        ("Postgraduate Certificate", "University of the West of England"),
        ("BSc (Hons)", "University of the West of England"),
        ("", "City of Bristol College"),
    ),
    awards=(("Nurse of the Year", "2022"), ("Shortlisted", "2020")),
    without_record=("Yoruba",),
    most_unread=4,
)

ENGINEER: Final = Sample(
    "American, company and city above, two degrees in one block",
    """\
DANIEL KIM
Austin, TX | daniel@example.org

WORK EXPERIENCE
Lone Star Robotics, Austin, TX
Robotics Engineer, June 2021 - Present
• Built the arm controller in Rust
• Cut the cycle time by 18%
Software Engineer, July 2018 - May 2021
• Wrote the vision pipeline

Gulf Energy, Houston, TX
Engineering Intern, Summer 2017
• Logged pump data

COMMUNITY
Mentor, FIRST Robotics, 2019 - Present
Board member, Hill Country Food Bank, 2020 - 2022

EDUCATION
University of Texas at Austin
M.S. Mechanical Engineering, May 2018
B.S. Mechanical Engineering, May 2016

HONORS
Eagle Scout 2012
Best Capstone Project, University of Texas, 2016

SECURITY CLEARANCE
Secret, granted 2020

PUBLICATIONS
Kim, D. "Soft grippers." Proc. RoboConf, 2019.
""",
    positions=(
        ("Robotics Engineer", "Lone Star Robotics"),
        ("Software Engineer", "Lone Star Robotics"),
        ("Engineering Intern", "Gulf Energy"),
        ("Mentor", "FIRST Robotics"),
        ("Board member", "Hill Country Food Bank"),
    ),
    degrees=(
        ("M.S.", "University of Texas at Austin"),
        ("B.S.", "University of Texas at Austin"),
    ),
    awards=(("Eagle Scout", "2012"), ("Best Capstone Project", "2016")),
    without_record=("Soft grippers", "Secret, granted 2020"),
    most_unread=5,
)

ACADEMIC: Final = Sample(
    "German academic, titles below, semicolons",
    """\
Dr. Tobias Falk
Historiker, Wien

Beruflicher Werdegang
Universität Wien, Institut für Geschichte
Wissenschaftlicher Mitarbeiter
Oktober 2018 bis heute
Lehre und Forschung zur Handelsgeschichte.

Museum der Stadt Linz
Ausstellungsassistent
2014 bis 2018

Studium
Doktorat Geschichte, Universität Wien, 2014 bis 2018
Magister Geschichte, Universität Graz, 2008 bis 2014
Matura, BG Rein, 2007

Preise und Stipendien
Dissertationspreis der Akademie 2019
Böhm-Stipendium 2016; Reisestipendium 2015

Publikationen
Falk, T.: Salz und Straße. Wien 2020.
Falk, T.: Der Linzer Markt. Linz 2017.

Sprachen
Deutsch, Englisch, Tschechisch
""",
    positions=(
        ("Wissenschaftlicher Mitarbeiter", "Universität Wien, Institut für Geschichte"),
        ("Ausstellungsassistent", "Museum der Stadt Linz"),
    ),
    degrees=(
        ("Doktorat", "Universität Wien"),
        ("Magister", "Universität Graz"),
        ("Matura", "BG Rein"),
    ),
    awards=(
        ("Dissertationspreis der Akademie", "2019"),
        ("Böhm-Stipendium", "2016"),
        ("Reisestipendium", "2015"),
    ),
    without_record=("Der Linzer Markt", "Tschechisch"),
    most_unread=4,
)

CARPENTER: Final = Sample(
    "German, dates alone on a line",
    """\
Lebenslauf

Persönliche Daten
Name: Thomas Brandl
Geburtsdatum: 12.03.1985
Anschrift: Lindenstraße 4, 94032 Passau

Berufliche Erfahrung
03.2019 - heute
Schreinermeister
Möbelwerk Hofer GmbH, Passau
- Planung und Bau von Einbauschränken
- Ausbildung von drei Lehrlingen

10.2012 - 02.2019
Tischlergeselle
Holzbau Inn AG, Simbach
- Fertigung von Treppen

Schul- und Berufsausbildung
2017 - 2018
Meisterprüfung im Tischlerhandwerk
Handwerkskammer Niederbayern, Passau
2009 - 2012
Ausbildung zum Tischler
Tischlerei Obermeier, Pocking
2001
Mittlere Reife
Realschule Pocking

Auszeichnungen
2018 Meisterpreis der Bayerischen Staatsregierung
2012 Innungssieger Tischler

Ehrenamtliches Engagement
seit 2015
Jugendtrainer
SV Pocking
2010 - 2014
Helfer
Technisches Hilfswerk

Sprachkenntnisse
Deutsch: Muttersprache
Englisch: gute Kenntnisse

EDV-Kenntnisse
AutoCAD, Palette CAD, MS Office

Hobbys
Bergsteigen, Imkerei
""",
    positions=(
        ("Schreinermeister", "Möbelwerk Hofer GmbH"),
        ("Tischlergeselle", "Holzbau Inn AG"),
        ("Jugendtrainer", "SV Pocking"),
        ("Helfer", "Technisches Hilfswerk"),
    ),
    degrees=(
        ("Meisterprüfung im Tischlerhandwerk", "Handwerkskammer Niederbayern"),
        ("Ausbildung zum Tischler", "Tischlerei Obermeier"),
        ("Mittlere Reife", "Realschule Pocking"),
    ),
    awards=(
        ("Meisterpreis der Bayerischen Staatsregierung", "2018"),
        ("Innungssieger Tischler", "2012"),
    ),
)

CONTROLLER: Final = Sample(
    "Swiss, bars between, dates at the right, a summary first",
    """\
Dipl.-Kffr. Nadja Wirth
Controllerin, Zürich
nadja.wirth@example.ch · +41 44 123 45 67

Kurzprofil
Controllerin mit zwölf Jahren Erfahrung im Spitalwesen.

Berufspraxis
Leiterin Controlling | Stadtspital Zürich | Zürich                 März 2021 – dato
• Verantwortlich für ein Budget von 240 Mio. Franken
• Aufbau des Berichtswesens

Controllerin | Kantonsspital Aarau | Aarau                 Januar 2014 – Februar 2021
• Kostenrechnung für neun Kliniken

Sachbearbeiterin Rechnungswesen | Gerber AG | Olten                 August 2009 – Dezember 2013

Aus- und Weiterbildung
CAS Healthcare Management | Universität Bern                 2018
Diplomstudium Betriebswirtschaft | Universität St. Gallen                 2004 – 2009
Matura | Kantonsschule Olten                 2004

Weiterbildungen und Zertifikate
Certified Controller, Controller Akademie, 2016
SAP FI/CO Anwenderin, SAP Schweiz, 2012

Freiwilligenarbeit
Kassierin | Verein Tischlein deck dich                 2016 – heute
Lesementorin | Pestalozzi-Bibliothek                 2012 – 2015

Publikationen
Wirth N. (2020): Fallkosten verstehen. Clinicum.
Wirth N. (2017): Kennzahlen im Spital. Competence.

Sprachen
Deutsch (Muttersprache), Französisch (C1), Englisch (B2)

Fähigkeiten
SAP, Power BI, VBA
""",
    positions=(
        ("Leiterin Controlling", "Stadtspital Zürich"),
        ("Controllerin", "Kantonsspital Aarau"),
        ("Sachbearbeiterin Rechnungswesen", "Gerber AG"),
        ("Kassierin", "Verein Tischlein deck dich"),
        ("Lesementorin", "Pestalozzi-Bibliothek"),
    ),
    degrees=(
        ("CAS", "Universität Bern"),
        ("Diplomstudium", "Universität St. Gallen"),
        ("Matura", "Kantonsschule Olten"),
    ),
)

WARD: Final = Sample(
    "German, employer, role and dates on lines of their own",
    """\
Kerstin Albers
Pflegefachfrau

BERUFLICHER WERDEGANG

Universitätsklinikum Kiel
Stationsleitung Intensivpflege
Seit Juli 2019
Führung von 24 Mitarbeitenden.
Einführung der digitalen Kurve.

Stellvertretende Stationsleitung
April 2015 bis Juni 2019
Dienstplanung und Praxisanleitung.

Imland Klinik Rendsburg
Gesundheits- und Krankenpflegerin
Oktober 2009 bis März 2015

AUSBILDUNG

Fachhochschule Kiel
B.A. Pflegemanagement
2012 bis 2016

Krankenpflegeschule Rendsburg
Examen Gesundheits- und Krankenpflege
2006 bis 2009

Herderschule Rendsburg
Abitur
2006

EHRENAMT

Deutsches Rotes Kreuz Kiel
Ausbilderin Erste Hilfe
2017 bis heute

Hospizverein Rendsburg
Begleiterin

PREISE

Deutscher Pflegepreis 2021
Förderpreis Praxisanleitung 2017

FORTBILDUNGEN

Praxisanleiterin, Fachhochschule Kiel, 2014
Wundexpertin ICW, Initiative Chronische Wunden, 2018

SPRACHEN

Deutsch – Muttersprache
Dänisch – B2
Englisch – B1
""",
    positions=(
        ("Stationsleitung Intensivpflege", "Universitätsklinikum Kiel"),
        ("Stellvertretende Stationsleitung", "Universitätsklinikum Kiel"),
        ("Gesundheits- und Krankenpflegerin", "Imland Klinik Rendsburg"),
        ("Ausbilderin Erste Hilfe", "Deutsches Rotes Kreuz Kiel"),
        ("Begleiterin", "Hospizverein Rendsburg"),
    ),
    degrees=(
        ("B.A.", "Fachhochschule Kiel"),
        ("Examen", "Krankenpflegeschule Rendsburg"),
        ("Abitur", "Herderschule Rendsburg"),
    ),
    awards=(
        ("Deutscher Pflegepreis", "2021"),
        ("Förderpreis Praxisanleitung", "2017"),
    ),
)


@dataclass(frozen=True)
class Columns:
    """A resume in two columns, with what is true of both."""

    left: str
    right: str
    sample: Sample


SIDEBAR: Final = Columns(
    left="""\
SKILLS
Figma, InDesign

LANGUAGES
Polish, English

EDUCATION
BA Fine Art
Academy of Fine Arts Krakow
2012 - 2015
""",
    right="""\
WORK EXPERIENCE
Illustrator, Salt Press
Jan 2018 - Present
- Drew forty covers

Assistant Editor, Nowa Gazette
2015 - 2017

VOLUNTEERING
Tutor, Night School
Gardener, Park Friends
""",
    sample=Sample(
        "sidebar",
        "",
        positions=(
            ("Illustrator", "Salt Press"),
            ("Assistant Editor", "Nowa Gazette"),
            ("Tutor", "Night School"),
            ("Gardener", "Park Friends"),
        ),
        degrees=(("BA", "Academy of Fine Arts Krakow"),),
    ),
)
GERMAN_SIDEBAR: Final = Columns(
    left="""\
Kontakt
lukas@example.org

Kenntnisse
Python, Django, Linux

Sprachen
Deutsch
Englisch

Ausbildung
B.Sc. Informatik
TU Dresden
2012 - 2016

Abitur
Gymnasium Pirna
2012
""",
    right="""\
Lukas Petzold
Softwareentwickler

Berufserfahrung
Senior Entwickler, Elbe Systems GmbH
seit 03/2020
- Betrieb einer Plattform für Fahrgastzahlen

Entwickler, Sachsen Daten AG
2016 - 2020
- Schnittstellen für Bibliotheken

Ehrenamt
Mentor, CoderDojo Dresden
2018 - 2022
Helfer, Repaircafé Pirna

Auszeichnungen
Sächsischer Digitalpreis, 2021
Jugend forscht, 2011
""",
    sample=Sample(
        "German sidebar",
        "",
        positions=(
            ("Senior Entwickler", "Elbe Systems GmbH"),
            ("Entwickler", "Sachsen Daten AG"),
            ("Mentor", "CoderDojo Dresden"),
            ("Helfer", "Repaircafé Pirna"),
        ),
        degrees=(("B.Sc.", "TU Dresden"), ("Abitur", "Gymnasium Pirna")),
        awards=(("Sächsischer Digitalpreis", "2021"), ("Jugend forscht", "2011")),
    ),
)
IN_GERMAN: Final = (GERMAN, ACADEMIC, CARPENTER, CONTROLLER, WARD)
SAMPLES: Final = (GEODESIST, DESIGNER, RESEARCHER, NURSE, ENGINEER, *IN_GERMAN)

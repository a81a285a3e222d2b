"""Resumes by rules: headings, positions, dates, studies, awards, skills, in their own words."""

import pytest

from projects.portfolio.preprocess import months
from projects.portfolio.preprocess.failures import PreprocessError
from projects.portfolio.preprocess.resume import pdf
from projects.portfolio.preprocess.resume.records import resume_of
from projects.portfolio.preprocess.resume.sections import heading_of, sections_of
from projects.portfolio.preprocess.resume.wording import contacts_in
from tests.portfolio.sources import RESUME, pdf_of


def records(text: str, kind: str) -> list:
    return [one for one in resume_of(sections_of(text)).records if one.kind == kind]


@pytest.mark.parametrize(
    ("told", "start", "end", "is_current"),
    [
        ("Jan 2022 – Present", "2022-01", "", True),
        ("03/2020 – 12/2021", "2020-03", "2021-12", False),
        ("2019-06 to 2019-08", "2019-06", "2019-08", False),
        ("Jun – Aug 2019", "2019-06", "2019-08", False),
        ("September 2014 - June 2019", "2014-09", "2019-06", False),
        ("2016—2018", "2016", "2018", False),
        ("Summer 2019 - Fall 2020", "2019-06", "2020-11", False),
        ("Sept. 2020 until now", "2020-09", "", True),
        ("since March 2021", "2021-03", "", True),
        ("05.2018 - 07.2019", "2018-05", "2019-07", False),
    ],
)
def test_spans_are_read_as_people_write_them(told, start, end, is_current):
    span = months.find_span(f"Acme Corp, {told}")
    assert (span.start, span.end, span.is_current) == (start, end, is_current)


@pytest.mark.parametrize(
    "told", ["grew sales by 2000 to 3000", "call 030 2019", "Windows 2000", "2021 to 2019"]
)
def test_other_numbers_are_no_spans(told):
    span = months.find_span(told)
    assert span is None or not (span.start and span.end)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("PROFESSIONAL EXPERIENCE", "experience"),
        ("E D U C A T I O N", "education"),
        ("Awards & Honors:", "awards"),
        ("— Technical Skills —", "skills"),
        ("Work", "experience"),
        ("Working with people is my skill", None),
        ("• Education", None),
        ("Acme Corp", None),
    ],
)
def test_headings_are_told_from_lines(line, kind):
    assert heading_of(line) == kind


def test_a_pdf_gives_its_lines_compressed_or_not():
    for compress in (True, False):
        text = pdf.text_of(pdf_of(RESUME, compress=compress))
        assert "PROFESSIONAL EXPERIENCE" in text.splitlines()
        assert [one.company for one in records(text, "experience")] == [
            "Acme Corp",
            "BigCo",
            "StartupCo",
        ]


@pytest.mark.parametrize("cut", [40, 200, 700])
def test_a_broken_pdf_is_a_clear_error(cut):
    with pytest.raises(PreprocessError, match=r"PREPROCESS_PDF_(?:UNREADABLE|EMPTY)"):
        pdf.text_of(pdf_of(RESUME)[:cut])


def test_positions_keep_their_words():
    acme, bigco, startup = records(RESUME, "experience")
    assert (acme.title, acme.location, acme.is_current) == (
        "Senior Software Engineer",
        "Stockholm, Sweden",
        True,
    )
    assert acme.bullets[0].endswith("used by 2 million customers in nine countries.")
    assert acme.bullets[1:] == ["Led a team of four; cut deploy time by 60%."]
    assert acme.skills == ["Go", "Kubernetes", "gRPC", "PostgreSQL"]
    assert (bigco.title, bigco.location, bigco.dates.end) == (
        "Software Engineer",
        "Remote",
        "2021-12",
    )
    assert (startup.experience_type, startup.title) == ("internship", "Software Engineering Intern")
    assert startup.location == "Berlin"


def test_two_positions_at_one_company_share_its_name():
    text = """Experience
Harbour Museum, Copenhagen, Denmark
Senior Exhibition Designer    2021 – present
• Built a travelling exhibition.
Exhibition Designer    2018 – 2021
• Drew wayfinding for two floors.
"""
    first, second = records(text, "experience")
    assert (first.company, first.title) == ("Harbour Museum", "Senior Exhibition Designer")
    assert (second.company, second.title) == ("Harbour Museum", "Exhibition Designer")
    assert first.id != second.id


def test_title_first_and_company_first_are_both_understood():
    text = """Employment
Lead Designer at Northwind Studio (2020-01 to 2022-06), London
• Ran the studio.
Freelance Illustrator, 2015 – 2019
• Drew 40 book covers.
Volunteer mentor — Code Club | 2016 – 2017
• Taught children.
Globex Inc.                             Remote
Contract Developer                      2018
• Built a shop.
"""
    lead, free, club, globex = records(text, "experience")
    assert (globex.company, globex.experience_type) == ("Globex Inc.", "contract")
    assert (globex.dates.start, globex.dates.end) == ("2018", "2018")
    assert (lead.company, lead.title, lead.location) == (
        "Northwind Studio",
        "Lead Designer",
        "London",
    )
    assert (free.company, free.experience_type) == ("Freelance", "freelance")
    assert (club.company, club.experience_type) == ("Code Club", "other")


def test_studies_of_several_forms():
    text = """Education
Ph.D. in Marine Biology, University of Bergen, Norway, 2016 – 2020
BA Graphic Design
Royal College of Art, London, 2014
"""
    first, second = records(text, "education")
    assert (first.degree, first.field, first.institution) == (
        "Ph.D.",
        "Marine Biology",
        "University of Bergen",
    )
    assert (second.institution, second.dates.end) == ("Royal College of Art", "2014")
    assert second.degree == "BA"


def test_skills_have_the_category_of_their_line_or_their_name():
    found = {one.name: one.category for one in records(RESUME, "skill")}
    assert found == {
        "Go": "language", "Python": "language", "TypeScript": "language", "C++": "language",
        "Docker": "tool", "Terraform": "tool", "Figma": "tool",
    }  # fmt: skip


def test_contacts_are_found_and_years_are_not():
    text = "mara@example.org | +46 70 123 45 67 | 2019 – 2021 | 01.02.2020"
    assert contacts_in(text) == ["mara@example.org", "+46 70 123 45 67"]


def test_points_without_their_signs_are_points_still():
    """Browsers print lists without a sign that could be read, and tables without colons."""
    text = """E X P E R I E N C E
Art Director, Northwind Studio Mar 2019 – Present
Leeds, UK
Led the identity of the Harbour Festival, seen by 120,000 visitors over four years, from poster
to wayfinding.
Taught juniors letterpress and Figma.
Junior Designer — Paper & Co. 2016 – 2019
Packaging for eleven breweries.
Education
University of the Arts London 2013 – 2016
BA (Hons) Graphic Design
Skills
Software Figma, InDesign
Awards
2022 — Print Prize, Northern Design Guild
"""
    director, junior = records(text, "experience")
    assert (director.company, director.location) == ("Northwind Studio", "Leeds, UK")
    assert director.bullets[1] == "Taught juniors letterpress and Figma."
    assert (junior.company, junior.summary) == ("Paper & Co.", "Packaging for eleven breweries.")
    (study,) = records(text, "education")
    assert (study.degree, study.field) == ("BA (Hons)", "Graphic Design")
    assert [one.name for one in records(text, "skill")] == ["Figma", "InDesign"]
    assert [(one.title, one.date) for one in records(text, "award")] == [("Print Prize", "2022")]

"""What must hold before anything is stored; each fault is an error (spec 3, 3.6.4)."""

from __future__ import annotations

from collections.abc import Sequence

from projects.portfolio.corpus import Corpus
from projects.portfolio.documents import Doc
from projects.portfolio.index.building import Vectors, missing
from projects.portfolio.intake.failures import Code, PreprocessError
from projects.portfolio.models import IndexBuild, Portfolio


def check_corpora(corpus: Corpus) -> None:
    """All three corpora are there. Raises PreprocessError."""
    if not corpus.projects:
        raise PreprocessError(
            Code.NO_PROJECTS, "no projects were found. Add repositories to the list."
        )
    if not corpus.resume:
        raise PreprocessError(
            Code.NO_RESUME,
            "no records were found in the resume. It needs headings such as “Experience” and "
            "“Education”.",
        )
    if corpus.profile is None:
        raise PreprocessError(
            Code.PROFILE_REQUIRED, "a profile is required. Write one in the file that is named."
        )


def check_links(corpus: Corpus) -> None:
    """Every linked project is one of the corpus. Raises PreprocessError."""
    known = {one.id for one in corpus.projects}
    strange = sorted({one for exp in corpus.experiences for one in exp.linked_projects} - known)
    if strange:
        raise PreprocessError(
            Code.INVALID_LINKS, f"linked projects that are not there: {', '.join(strange)}."
        )


def check_vectors(portfolio: Portfolio | None, docs: Sequence[Doc], vectors: Vectors) -> None:
    """Every document has its vector, of the size its space had before. Raises PreprocessError."""
    if absent := missing(docs, vectors):
        raise PreprocessError(
            Code.INCOMPLETE_EMBEDDINGS,
            f"{len(absent)} documents have no vector, such as {absent[0]}.",
        )
    before = portfolio and IndexBuild.objects.filter(portfolio=portfolio, is_active=True).first()
    is_same_space = before and before.space == vectors.space and before.dimension
    if before and is_same_space and vectors.dimension and before.dimension != vectors.dimension:
        raise PreprocessError(
            Code.EMBED_DIMENSION_MISMATCH,
            f"{vectors.space} gave vectors of {vectors.dimension} numbers, before it gave "
            f"{before.dimension}. Name another embedding model.",
        )

"""Takes the text out of a document in a process of its own, which may not take long or grow large.

    python -m projects.portfolio.intake.sandbox < resume.pdf

The library reads what strangers made: a loop in it, or a file that unpacks without end, ends with
the child and touches nobody else.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from typing import Any, Final

from django.conf import settings

from projects.portfolio.intake import docx, pdf
from projects.portfolio.intake.failures import Code, PreprocessError

DEADLINE_S: Final = 20.0
MEMORY_BYTES: Final = 768 * 1024 * 1024
ANSWER_BYTES: Final = 4 * pdf.CHARS + 10_000


def text_apart(content: bytes, name: str = "the resume", *, deadline_s: float = DEADLINE_S) -> str:
    """The words of a document. Raises PreprocessError: unreadable, too slow, without text."""
    if len(content) > pdf.LARGEST_BYTES:
        raise PreprocessError(
            Code.PDF_UNREADABLE, f"{name} is larger than {pdf.LARGEST_BYTES // 10**6} MB."
        )
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", __name__, str(int(deadline_s) + 1)],
            input=content,
            capture_output=True,
            timeout=deadline_s,
            check=False,
            cwd=settings.BASE_DIR,
            env={"PYTHONIOENCODING": "utf-8", "DJANGO_SETTINGS_MODULE": ""},
        )
    except subprocess.TimeoutExpired as error:
        raise PreprocessError(
            Code.PDF_UNREADABLE,
            f"{name} took longer than {deadline_s:.0f} seconds to read. Save it anew from your "
            "word processor, or paste its text.",
        ) from error
    answer = _answer(done)
    if answer is None:
        raise PreprocessError(
            Code.PDF_UNREADABLE,
            f"{name} cannot be read: reading it broke off. Save it anew from your word "
            "processor, or paste its text.",
        )
    if "code" in answer:
        reason = str(answer["reason"]).replace("the resume", name, 1)
        raise PreprocessError(Code(answer["code"]), reason)
    return str(answer["text"])


def _answer(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any] | None:
    if done.returncode != 0 or len(done.stdout) > 2 * ANSWER_BYTES:
        return None
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def text_of(content: bytes, name: str = "the resume") -> str:
    """The words of a PDF or a Word document, told by what is in it. Raises PreprocessError."""
    if content.startswith(b"PK"):
        return docx.text_of(content, name)
    return pdf.text_of(content, name)


def main() -> None:
    """Reads standard input, writes `{"text"}` or `{"code", "reason"}`; limits first."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else int(DEADLINE_S)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    content = sys.stdin.buffer.read(pdf.LARGEST_BYTES + 1)
    try:
        answer = {"text": text_of(content)}
    except PreprocessError as error:
        answer = {"code": error.failure.value, "reason": error.reason}
    except MemoryError:
        answer = {
            "code": Code.PDF_UNREADABLE.value,
            "reason": "the resume unpacks to far more than a resume holds.",
        }
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()

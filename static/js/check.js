// The check page: a record is marked in the source while one is at it, and words selected in the
// source are taken over as the words of a new record. The page works without.
const page = document.querySelector("[data-check]");

function mark(draft, on) {
  const place = page.querySelector(`#s-${draft.dataset.draft}`);
  place?.classList.toggle("check__mark--on", on);
  if (on && place && matchMedia("(min-width: 60rem)").matches) {
    const text = place.closest(".check__text");
    text.scrollTop += place.getBoundingClientRect().top - text.getBoundingClientRect().top - 80;
  }
}

if (page) {
  // on a phone the records come first; the source is one tap away
  if (matchMedia("(max-width: 59.99rem)").matches) page.querySelector(".check__source").open = false;
  for (const draft of page.querySelectorAll("[data-draft]")) {
    draft.addEventListener("focusin", () => mark(draft, true));
    draft.addEventListener("focusout", () => mark(draft, false));
    draft.addEventListener("mouseenter", () => mark(draft, true));
    draft.addEventListener("mouseleave", () => mark(draft, false));
  }
  for (const link of page.querySelectorAll('[href^="#s-"]')) {
    link.addEventListener("click", () => (page.querySelector(".check__source").open = true));
  }
  page.querySelector(".check__text").addEventListener("click", (event) => {
    const link = event.target.closest(".check__mark");
    const opened = link && page.querySelector(`${link.getAttribute("href")} > details`);
    if (opened) opened.open = true;
  });
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    const text = page.querySelector(".check__text");
    if (!selection.isCollapsed && text.contains(selection.anchorNode)) {
      page.querySelector("[data-quote]").value = selection.toString().trim();
    }
  });
}

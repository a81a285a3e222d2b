// The check page: a record is marked in the source while one is at it, and words selected in the
// source are taken over as the words of a new record. Before a button leads away, what was typed in
// the records is saved. The page works without.
const page = document.querySelector("[data-check]");
const given = new Map(); // the form of a record -> its values as the page came
let isSaving = false;
let isSaved = false; // what is submitted now is the button that was waiting

const values = (form) => new URLSearchParams(new FormData(form)).toString();

function isUnsaved(form) {
  return values(form) !== given.get(form) || form.querySelector("[aria-invalid=true]");
}

/* A form that is refused goes the usual way, last: the page comes back and says what is wrong. */
async function saveFirst(forms, form, button) {
  isSaving = true;
  let refused = null;
  for (const unsaved of forms) {
    const body = new URLSearchParams(`${values(unsaved)}&do=save`);
    const answer = await fetch(unsaved.action, { method: "POST", body, redirect: "manual" }).catch(
      () => null,
    );
    if (answer?.type === "opaqueredirect") given.set(unsaved, values(unsaved));
    else refused ??= unsaved;
  }
  isSaving = false;
  isSaved = true;
  if (refused) refused.requestSubmit(refused.querySelector("[value=save]"));
  else form.requestSubmit(button);
  isSaved = false;
}

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
    const form = draft.querySelector("form");
    given.set(form, values(form));
    draft.addEventListener("focusin", () => mark(draft, true));
    draft.addEventListener("focusout", () => mark(draft, false));
    draft.addEventListener("mouseenter", () => mark(draft, true));
    draft.addEventListener("mouseleave", () => mark(draft, false));
  }
  for (const link of page.querySelectorAll('[href^="#s-"]')) {
    link.addEventListener("click", () => (page.querySelector(".check__source").open = true));
  }
  page.addEventListener("click", (event) => {
    const link = event.target.closest('[href^="#d-"]');
    const opened = link && page.querySelector(`${link.getAttribute("href")} > details`);
    if (opened) opened.open = true;
  });
  page.addEventListener("submit", (event) => {
    if (isSaved) return;
    const { target: form, submitter: button } = event;
    const isOwn = ["save", "remove"].includes(button?.value);
    const unsaved = [...given.keys()].filter((one) => !(isOwn && one === form) && isUnsaved(one));
    if (unsaved.length || isSaving) event.preventDefault();
    if (unsaved.length && !isSaving) saveFirst(unsaved, form, button);
  });
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    const text = page.querySelector(".check__text");
    if (!selection.isCollapsed && text.contains(selection.anchorNode)) {
      page.querySelector("[data-quote]").value = selection.toString().trim();
    }
  });
}

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

/* A record that is refused comes back in its own place: the others keep what is typed in them. */
function takeBack(draft, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(draft.id);
  if (!fresh) return;
  given.delete(draft.querySelector("form"));
  draft.replaceWith(fresh);
  watch(fresh);
}

async function saveFirst(forms, form, button) {
  isSaving = true;
  let failed = null;
  const refused = [];
  for (const unsaved of forms) {
    const draft = unsaved.closest("[data-draft]");
    const body = new URLSearchParams(`${values(unsaved)}&do=save`);
    const answer = await fetch(unsaved.action, { method: "POST", body, redirect: "manual" }).catch(
      () => null,
    );
    if (answer?.type === "opaqueredirect") given.set(unsaved, values(unsaved));
    else if (answer?.status === 422) refused.push([draft, await answer.text()]);
    else failed ??= unsaved;
  }
  for (const [draft, html] of refused) takeBack(draft, html);
  isSaving = false;
  if (refused.length) {
    page.querySelector("[data-draft] [aria-invalid=true]")?.focus();
    return;
  }
  isSaved = true;
  if (failed) failed.requestSubmit(failed.querySelector("[value=save]"));
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

function watch(draft) {
  const form = draft.querySelector("form");
  given.set(form, values(form));
  draft.addEventListener("focusin", () => mark(draft, true));
  draft.addEventListener("focusout", () => mark(draft, false));
  draft.addEventListener("mouseenter", () => mark(draft, true));
  draft.addEventListener("mouseleave", () => mark(draft, false));
}

if (page) {
  // on a phone the records come first; the source is one tap away
  if (matchMedia("(max-width: 59.99rem)").matches) page.querySelector(".check__source").open = false;
  page.querySelectorAll("[data-draft]").forEach(watch);
  page.addEventListener("click", (event) => {
    if (event.target.closest('[href^="#s-"]')) page.querySelector(".check__source").open = true;
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

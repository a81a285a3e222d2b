/* The list of conversations: its marks stay fresh while somebody looks, Escape leaves a title. */
const BUSY_MS = 3000; // while something is being answered
const QUIET_MS = 15000;
const MAX_ROWS = 30; // as many as the server looks up at once

const place = document.querySelector("[data-sessions]");
let timer;

const visibleRows = () => [...document.querySelectorAll("[data-row]:has(.talk-row__marks)")];
const isBusy = () => Boolean(document.querySelector('[data-work="running"], [data-work="queued"]'));

function later() {
  clearTimeout(timer);
  timer = setTimeout(look, isBusy() ? BUSY_MS : QUIET_MS);
}

/* What came is swapped in by htmx; a row that is gone or being named meanwhile is left alone. */
async function look() {
  const rows = visibleRows().slice(0, MAX_ROWS);
  if (document.hidden || rows.length === 0) {
    later();
    return;
  }
  const query = new URLSearchParams({
    ids: rows.map((row) => row.dataset.row).join(","),
    have: document.getElementById("marks")?.dataset.have ?? "",
  });
  try {
    const answer = await fetch(`${place.dataset.sessions}?${query}`, { headers: { "HX-Request": "true" } });
    if (answer.status === 200) take(await answer.text());
  } catch {
    /* the line is down: the next look tries again */
  }
  later();
}

function take(html) {
  const came = new DOMParser().parseFromString(html, "text/html");
  for (const fresh of [...came.body.children]) {
    const old = document.getElementById(fresh.id);
    fresh.removeAttribute("hx-swap-oob");
    if (old && !old.contains(document.activeElement)) old.replaceWith(fresh);
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) look();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  event.target.closest("form.talk-row__naming")?.querySelector("[data-cancel]")?.click();
});
/* A list that came by the search or from further down is looked at anew. */
document.addEventListener("htmx:afterSettle", later);
if (place) later();

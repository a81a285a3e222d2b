/* Waiting for a rate. A `[data-wait]` says how long in its words and counts down; the event
   `futura:wait` with seconds starts it, `futura:waited` tells the end. Meanwhile it has `data-left`,
   and what sends in its form is off. It is read aloud at the start, near the end and at the end. */
const SAID_AT = new Set([30, 10]);

const clock = (seconds) => {
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
};

function senders(place) {
  const form = place.closest("form") ?? document.getElementById(place.dataset.waitFor);
  return form ? [...form.querySelectorAll("[type=submit]:not([formnovalidate])")] : [];
}

function turn(place, off) {
  for (const button of senders(place)) {
    if (off) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

function begin(place, seconds) {
  const end = performance.now() + seconds * 1000; // a clock that sleep and time zones do not move
  const digits = place.querySelector("[data-wait-shown]");
  const status = place.querySelector("[data-wait-told]");
  const isFirst = !place.dataset.left;
  place.dataset.until = end;
  const words = (left) => place.dataset.words.replace("{time}", clock(left));

  function show() {
    const left = Math.max(0, Math.ceil((Number(place.dataset.until) - performance.now()) / 1000));
    if (String(left) === place.dataset.left) return left;
    place.dataset.left = left;
    digits.textContent = words(left);
    if (SAID_AT.has(left)) status.textContent = words(left);
    return left;
  }

  place.hidden = false;
  turn(place, true);
  status.textContent = words(show());
  if (!isFirst) return; // one clock is running already, to the new end
  const timer = setInterval(() => {
    if (show() > 0) return;
    clearInterval(timer);
    over(place, digits, status);
  }, 200);
}

function over(place, digits, status) {
  delete place.dataset.left;
  turn(place, false);
  digits.textContent = place.dataset.now;
  status.textContent = place.dataset.now;
  place.dispatchEvent(new CustomEvent("futura:waited", { bubbles: true }));
}

document.addEventListener("futura:wait", ({ target, detail }) => begin(target, detail.seconds));

/* A form that may not be sent yet keeps what is in it. */
document.addEventListener("submit", (event) => {
  if (event.submitter?.getAttribute("aria-disabled") === "true") event.preventDefault();
}, true);

for (const place of document.querySelectorAll("[data-wait]")) {
  if (Number(place.dataset.wait) > 0) begin(place, Number(place.dataset.wait));
}

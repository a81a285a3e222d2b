/* Tells the server in which time zone this device is, when that is news: days begin there. */
const NAME = "futura_zone";
const YEAR_S = 400 * 24 * 3600;

const kept = document.cookie
  .split("; ")
  .find((one) => one.startsWith(`${NAME}=`))
  ?.slice(NAME.length + 1)
  .replaceAll('"', "");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (here && kept !== here) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${NAME}=${here}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`;
  const headers = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  fetch("/chat/zone/told", { method: "POST", headers, body: new URLSearchParams({ zone: here }) })
    .then((answer) => {
      if (answer.ok) document.dispatchEvent(new CustomEvent("zone-told", { bubbles: true }));
    })
    .catch(() => {
      /* the cookie says it with the next request */
    });
}

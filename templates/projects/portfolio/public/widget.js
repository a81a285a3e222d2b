/* Ask a portfolio from any page: a button that opens the conversation in a frame. Sets no cookie,
   reads nothing of the page it stands in. */
(() => {
  const told = {{ settings|safe }};
  const script = document.currentScript;
  const frame = document.createElement("iframe");
  const button = document.createElement("button");
  const set = (element, styles) => Object.assign(element.style, styles);

  frame.title = told.open;
  frame.referrerPolicy = "no-referrer";
  button.type = "button";
  button.textContent = told.open;
  set(frame, { border: "1px solid #8888", borderRadius: "12px", background: "Canvas", width: "100%" });

  if (script?.dataset.as === "inline") {
    frame.src = told.frame;
    set(frame, { height: script.dataset.height || "34rem" });
    script.after(frame);
    return;
  }

  const box = document.createElement("div");
  set(box, { position: "fixed", right: "1rem", bottom: "1rem", zIndex: "2147483000", display: "grid",
    gap: ".5rem", justifyItems: "end", width: "min(26rem, calc(100vw - 2rem))", pointerEvents: "none" });
  set(button, { font: "500 1rem/1.2 system-ui, sans-serif", padding: ".75rem 1.1rem", color: "#fff",
    background: "#0b5a66", border: "0", borderRadius: "999px", cursor: "pointer", pointerEvents: "auto" });
  set(frame, { height: "min(38rem, calc(100dvh - 6rem))", display: "none", pointerEvents: "auto" });
  button.setAttribute("aria-expanded", "false");
  const isOpen = () => frame.style.display !== "none";
  const show = (opens) => {
    if (!frame.src) frame.src = told.frame;
    frame.style.display = opens ? "block" : "none";
    button.textContent = opens ? told.close : told.open;
    button.setAttribute("aria-expanded", String(opens));
  };
  button.addEventListener("click", () => show(!isOpen()));
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || data !== "futura:close" || !isOpen()) return;
    show(false);
    button.focus();
  });
  box.append(frame, button);
  document.body.append(box);
})();

/* What is wrong with the layout of the page as it stands: a list of lines, empty when all is well. */
() => {
  const TEXTS = "a, button, label, summary, th, dt, h1, h2, h3, .tag, .badge";
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const faults = [];
  const width = document.documentElement.clientWidth;
  const called = (one) => {
    const text = (one.innerText || one.value || one.getAttribute("aria-label") || "").trim();
    const name = one.tagName.toLowerCase() + (one.classList.length ? `.${one.classList[0]}` : "");
    return `${name} “${text.replace(/\s+/g, " ").slice(0, 50)}”`;
  };
  const shown = (one) => {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = one.getBoundingClientRect();
    return box.width > 2 && box.height > 2;
  };
  const ancestors = function* (one) {
    for (let at = one.parentElement; at; at = at.parentElement) yield at;
  };
  const clips = (one, side) => ["hidden", "clip"].includes(getComputedStyle(one)[`overflow${side}`]);
  const scrolls = (one, side) => ["auto", "scroll"].includes(getComputedStyle(one)[`overflow${side}`]);

  if (document.documentElement.scrollWidth > width) {
    faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  for (const one of document.body.querySelectorAll("*")) {
    if (one.closest("svg, .visually-hidden, .skip, .table--fold thead") || !shown(one)) continue;
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    const inScroller = [...ancestors(one)].some((at) => scrolls(at, "X"));
    if ((box.right > width + 1 || box.left < -1) && !inScroller) {
      faults.push(`sticks out: ${called(one)}`);
    }
    const wide = one.scrollWidth - one.clientWidth, high = one.scrollHeight - one.clientHeight;
    const holds = one.clientWidth > 0 && !one.matches("input, select, textarea, option");
    const isShort = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    if (holds && wide > 1 && (clips(one, "X") ? !isShort : one.matches(TEXTS) && !scrolls(one, "X"))) {
      faults.push(`cut at its side by ${wide} px: ${called(one)}`);
    }
    if (holds && high > 2 && clips(one, "Y") && !isShort && style.overflowX !== "visible") {
      if (!one.matches(".fill, body, html")) faults.push(`cut below by ${high} px: ${called(one)}`);
    }
    if (one.matches("button, nav a, label, .tabs a") && isShort && wide > 1) {
      faults.push(`shortened: ${called(one)}`);
    }
  }
  const floor = (one) => [one, ...ancestors(one)].find(
    (at) => ["fixed", "sticky", "absolute"].includes(getComputedStyle(at).position) &&
      !at.matches("input"),
  );
  const controls = [...document.body.querySelectorAll(CONTROLS)].filter(
    (one) => shown(one) && !one.closest(".visually-hidden, .skip, [inert]"),
  );
  const boxes = controls.map((one) => ({
    one, floor: floor(one), rects: [...one.getClientRects()].filter((r) => r.width && r.height),
    scroller: [...ancestors(one)].find((at) => scrolls(at, "Y") || scrolls(at, "X")),
  }));
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  boxes.forEach((a, index) => {
    for (const b of boxes.slice(index + 1)) {
      if (a.floor !== b.floor || a.scroller !== b.scroller) continue;
      if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
      if (a.one.closest("label")?.contains(b.one)) continue;
      if (a.rects.some((one) => b.rects.some((other) => meet(one, other)))) {
        faults.push(`overlap: ${called(a.one)} and ${called(b.one)}`);
      }
    }
  });
  return faults;
}

/* Every text that the page shows or reads out, without what a person typed. */
() => {
  const OWN = "script, style, template, textarea, code, kbd, mark, .brand, .initials, .talk-row__words," +
    " body [lang]";
  const texts = new Set();
  const isShown = (one) => one.checkVisibility() || one.closest(".visually-hidden");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest(OWN) && isShown(parent)) {
      texts.add(walker.currentNode.textContent.replace(/\s+/g, " ").trim());
    }
  }
  for (const one of document.body.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      if (one.getAttribute(name) && isShown(one)) texts.add(one.getAttribute(name).trim());
    }
  }
  texts.add(document.title.replace(/ · Futura$/, ""));
  return [...texts];
}

/* The reader's choice of theme; without it the system decides. Runs before the first paint. */
(() => {
  const root = document.documentElement;
  root.dataset.js = "";
  const read = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem("theme", theme);
    } catch {
      /* a browser without storage forgets */
    }
  };
  const kept = read();
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-toggle]")) return;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    keep(root.dataset.theme);
  });
})();

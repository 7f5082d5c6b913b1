// Before the first paint: the colours that this viewer chose, else those of the system. A file, because the page's policy
// allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("edgefleet-colour-scheme");
  } catch (_) {
    chosen = null; // storage is off: follow the system
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();

// Before the first paint: the theme that was chosen here before, else the system's.
"use strict";
(() => {
  const kept = localStorage.getItem("openspade-theme");
  if (kept) document.documentElement.dataset.theme = kept;
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      localStorage.setItem("openspade-theme", root.dataset.theme);
      document.dispatchEvent(new Event("themechange"));
    });
    // The token boxes: what colours mean is chosen by the box's own class.
    document.addEventListener("change", (event) => {
      const mode = event.target.dataset && event.target.dataset.mode;
      if (mode) event.target.closest(".tokens-box").dataset.mode = mode;
    });
    // "/" jumps to the filter, as in most lists.
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, textarea, select");
      const search = document.querySelector('input[type="search"]');
      if (event.key === "/" && !typing && search) { event.preventDefault(); search.focus(); }
    });
  });
})();

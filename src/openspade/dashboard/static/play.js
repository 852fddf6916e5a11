// A tool's name puts its call where the person types.
"use strict";
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-insert]");
  const field = document.getElementById("said");
  if (!button || !field) return;
  const before = field.value && !field.value.endsWith("\n") ? field.value + "\n" : field.value;
  field.value = before + button.dataset.insert;
  field.focus();
  const gap = field.value.indexOf("=", before.length) + 1 || field.value.length;
  field.setSelectionRange(gap, gap);
});
document.addEventListener("keydown", (event) => {
  if (event.target.id === "said" && event.target.tagName === "TEXTAREA" && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});
document.addEventListener("htmx:afterSettle", () => {
  const field = document.getElementById("said");
  (field || document.querySelector(".ending"))?.scrollIntoView({ block: "nearest" });
  field?.focus({ preventScroll: true });
});

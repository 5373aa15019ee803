"use strict";
const rows = [...document.querySelectorAll("table.records tbody tr")];
const texts = rows.map((row) => row.textContent.toLowerCase());
const field = (name) => document.getElementById(name);
function show() {
  const words = field("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const decision = field("decision").value, kind = field("kind").value, found = field("found").checked;
  let shown = 0;
  rows.forEach((row, place) => {
    const fits = (!decision || row.dataset.decision === decision) && (!kind || row.dataset.kind === kind)
      && (!found || row.dataset.found === "1") && words.every((word) => texts[place].includes(word));
    row.hidden = !fits;
    shown += fits;
  });
  field("count").textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
}
field("filter").addEventListener("input", show);
field("filter").addEventListener("submit", (event) => event.preventDefault());

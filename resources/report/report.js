"use strict";
// Tables of a report. A click or Return on a header sorts, once more turns the order round, a third time brings the first one
// back; a field above a long table leaves the rows that have all of its words.

// A number as the pages write it: "−1.5", "≈41.2", with a star, "1.2×10" with a raised exponent, "99 %", "1 450 407", "∞"; "least" among
// multiples of it.
function numberOf(text) {
  const plain = text.replace(/−/g, "-").replace(/[\u2605≈\s\u202f\u00a0]/g, "").replace(/^least$/, "1");
  const parts = /^(-?)(∞|\d+(?:\.\d+)?)(?:×10(-?\d+))?/.exec(plain);
  if (!parts) return null;
  const magnitude = parts[2] === "∞" ? Infinity : Number(parts[2] + "e" + (parts[3] || "0"));
  return parts[1] ? -magnitude : magnitude;
}

// Numbers before texts, empty cells and dashes last in either order.
function compare(a, b, isNumeric, sign) {
  const [left, right] = isNumeric ? [numberOf(a), numberOf(b)] : [a, b];
  const isMissing = value => value === null || value === "" || value === "–";
  if (isMissing(left) || isMissing(right)) return isMissing(left) - isMissing(right);
  if (isNumeric) return left === right ? 0 : left < right ? -sign : sign;
  return sign * left.localeCompare(right, "en", { numeric: true });
}

function sortable(table, rows) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const next = { ascending: "descending", descending: "" }[head.ariaSort] ?? "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      if (next) head.setAttribute("aria-sort", next);
      const isNumeric = head.classList.contains("n");
      const sign = next === "descending" ? -1 : 1;
      const textOf = row => row.cells[column].textContent.trim();
      body.append(...(next ? [...rows].sort((a, b) => compare(textOf(a), textOf(b), isNumeric, sign)) : rows));
    });
  });
}

function filtered(table, rows) {
  const line = document.createElement("p");
  line.className = "filter";
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "filter";
  field.setAttribute("aria-label", "Rows that have these words");
  const state = document.createElement("span");
  state.className = "quiet";
  state.setAttribute("role", "status");
  line.append(field, " ", state);
  table.parentElement.before(line);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
    const left = rows.filter(row => !row.hidden).length;
    state.textContent = left === rows.length ? "" : `${left} of ${rows.length} rows`;
  });
}

const longTable = 20;
for (const table of document.querySelectorAll("table")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length > 1) sortable(table, rows);
  if (rows.length >= longTable) filtered(table, rows);
}

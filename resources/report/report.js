"use strict";
// Tables of a report: a click or Return on a header sorts, once more turns the order round, a third time brings the first one
// back; a field above a long table leaves the rows that have all of its words. Plots: the numbers of the bin or point under the
// pointer, or under a cursor that arrow keys move, stand below; an entry of the legend hides its lines, and shows them again.

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

const quietHint = "Numbers: point at the plot, or move along it with the arrow keys.";

// Six digits, as far as they say anything.
function written(value) {
  if (typeof value !== "number") return value;
  return (Number.isSafeInteger(value) ? value.toLocaleString("en").replace(/,/g, "\u202f") : String(Number(value.toPrecision(6)))).replace("-", "−");
}

function explorable(svg) {
  const { columns, x } = JSON.parse(svg.dataset.numbers);
  const [left, top, width, height] = svg.dataset.area.split(" ").map(Number);
  // Of the rows in view, from left to right.
  const rows = [...x.keys()].filter(row => x[row] >= left && x[row] <= left + width).sort((a, b) => x[a] - x[b]);
  if (!rows.length) return;
  const add = (name, attributes) => {
    const shape = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    svg.append(shape);
    return shape;
  };
  const cursor = add("path", { class: "cursor" });
  const field = add("rect", { class: "field", x: left, y: top, width, height, tabindex: 0, role: "slider", "aria-label": "Numbers of the plot",
    "aria-valuemin": 1, "aria-valuemax": rows.length, "aria-valuenow": 1 });
  const line = document.createElement("output");
  const fewColumns = 4;
  line.classList.toggle("tall", columns.length > fewColumns);
  svg.parentElement.after(line);
  const totals = columns.map(column => column.counts ? column.values.reduce((sum, value) => sum + value, 0) : 0);
  // Where a curve has no trial there, its nearest one, if that is as good as there.
  const near = (column, row) => rows.filter(other => column.values[other] !== null && Math.abs(x[other] - x[row]) < 3)
    .sort((a, b) => Math.abs(x[a] - x[row]) - Math.abs(x[b] - x[row]))[0];
  const sentence = row => columns.map(column => [column, column.values[row] === null ? near(column, row) : row]).filter(([, at]) => at !== undefined)
    .map(([column, at]) => {
      const value = column.values[at];
      const share = column.counts ? ` (${written(Number((100 * value / totals[columns.indexOf(column)]).toPrecision(3)))}\u202f%)` : "";
      return `${column.title} ${written(value)}${share}${at === row ? "" : ` at ${written(columns[0].values[at])}`}`;
    }).join(" · ");
  let place = 0;
  const clear = () => {
    cursor.removeAttribute("d");
    line.classList.remove("on");
    line.textContent = quietHint;
  };
  const show = wanted => {
    place = Math.min(Math.max(wanted, 0), rows.length - 1);
    cursor.setAttribute("d", `M${x[rows[place]]} ${top}v${height}`);
    line.classList.add("on");
    line.textContent = sentence(rows[place]);
    field.setAttribute("aria-valuenow", place + 1);
    field.setAttribute("aria-valuetext", line.textContent);
  };
  const point = event => {
    const box = field.getBoundingClientRect();
    const at = left + (event.clientX - box.left) * width / box.width;
    show(rows.reduce((best, row, index) => Math.abs(x[row] - at) < Math.abs(x[rows[best]] - at) ? index : best, 0));
  };
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -Math.ceil(rows.length / 20), PageUp: Math.ceil(rows.length / 20),
    Home: -rows.length, End: rows.length };
  field.addEventListener("pointermove", point);
  field.addEventListener("pointerdown", point);
  field.addEventListener("pointerleave", () => document.activeElement === field || clear());
  field.addEventListener("focus", () => show(place));
  field.addEventListener("blur", clear);
  field.addEventListener("keydown", event => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    show(place + steps[event.key]);
  });
  clear();
}

// Entries of a legend as check boxes of what they name.
function toggled(svg) {
  svg.setAttribute("role", "group");
  for (const key of svg.querySelectorAll("[data-key]")) {
    const shapes = [...svg.querySelectorAll("[data-series]")].filter(shape => shape.dataset.series === key.dataset.key);
    if (!shapes.length) continue;
    key.setAttribute("role", "checkbox");
    key.setAttribute("tabindex", 0);
    key.setAttribute("aria-label", key.dataset.key);
    key.setAttribute("aria-checked", true);
    const toggle = () => {
      const isShown = key.getAttribute("aria-checked") !== "true";
      key.setAttribute("aria-checked", isShown);
      for (const shape of shapes) shape.setAttribute("display", isShown ? "inline" : "none");
    };
    key.addEventListener("click", toggle);
    key.addEventListener("keydown", event => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      toggle();
    });
  }
}

for (const svg of document.querySelectorAll("svg[data-numbers]")) {
  explorable(svg);
  toggled(svg);
}

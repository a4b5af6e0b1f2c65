"use strict";
// The table of results: searched, narrowed to a class, sorted. Texts from tasks are set as text.
const data = JSON.parse(document.getElementById("data").textContent);
const classes = ["correct", "wrong", "unchecked", "unknown", "error"];
const at = (id) => document.getElementById(id);

function cell(row, text, className = "", tag = "td") {
  const made = row.appendChild(document.createElement(tag));
  made.textContent = text;
  made.className = className;
  return made;
}

function about() {
  const memory = data.memlimit_bytes ? `, ${Math.round(data.memlimit_bytes / 1048576)} MiB` : "";
  const options = data.options.length ? `, options ${data.options.join(" ")}` : "";
  const left = data.tasks - data.results.length;
  at("about").textContent =
    `obmc ${data.version}, ${data.results.length} tasks, ${data.timeout_seconds} s${memory} each, ` +
    `${data.jobs} at a time${options}` + (left ? `; ${left} tasks are not done yet` : "");
}

function totals() {
  const head = at("totals").createTHead().insertRow();
  const names = ["tasks", "solved", ...classes, "CPU s"];
  cell(head, "property", "", "th");
  names.forEach((name) => cell(head, name, "number", "th"));
  const body = at("totals").createTBody();
  const properties = Object.keys(data.totals).filter((name) => name !== "total");
  for (const name of [...properties, ...(properties.length ? ["total"] : [])]) {
    const total = data.totals[name];
    const row = body.insertRow();
    cell(row, name);
    cell(row, total.tasks, "number");
    cell(row, total.solved, "number");
    for (const c of classes) {
      const count = total.classes[c] || 0;
      cell(row, count, count ? `number ${c}` : "number");
    }
    cell(row, total.cpu_seconds.toFixed(1), "number");
  }
}

const columns = [
  ["task", (r) => r.name, "name"],
  ["property", (r) => r.property, "word"],
  ["wanted", (r) => r.wanted.join(" or "), ""],
  ["verdict", (r) => r.verdict, ""],
  ["class", (r) => r.class, "class"],
  ["CPU s", (r) => r.cpu_seconds, "number"],
  ["wall s", (r) => r.wall_seconds, "number"],
  ["MB", (r) => r.peak_memory_bytes / 1e6, "number"],
];
let sorting = { column: null, down: false };

function shown() {
  const words = at("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = at("class").value;
  const rows = data.results.filter((r) => {
    const text = `${r.name} ${r.property} ${r.verdict}`.toLowerCase();
    return (!wanted || r.class === wanted) && words.every((word) => text.includes(word));
  });
  if (sorting.column !== null) {
    const key = columns[sorting.column][1];
    rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (sorting.down ? -1 : 1));
  }
  return rows;
}

function results() {
  const rows = shown();
  const body = document.createElement("tbody");
  for (const result of rows) {
    const row = body.insertRow();
    for (const [, value, kind] of columns) {
      const got = value(result);
      const text = typeof got === "number" ? got.toFixed(2) : got;
      cell(row, text, kind === "class" ? result.class : kind);
    }
  }
  at("results").tBodies[0]?.remove();
  at("results").append(body);
  at("count").textContent = `${rows.length} of ${data.results.length}`;
}

function heads() {
  const head = at("results").createTHead().insertRow();
  columns.forEach(([name, , kind], column) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.onclick = () => {
      sorting = { column, down: sorting.column === column && !sorting.down };
      results();
    };
    cell(head, "", kind === "number" ? "number" : "", "th").append(button);
  });
}

about();
totals();
heads();
for (const c of classes) {
  at("class").add(new Option(c, c));
}
at("filter").oninput = results;
at("class").onchange = results;
results();

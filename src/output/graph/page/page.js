"use strict";
// Draws one picture at a time. Only rows in sight are in the document, so that thousands of events
// cost no more than a screenful. All text of the program is set as text, never as markup.
(() => {
  const pictures = JSON.parse(document.getElementById("data").textContent);
  const el = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const svg = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };

  const ROW = 31, BOX = 24, TOP = 10, GUTTER = 46;
  const COLOURS = ["#3b82f6", "#e07a2f", "#12a386", "#c04fa8", "#a3870f", "#7c62e6", "#d5504b", "#6b7785"];
  const SIGNS = {
    read: "R", write: "W", assign: "=", call: "ƒ", return: "↩", lock: "L", unlock: "U",
    start: "▸", join: "⋈", end: "■", input: "?", wrong: "✗",
  };
  // One switch per row of the tool bar; create and join share one.
  const KINDS = [
    { key: "1", id: "po", name: "po", css: "po", long: "program order: the next event of the thread" },
    { key: "2", id: "rf", name: "rf", css: "rf", long: "reads from: a read takes the value of this write" },
    { key: "3", id: "ws", name: "ws", css: "ws", long: "write serialization: the next write of the same place" },
    { key: "4", id: "fr", name: "fr", css: "fr", long: "from-read: this write overwrites what was read" },
    { key: "5", id: "threads", name: "start/join", css: "threads", long: "a thread starts, or is joined" },
    { key: "6", id: "lock", name: "locks", css: "lock-edge", long: "from the release of a lock to its next holder; bars: held" },
    { key: "7", id: "local", name: "local steps", long: "events that concern only their own thread" },
  ];
  const KEYS = [
    ["↓ j", "next event"], ["↑ k", "event before"], ["→ ←", "next or last event of the same thread"],
    ["Home End", "first, last event"], ["Page ↓ ↑", "ten events on or back"], ["r", "go to the write that was read"],
    ["f", "go to what is wrong"], ["t", "light or dark"], ["?", "this"],
  ];
  const kindOf = (edge) => (edge.kind === "create" || edge.kind === "join" ? "threads" : edge.kind);
  const on = Object.fromEntries(KINDS.map((k) => [k.id, true]));

  let picture, graph, shown, rowOf, current, geometry, incident, hovered = null;

  // ---- what does not depend on the picture ----

  function buildBar() {
    for (const kind of KINDS) {
      const label = make("label");
      label.title = `${kind.long} (${kind.key})`;
      const box = make("input");
      box.type = "checkbox";
      box.id = `kind-${kind.id}`;
      box.checked = true;
      box.addEventListener("change", () => toggle(kind.id, box.checked));
      label.append(box);
      if (kind.css) {
        const sample = svg("svg", { viewBox: "0 0 22 10", "aria-hidden": "true" });
        sample.append(svg("path", { d: "M1 5H21", class: `edge near ${kind.css}` }));
        label.append(sample);
      }
      label.append(kind.name);
      el("kinds").append(label);
    }
    const list = make("dl");
    const rows = KEYS.concat(KINDS.map((k) => [k.key, `${k.name}: ${k.long}`]));
    for (const [keys, what] of rows) list.append(make("dt", "", keys), make("dd", "", what));
    el("keys").append(list);
  }

  function toggle(id, value) {
    on[id] = value;
    el(`kind-${id}`).checked = value;
    if (id === "local") {
      layRows();
      if (rowOf[current] === undefined && shown.length) current = nearestShown(current);
      select(current);
    } else {
      draw();
    }
  }

  // ---- a picture ----

  function load(index) {
    picture = pictures[index];
    graph = picture.graph;
    document.title = `${picture.answer}: ${picture.message}`;
    const word = el("answer");
    word.textContent = picture.answer;
    word.className = `answer ${{ UNSAFE: "unsafe", SAFE: "safe" }[picture.answer] || ""}`;
    el("message").textContent = picture.message;
    const place = picture.place ? `${picture.place.file}:${picture.place.line}. ` : "";
    const assumed = picture.assumptions.length ? ` Assumed: ${picture.assumptions.join("; ")}.` : "";
    el("about").textContent = place + picture.about + assumed;
    el("nothing").hidden = graph.events.length > 0;
    on.local = graph.events.length <= 100;
    el("kind-local").checked = on.local;
    incident = graph.events.map(() => []);
    for (const edge of graph.edges) {
      incident[edge.from].push(edge);
      incident[edge.to].push(edge);
    }
    buildHeads();
    buildProof();
    buildFiles();
    layRows();
    const wrong = graph.events.findIndex((e) => e.kind === "wrong");
    current = Math.max(0, wrong >= 0 ? wrong : nearestShown(graph.events.length - 1) ?? 0);
    if (graph.events.length) select(current);
    else drawSide();
  }

  const isLocal = (event) =>
    ["assign", "call", "return"].includes(event.kind) ||
    ((event.kind === "read" || event.kind === "write") && !graph.variables[event.variable].shared && !event.order);

  function layRows() {
    shown = [];
    rowOf = [];
    graph.events.forEach((event, i) => {
      if (!on.local && isLocal(event)) return;
      rowOf[i] = shown.length;
      shown.push(i);
    });
    el("slider").max = Math.max(0, shown.length - 1);
    measure();
  }

  // The shown event at or before this one.
  function nearestShown(event) {
    for (let i = event; i >= 0; i--) if (rowOf[i] !== undefined) return i;
    return shown[0];
  }

  function measure() {
    const lanes = Math.max(1, graph.lanes.length);
    const room = el("graph").clientWidth - GUTTER - 4;
    const least = room < 500 ? 142 : 190;
    const lane = Math.max(least, Math.floor(room / lanes));
    const box = Math.min(lane - (lane < 170 ? 26 : 44), 320);
    const width = GUTTER + lane * lanes;
    const height = TOP + shown.length * ROW + 60;
    geometry = { lane, box, width, height };
    geometry.x = (l) => GUTTER + l * lane + Math.floor((lane - box) / 2);
    geometry.y = (row) => TOP + row * ROW;
    for (const part of [el("rows"), el("heads")]) part.style.width = `${width}px`;
    el("rows").style.height = `max(${height}px, 100% - 36px)`;
    el("edges").setAttribute("width", width);
    el("edges").setAttribute("height", height);
    [...el("heads").children].forEach((head, l) => {
      head.style.left = `${GUTTER + l * lane}px`;
      head.style.width = `${lane}px`;
    });
  }

  function buildHeads() {
    el("heads").replaceChildren(...graph.lanes.map((lane, l) => {
      const head = make("div", "head");
      head.style.setProperty("--thread", colour(l));
      head.append(make("span", "", `Thread ${lane.thread}`), make("span", "fn", lane.function));
      head.title = `thread ${lane.thread} in ${lane.function}`;
      return head;
    }));
  }

  const colour = (lane) => COLOURS[lane % COLOURS.length];

  // ---- the lanes ----

  function rowsInSight() {
    const view = el("graph");
    const first = Math.max(0, Math.floor((view.scrollTop - 40) / ROW) - 4);
    return [first, Math.min(shown.length - 1, Math.ceil((view.scrollTop + view.clientHeight) / ROW) + 4)];
  }

  function draw() {
    drawBoxes(...rowsInSight());
    drawEdges(...rowsInSight());
  }

  function drawBoxes(first, last) {
    const nodes = [];
    const here = graph.events.length ? graph.events[current].lane : -1;
    const lane = el("lane");
    lane.hidden = here < 0;
    lane.style.left = `${GUTTER + here * geometry.lane}px`;
    lane.style.width = `${geometry.lane}px`;
    for (let row = first; row <= last; row++) {
      const i = shown[row];
      const event = graph.events[i];
      const y = geometry.y(row);
      if (row > 0 && graph.events[shown[row - 1]].lane !== event.lane) {
        const line = make("div", "switch");
        line.style.top = `${y - 4}px`;
        nodes.push(line);
      }
      const number = make("div", "number", event.line || "");
      number.style.top = `${y}px`;
      number.title = "line";
      nodes.push(number, box(i, row, y));
    }
    el("boxes").replaceChildren(...nodes);
    el("rows").setAttribute("aria-activedescendant", graph.events.length ? `e${current}` : "");
  }

  function box(i, row, y) {
    const event = graph.events[i];
    const node = make("div", `box ${event.kind}`);
    if (isLocal(event)) node.classList.add("local");
    if (i > current) node.classList.add("later");
    node.id = `e${i}`;
    node.setAttribute("role", "option");
    node.setAttribute("aria-selected", i === current);
    node.setAttribute("aria-posinset", row + 1);
    node.setAttribute("aria-setsize", shown.length);
    node.setAttribute("aria-label", `thread ${graph.lanes[event.lane].thread}, line ${event.line}: ${event.text}`);
    node.style.left = `${geometry.x(event.lane)}px`;
    node.style.top = `${y}px`;
    node.style.width = `${geometry.box}px`;
    const sign = make("span", "sign", SIGNS[event.kind]);
    sign.setAttribute("aria-hidden", "true");
    node.append(sign, make("span", "label", event.label));
    return node;
  }

  function drawEdges(first, last) {
    const parts = [markers()];
    if (on.lock) parts.push(...holding(first, last));
    if (on.po) parts.push(...programOrder(first, last));
    const tags = [];
    const focus = hovered === null ? current : hovered;
    for (const edge of graph.edges) {
      const kind = kindOf(edge);
      const [from, to] = [rowOf[edge.from], rowOf[edge.to]];
      if (edge.kind === "po" || !on[kind] || from === undefined || to === undefined) continue;
      if (Math.min(from, to) > last || Math.max(from, to) < first) continue;
      const near = edge.from === focus || edge.to === focus;
      const inside = graph.events[edge.from].lane === graph.events[edge.to].lane;
      if (inside && !near) continue;
      const { path, middle } = inside ? arc(edge, from, to) : curve(edge, from, to);
      const css = KINDS.find((k) => k.id === kind).css;
      const later = !near && Math.max(edge.from, edge.to) > current ? "later" : "";
      const line = svg("path", { d: path, class: `edge ${css} ${near ? "near" : later}`, "marker-end": `url(#m-${kind})` });
      if (near) {
        const tag = svg("text", { x: middle[0], y: middle[1] + 4, class: `tag ${css}` });
        tag.textContent = edge.kind;
        tags.push(line, tag);
      } else {
        parts.push(line);
      }
    }
    el("edges").replaceChildren(...parts, ...tags);
  }

  function markers() {
    const defs = svg("defs", {});
    for (const kind of KINDS.filter((k) => k.css)) {
      const marker = svg("marker", {
        id: `m-${kind.id}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9,
        orient: "auto", markerUnits: "userSpaceOnUse",
      });
      marker.append(svg("path", { d: "M0 0.5L8 4L0 7.5z", class: `m-${kind.id}` }));
      defs.append(marker);
    }
    return defs;
  }

  // Between lanes: leaves at one side, arrives at the other.
  function curve(edge, from, to) {
    const [a, b] = [graph.events[edge.from].lane, graph.events[edge.to].lane];
    const right = a < b;
    const x1 = geometry.x(a) + (right ? geometry.box : 0), y1 = geometry.y(from) + BOX / 2;
    const x2 = geometry.x(b) + (right ? -2 : geometry.box + 2), y2 = geometry.y(to) + BOX / 2;
    const bend = Math.max(26, Math.abs(x2 - x1) * 0.45) * (right ? 1 : -1);
    const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
    return { path, middle: [(x1 + x2) / 2, (y1 + y2) / 2] };
  }

  // Within a lane: an arc beside the boxes.
  function arc(edge, from, to) {
    const x = geometry.x(graph.events[edge.from].lane) + geometry.box;
    const y1 = geometry.y(from) + BOX / 2, y2 = geometry.y(to) + BOX / 2;
    const out = x + Math.min(20, (geometry.lane - geometry.box) / 2 - 2) * 1.3;
    return { path: `M${x} ${y1}C${out} ${y1} ${out} ${y2} ${x + 2} ${y2}`, middle: [x + 12, (y1 + y2) / 2] };
  }

  function programOrder(first, last) {
    const paths = [];
    const before = [];
    // Rows above the window matter only as the other end of a line.
    for (let row = 0; row < shown.length; row++) {
      const lane = graph.events[shown[row]].lane;
      const above = before[lane];
      before[lane] = row;
      if (above === undefined || row < first || above > last) continue;
      const x = geometry.x(lane) + geometry.box / 2;
      paths.push(svg("path", { d: `M${x} ${geometry.y(above) + BOX}V${geometry.y(row)}`, class: "edge po" }));
    }
    return paths;
  }

  // Bars for locks that are held.
  function holding(first, last) {
    const bars = [];
    const open = new Map();
    const close = (key, row) => {
      const { lane, lock, start } = open.get(key);
      open.delete(key);
      if (row < first || start > last) return;
      const x = geometry.x(lane) - 7 - 5 * (lock % 2);
      const bar = svg("path", { d: `M${x} ${geometry.y(start) + 3}V${geometry.y(row) + BOX - 3}`, class: "holding" });
      bars.push(bar);
    };
    shown.forEach((i, row) => {
      const { lane, held } = graph.events[i];
      for (const lock of held) if (!open.has(`${lane} ${lock}`)) open.set(`${lane} ${lock}`, { lane, lock, start: row });
      for (const [key, { lane: l, lock }] of open) if (l === lane && !held.includes(lock)) close(key, row);
    });
    for (const key of [...open.keys()]) close(key, shown.length - 1);
    return bars;
  }

  // ---- the current event ----

  function select(event) {
    current = event;
    const row = rowOf[event];
    el("slider").value = row;
    el("slider").setAttribute("aria-valuetext", graph.events[event].text);
    el("count").textContent = `${row + 1} / ${shown.length}`;
    [...el("heads").children].forEach((head, l) => head.classList.toggle("here", l === graph.events[event].lane));
    scrollTo(row);
    draw();
    drawSide();
  }

  function scrollTo(row) {
    const view = el("graph");
    const y = geometry.y(row), room = view.clientHeight - 36;
    const margin = Math.min(3 * ROW, room / 3);
    if (y - margin < view.scrollTop) view.scrollTop = Math.max(0, y - margin);
    else if (y + BOX + margin > view.scrollTop + room) view.scrollTop = y + BOX + margin - room;
    const x = geometry.x(graph.events[shown[row]].lane);
    if (x - 20 < view.scrollLeft) view.scrollLeft = x - 60;
    else if (x + geometry.box > view.scrollLeft + view.clientWidth) view.scrollLeft = x + geometry.box - view.clientWidth + 20;
  }

  function drawSide() {
    drawNow();
    drawValues();
    drawSource();
  }

  const stepLink = (i, words) => {
    const link = make("button", "link", words);
    link.addEventListener("click", () => go(i));
    return link;
  };

  function threadName(lane) {
    const { thread, function: name } = graph.lanes[lane];
    return name ? `thread ${thread} (${name})` : `thread ${thread}`;
  }

  // Pairs of words and events: how this one hangs together with others.
  function relations(i) {
    const found = [];
    for (const edge of incident[i]) {
      const [out, other] = edge.from === i ? [true, edge.to] : [false, edge.from];
      const words = {
        rf: out ? "read by" : "written by", ws: out ? "overwritten by" : "overwrites",
        fr: out ? "later overwritten by" : "overwrites what was read by",
        create: out ? "first event of the thread:" : "started by", join: out ? "joined by" : "waited for",
        lock: out ? "lock goes to" : "lock comes from",
      }[edge.kind];
      if (words) found.push([words, other]);
    }
    return found;
  }

  function drawNow() {
    const now = el("now");
    now.replaceChildren();
    if (!graph.events.length) return;
    const event = graph.events[current];
    const where = make("div", "where");
    const dot = make("span", "dot");
    dot.style.setProperty("--thread", colour(event.lane));
    const file = picture.files[event.file];
    const place = event.line && file ? `, ${base(file.name)}:${event.line}` : "";
    where.append(dot, `Thread ${graph.lanes[event.lane].thread} in ${event.function || graph.lanes[event.lane].function}${place}`);
    const facts = make("ul", "facts");
    const related = relations(current);
    if (event.kind === "read" && !related.some(([words]) => words === "written by")) {
      facts.append(make("li", "", "the initial value: no thread has written it"));
    }
    related.slice(0, 6).forEach(([words, other]) => {
      const item = make("li", "", `${words} `);
      item.append(stepLink(other, `${threadName(graph.events[other].lane)}: ${graph.events[other].label}`));
      facts.append(item);
    });
    if (related.length > 6) facts.append(make("li", "", `and ${related.length - 6} more`));
    if (event.order) facts.append(make("li", "", `atomic, ${event.order}`));
    if (event.held.length) facts.append(make("li", "", `holds ${event.held.map((l) => graph.locks[l]).join(", ")}`));
    now.append(where, make("div", `what ${event.kind}`, event.text), facts);
  }

  const base = (name) => name.split("/").pop();

  // Values after the current event.
  function valuesNow() {
    const values = graph.variables.map((v) => ({ value: v.initial, by: null }));
    for (let i = 0; i <= current && i < graph.events.length; i++) {
      const event = graph.events[i];
      if (event.variable === null) continue;
      if (event.kind === "write" || event.kind === "assign") values[event.variable] = { value: event.value, by: i };
      else if (values[event.variable].value !== event.value) values[event.variable] = { value: event.value, by: null };
    }
    return values;
  }

  function drawValues() {
    const values = valuesNow();
    const lane = graph.events.length ? graph.events[current].lane : -1;
    const all = graph.variables.map((v, i) => i);
    const shared = all.filter((v) => graph.variables[v].shared);
    const own = all.filter((v) => graph.variables[v].lane === lane && values[v].by !== null);
    const panel = el("values");
    const wasOpen = panel.querySelector("details")?.open;
    panel.replaceChildren();
    panel.hidden = !shared.length && !own.length;
    if (shared.length) panel.append(table(["Shared variable", "Value", "Ordered by"], shared, values));
    if (own.length) {
      const more = make("details");
      more.open = wasOpen ?? shared.length < 8;
      more.append(make("summary", "", `Local variables of thread ${graph.lanes[lane].thread}`), table(null, own, values));
      panel.append(more);
    }
  }

  function table(titles, variables, values) {
    const grid = make("table");
    if (titles) {
      const head = make("tr");
      head.append(...titles.map((title) => make("th", "", title)));
      grid.append(head);
    }
    const event = graph.events[current];
    for (const v of variables) {
      const variable = graph.variables[v];
      const row = make("tr");
      if (event.variable === v) row.className = event.kind === "read" ? "seen" : "changed";
      row.append(make("td", "name", variable.name), make("td", "value", values[v].value ?? "–"));
      if (titles) {
        const cell = make("td", "", variable.protection.length ? "" : "not written");
        variable.protection.forEach((words, n) => {
          cell.append(n ? ", " : "", make("span", words.includes("nothing") ? "unguarded" : "", words));
        });
        row.append(cell);
      }
      grid.append(row);
    }
    return grid;
  }

  // ---- the proof ----

  function buildProof() {
    const panel = el("proof"), proof = picture.proof;
    panel.replaceChildren();
    panel.hidden = !proof;
    if (!proof) return;
    const box = make("details");
    box.open = innerWidth > 700;
    box.append(make("summary", "", "What the proof used"), make("p", "", proof.about));
    if (proof.orders.length) {
      const grid = make("table"), head = make("tr");
      head.append(...["Thanks to", "Never all of these", "Times"].map((title) => make("th", "", title)));
      grid.append(head);
      for (const order of proof.orders) {
        const row = make("tr"), never = make("td");
        order.never.forEach((words) => never.append(make("div", "", words)));
        row.append(make("td", "name", order.by), never, make("td", "times", `${order.times}`));
        grid.append(row);
      }
      box.append(grid);
    }
    panel.append(box);
  }

  // ---- the source ----

  let file = -1, lines = [];

  function buildFiles() {
    file = -1;
    const used = picture.files.map((f, i) => i).filter((i) => picture.files[i].pieces.length);
    const buttons = used.map((i) => {
      const button = make("button", "", base(picture.files[i].name));
      button.title = picture.files[i].name;
      button.dataset.file = i;
      button.addEventListener("click", () => { openFile(i); markSource(); });
      return button;
    });
    el("files").replaceChildren(...buttons);
    el("code").replaceChildren();
    if (used.length) openFile(used[0]);
    else el("code").append(make("div", "gap", "The source text could not be read."));
  }

  function openFile(index) {
    if (index === file) return;
    file = index;
    lines = [];
    const used = new Set(graph.events.filter((e) => e.file === index).map((e) => e.line));
    const parts = document.createDocumentFragment();
    const state = { comment: false };
    for (const [first, text] of picture.files[index].pieces) {
      if (first > 1) parts.append(make("div", "gap", "⋯"));
      state.comment = false;
      text.forEach((line, k) => parts.append(sourceRow(first + k, line, used, state)));
    }
    el("code").replaceChildren(parts);
    el("code").scrollTop = 0;
    for (const button of el("files").children) button.setAttribute("aria-pressed", Number(button.dataset.file) === index);
  }

  function sourceRow(number, line, used, state) {
    const row = make("div", "row");
    const text = make("span", "t");
    colourC(text, line, state);
    row.append(make("span", "who"), make("span", "n", number), text);
    if (used.has(number)) {
      row.classList.add("used");
      row.addEventListener("click", () => goToLine(number));
    }
    lines[number] = row;
    return row;
  }

  const TOKENS = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(^\s*#\s*\w+)|\b(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Atomic|_Bool|bool|_Thread_local)\b|\b(\d[\w.]*)\b/g;
  const CLASSES = ["c-c", "c-s", "c-p", "c-k", "c-n"];

  function colourC(node, line, state) {
    let rest = line;
    if (state.comment) {
      const end = rest.indexOf("*/");
      const cut = end < 0 ? rest.length : end + 2;
      node.append(make("span", "c-c", rest.slice(0, cut)));
      rest = rest.slice(cut);
      state.comment = end < 0;
    }
    let at = 0;
    for (const match of rest.matchAll(TOKENS)) {
      node.append(rest.slice(at, match.index));
      const kind = match.slice(1).findIndex((group) => group !== undefined);
      node.append(make("span", CLASSES[kind], match[0]));
      at = match.index + match[0].length;
      if (kind === 0 && match[0].startsWith("/*") && !match[0].endsWith("*/")) state.comment = true;
    }
    node.append(rest.slice(at));
  }

  // The next event on this line, or the first one.
  function goToLine(number) {
    const on = shown.filter((i) => graph.events[i].file === file && graph.events[i].line === number);
    const next = on.find((i) => i > current) ?? on[0];
    if (next !== undefined) select(next);
  }

  function drawSource() {
    if (!graph.events.length) return;
    const event = graph.events[current];
    if (event.line && picture.files[event.file]?.pieces.length) openFile(event.file);
    markSource();
    const row = event.file === file && lines[event.line];
    if (row) reveal(row, el("code"));
  }

  function reveal(row, pane) {
    const top = row.offsetTop - pane.offsetTop, room = pane.clientHeight;
    if (top < pane.scrollTop + 30 || top + 60 > pane.scrollTop + room) pane.scrollTop = top - room * 0.4;
  }

  // Where every thread is.
  function markSource() {
    for (const row of el("code").querySelectorAll(".row.here, .row.marked")) {
      row.classList.remove("here", "marked", "bad");
      row.firstChild.replaceChildren();
    }
    const at = new Map();
    for (let i = 0; i <= current; i++) {
      const { lane, kind, line, file } = graph.events[i];
      if (line) at.set(lane, { line, file, over: kind === "end" });
    }
    const here = graph.events[current];
    for (const [lane, { line, file: f, over }] of at) {
      if (f !== file || !lines[line] || (over && lane !== here.lane)) continue;
      const mark = make("i", lane === here.lane ? "here" : "", graph.lanes[lane].thread);
      mark.style.setProperty("--thread", colour(lane));
      mark.title = threadName(lane);
      lines[line].firstChild.append(mark);
      lines[line].classList.add("marked");
      if (lane === here.lane) lines[line].classList.add("here");
      if (lane === here.lane && here.kind === "wrong") lines[line].classList.add("bad");
    }
  }

  // ---- moving about ----

  function go(event) {
    if (event === undefined || event === null) return;
    if (rowOf[event] === undefined) toggle("local", true);
    select(event);
  }

  function move(by) {
    if (!shown.length) return;
    const row = Math.min(shown.length - 1, Math.max(0, rowOf[current] + by));
    select(shown[row]);
  }

  function moveInLane(direction) {
    const lane = graph.events[current]?.lane;
    for (let row = rowOf[current] + direction; row >= 0 && row < shown.length; row += direction) {
      if (graph.events[shown[row]].lane === lane) return select(shown[row]);
    }
  }

  function goToSource() {
    const source = incident[current]?.find((edge) => edge.kind === "rf" && edge.to === current);
    if (source) go(source.from);
  }

  function switchTheme() {
    const root = document.documentElement;
    const dark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = dark ? "light" : "dark";
    root.style.colorScheme = root.dataset.theme;
  }

  const ACTIONS = {
    ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
    ArrowRight: () => moveInLane(1), ArrowLeft: () => moveInLane(-1),
    PageDown: () => move(10), PageUp: () => move(-10), Home: () => move(-Infinity), End: () => move(Infinity),
    r: goToSource, f: () => go(graph.events.find((e) => e.kind === "wrong") && graph.events.findIndex((e) => e.kind === "wrong")),
    t: switchTheme, "?": () => el("help").showModal(),
  };
  for (const kind of KINDS) ACTIONS[kind.key] = () => toggle(kind.id, !on[kind.id]);

  document.addEventListener("keydown", (event) => {
    const typing = event.target.tagName === "SELECT" || el("help").open;
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const action = ACTIONS[event.key];
    if (!action || (!graph.events.length && event.key !== "t" && event.key !== "?")) return;
    event.preventDefault();
    action();
  });

  function tell(i, x, y) {
    const event = graph.events[i];
    const tip = el("tip");
    const file = picture.files[event.file];
    tip.replaceChildren(make("b", "", event.text), make("div", "", `${threadName(event.lane)}${event.line && file ? `, ${base(file.name)}:${event.line}` : ""}`));
    for (const [words, other] of relations(i).slice(0, 4)) {
      tip.append(make("div", "", `${words} ${threadName(graph.events[other].lane)}: ${graph.events[other].label}`));
    }
    if (event.order) tip.append(make("div", "", `atomic, ${event.order}`));
    if (event.held.length) tip.append(make("div", "", `holds ${event.held.map((l) => graph.locks[l]).join(", ")}`));
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - width - 8))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? y - height - 10 : y + 18}px`;
  }

  function hover(i) {
    if (hovered === i) return;
    hovered = i;
    drawEdges(...rowsInSight());
  }

  const boxOf = (target) => target instanceof Element && target.closest(".box");
  el("boxes").addEventListener("click", (event) => {
    const node = boxOf(event.target);
    if (node) select(Number(node.id.slice(1)));
  });
  el("boxes").addEventListener("pointermove", (event) => {
    const node = boxOf(event.target);
    if (!node || event.pointerType === "touch") { el("tip").hidden = true; hover(null); return; }
    tell(Number(node.id.slice(1)), event.clientX, event.clientY);
    hover(Number(node.id.slice(1)));
  });
  el("boxes").addEventListener("pointerleave", () => { el("tip").hidden = true; hover(null); });

  let waiting = false;
  el("graph").addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  });
  addEventListener("resize", () => { measure(); draw(); });
  el("slider").addEventListener("input", () => select(shown[Number(el("slider").value)]));
  el("first").addEventListener("click", () => move(-Infinity));
  el("last").addEventListener("click", () => move(Infinity));
  el("back").addEventListener("click", () => move(-1));
  el("next").addEventListener("click", () => move(1));
  el("theme").addEventListener("click", switchTheme);
  el("help-open").addEventListener("click", () => el("help").showModal());
  el("which").addEventListener("change", () => load(Number(el("which").value)));

  buildBar();
  pictures.forEach((p, i) => {
    const option = make("option", "", `${p.property}: ${p.answer}`);
    option.value = i;
    el("which").append(option);
  });
  el("which-label").hidden = pictures.length < 2;
  if (pictures.length) load(0);
  else { el("answer").textContent = "UNKNOWN"; el("message").textContent = "Nothing was checked."; el("nothing").hidden = false; }
  el("rows").focus({ preventScroll: true });
})();

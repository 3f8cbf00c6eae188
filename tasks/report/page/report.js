"use strict";
// The browser of samples. Texts lie in blocks of gzipped JSON, in the page or on its server, and are decoded when needed.
// Everything from a run is put into the page as text, never as markup.

const ROW_HEIGHT = 56;
const KEPT_BLOCKS = 150;
const BLOCKS_AHEAD = 8;
const SNIPPET = 160;
const VERDICTS = {r: "✓ right", w: "✗ wrong", "-": "no verdict"};
const VERDICT_CLASSES = {r: "right", w: "wrong", "-": ""};

const element = (id) => document.getElementById(id);
const index = JSON.parse(element("index").textContent);
const served = !element("block-0");

// Samples are numbered through: those of the first pair, then those of the second, ...
let count = 0, blockCount = 0;
for (const pair of index.pairs) {
  Object.assign(pair, {start: count, firstBlock: blockCount, name: `${pair.model} / ${pair.dataset}`});
  count += pair.count;
  blockCount += Math.ceil(pair.count / index.block);
}

function pairOf(sample) {
  let low = 0, high = index.pairs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (index.pairs[middle].start <= sample) low = middle; else high = middle - 1;
  }
  return index.pairs[low];
}

function placeOf(sample) {
  const pair = pairOf(sample), offset = sample - pair.start;
  return pair.places ? pair.places[offset] : offset;
}

function nameOf(sample) {
  const pair = pairOf(sample), place = placeOf(sample);
  const row = Math.floor(place / pair.repeats), repeat = place % pair.repeats;
  return pair.repeats > 1 ? `${row}, repeat ${repeat + 1}` : `${row}`;
}

// Blocks: the newest are kept.
const blocks = new Map();

function blockOf(sample) {
  const pair = pairOf(sample);
  return pair.firstBlock + Math.floor((sample - pair.start) / index.block);
}

function loadBlock(number) {
  let block = blocks.get(number);
  if (block) blocks.delete(number); else block = decodeBlock(number);
  blocks.set(number, block);
  block.catch(() => blocks.delete(number));
  if (blocks.size > KEPT_BLOCKS) blocks.delete(blocks.keys().next().value);
  return block;
}

async function decodeBlock(number) {
  if (served) {
    const response = await fetch(`blocks/${number}`);
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    return response.json();
  }
  const bytes = Uint8Array.from(atob(element(`block-${number}`).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function offsetInBlock(sample) {
  return (sample - pairOf(sample).start) % index.block;
}

async function load(sample) {
  const block = await loadBlock(blockOf(sample));
  return block[offsetInBlock(sample)] || {error: "This sample was gone when the page was written."};
}

// Filters.
let matching = [];
let chosen = -1;
let search = 0;

function options(id, texts) {
  for (const [value, text] of texts) {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    element(id).append(option);
  }
}

function counted(name, texts) {
  const counts = {};
  for (const pair of index.pairs) for (const code of pair[name]) counts[code] = (counts[code] || 0) + 1;
  return Object.entries(texts).filter(([code]) => counts[code])
    .map(([code, text]) => [code, `${text} (${counts[code].toLocaleString("en")})`]);
}

function candidates() {
  const wanted = ["verdict", "status", "found"].map((name) => [name, element(name).value]).filter(([, value]) => value);
  const only = element("pair").value;
  const found = [];
  index.pairs.forEach((pair, number) => {
    if (only !== "" && Number(only) !== number) return;
    for (let offset = 0; offset < pair.count; offset++) {
      if (wanted.every(([name, value]) => pair[name][offset] === value)) found.push(pair.start + offset);
    }
  });
  return found;
}

function haystack(sample) {
  const texts = [sample.name, sample.prediction, sample.reasoning, sample.reference, sample.answer, sample.rule,
    sample.error, sample.note, ...(sample.prompt || []).map((part) => part[1]), ...Object.values(sample.said || {})];
  return texts.join("\n").toLowerCase();
}

function byBlock(samples) {
  const parts = new Map();
  for (const sample of samples) {
    const number = blockOf(sample);
    if (parts.has(number)) parts.get(number).push(sample); else parts.set(number, [sample]);
  }
  return [...parts];
}

async function filter() {
  const mine = ++search;
  const all = candidates();
  const query = element("query").value.trim().toLowerCase();
  if (!query) {
    show(all, describe(all.length));
    return;
  }
  const found = [];
  let shownAt = performance.now(), lost = "";
  const parts = byBlock(all);
  for (let part = 0; part < parts.length; part++) {
    for (const [next] of parts.slice(part, part + BLOCKS_AHEAD)) loadBlock(next).catch(() => {});
    const [number, samples] = parts[part];
    const texts = await loadBlock(number).catch(() => {
      lost = "; some could not be read";
      return [];
    });
    if (mine !== search) return;
    for (const sample of samples) {
      const loaded = texts[offsetInBlock(sample)];
      if (loaded && haystack(loaded).includes(query)) found.push(sample);
    }
    if (performance.now() - shownAt > 150) {
      show(found.slice(), `${describe(found.length)}, ${Math.round(100 * part / parts.length)} % searched${lost}`);
      shownAt = performance.now();
      await new Promise((resolve) => setTimeout(resolve));
      if (mine !== search) return;
    }
  }
  show(found, describe(found.length) + lost);
}

function describe(number) {
  return `${number.toLocaleString("en")} of ${count.toLocaleString("en")} samples`;
}

function show(samples, text) {
  matching = samples;
  element("matches").textContent = text;
  element("rows").style.height = `${samples.length * ROW_HEIGHT}px`;
  element("rows").replaceChildren();
  drawRows();
}

// The list: only rows in sight exist.
function drawRows() {
  const list = element("list"), rows = element("rows");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW_HEIGHT) - 5);
  const last = Math.min(matching.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW_HEIGHT) + 5);
  const wanted = new Set(matching.slice(first, last).map((sample) => `row-${sample}`));
  for (const row of [...rows.children]) if (!wanted.has(row.id)) row.remove();
  for (let place = first; place < last; place++) {
    const sample = matching[place];
    const row = element(`row-${sample}`) || newRow(sample);
    row.style.top = `${place * ROW_HEIGHT}px`;
    row.setAttribute("aria-posinset", place + 1);
    row.setAttribute("aria-setsize", matching.length);
    row.setAttribute("aria-selected", sample === chosen);
    if (!row.isConnected) rows.append(row);
  }
  if (element(`row-${chosen}`)) list.setAttribute("aria-activedescendant", `row-${chosen}`);
  else list.removeAttribute("aria-activedescendant");
}

function newRow(sample) {
  const pair = pairOf(sample), offset = sample - pair.start;
  const row = text("div", "row");
  row.id = `row-${sample}`;
  row.setAttribute("role", "option");
  const head = text("div", "");
  head.append(text("span", VERDICT_CLASSES[pair.verdict[offset]], VERDICTS[pair.verdict[offset]]),
    ` · ${index.statuses[pair.status[offset]]} · ${pair.name} · ${nameOf(sample)}`);
  const snippet = text("div", "text", "…");
  row.append(head, snippet);
  row.addEventListener("click", () => choose(sample));
  load(sample).then((loaded) => {
    snippet.textContent = (loaded.prediction || loaded.error || "").slice(0, SNIPPET) || "no text";
  }, () => { snippet.textContent = "cannot be read"; });
  return row;
}

// One sample.
function text(tag, className, content = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = content;
  return made;
}

function linkOf(sample) {
  const pair = pairOf(sample);
  return `#sample/${[pair.model, pair.dataset, placeOf(sample)].map(encodeURIComponent).join("/")}`;
}

function choose(sample) {
  history.replaceState(null, "", linkOf(sample));
  showSample(sample);
}

async function showSample(sample) {
  chosen = sample;
  drawRows();
  const pair = pairOf(sample);
  const loaded = await load(sample).catch((error) => ({error: `The sample cannot be read: ${error.message}`}));
  if (chosen !== sample) return;
  element("sample-title").textContent = `${pair.name}, sample ${nameOf(sample)}`;
  element("sample-body").replaceChildren(...sampleParts(sample, loaded));
  element("sample").scrollTop = 0;
}

function sampleParts(sample, loaded) {
  const pair = pairOf(sample), offset = sample - pair.start;
  const facts = [
    ["verdict", VERDICTS[pair.verdict[offset]], VERDICT_CLASSES[pair.verdict[offset]]],
    ["status", index.statuses[pair.status[offset]]],
    ["answer read", loaded.answer],
    ["by rule", loaded.rule],
    ["reference", loaded.reference],
    ["row", loaded.name],
    ["error", loaded.error],
    ["note", loaded.note],
    ["ended because", loaded.finish],
    ["tokens", loaded.tokens && Object.entries(loaded.tokens).map(([kind, n]) => `${kind} ${n}`).join(", ")],
    ["seconds", loaded.latency && Number(loaded.latency.toPrecision(4))],
  ];
  const parts = [buttons(sample), factList(facts)];
  const section = (title, ...content) => parts.push(text("h4", "", title), ...content);
  if (loaded.prompt) section("Prompt", ...loaded.prompt.flatMap(([role, words]) =>
    [...(role ? [text("p", "role", role)] : []), pre(words)]));
  if (loaded.options) section("Options", factList(loaded.options));
  if (loaded.reasoning) section("Reasoning", pre(loaded.reasoning));
  section("Prediction", loaded.prediction === undefined ? text("p", "", "none") : pre(loaded.prediction));
  for (const [title, values] of [["What the evaluator or judge says", loaded.said], ["More of the record", loaded.more]]) {
    if (values) section(title, ...Object.entries(values).flatMap(([name, words]) => [text("p", "role", name), pre(words)]));
  }
  return parts;
}

function buttons(sample) {
  const bar = text("div", "buttons");
  const add = (label, act) => {
    const button = text("button", "", label);
    button.type = "button";
    button.addEventListener("click", act);
    bar.append(button);
  };
  add("Previous", () => step(-1));
  add("Next", () => step(1));
  const link = text("a", "", "Link to this sample");
  link.href = linkOf(sample);
  bar.append(link);
  return bar;
}

function factList(facts) {
  const list = text("dl", "facts");
  for (const [name, value, className] of facts) {
    if (value === undefined || value === "") continue;
    const pair = document.createElement("div");
    pair.append(text("dt", "", name), text("dd", className || "", value));
    list.append(pair);
  }
  return list;
}

function pre(words) {
  const made = text("pre", "", words);
  made.tabIndex = 0;
  return made;
}

// Keys and addresses.
function step(by) {
  if (!matching.length) return;
  const place = matching.indexOf(chosen);
  goTo(place < 0 ? 0 : Math.min(matching.length - 1, Math.max(0, place + by)));
}

function goTo(place) {
  const list = element("list"), top = place * ROW_HEIGHT;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW_HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_HEIGHT - list.clientHeight;
  choose(matching[place]);
}

function listKey(event) {
  const page = Math.max(1, Math.floor(element("list").clientHeight / ROW_HEIGHT) - 1);
  const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page};
  if (event.key in steps) step(steps[event.key]);
  else if (event.key === "Home" && matching.length) goTo(0);
  else if (event.key === "End" && matching.length) goTo(matching.length - 1);
  else if (event.key === "Enter") element("sample").focus();
  else return;
  event.preventDefault();
}

// Single characters mean something inside this part of the page only: elsewhere they belong to the reader's tools.
function sectionKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
  if (event.key === "Escape" && (typing || element("sample").contains(event.target))) element("list").focus();
  else if (typing) return;
  else if (event.key === "/") element("query").focus();
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else return;
  event.preventDefault();
}

function followAddress() {
  const [kind, ...parts] = location.hash.slice(1).split("/");
  if (kind !== "sample" || parts.length !== 3) {
    const target = location.hash.length > 1 && element(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
    return;
  }
  const [model, dataset, place] = parts.map(decodeURIComponent);
  const pair = index.pairs.find((known) => known.model === model && known.dataset === dataset);
  const offset = pair ? (pair.places ? pair.places.indexOf(Number(place)) : Number(place)) : -1;
  if (!pair || !(offset >= 0 && offset < pair.count)) {
    element("sample-title").textContent = `This page does not hold sample ${place} of ${model} / ${dataset}`;
    element("sample-body").replaceChildren();
    return;
  }
  const at = matching.indexOf(pair.start + offset);
  if (at >= 0) element("list").scrollTop = at * ROW_HEIGHT;
  element("sample").scrollIntoView({block: "nearest"});
  showSample(pair.start + offset);
}

options("pair", index.pairs.map((pair, number) => [number, `${pair.name} (${pair.count.toLocaleString("en")})`]));
options("verdict", counted("verdict", VERDICTS));
options("status", counted("status", index.statuses));
options("found", counted("found", index.found));
let waiting;
element("query").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 200); });
for (const id of ["pair", "verdict", "status", "found"]) element(id).addEventListener("change", filter);
element("filters").addEventListener("submit", (event) => event.preventDefault());
element("list").addEventListener("scroll", drawRows, {passive: true});
element("list").addEventListener("keydown", listKey);
element("samples").addEventListener("keydown", sectionKey);
window.addEventListener("hashchange", followAddress);
window.addEventListener("resize", drawRows);
filter().then(followAddress);

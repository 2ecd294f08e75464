// The messages of the stack as they happen: a bar for each answer in the lane of its instance, for the last half minute.
import { Stream, controls } from "LIVE";

const SPAN = 30_000;
const ROW = 28;
const LABELS = 220;
const WIDTH = 1000;
const SVG = "http://www.w3.org/2000/svg";

const section = document.querySelector("section.live");
const picture = document.querySelector(".lanes svg");
const questions = document.querySelector(".questions");
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const say = controls(section, (isPaused) => {
  stream.isPaused = isPaused;
});

/** By instance, in the order of the picture. */
const lanes = new Map();
let bars = [];
/** The clocks of the browser and of the stack may differ: the newest event is now. */
let newest = 0;
let newestAt = performance.now();

function draw(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function arrange() {
  const names = [...lanes.keys()].sort();
  names.forEach((name, place) => {
    const lane = lanes.get(name);
    lane.top = place * ROW;
    lane.label.setAttribute("y", lane.top + 20);
  });
  picture.setAttribute("viewBox", `0 0 ${LABELS + WIDTH} ${Math.max(1, names.length) * ROW}`);
}

function addLane(name) {
  if (lanes.has(name)) return;
  const label = draw("text", { x: 0, y: 0 }, name);
  picture.append(label);
  lanes.set(name, { label, top: 0 });
  arrange();
}

function removeLane(name) {
  lanes.get(name)?.label.remove();
  lanes.delete(name);
  bars = bars.filter((bar) => bar.instance !== name || (bar.element.remove(), false));
  arrange();
}

function addBar(event) {
  addLane(event.source);
  const isFailed = event.attributes.status === "failed";
  const element = draw("rect", { height: ROW - 10, rx: 2, class: isFailed ? "bar critical" : "bar" });
  element.append(draw("title", {}, `${event.kind} ${event.attributes.key ?? ""}`));
  const took = (event.attributes.workMicroseconds ?? 0) / 1000;
  bars.push({ element, instance: event.source, end: event.at / 1000, took });
  picture.append(element);
  if (bars.length > 600) bars.shift().element.remove();
}

function place() {
  const now = newest + (performance.now() - newestAt);
  bars = bars.filter((bar) => {
    const end = WIDTH * (1 - (now - bar.end) / SPAN);
    const lane = lanes.get(bar.instance);
    if (end < 0 || !lane) {
      bar.element.remove();
      return false;
    }
    const width = Math.max(3, (WIDTH * bar.took) / SPAN);
    bar.element.setAttribute("x", LABELS + Math.max(0, end - width));
    bar.element.setAttribute("y", lane.top + 5);
    bar.element.setAttribute("width", width);
    return true;
  });
}

function addQuestion(event) {
  if (document.getElementById(`q${event.query}`)) return;
  const item = document.createElement("li");
  item.id = `q${event.query}`;
  const { command, date, code, title, film } = event.attributes;
  const text = document.createElement("span");
  text.textContent = `${event.source} · ${command} ${date ?? code ?? title ?? film ?? ""}`;
  item.append(text);
  questions.prepend(item);
  while (questions.children.length > 20) questions.lastElementChild.remove();
}

function endQuestion(event) {
  const item = document.getElementById(`q${event.query}`);
  if (!item) return;
  const { tookMicroseconds, status } = event.attributes;
  const text = document.createElement("span");
  text.textContent = `${(tookMicroseconds / 1000).toFixed(1)} ms · ${status}`;
  item.append(text);
}

function take(event) {
  if (event.at / 1000 > newest) {
    newest = event.at / 1000;
    newestAt = performance.now();
  }
  if (event.kind === "query.started") addQuestion(event);
  else if (event.kind === "query.answered") endQuestion(event);
  else if (event.kind === "broker.worker_joined") {
    addLane(event.attributes.instance);
    say(section.dataset.joined.replace("{name}", event.attributes.instance));
  } else if (event.kind === "broker.worker_left") {
    removeLane(event.attributes.instance);
    say(section.dataset.left.replace("{name}", event.attributes.instance));
  } else if (event.kind.endsWith(".answered")) addBar(event);
}

for (const label of picture.querySelectorAll("text")) lanes.set(label.textContent, { label, top: 0 });
arrange();

const stream = new Stream(() => section.dataset.events, {
  event: take,
  gap: (data) => say(section.dataset.lost.replace("{n}", data.lost ?? "?")),
});

function step() {
  place();
  if (isCalm.matches) setTimeout(step, 1000);
  else requestAnimationFrame(step);
}
step();

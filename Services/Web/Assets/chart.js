// An open chart: when its answer changes, the page is fetched again, and only what differs is replaced.
import { Stream, controls, parse } from "LIVE";
import "KEYS";

const section = document.querySelector("section.live");
const say = controls(section, (isPaused) => {
  stream.isPaused = isPaused;
});
let version = section.dataset.version;
let running = null;

/** The list of films, without those whose parts were awaited. */
const films = ".stack > ol:not(.awaited)";

/** The links that the keyboard reaches; the poster is a second link to the same page. */
function links(film) {
  return [...film.querySelectorAll("a:not([tabindex])")];
}

function replaceFilm(old, fresh) {
  const place = links(old).indexOf(document.activeElement);
  old.replaceWith(fresh);
  if (place >= 0) links(fresh)[place]?.focus({ preventScroll: true });
}

/** Replaces the films that differ, in the order of the new chart; returns how many those are. */
function updateFilms(list, freshList) {
  const known = new Map([...list.children].map((film) => [film.dataset.code, film]));
  let changed = 0;
  let before = null;
  for (const fresh of [...freshList.children]) {
    const old = known.get(fresh.dataset.code);
    known.delete(fresh.dataset.code);
    let film = old;
    if (!old || !old.isEqualNode(fresh)) {
      changed += 1;
      film = fresh;
      if (old) replaceFilm(old, fresh);
    }
    const next = before ? before.nextElementSibling : list.firstElementChild;
    if (film !== next) list.insertBefore(film, next);
    before = film;
  }
  for (const gone of known.values()) {
    changed += 1;
    gone.remove();
  }
  list.className = freshList.className;
  return changed;
}

/** Replaces the texts around the films: the state of the chart, and the notes. */
function updateTexts(fresh) {
  for (const selector of [".head .state", ".about-all", ".notes", "p.how"]) {
    const [old, next] = [document, fresh].map((page) => page.querySelector(selector));
    if (old && next && !old.isEqualNode(next) && !old.contains(document.activeElement)) old.replaceWith(next);
  }
}

async function update(wanted) {
  if (wanted === version) return;
  const response = await fetch(location.href, { cache: "no-cache" });
  if (!response.ok) return;
  const fresh = parse(await response.text());
  const next = fresh.querySelector("section.live");
  const changed = updateFilms(document.querySelector(films), fresh.querySelector(films));
  updateTexts(fresh);
  version = next.dataset.version;
  document.documentElement.dataset.version = version;
  if (changed) say(section.dataset.changed.replace("{n}", changed));
}

/** One update at a time; a change during one causes another. */
function schedule(wanted) {
  running = (running ?? Promise.resolve()).then(() => update(wanted)).catch(() => {});
}

const stream = new Stream(() => `${section.dataset.events}&version=${version}`, {
  chart: (data) => schedule(data.version),
  gap: () => schedule(null),
});

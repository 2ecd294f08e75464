"""Pages in every pair of theme, width, text size and language: accessibility and geometry."""

from __future__ import annotations

import itertools
import os
import unittest
from contextlib import nullcontext
from functools import cache
from typing import Any, NamedTuple, cast

from axe_playwright_python.sync_playwright import Axe

from .scene import DETAIL, IMAGE_SEARCH, Scene, Visit

SCENE = cast(Scene, None)  # the command line sets it
MOST_LOADS = 78

PAGES = (
    "list", "grid", "bare list", "partial grid", "stale list", "stale grid", "late chart", "week", "filtered",
    "stale week", "film", "partial film", "stale film", "search", "search form", "late search", "calendar", "month", "year", "compare",
    "records", "about", "malformed date", "how", "activity",
)
WIDTHS = {320: 700, 360: 780, 390: 844, 768: 1024, 1280: 900}
DIMENSIONS: tuple[tuple[Any, ...], ...] = (PAGES, ("light", "dark"), (320, 390, 1280), (100, 200), ("ko", "en"))

AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    # Of what passes one element is enough.
    "resultTypes": ["violations"],
}

GEOMETRY = """() => {
  const box = e => e.getBoundingClientRect();
  const all = (s, root) => [...(root || document).querySelectorAll(s)];
  return {
    excess: document.documentElement.scrollWidth - innerWidth,
    rows: all('.film').map(row => ({
      height: box(row).height,
      content: Math.max(box(row.querySelector('.poster')).height, all('.body > *, .source, .share', row).reduce((sum, e) => sum + box(e).height, 0) + box(row.querySelector('.figures')).height),
      isVisible: box(row).height > 0 && box(row).bottom <= innerHeight,
    })),
    posters: all('.poster img, img.large').map(image => box(image).height / box(image).width),
    // Ranks, dates and figures stand on one line, whatever the width.
    broken: all('.rank, .place, .figures > span, .total, .figure, .move, .state time, .figures-table td:not(.text), .arrows a, h1 time')
      .filter(e => box(e).height > 0 && innerWidth >= 360)
      .filter(e => {
        const range = document.createRange();
        range.selectNodeContents(e.matches('.rank') ? e.firstChild : e);
        const tops = [...range.getClientRects()].filter(r => r.width > 0).map(r => r.top + r.height / 2);
        return tops.length > 0 && Math.max(...tops) - Math.min(...tops) > 8;
      }).map(e => `${e.className} ${e.textContent.trim()}`),
    plots: all('main svg').filter(e => !e.closest('svg svg') && !e.closest('[aria-hidden]') && !e.querySelector('title')).length,
    small: all('a, button, input:not([type=hidden]), select, summary')
      .filter(e => box(e).width > 0 && box(e).right > 0 && !e.closest('p, dd') && !e.closest('[aria-hidden]'))
      .filter(e => box(e).height < 23.9 || box(e).width < 23.9)
      .map(e => `${e.tagName} ${e.textContent.trim().slice(0, 20)} ${box(e).width}x${box(e).height}`),
  };
}"""


class Load(NamedTuple):
    """One way to load a page."""

    page: str
    theme: str
    width: int
    text: int
    language: str


def pairwise() -> list[Load]:
    """Return few loads that contain each pair of values of two dimensions; the same in each run."""
    missing = {
        ((first, one), (second, other))
        for first, second in itertools.combinations(range(len(DIMENSIONS)), 2)
        for one in DIMENSIONS[first] for other in DIMENSIONS[second]
    }

    def pairs(load: tuple[Any, ...]) -> set[Any]:
        return set(itertools.combinations(enumerate(load), 2)) & missing

    candidates = list(itertools.product(*DIMENSIONS))
    loads = []
    while missing:
        best = max(candidates, key=lambda load: len(pairs(load)))
        missing -= pairs(best)
        loads.append(Load(*best))
    return loads


LOADS = [Load(*values) for values in itertools.product(*DIMENSIONS)] if os.environ.get("BOXOFFICE_TEST_ALL") else pairwise()


class Matrix(unittest.TestCase):
    """Every page is accessible and fits: in every pair of circumstances, or in all of them."""

    def test_the_set_of_loads_is_small(self) -> None:
        self.assertLessEqual(len(pairwise()), MOST_LOADS)

    def test_each_load(self) -> None:
        # One page for all: a new one would be a new process of the browser.
        with SCENE.context() as context:
            visit = SCENE.open(context)
            for load in LOADS:
                with self.subTest(load):
                    self._check(load, visit)

    def test_three_films_are_above_the_fold_of_a_phone(self) -> None:
        with SCENE.context() as context:
            visit = SCENE.open(context)
            for page, language in itertools.product(("list", "week", "bare list", "stale list", "stale week"), ("ko", "en")):
                with self.subTest(f"{page} {language}"):
                    self._check(Load(page, "light", 390, 100, language), visit)

    def _check(self, load: Load, visit: Visit) -> None:
        path = _path(load)
        fault = {
            "partial": lambda: SCENE.fault(IMAGE_SEARCH), "bare": lambda: SCENE.fault(DETAIL, IMAGE_SEARCH),
            "stale": SCENE.stale, "late": SCENE.fault,
        }.get(load.page.split()[0], nullcontext)
        visit.page.set_viewport_size({"width": load.width, "height": WIDTHS[load.width]})
        visit.page.emulate_media(color_scheme=load.theme)
        with fault():
            SCENE.go(visit, path)
            if load.page == "how":
                visit.page.click(".how a")
            self.assertEqual(visit.status, {"late": 503, "malformed": 400}.get(load.page.split()[0], 200))
            self._expect_state(visit.page.inner_text("main"), load)
            visit.page.evaluate(f"document.documentElement.style.fontSize = '{load.text}%'")
            self._expect_quiet(visit)
            violations = Axe().run(visit.page, options=AXE).response["violations"]
            self.assertEqual([(rule["id"], [node["html"] for node in rule["nodes"]][:3]) for rule in violations], [])
            for width in (load.width, 360, 768):
                visit.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
                self._expect_fitting(visit.page.evaluate(GEOMETRY), load._replace(width=width))

    def _expect_state(self, text: str, load: Load) -> None:
        # A stale part has its age and the reason.
        stale, poster = {"en": (r"stale \(\d+ d old\) — .", "poster: "), "ko": (r"오래된 자료 \(\d+일 전\)", "포스터: ")}[load.language]
        if load.page.startswith("stale"):
            self.assertRegex(text, stale)
        elif load.page == "bare list":
            # A part that fails late is too late for the page; a phone has the reasons below the films.
            self.assertRegex(text, {
                "en": r"(no detail|detail too late)\s+(no poster|poster too late)|Partial answer",
                "ko": r"상세 (없음|시간 초과)\s+포스터 (없음|시간 초과)|일부만 도착"}[load.language])
        elif load.page == "partial film":
            self.assertIn(poster, text)

    def _expect_quiet(self, visit: Visit) -> None:
        # Chromium reports the status of the page itself.
        messages = [text for text in visit.messages if visit.status == 200 or "Failed to load resource" not in text]
        self.assertEqual((messages, visit.foreign), ([], []))

    def _expect_fitting(self, geometry: dict[str, Any], load: Load) -> None:
        self.assertLessEqual(geometry["excess"], 0, "it scrolls sideways")
        for row in geometry["rows"]:
            self.assertLessEqual(row["height"], 1.6 * row["content"], "a row is much higher than what it has")
        if load.page in ("list", "week"):
            self.assertGreaterEqual(len(geometry["rows"]), 10)
        if geometry["rows"] and load.width == 390 and load.text == 100:
            self.assertGreaterEqual(sum(row["isVisible"] for row in geometry["rows"]), 3, "too few films above the fold")
        for ratio in geometry["posters"]:
            self.assertTrue(1.2 <= ratio <= 1.7, f"a poster's height is {ratio:.2f} of its width")
        self.assertEqual(geometry["small"], [], "targets below 24 px")
        self.assertEqual(geometry["plots"], 0, "an SVG has no title")
        if load.text == 100:
            self.assertEqual(geometry["broken"], [], "it breaks within a figure")


def _path(load: Load) -> str:
    path = {
        "list": "/2022-01-05?", "grid": "/2022-01-05?view=grid&", "week": "/2022-W01/weekend?",
        "filtered": "/2022-01-05?area=seoul&nation=korean&",
        "search": "/search?q=%EA%B2%A8%EC%9A%B8&", "search form": "/search?", "calendar": "/calendar/2022-01?", "month": "/2022-01?", "year": "/2022?", "records": "/records?",
        "compare": "/compare?film=%231&film=%EB%B0%94%EB%8B%A4&", "about": "/about?",
        "malformed date": "/2026-13-45?", "how": "/2022-01-05?", "activity": "/how?",
    }.get(load.page)
    if path is None:
        path = _films_path(load.page) if load.page.endswith("film") else _unseen_path(load.page)
    return f"{path}lang={load.language}"


def _unseen_path(page: str) -> str:
    if page.endswith("week"):
        return _unseen_weekend()
    day = SCENE.unseen_films() if page == "bare list" else SCENE.unseen_day()
    if page.startswith("stale"):
        SCENE.store(day)
    if page.endswith("search"):
        return f"/search?q={day}&"
    return f"/{day}?" + ("view=grid&" if page.endswith("grid") else "")


def _unseen_weekend() -> str:
    path = f"/{SCENE.unseen_week()}/weekend?"
    # As a page, since a week's JSON has no films; it is not kept under the address that names a language.
    with SCENE.context(java_script_enabled=False) as context:
        SCENE.visit(context, path)
    return path


def _films_path(page: str) -> str:
    film = {"partial film": _film_without_poster, "stale film": _film_without_page}.get(page, lambda: film_path("2022-01-05"))
    return f"{film()}?"


@cache
def _film_without_poster() -> str:
    """Return a film whose poster has not been searched for while the search worked."""
    with SCENE.fault(IMAGE_SEARCH):
        return film_path(SCENE.unseen_films())


@cache
def _film_without_page() -> str:
    """Return a film that is stored and whose page is not kept."""
    return film_path(SCENE.unseen_films())


@cache
def film_path(day: str) -> str:
    """Return the path of the first film of a day's chart."""
    # Without a stream of events, whose watch would ask for missing posters after the page is closed.
    with SCENE.context(java_script_enabled=False) as context:
        return str(SCENE.visit(context, f"/{day}").page.locator(".film:visible h2 a").first.get_attribute("href"))

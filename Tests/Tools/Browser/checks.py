"""What a reader can do without JavaScript, with the keyboard alone, and in both languages."""

from __future__ import annotations

import itertools
import unittest
from typing import cast

from playwright.sync_api import BrowserContext, Page, expect

from .scene import IMAGE_SEARCH, Scene

SCENE = cast(Scene, None)  # the command line sets it

# How much has moved while a page loads, and the most films that were visible while their parts were awaited.
RECORD = """
  globalThis.shifts = [];
  globalThis.awaited = 0;
  const box = ({ x, y, width, height }) => [x, y, width, height].join(' ');
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        `${(node?.outerHTML ?? node?.data ?? '').slice(0, 200)}: ${box(previousRect)} -> ${box(currentRect)}`);
      shifts.push(`${value} ${moved.join('; ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    const films = [...document.querySelectorAll('.awaited > li')].filter(film => film.checkVisibility());
    awaited = Math.max(awaited, films.length);
    requestAnimationFrame(look);
  };
  look();
"""


class WithoutJavaScript(unittest.TestCase):
    """Every link and every form works without JavaScript."""

    def test_every_link_has_a_page(self) -> None:
        with SCENE.context(java_script_enabled=False) as context:
            seen: set[str] = set()
            waiting = [
                "/", "/2022-01-05?view=grid", "/calendar/2022-01", "/search?q=%EB%B0%94%EB%8B%A4", "/about", "/how",
                "/2026-13-45", "/2022-W01/weekend",
            ]
            # The links of the first pages, not of all: the calendar leads to each day of twenty years.
            for path in waiting:
                page = SCENE.visit(context, path).page
                links = page.locator("a[href^='/']").evaluate_all("all => all.map(link => link.getAttribute('href'))")
                seen.update(link.partition("#")[0] for link in links)
                # The first film and the first explanation of each page, too.
                waiting += [link for link in links if link.startswith(("/films/", "/how/"))][:1] if len(waiting) < 12 else []
            for link in sorted(link for link in seen if link):
                if link.partition("?")[0].endswith(".csv"):  # a browser saves it
                    self.assertEqual(context.request.get(SCENE.address + link).status, 200, link)
                    continue
                visit = SCENE.visit(context, link)
                self.assertEqual(visit.status, 200, link)
                visit.page.close()

    def test_every_form_leads_to_its_answer(self) -> None:
        with SCENE.context(java_script_enabled=False) as context:
            page = SCENE.visit(context, "/2022-01-05?lang=en").page
            page.fill("input[name=date]", "2022-02-03")
            page.click("form.date button")
            self.assertEqual(page.url, f"{SCENE.address}/2022-02-03?lang=en")
            page.click(".filters summary")
            page.select_option("select[name=area]", "busan")
            page.click(".filters button")
            self.assertIn("/2022-02-03?", page.url)
            self.assertIn("area=busan", page.url)
            self.assertIn("Busan", page.inner_text(".kind"))
            page.click("form.refresh button")
            self.assertIn("area=busan", page.url)
            self.assertIn("3 February 2022", page.inner_text("h1"))
            page.fill("input[name=q]", "바다")
            page.click("form.search button")
            self.assertIn("/search?q=", page.url)
            self.assertEqual(page.inner_text("h1"), "바다")
            page.fill("input[name=director]", "김예시")
            page.fill("input[name=opened]", "2019-2021")
            page.click("form.fields button")
            self.assertEqual(page.inner_text("h1"), "바다 · directed by 김예시 · released 2019-2021")
            page = SCENE.visit(context, "/how?lang=en").page
            page.fill("input[name=service]", "chart-fetcher")
            page.fill("input[name=query]", "0123")
            page.click("form.choose button")
            self.assertIn("service=chart-fetcher", page.url)
            self.assertIn("query=0123", page.url)

    def test_a_missing_part_is_named_and_there_after_the_fault(self) -> None:
        day = SCENE.unseen_day()
        with SCENE.context(java_script_enabled=False) as context:
            with SCENE.fault(IMAGE_SEARCH):
                page = SCENE.visit(context, f"/{day}?lang=en").page
                self.assertIn("Partial answer", page.inner_text("main"))
                self.assertEqual(page.locator(".film:visible").count(), 10)
                self.assertEqual(page.locator(".poster img").count(), 0)
            page = SCENE.visit(context, f"/{day}?lang=en").page
            self.assertNotIn("Partial answer", page.inner_text("main"))
            self.assertEqual(page.locator(".poster img").count(), 10)


class Cold(unittest.TestCase):
    """A page whose parts are awaited."""

    def test_films_are_shown_before_their_parts_and_nothing_moves(self) -> None:
        for view, width in itertools.product(("list", "grid"), (320, 390, 1280)):
            with (
                self.subTest(f"{view} {width}"), SCENE.latency(500),
                SCENE.context(viewport={"width": width, "height": 800}) as context,
            ):
                context.add_init_script(RECORD)
                page = self._load(context, view)
                self.assertEqual((page.evaluate("awaited"), page.evaluate("shifts")), (10, []))

    def test_complete_films_take_their_place_without_javascript(self) -> None:
        for view in ("list", "grid"):
            with self.subTest(view), SCENE.context(java_script_enabled=False) as context:
                self._load(context, view)

    def _load(self, context: BrowserContext, view: str) -> Page:
        page = SCENE.visit(context, f"/{SCENE.unseen_films()}?lang=en&view={view}").page
        film = {"list": ".film", "grid": ".cell"}[view]
        self.assertEqual(page.locator(f".awaited > {film}").count(), 10)
        self.assertEqual(page.locator(f".awaited > {film}:visible").count(), 0)
        self.assertEqual(page.locator(".awaited a").count(), 0)
        # On a busy machine a part may be too late for the page; it is filled in then, if the page has JavaScript.
        try:
            expect(page.locator(f"{film}:visible .poster img")).to_have_count(10, timeout=15_000)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{page.inner_text('main')}") from None
        return page


class Keyboard(unittest.TestCase):
    """A film is reached with the keyboard alone."""

    def test_the_content_and_a_film_are_reached(self) -> None:
        with SCENE.context() as context:
            page = SCENE.visit(context, "/2022-01-05?lang=en").page
            page.keyboard.press("Tab")
            self.assertEqual(page.evaluate("document.activeElement.className"), "skip")
            self.assertTrue(page.evaluate("document.activeElement.getBoundingClientRect().left >= 0"))
            page.keyboard.press("Enter")
            for _ in range(30):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.matches('.film h2 a')"):
                    break
            title = page.evaluate("document.activeElement.textContent").strip()
            page.keyboard.press("Enter")
            page.wait_for_url("**/films/*")
            self.assertIn(title.split("  ")[0][:10], page.inner_text("h1"))


class Languages(unittest.TestCase):
    """The language is the browser's until the address names one."""

    def test_the_browser_decides_and_then_the_address(self) -> None:
        for locale, language in (("ko-KR", "ko"), ("en-GB", "en"), ("fr-FR", "en")):
            with SCENE.context(locale=locale) as context:
                page = SCENE.visit(context, "/2022-01-05").page
                self.assertEqual(page.get_attribute("html", "lang"), language)
                page.click("a.language")
                other = {"ko": "en", "en": "ko"}[language]
                self.assertEqual(page.get_attribute("html", "lang"), other)
                page.click("nav.days a[rel=prev]")
                self.assertEqual(page.get_attribute("html", "lang"), other)

    def test_korean_titles_are_marked_on_english_pages(self) -> None:
        with SCENE.context() as context:
            page = SCENE.visit(context, "/2022-01-05?lang=en").page
            marked = page.locator(".film h2 [lang=ko]").count()
            hangul = page.locator(".film h2 span").evaluate_all(
                "all => all.filter(span => /[가-힣]/.test(span.textContent) && span.lang !== 'ko').length")
            self.assertGreater(marked, 0)
            self.assertEqual(hangul, 0)

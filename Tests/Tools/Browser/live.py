"""What an open page does by itself: it follows the changes of its chart, and the messages of the stack."""

from __future__ import annotations

import subprocess
import unittest
from typing import cast

from playwright.sync_api import BrowserContext, Page, expect

from .scene import IMAGE_SEARCH, ROOT, Scene, Visit

SCENE = cast(Scene, None)  # the command line sets it

LIVE = "() => document.documentElement.dataset.live === 'open'"


def _scale(*services: str) -> None:
    subprocess.run([ROOT / "compose" / "stack", "scale", *services], env=SCENE.environment, check=True,
                   stdout=subprocess.DEVNULL)


class OpenChart(unittest.TestCase):
    """A chart that is open while its parts change."""

    def _refresh(self, day: str) -> None:
        with SCENE.context() as other:
            page = SCENE.visit(other, f"/{day}").page
            # A profile that is closed while a page is on its way does not end.
            with page.expect_navigation():
                page.click("form.refresh button")

    def _open_without_posters(self, context: BrowserContext, day: str) -> Visit:
        visit = SCENE.visit(context, f"/{day}?lang=en")
        self.assertIn("Partial answer", visit.page.inner_text("main"))
        visit.page.wait_for_function(LIVE)
        return visit

    def test_parts_that_arrive_later_are_shown_and_the_focus_stays(self) -> None:
        day = SCENE.unseen_films()
        with SCENE.context(viewport={"width": 800, "height": 600}) as context:
            with SCENE.fault(IMAGE_SEARCH):
                visit = self._open_without_posters(context, day)
            page = visit.page
            link = page.locator(".film h2 a").nth(8)
            link.focus()
            top = "document.activeElement.getBoundingClientRect().top"
            before = page.evaluate(top)
            name = link.inner_text()
            self._refresh(day)
            expect(page.locator(".poster img")).to_have_count(10)
            expect(page.locator("main")).not_to_contain_text("Partial answer")
            expect(page.locator("[role=status]")).to_contain_text("The chart has changed")
            self.assertEqual(page.evaluate("document.activeElement.innerText"), name)
            self.assertAlmostEqual(page.evaluate(top), before, delta=1)
            self.assertEqual(visit.messages, [])
            self.assertEqual(visit.foreign, [])

    def test_a_paused_page_stays_as_it_is_until_it_goes_on(self) -> None:
        day = SCENE.unseen_films()
        with SCENE.context() as context:
            with SCENE.fault(IMAGE_SEARCH):
                page = self._open_without_posters(context, day).page
                page.click(".live button")
            self.assertEqual(page.evaluate("document.documentElement.dataset.live"), "closed")
            self._refresh(day)
            self.assertEqual(page.locator(".poster img").count(), 0)
            page.click(".live button")
            expect(page.locator(".poster img")).to_have_count(10)

    def test_a_hidden_page_closes_its_stream_and_goes_on(self) -> None:
        day = SCENE.unseen_films()
        with SCENE.context() as context:
            with SCENE.fault(IMAGE_SEARCH):
                page = self._open_without_posters(context, day).page
                _hide(page, True)
                self.assertEqual(page.evaluate("document.documentElement.dataset.live"), "closed")
            self._refresh(day)
            _hide(page, False)
            expect(page.locator(".poster img")).to_have_count(10)

    def test_posters_of_resolvers_that_are_killed_are_named_and_filled_when_they_are_back(self) -> None:
        day = SCENE.unseen_films()
        with SCENE.context() as context:
            page = context.new_page()
            with SCENE.suspended_resolvers() as kill:
                page.goto(f"{SCENE.address}/{day}?lang=en", wait_until="commit")
                page.wait_for_selector(".awaited > .film")
                kill()
                page.wait_for_selector(".notes .note")
                self.assertIn("poster:", page.inner_text(".notes"))
                page.wait_for_function(LIVE)
            expect(page.locator(".poster img")).to_have_count(10, timeout=15_000)
            expect(page.locator(".notes")).not_to_contain_text("poster:")

    def test_corrected_figures_take_the_place_of_the_first_ones(self) -> None:
        day = SCENE.unseen_films()
        with SCENE.context() as context:
            with SCENE.uncorrected():
                page = SCENE.visit(context, f"/{day}?lang=en").page
                page.wait_for_function(LIVE)
            first = page.locator(".film:visible .figures").all_inner_texts()
            self._refresh(day)
            expect(page.locator("[role=status]")).to_contain_text("The chart has changed")
            corrected = page.locator(".film:visible .figures").all_inner_texts()
            self.assertNotEqual(corrected, first)
            with SCENE.context() as other:
                fresh = SCENE.visit(other, f"/{day}?lang=en").page
                self.assertEqual(corrected, fresh.locator(".film:visible .figures").all_inner_texts())

    def test_posters_of_a_resolver_that_is_gone_are_named_and_filled_when_it_is_back(self) -> None:
        day = SCENE.unseen_films()
        _scale("poster-resolver=0")
        try:
            with SCENE.context() as context:
                page = SCENE.visit(context, f"/{day}?lang=en").page
                self.assertEqual(page.locator(".film:visible").count(), 10)
                self.assertIn("poster:", page.inner_text(".notes"))
                page.wait_for_function(LIVE)
                _scale("poster-resolver=2")
                expect(page.locator(".poster img")).to_have_count(10, timeout=10_000)
                expect(page.locator(".notes")).not_to_contain_text("poster:")
        finally:
            _scale("poster-resolver=2")


class Activity(unittest.TestCase):
    """The messages of the stack as they happen."""

    def test_questions_and_instances_appear_and_vanish(self) -> None:
        with SCENE.context() as context:
            visit = SCENE.visit(context, "/how?lang=en")
            page = visit.page
            page.wait_for_function(LIVE)
            names = page.locator(".lanes text")
            expect(names.filter(has_text="cache-store/1")).to_have_count(1)
            day = SCENE.unseen_films()
            with SCENE.context() as other:
                SCENE.visit(other, f"/{day}")
            # The page that is open has a watch, which asks, too.
            expect(page.locator(".questions li").filter(has_text=day).last).to_contain_text("ms · ok")
            page.wait_for_function("document.querySelectorAll('.lanes rect').length >= 10")
            _scale("detail-fetcher=3")
            try:
                expect(names.filter(has_text="detail-fetcher/3")).to_have_count(1)
            finally:
                _scale("detail-fetcher=2")
            expect(names.filter(has_text="detail-fetcher/3")).to_have_count(0)
            self.assertEqual(visit.messages, [])

    def test_filters_are_in_the_address(self) -> None:
        with SCENE.context() as context:
            page = SCENE.visit(context, "/how?lang=en").page
            page.fill("input[name=kind]", "movie.*")
            page.click("form.choose button")
            self.assertIn("kind=movie.", page.url)
            page.wait_for_function(LIVE)
            with SCENE.context() as other:
                SCENE.visit(other, f"/{SCENE.unseen_films()}")
            page.wait_for_function("document.querySelectorAll('.lanes rect').length >= 10")
            titles = page.locator(".lanes rect title").all_text_contents()
            self.assertTrue(all(title.startswith("movie.detail.answered") for title in titles), titles)


def _hide(page: Page, is_hidden: bool) -> None:
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }", is_hidden)

"""Pages on paper, and in the few colours that a reader forces."""

from __future__ import annotations

import re
import unittest
from typing import cast

from playwright.sync_api import Page

from .matrix import film_path
from .scene import Scene

SCENE = cast(Scene, None)  # the command line sets it

# What is of use on a screen only.
CONTROLS = "nav, form, button, input, select, summary, .links, .how, .skip"


class Media(unittest.TestCase):
    """What a printer and a reader's own colours make of a page."""

    def test_a_chart_and_a_film_are_printed_on_one_page_without_controls(self) -> None:
        SCENE.archive("2021-12-01..2022-01-31")
        for path in ("/2022-01-05", "/2022-01-05?view=grid", film_path("2022-01-05")):
            with self.subTest(path), SCENE.context() as context:
                page = SCENE.visit(context, path).page
                page.emulate_media(media="print")
                shown = page.eval_on_selector_all(
                    CONTROLS, "all => all.filter(each => each.checkVisibility()).map(each => each.outerHTML.slice(0, 80))")
                self.assertEqual(shown, [])
                sheet = page.pdf(prefer_css_page_size=True)
                self.assertEqual(len(re.findall(rb"/Type\s*/Page\b", sheet)), 1)

    def test_forced_colours_show_the_chosen_tab_and_each_bar(self) -> None:
        with SCENE.context(forced_colors="active") as context:
            page = SCENE.visit(context, "/2022-01-05").page
            self.assertTrue(page.evaluate("matchMedia('(forced-colors: active)').matches"))
            chosen, other = (self._look(page, f".tabs a{state}") for state in ("[aria-current]", ":not([aria-current])"))
            self.assertNotEqual(chosen, other)
            page = SCENE.visit(context, film_path("2022-01-05")).page
            bar, ground = (page.evaluate(
                "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]", pair)
                for pair in ((".run-plot rect.bar", "fill"), ("html", "backgroundColor")))
            self.assertNotEqual(bar, ground)

    def _look(self, page: Page, selector: str) -> list[str]:
        """Return the border of an element: a forced colour replaces what stands behind it."""
        return list(page.evaluate(
            "selector => { const style = getComputedStyle(document.querySelector(selector));"
            " return [style.borderTopWidth, style.borderTopStyle, style.borderTopColor]; }", selector))

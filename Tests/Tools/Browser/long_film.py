"""A film with the longest of everything: 400 days in the charts, a title of 120 characters, 217 actors."""

from __future__ import annotations

import json
import unittest
from datetime import date, timedelta
from pathlib import Path
from typing import cast

from axe_playwright_python.sync_playwright import Axe

from .matrix import AXE, GEOMETRY, WIDTHS
from .scene import Scene

SCENE = cast(Scene, None)  # the command line sets it

CODE = "20239999"
# No blank lets it break, in either script.
TITLE = "긴제목" * 20 + "W" * 60
ACTORS = 217
FIRST, DAYS = date(2023, 1, 1), 400


def write_recordings(folder: Path) -> None:
    """Write what KOBIS would answer about the film."""
    folder.mkdir()
    total = 0
    for offset in range(DAYS):
        day = FIRST + timedelta(offset)
        admissions = 900_000 - offset * 2_000
        total += admissions
        row = {
            "rnum": "1", "rank": "1", "rankInten": "0", "rankOldAndNew": "OLD" if offset else "NEW", "movieCd": CODE,
            "movieNm": TITLE, "openDt": FIRST.isoformat(), "salesAmt": f"{admissions * 10_000}", "salesShare": "100.0",
            "salesInten": "0", "salesChange": "0", "salesAcc": f"{total * 10_000}", "audiCnt": f"{admissions}",
            "audiInten": "-2000", "audiChange": "-0.2", "audiAcc": f"{total}", "scrnCnt": "2999", "showCnt": "19999",
        }
        _write(folder / f"daily-{day:%Y%m%d}.json", {"boxOfficeResult": {
            "boxofficeType": "일별 박스오피스", "showRange": f"{day:%Y%m%d}~{day:%Y%m%d}", "dailyBoxOfficeList": [row]}})
    person = {"peopleNmEn": "", "cast": "", "castEn": ""}
    _write(folder / f"movieinfo-{CODE}.json", {"movieInfoResult": {"movieInfo": {
        "movieCd": CODE, "movieNm": TITLE, "movieNmEn": "", "movieNmOg": "", "showTm": "199", "prdtYear": "2023",
        "openDt": f"{FIRST:%Y%m%d}", "prdtStatNm": "개봉", "typeNm": "장편", "nations": [{"nationNm": "한국"}],
        "genres": [{"genreNm": "드라마"}], "directors": [{"peopleNm": "감독", "peopleNmEn": ""}],
        "actors": [{"peopleNm": f"배우{number}", **person} for number in range(1, ACTORS + 1)], "showTypes": [],
        "companys": [], "audits": [], "staffs": []}}})


def _write(path: Path, body: object) -> None:
    path.write_text(json.dumps(body, ensure_ascii=False), encoding="utf-8")


class LongFilm(unittest.TestCase):
    """Every page that has the film fits each width, and is accessible."""

    def test_each_page_fits(self) -> None:
        last = FIRST + timedelta(DAYS - 1)
        SCENE.archive(f"{FIRST}..{last}")
        paths = (f"/films/{CODE}", f"/{last}", f"/{last}?view=grid", f"/{last:%Y-%m}", f"/{FIRST:%Y}",
                 f"/calendar/{last:%Y-%m}", f"/compare?film={CODE}&film=%231", "/records", f"/search?q={TITLE[:40]}")
        with SCENE.context() as context:
            visit = SCENE.open(context)
            for path in paths:
                SCENE.go(visit, f"{path}{'&' if '?' in path else '?'}lang=ko")
                self.assertEqual(visit.status, 200, path)
                if path == paths[0]:
                    page = visit.page
                    self.assertEqual(page.locator(".run-plot rect.bar").count(), DAYS)
                    self.assertIn(f"배우 {ACTORS}명", page.text_content("main") or "")
                    page.eval_on_selector_all("details", "all => all.forEach(each => { each.open = true; })")
                violations = Axe().run(visit.page, options=AXE).response["violations"]
                self.assertEqual([rule["id"] for rule in violations], [], path)
                for width, text in ((width, text) for width in WIDTHS for text in (100, 200)):
                    with self.subTest(f"{path} {width} {text}"):
                        visit.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
                        visit.page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
                        found = visit.page.evaluate(GEOMETRY)
                        self.assertLessEqual(found["excess"], 0, "it scrolls sideways")
                        self.assertEqual(found["small"], [], "targets below 24 px")
                        if text == 100:
                            self.assertEqual(found["broken"], [], "it breaks within a figure")

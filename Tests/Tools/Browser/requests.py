"""What the server answers to programs: JSON as the command line prints it, and malformed requests."""

from __future__ import annotations

import datetime
import json
import os
import random
import re
import resource
import socket
import subprocess
import unicodedata
import unittest
import urllib.parse
from contextlib import ExitStack
from typing import Any, cast

import feedparser
import html5lib

from .scene import ROOT, Scene

SCENE = cast(Scene, None)  # the command line sets it


class Documents(unittest.TestCase):
    """The address of a page with .json gives the bytes of the command line."""

    def test_the_bytes_are_those_of_the_gateway(self) -> None:
        for path, words in {
            "/2022-01-05.json": ["show", "2022-01-05"],
            "/2022-W01.json": ["chart", "2022-01-05", "--weekly"],
            "/2022-W01/weekend.json?area=busan": ["chart", "2022-01-05", "--weekend", "--area", "busan"],
            "/2022-01-05.json?nation=korean": ["chart", "2022-01-05", "--nation", "korean"],
            f"/films/{_film()}.json": ["movie", _film()],
            "/search.json?q=%EB%B0%94%EB%8B%A4": ["search", "바다"],
            "/films/99999999.json": ["movie", "99999999"],
        }.items():
            with self.subTest(path):
                # Both read the stored parts, which only their ages may distinguish.
                for _ in range(2):
                    _get(path)
                printed = subprocess.run(
                    [SCENE.binaries / "gateway", *words, "--json"], env=SCENE.environment, capture_output=True,
                    check=False).stdout
                status, fields, body = _get(path)
                self.assertEqual(fields["content-type"], "application/json; charset=utf-8")
                self.assertEqual(status, 404 if "9999" in path else 200)
                self.assertEqual(_ageless(body), _ageless(printed))
                json.loads(body)


    def test_the_table_is_that_of_the_gateway(self) -> None:
        for path, words in {
            "/2022-01-05.csv": ["chart", "2022-01-05"],
            "/2022-W01/weekend.csv?area=busan": ["chart", "2022-01-05", "--weekend", "--area", "busan"],
        }.items():
            with self.subTest(path):
                printed = subprocess.run(
                    [SCENE.binaries / "gateway", *words, "--excel"], env=SCENE.environment, capture_output=True,
                    check=False).stdout
                status, fields, body = _get(path)
                self.assertEqual((status, fields["content-type"]), (200, "text/csv; charset=utf-8"))
                self.assertEqual(body, printed)


class Feed(unittest.TestCase):
    """A parser of feeds accepts the feed, whose entries lead to pages."""

    def test_each_entry_has_a_page(self) -> None:
        today = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=9)  # in Seoul
        SCENE.archive(f"{today.date() - datetime.timedelta(days=20)}..{today.date() - datetime.timedelta(days=1)}")
        status, fields, body = _get("/feed.atom?lang=en")
        self.assertEqual((status, fields["content-type"]), (200, "application/atom+xml; charset=utf-8"))
        feed = feedparser.parse(body)
        self.assertFalse(feed.bozo, feed.get("bozo_exception"))
        self.assertEqual(feed.version, "atom10")
        self.assertEqual(len(feed.entries), 14)
        self.assertEqual([entry.published for entry in feed.entries], sorted((entry.published for entry in feed.entries), reverse=True))
        for entry in feed.entries:
            self.assertTrue(entry.link.startswith("http://localhost/"))
            self.assertEqual(_get(entry.link.removeprefix("http://localhost"))[0], 200)
            (content,) = entry.content
            self.assertEqual((content.type, content.value.count("<tr>")), ("text/html", 11))
            self.assertTrue(all(link.startswith("http://localhost/films/") for link in re.findall('href="([^"]*)"', content.value)))


class Escaping(unittest.TestCase):
    """Whatever text a page contains, a parser of HTML reads it back without what controls, reorders or cannot be seen."""

    PIECES = (
        "<script>", "</p>", "<!--", "-->", '"', "'", "&", "&amp;", "&lt", "&#x3c;", "<", ">", "`", "=", "/", "\\", " ", "  ",
        "{{x}}", "{{{", "}}", "]]>", "javascript:", "한", "가나다", "\u202e", "\u200d", "\u0301", '"\u0301', "'\u200d", "<\u0338",
        "é", "😀", "<svg/onload=x>", "\ufeff", "a", "\x01", "\x1b[2J", "\x1d", "\x7f", "\x9b", "\u200b", "\u2028", "\u2066",
        "\ufdd0", "\ufffe", "\U0001ffff",
    )
    HIDDEN = re.compile(
        "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff\U0001fffe\U0001ffff]")
    COUNT = 10_000 if os.environ.get("BOXOFFICE_TEST_ALL") else 1_000

    def test_a_text_in_a_paragraph(self) -> None:
        chance = random.Random(1)
        for _ in range(self.COUNT):
            text = "".join(chance.choices(self.PIECES, k=chance.randint(1, 12)))
            document = self._document(f"/go?lang=en&date={urllib.parse.quote(text, safe='')}")
            paragraphs = [self._text(element) for element in document.iterfind(".//main//p")]
            text = self.HIDDEN.sub("", text)
            self.assertIn(f"'{text}' is not a date. Choose one below.", paragraphs)
            self.assertEqual(document.findall(".//script") + document.findall(".//svg"), [])

    def test_a_text_in_titles_and_attributes(self) -> None:
        chance = random.Random(2)
        for _ in range(100):
            text = ("x" + "".join(chance.choices(self.PIECES, k=chance.randint(1, 12)))).strip() + "x"
            document = self._document(f"/search?lang=en&q={urllib.parse.quote(text, safe='')}")
            wanted = self.HIDDEN.sub("", unicodedata.normalize("NFC", text))
            self.assertEqual(self._text(document.find(".//h1")), wanted)
            self.assertEqual(self._text(document.find(".//title")), f"{wanted} · Korean box office")
            self.assertEqual(document.find(".//input[@name='q']").get("value"), wanted)
            self.assertEqual(document.find(".//meta[@property='og:title']").get("content"), wanted)

    def test_every_recorded_title(self) -> None:
        titles = set()
        for file in (ROOT / "Tests").glob("**/Fixtures/**/*.json"):
            titles.update(re.findall(r'"(?:movieNm|movieNmEn|movieNmOg)"\s*:\s*"((?:[^"\\]|\\.)*)"', file.read_text("utf-8")))
        self.assertGreater(len(titles), 20)
        for title in sorted(json.loads(f'"{title}"') for title in titles):
            if title.strip():
                document = self._document(f"/search?lang=en&q={urllib.parse.quote(title, safe='')}")
                self.assertEqual(self._text(document.find(".//h1")), unicodedata.normalize("NFC", title.strip()))

    def _document(self, path: str) -> Any:
        return html5lib.parse(_get(path)[2].decode("utf-8"), namespaceHTMLElements=False)

    def _text(self, element: Any) -> str:
        return "".join(element.itertext())


class Malformed(unittest.TestCase):
    """A malformed request gets an answer, or its connection ends; the next one is answered as ever."""

    def tearDown(self) -> None:
        self.assertEqual(_get("/healthz")[0], 200)

    def test_a_malformed_address_has_its_status(self) -> None:
        for target, status in {
            "/2026-13-45": 400, "/0000-00-00": 400, "/" + "a" * 8192: 414, "/..%2f": 404, "/%00": 404, "/%FF%FE": 404,
            "/../../etc/passwd": 404, "/2022-01-05?area=%FF": 400, "/posters/..%2f..%2fkey": 404,
            "/posters/http://127.0.0.1/": 404, "/assets/../style.css": 404, "/search?q=%00%FF%0D%0AX:1": 200,
        }.items():
            with self.subTest(target[:40]):
                self.assertEqual(_raw(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")[0], status)

    def test_a_foreign_missing_or_second_host_is_refused(self) -> None:
        for hosts, statuses in {
            "Host: evil.example\r\n": {421}, "": {400, 421}, "Host: localhost\r\nHost: evil.example\r\n": {400, 421},
            "Host: evil.example\r\nHost: localhost\r\n": {400, 421}, "Host: \r\n": {400, 421},
        }.items():
            with self.subTest(hosts):
                self.assertIn(_raw(f"GET /about HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n")[0], statuses)

    def test_a_page_is_only_read(self) -> None:
        for method, status in {"HEAD": 200, "PUT": 405, "DELETE": 405, "OPTIONS": 405, "TRACE": 405}.items():
            with self.subTest(method):
                answer = _raw(f"{method} /about HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                self.assertEqual(answer[0], status)
        body = _raw("HEAD /about HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")[1]
        self.assertEqual(body, b"")

    def test_a_form_of_another_site_is_refused(self) -> None:
        head = "POST /2022-01-05/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n"
        for fields, status in {
            "": 403, "Origin: http://evil.example\r\n": 403, "Origin: null\r\n": 403,
            "Sec-Fetch-Site: cross-site\r\n": 403, "Sec-Fetch-Site: same-origin\r\n": 303,
        }.items():
            with self.subTest(fields):
                self.assertEqual(_raw(f"{head}{fields}\r\n")[0], status)

    def test_a_part_of_a_poster_is_the_whole_poster(self) -> None:
        status, fields, body = _get(f"/posters/{_film()}", {"Range": "bytes=0-9"})
        self.assertEqual((status, fields["content-type"]), (200, "image/png"))
        self.assertEqual(body[:8], b"\x89PNG\r\n\x1a\n")

    def test_two_thousand_idle_connections_hold_up_no_reader(self) -> None:
        address = urllib.parse.urlsplit(SCENE.address)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        try:
            with ExitStack() as stack:
                idle = [
                    stack.enter_context(socket.create_connection((address.hostname, address.port), timeout=20))
                    for _ in range(2100)
                ]
                self.assertEqual(_get("/2022-01-05")[0], 200)
                # The oldest have made room.
                self.assertEqual(idle[0].recv(1), b"")
                idle[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertTrue(idle[-1].recv(100).startswith(b"HTTP/1.1 200 "))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def test_what_is_no_request_or_too_long_is_refused(self) -> None:
        for text in ("\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x00\x01\x02\r\n\r\n",
                     "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET /about HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 17_000 + "\r\n\r\n"):
            with self.subTest(text[:20]):
                status = _raw(text)[0]
                self.assertTrue(status is None or 400 <= status < 600, status)


def _ageless(document: bytes) -> str:
    """Return the document without the figures that change each second, and without the way that a part came."""
    return re.sub(r'"(age|ttl)":-?\d+', r'"\1":0', document.decode("utf-8"))


def _film() -> str:
    return str(json.loads(_get("/2022-01-05.json")[2])["films"][0]["code"])


def _get(path: str, fields: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    more = "".join(f"{name}: {value}\r\n" for name, value in (fields or {}).items())
    answer = _exchange(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    named = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return int(lines[0].split()[1]), named, body


def _raw(text: str) -> tuple[int | None, bytes]:
    """Send these bytes, and return the status and the body; no status when the connection just ends."""
    answer = _exchange(text)
    head, _, body = answer.partition(b"\r\n\r\n")
    match = re.match(rb"HTTP/1\.1 (\d{3})", head)
    return (int(match[1]) if match else None), body


def _exchange(text: str) -> bytes:
    address = urllib.parse.urlsplit(SCENE.address)
    answer = b""
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        try:
            connection.sendall(text.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65_536):
                answer += part
        except (ConnectionResetError, BrokenPipeError):
            pass
    return answer

"""The site of documents: built whole, its links checked, and the same text that a git host shows."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import threading
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright

from tools import build_site

SHOWN = ("h1", "h2", "h3", "h4", "li", "ol", "ul", "table", "tr", "img", "blockquote")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert build_site.build(folder) == []
    return folder


class _Shown(HTMLParser):
    """Counts elements of the text of a page, and its blocks of code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SHOWN:
            self.counts[tag] += 1
        elif tag == "pre":
            self.counts["pre"] += 1


def _pages() -> list[str]:
    names = [path.relative_to(build_site.ROOT).as_posix() for path in (build_site.ROOT / "docs").rglob("*.md")]
    return sorted([*names, *build_site.OUTSIDE])


@pytest.mark.parametrize("name", _pages())
def test_a_page_shows_what_a_git_host_shows(site: Path, name: str) -> None:
    """Python's Markdown and GitHub's differ: in lists after a line of text, in nested lists, in tables."""
    place = build_site.place_of(name)
    assert place is not None
    hosted = MarkdownIt("gfm-like", {"linkify": False}).render((site / "pages" / place).read_text(encoding="utf-8"))
    made = (site / "html" / place).with_suffix(".html").read_text(encoding="utf-8")
    article = re.search(r"<article.*?>(.*)</article>", made, re.DOTALL)
    assert article is not None
    assert _Shown(article[1]).counts == _Shown(hosted).counts


def test_the_site_has_a_search_index_with_every_page(site: Path) -> None:
    (index,) = (site / "html").glob("search*")
    text = index.read_text(encoding="utf-8")
    for name in _pages():
        place = build_site.place_of(name)
        assert place is not None
        assert place.removesuffix(".md") + ".html" in text or place == "index.md"


def test_faults_of_a_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html">1</a><a href="none.html">2</a><a href="b.html#there">3</a><a href="b.html#not">4</a>'
        '<a href="https://example.org">5</a><script src="https://cdn.example/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<h2 id="there">There</h2>')
    assert build_site.faults(tmp_path) == [
        "a.html: loads https://cdn.example/x.js from elsewhere",
        "a.html: link to none.html: no such file",
        "a.html: link to b.html#not: no such heading",
    ]


def test_links_of_a_page_become_those_of_the_site() -> None:
    code = "\n```\n[x](y.md)\n```\n"
    text = "[Rules](pipelines.md#rules) [A](../ARCHITECTURE.md) [brokers](../deploy/brokers) [Why](decisions/README.md)"
    made = "[Rules](pipelines.md#rules) [A](architecture.md) brokers (`deploy/brokers`) [Why](decisions/index.md)"
    assert build_site.with_links(text + code, "docs/scaling.md") == made + code
    assert build_site.with_links("[Back](../README.md)", "docs/decisions/01-x.md") == "[Back](../index.md)"


def test_a_page_that_is_not_in_the_navigation_is_a_fault() -> None:
    sections = [("Begin", [("Start", "start.md")])]
    places = ["index.md", "start.md", "new.md", *build_site.UNLISTED]
    assert build_site.unlisted(places, sections) == ["new.md: not in docs/README.md, which is the navigation"]


@pytest.mark.browser
def test_the_search_finds_a_setting_and_loads_nothing_from_elsewhere(site: Path) -> None:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed")
    handler = functools.partial(_QuietHandler, directory=str(site / "html"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        own = f"http://127.0.0.1:{server.server_port}"
        page = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]).new_page()
        requested: list[str] = []
        page.on("request", lambda request: requested.append(request.url))
        page.goto(f"{own}/index.html")
        page.get_by_text("Search", exact=True).first.click()
        page.keyboard.type("maintenance_window")
        page.get_by_text("[updates]").first.wait_for()  # a chapter of the reference
        server.shutdown()
    assert [url for url in requested if not url.startswith((own, "data:", "blob:"))] == []


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 (the name of the base class)
        """Requests are not logged."""

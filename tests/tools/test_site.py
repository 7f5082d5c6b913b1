"""The site of documents: built whole, its links checked, and the same text that a git host shows."""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import threading
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright

from tools import build_site, site_versions

OWN = build_site.own_version()
OLD = "only-there.html"
SHOWN = ("h1", "h2", "h3", "h4", "li", "ol", "ul", "table", "tr", "img", "blockquote")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this version, in a folder where another and an earlier try of this one are."""
    folder = tmp_path_factory.mktemp("site")
    for place in (f"0.1.0/{OLD}", "0.1.0/index.html", f"{OWN}/stale.html", "assets/index.html"):
        (folder / "html" / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / "html" / place).write_text("<h1>Old</h1>", encoding="utf-8")
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
    made = (site / "html" / OWN / place).with_suffix(".html").read_text(encoding="utf-8")
    article = re.search(r"<article.*?>(.*)</article>", made, re.DOTALL)
    assert article is not None
    assert _Shown(article[1]).counts == _Shown(hosted).counts


def test_the_site_has_a_search_index_with_every_page(site: Path) -> None:
    (index,) = (site / "html" / OWN).glob("search*")
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


def test_versions_stay_beside_each_other(site: Path) -> None:
    html = site / "html"
    assert site_versions.versions(html) == [OWN, "0.1.0"]
    assert (html / "0.1.0" / OLD).read_text(encoding="utf-8") == "<h1>Old</h1>"
    assert not (html / OWN / "stale.html").exists()
    listed = json.loads((html / "versions.js").read_text(encoding="utf-8").partition(" = ")[2].rstrip(";\n"))
    assert [(each["version"], each["latest"]) for each in listed] == [(OWN, True), ("0.1.0", False)]
    assert listed[1]["pages"] == ["index.html", OLD]
    assert listed[0]["pages"] == site_versions.pages_of(html / "latest")
    for path in (html / "latest").rglob("*.html"):
        targets = re.findall(r'href="([^"]+)"', path.read_text(encoding="utf-8"))
        assert len(targets) == 2
        assert all((path.parent / target).is_file() for target in targets)


def test_the_latest_leads_to_the_newest_version_whatever_was_built_last(tmp_path: Path) -> None:
    for version in ("0.10.0", "0.9.0", "0.10.0rc1"):
        (tmp_path / version / "decisions").mkdir(parents=True)
        for page in ("index.html", "decisions/index.html", "404.html"):
            (tmp_path / version / page).write_text("", encoding="utf-8")
        site_versions.publish(tmp_path)
    assert site_versions.versions(tmp_path) == ["0.10.0", "0.10.0rc1", "0.9.0"]
    assert site_versions.publish(tmp_path) == "0.10.0"
    assert '"../../0.10.0/decisions/index.html"' in (tmp_path / "latest/decisions/index.html").read_text(encoding="utf-8")
    assert '"0.10.0/index.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert not (tmp_path / "latest/404.html").exists()
    shutil.rmtree(tmp_path / "0.10.0")
    assert site_versions.publish(tmp_path) == "0.10.0rc1"


@pytest.mark.browser
def test_a_version_is_chosen_on_a_page_that_was_opened_from_the_disk(site: Path) -> None:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed")
    html = (site / "html").as_uri()
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]).new_page()
        page.goto(f"{html}/latest/decisions/index.html#decisions")
        page.wait_for_url(f"{html}/{OWN}/decisions/index.html#decisions")
        chosen = page.get_by_label("Version of the documents")
        assert chosen.locator("option").all_inner_texts() == [f"{OWN} (latest)", "0.1.0"]
        assert chosen.input_value() == OWN
        chosen.select_option("0.1.0")
        page.wait_for_url(f"{html}/0.1.0/index.html")  # it has no such page
        page.goto(f"{html}/index.html")
        page.wait_for_url(f"{html}/{OWN}/index.html")
        page.get_by_label("Version of the documents").wait_for()


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
        page.goto(f"{own}/latest/index.html")
        page.get_by_text("Search", exact=True).first.click()
        page.keyboard.type("maintenance_window")
        page.get_by_text("[updates]").first.wait_for()  # a chapter of the reference
        server.shutdown()
    assert [url for url in requested if not url.startswith((own, "data:", "blob:"))] == []


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 (the name of the base class)
        """Requests are not logged."""

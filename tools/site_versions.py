"""Versions of the site of documents beside each other: which there are, which is the latest, and how pages name them.

html/versions.js      the versions with their pages; every page of every version reads it, also from the disk
html/0.3.0/           the pages of a version
html/latest/          for every page of the latest version one that leads there
html/index.html       leads to the latest version
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

LATEST = "latest"
VERSION = re.compile(r"\d+(?:\.\d+)*(?:[a-z-][\w.-]*)?")
REDIRECT = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>edgefleet</title>
    <link rel="canonical" href="{target}">
    <script>location.replace("{target}" + location.hash)</script>
    <noscript><meta http-equiv="refresh" content="0; url={target}"></noscript>
  </head>
  <body><a href="{target}">{target}</a></body>
</html>
"""
SELECTOR = """\
// Lists the versions of these documents at the top of a page. Made by tools/site_versions.py.
(() => {
  const own = document.currentScript.src;
  const version = new URL("..", own);
  const root = new URL("..", version);
  const list = document.createElement("script");
  list.src = new URL("versions.js", root).href;
  list.onload = () => {
    const name = decodeURIComponent(version.pathname.split("/").at(-2));
    const page = location.href.split(/[?#]/)[0].slice(version.href.length) || "index.html";
    const select = document.createElement("select");
    select.setAttribute("aria-label", "Version of the documents");
    select.className = "version-selector";
    for (const each of window.edgefleetVersions) {
      const text = each.latest ? `${each.version} (latest)` : each.version;
      select.add(new Option(text, each.version, each.version === name, each.version === name));
    }
    select.addEventListener("change", () => {
      const to = window.edgefleetVersions.find((each) => each.version === select.value);
      location.href = new URL(`${to.version}/${to.pages.includes(page) ? page : "index.html"}`, root).href;
    });
    document.querySelector(".md-header__title")?.after(select);
  };
  document.head.append(list);
})();
"""
STYLE = """\
.version-selector {
  margin: 0 0.4rem;
  padding: 0.1rem 0.3rem;
  border: 1px solid currentcolor;
  border-radius: 0.2rem;
  background: var(--md-default-bg-color, #fff);
  color: var(--md-default-fg-color, #000);
  font: inherit;
  font-size: 0.7rem;
}
"""
SCRIPT = "version/selector.js"
SHEET = "version/selector.css"


def add_selector(pages: Path) -> None:
    """Put the files of the selector among the files of a version."""
    for place, text in ((SCRIPT, SELECTOR), (SHEET, STYLE)):
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        (pages / place).write_text(text, encoding="utf-8")


def order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Key by which versions are sorted: by numbers, and a pre-release before its release."""
    numbers = re.match(r"[\d.]*", version)
    assert numbers is not None
    rest = version[numbers.end() :]
    return tuple(int(number) for number in numbers[0].strip(".").split(".")), not rest, rest


def versions(html: Path) -> list[str]:
    """The versions that were built in this folder, the latest first."""
    found = [path.name for path in html.iterdir() if VERSION.fullmatch(path.name) and (path / "index.html").is_file()]
    return sorted(found, key=order, reverse=True)


def pages_of(folder: Path) -> list[str]:
    """Pages of a version, with slashes on every system."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html") if path.name != "404.html")


def publish(html: Path) -> str:
    """List the versions of the folder, let `latest` and the folder's own page lead to the newest, and return its name."""
    found = versions(html)
    listed = [{"version": each, "latest": each == found[0], "pages": pages_of(html / each)} for each in found]
    (html / "versions.js").write_text(f"window.edgefleetVersions = {json.dumps(listed, indent=1)};\n", encoding="utf-8")
    shutil.rmtree(html / LATEST, ignore_errors=True)
    for page in pages_of(html / found[0]):
        file = html / LATEST / page
        file.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (page.count("/") + 1)
        file.write_text(REDIRECT.format(target=f"{up}{found[0]}/{page}"), encoding="utf-8")
    (html / "index.html").write_text(REDIRECT.format(target=f"{found[0]}/index.html"), encoding="utf-8")
    return found[0]

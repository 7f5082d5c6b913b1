"""Builds the site of documents from docs/ and the pages of the root, and checks it.

python -m tools.build_site [FOLDER]

Each version of the project has its own folder, build/site/html/0.3.0; versions that were built there before stay. `latest`
leads to the newest of them, and every page lists them all.

The site loads nothing from other servers. Its pages open from the disk, too; the search needs a web server, such as
`python -m http.server -d build/site/html`. Its navigation is docs/README.md.
Exit status 1: a link leads nowhere, a page is not in the navigation, or a page loads something from elsewhere.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools import site_versions

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "firmware_models/bearing_anomaly/README.md": "bearing-anomaly.md",
}
"""Pages outside of docs/ -> their place in the site."""
UNLISTED = {"bearing-anomaly.md"}
"""Pages that only other pages lead to."""
FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CONFIG = """\
[project]
site_name = "edgefleet {version}"
site_description = "Quantized models on edge devices, and a fleet server that rolls them out"
docs_dir = "pages"
site_dir = "html/{version}"
use_directory_urls = false
extra_javascript = ["{script}"]
extra_css = ["{sheet}"]
nav = [
{nav}
]

[project.theme]
language = "en"
font = false
features = ["content.code.copy", "navigation.indexes", "navigation.sections", "navigation.top", "search.highlight", "toc.follow"]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
toggle.icon = "lucide/sun"
toggle.name = "Switch to dark mode"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
toggle.icon = "lucide/moon"
toggle.name = "Switch to light mode"

[project.extra]
generator = false

[project.plugins.search]

[project.markdown_extensions]
attr_list = {{}}
md_in_html = {{}}
sane_lists = {{}}
tables = {{}}
toc = {{ permalink = true, slugify = {{ object = "pymdownx.slugs.slugify", kwds = {{ case = "lower" }} }} }}
pymdownx.highlight = {{ pygments_lang_class = true }}
pymdownx.superfences = {{}}
"""


def place_of(name: str) -> str | None:
    """Place in the site of a file of the tree; None if it is not part of the site."""
    if name in OUTSIDE:
        return OUTSIDE[name]
    if not name.startswith("docs/"):
        return None
    inside = name.removeprefix("docs/")
    folder, file = posixpath.split(inside)
    return posixpath.join(folder, "index.md") if file == "README.md" else inside


def with_links(text: str, name: str) -> str:
    """The page `name` of the tree with the links of the site. A link to a file that is not part of the site becomes its text."""

    def replaced(link: re.Match[str]) -> str:
        words, target = link[1], link[2]
        path, _, anchor = target.partition("#")
        if not path or "://" in target or target.startswith("mailto:"):
            return link[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        place, own = place_of(file), place_of(name)
        assert own is not None
        if place is None:
            return words if file in words else f"{words} (`{file}`)"
        relative = posixpath.relpath(place, posixpath.dirname(own) or ".")
        return f"[{words}]({relative}{'#' + anchor if anchor else ''})"

    return "".join(part if part.startswith("```") else LINK.sub(replaced, part) for part in FENCE.split(text))


def stage(pages: Path) -> list[str]:
    """Copy every page and every file of docs/ to `pages`, and return the places of the pages."""
    found = (path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*")) if path.is_file())
    names = [name for name in found if "/__pycache__/" not in name]
    places = []
    for name in [*names, *OUTSIDE]:
        place = place_of(name)
        assert place is not None
        target = pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".md":
            target.write_text(with_links((ROOT / name).read_text(encoding="utf-8"), name), encoding="utf-8")
            places.append(place)
        else:
            shutil.copyfile(ROOT / name, target)
    return places


def navigation(pages: Path) -> list[tuple[str, list[tuple[str, str]]]]:
    """Sections of the staged index, each with the titles and places of its pages; one for the decisions with all of them."""
    sections = []
    for part in (pages / "index.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        sections.append((title, re.findall(r"^- \[([^\]]+)\]\(([^)#]+\.md)\)", body, re.MULTILINE)))
    index = (pages / "decisions/index.md").read_text(encoding="utf-8")
    rows = re.findall(r"\[(.+)\]\((\d\d-[^)]+)\)", index)
    decisions = [(f"{int(place[:2])}. {title}", f"decisions/{place}") for title, place in rows]
    sections[-1][1].remove(("Decisions", "decisions/index.md"))
    return [*sections, ("Decisions", [("Decisions", "decisions/index.md"), *decisions])]


def unlisted(places: list[str], sections: list[tuple[str, list[tuple[str, str]]]]) -> list[str]:
    """A line for each page that is not in the navigation."""
    listed = {place for _, pages in sections for _, place in pages} | {"index.md"} | UNLISTED
    return [f"{place}: not in docs/README.md, which is the navigation" for place in places if place not in listed]


def config(sections: list[tuple[str, list[tuple[str, str]]]], version: str) -> str:
    """The generator's configuration."""
    quoted = {title: title.replace("`", "") for _, pages in sections for title, _ in pages}
    lines = ['  { "edgefleet" = "index.md" },']
    for title, pages in sections:
        inside = ", ".join(f'{{ "{quoted[words]}" = "{place}" }}' for words, place in pages)
        lines.append(f'  {{ "{title}" = [{inside}] }},')
    names = {"script": site_versions.SCRIPT, "sheet": site_versions.SHEET}
    return CONFIG.format(version=version, nav="\n".join(lines), **names)


def own_version() -> str:
    """Version of the project."""
    found = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


class _Page(HTMLParser):
    """Anchors, links and loaded files of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in ("script", "img", "iframe", "source") and values.get("src"):
            self.loaded.append(values["src"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload", "modulepreload", "manifest"):
            self.loaded.append(values.get("href", ""))


def faults(site: Path) -> list[str]:
    """Links of the site that lead nowhere, and files that its pages load from elsewhere."""
    pages = {path.relative_to(site).as_posix(): _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for name, page in pages.items():
        if name == "404.html":  # its links are absolute: it is shown at any address
            continue
        found += [f"{name}: loads {each} from elsewhere" for each in page.loaded if urlsplit(each).netloc]
        for target in [*page.links, *page.loaded]:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            file = posixpath.join(file, "index.html") if (site / file).is_dir() else file
            if not (site / file).is_file():
                found.append(f"{name}: link to {target}: no such file")
            elif parts.fragment and file in pages and unquote(parts.fragment) not in {*pages[file].anchors, "__top", "top"}:
                found.append(f"{name}: link to {target}: no such heading")
    return found


def build(folder: Path, version: str | None = None) -> list[str]:
    """Build the site of a version in `folder`/html, beside those that are there, and return its faults."""
    version = version or own_version()
    site = folder / "html" / version
    shutil.rmtree(folder / "pages", ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)
    places = stage(folder / "pages")
    sections = navigation(folder / "pages")
    found = unlisted(places, sections)
    (folder / "zensical.toml").write_text(config(sections, version), encoding="utf-8")
    site_versions.add_selector(folder / "pages")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "zensical.toml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    if done.returncode != 0:
        return [*found, f"zensical ended with {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}"]
    site_versions.publish(folder / "html")
    return [*found, *faults(site)]


def main(arguments: list[str]) -> int:
    """Build, and print the faults."""
    folder = Path(arguments[0]) if arguments else ROOT / "build/site"
    found = build(folder.resolve())
    print("\n".join(found or [f"{folder / 'html/index.html'}"]), file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

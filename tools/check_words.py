"""Checks the project's language: `WORDS` in identifiers, `PROSE` in docstrings, comments, documents and the dashboard.

    python tools/check_words.py [PATH ...]

Prints one line a finding; exit status 1 when there is one. There is no list of exceptions.
"""

from __future__ import annotations

import ast
import concurrent.futures
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# fmt: off
WORDS = frozenset({
    "told", "tell", "tells", "telling", "said", "says", "saying", "heard", "hear", "hears", "hearing", "wish", "wishes",
    "wished", "wanted", "asked", "asks", "look", "looks", "looked", "looking", "begun", "begins", "goes", "gone", "kept",
    "somebody", "nobody", "whoever", "voice", "bureau", "desk", "office", "house", "lodger", "lodgings", "guest",
    "gatehouse", "door", "doors", "papers", "notary", "errand", "errands", "chore", "chores", "wallet", "ledger",
})
# fmt: on
"""Never part of an identifier of ours."""
PROSE = re.compile(
    r"\b(told|tells|heard|whoever|whomever|somebody|someone|nobody|wish|wishes|wished|looked at|looks at|the office|the bureau"
    r"|the desk|the house|lodgers?|lodgings|gatehouse|notary|errands?|chores?|voice|rooms? of the"
    r"|lock-outs?|(?:revoked|locked) devices?)\b",
    re.IGNORECASE,
)
OPENING = re.compile(r"(who|what|where|how|which|when|why|anything|everything|something|all that|as|to be|that)\b", re.IGNORECASE)
"""Never the first words of a docstring: it begins with a verb or names its subject."""
SKIPPED = (
    "tests/golden/",
    "docs/openapi.json",
    "fleet_server/dashboard/package-lock.json",
    "CHANGELOG.md",
    "LICENSE",
    "tools/check_words.py",
)
TEXT = (".md", ".toml", ".sh", ".yaml", ".yml", ".service", ".html", ".css", ".js")
CODE = (".ts", ".tsx")


def parts(name: str) -> list[str]:
    """Lower-case words of an identifier in any case style."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def of_identifiers(names: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Findings in `names`, each with its line."""
    for line, name in names:
        bad = WORDS.intersection(parts(name))
        if bad:
            yield line, f"identifier {name}: {', '.join(sorted(bad))}"


def of_prose(line: int, text: str) -> Iterator[tuple[int, str]]:
    """Findings in a piece of prose that begins at `line`."""
    for offset, each in enumerate(text.split("\n")):
        for found in PROSE.finditer(each):
            yield line + offset, f"prose: {found[0]}: {each.strip()[:90]}"


def bound_names(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Names that a module binds: definitions, arguments, variables, attributes of its own objects."""
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def of_openings(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Docstrings of modules, classes and functions that begin with a clause instead of a subject or a verb."""
    for node in nodes:
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            docstring = ast.get_docstring(node) or ""
            if OPENING.match(docstring):
                yield getattr(node, "lineno", 1), f"docstring opens with a clause: {docstring.splitlines()[0][:90]}"


def of_python(text: str) -> Iterator[tuple[int, str]]:
    """Findings in a Python file: names that it binds, comments, docstrings."""
    nodes = list(ast.walk(ast.parse(text)))
    yield from of_identifiers(bound_names(nodes))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from of_prose(token.start[0], token.string)
    yield from of_openings(nodes)
    for node in nodes:  # docstrings, and strings under a constant
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from of_prose(node.lineno, node.value.value)


def of_typescript(text: str) -> Iterator[tuple[int, str]]:
    """Findings in a TypeScript file: names that it declares, and every text in it."""
    for number, line in enumerate(text.split("\n"), 1):
        declared = re.findall(r"\b(?:const|let|function|class|interface|type|enum)\s+([A-Za-z_]\w*)", line)
        yield from of_identifiers((number, name) for name in declared)
        yield from of_prose(number, line)


def check(path: Path) -> list[str]:
    """Findings of one file, as lines to print."""
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        found = of_python(text)
    elif path.suffix in CODE:
        found = of_typescript(text)
    else:
        found = of_prose(1, text)
    return [f"{name}:{line}: {what}" for line, what in sorted(set(found))]


def main(arguments: list[str]) -> int:
    """Check `arguments`, or every file that git tracks."""
    listed = subprocess.run(
        ["git", "ls-files", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    suffixes = (".py", *CODE, *TEXT)
    paths = [ROOT / name for name in listed if name.endswith(suffixes) and not name.startswith(SKIPPED)]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        findings = [line for lines in pool.map(check, filter(Path.is_file, paths), chunksize=32) for line in lines]
    print("\n".join([*findings, f"{len(findings)} findings"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A filter of versions: specifiers of PEP 440 (`<3.0.7`, `>=1.2,<2`, `==1.*`), or one version as text."""

from __future__ import annotations

from typing import Final

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from edgefleet_server.core.errors import InputError

_OPERATORS: Final = ("<", ">", "=", "!", "~")


class VersionFilter:
    """Matches versions; an empty one matches all. Versions that are not of PEP 440 match only if they are equal to the text, and
    are `uncompared` by specifiers."""

    def __init__(self, text: str) -> None:
        """Raises:
        InputError: it begins like a specifier and is none.
        """
        self._text = text.strip()
        self._specifiers: SpecifierSet | None = None
        is_specifier = self._text.startswith(_OPERATORS)
        try:
            self._specifiers = SpecifierSet(self._text if is_specifier else f"=={self._text}") if self._text else None
        except InvalidSpecifier as error:
            if is_specifier:
                raise InputError(f"version {text!r}: must be a version or specifiers like <3.0.7 or >=1.2,<2") from error
        self._compares = is_specifier

    def matches(self, version: str) -> bool:
        """Whether the version matches."""
        if not self._text or version == self._text.removeprefix("==").strip():
            return True
        found = _parsed(version)
        return self._specifiers is not None and found is not None and self._specifiers.contains(found, prereleases=True)

    def is_uncompared(self, version: str) -> bool:
        """Whether specifiers cannot tell, because the version is not one of PEP 440."""
        return self._compares and _parsed(version) is None and not self.matches(version)


def version_key(version: str) -> tuple[bool, Version, str]:
    """A key that orders versions; those that are not of PEP 440 come first, as texts."""
    found = _parsed(version)
    return found is not None, found or Version("0"), version


def _parsed(version: str) -> Version | None:
    try:
        return Version(version)
    except InvalidVersion:
        return None

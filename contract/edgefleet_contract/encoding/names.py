"""Types for names. Every name that reaches a topic, a path or a query has one of these types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta

DEVICE_PATTERN = r"^[a-z0-9_-]{1,64}$"
NAME_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,63}$"
VERSION_PATTERN = r"^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]{1,32})?$"
DIGEST_PATTERN = r"^[0-9a-f]{64}$"
FILE_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,4}$"
LABEL_KEY_PATTERN = r"^[a-z0-9][a-z0-9_.-]{0,62}$"

CAPABILITY_PATTERN = r"^([a-z]+):([A-Za-z0-9][A-Za-z0-9._-]{0,63})$"

DeviceId = Annotated[str, Meta(pattern=DEVICE_PATTERN)]
"""Device id = MQTT client id = user name = certificate CN."""

Name = Annotated[str, Meta(pattern=NAME_PATTERN)]
"""A package, slot, pipeline, stage, zone, line or rule."""

Version = Annotated[str, Meta(pattern=VERSION_PATTERN)]
"""Semantic version of a package."""

Digest = Annotated[str, Meta(pattern=DIGEST_PATTERN)]
"""SHA-256, lower-case hexadecimal: the name of a blob."""

FilePath = Annotated[str, Meta(pattern=FILE_PATTERN, max_length=200)]
"""A path inside a package: relative, no `..`, no hidden files."""

Text = Annotated[str, Meta(max_length=2000)]
"""Text shown to users."""

Capability = Annotated[str, Meta(pattern=CAPABILITY_PATTERN)]
"""Something that an agent can read or compute: KIND:NAME."""

LabelKey = Annotated[str, Meta(pattern=LABEL_KEY_PATTERN)]
LabelValue = Annotated[str, Meta(max_length=200)]

NAMELESS: Final = re.compile(r"class (0|[1-9][0-9]{0,8})")
"""Matches the names that `class_name` gives to classes without a label."""


def class_name(labels: Sequence[str], number: int) -> str:
    """The label of a model's class; `class N` if it has none."""
    return labels[number] if 0 <= number < len(labels) else f"class {number}"

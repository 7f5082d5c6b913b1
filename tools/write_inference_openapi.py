"""Writes the OpenAPI document of the inference API as JSON, in which the server answers it, from docs/inference-api.openapi.yaml.

python tools/write_inference_openapi.py
"""

from __future__ import annotations

import json
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "docs/inference-api.openapi.yaml"
TARGET = ROOT / "agent/edgefleet_agent/serving/http/page/openapi.json"


def document() -> str:
    """The document as JSON. Its calls go to the server that it came from."""
    plain = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    plain["servers"] = [{"url": "/"}]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")

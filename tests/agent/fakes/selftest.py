"""A self-test without a model: `python selftest.py ... DIR`. The package's description sets the result.

golden-fails     a golden sample differs        selftest-segv     the process dies        selftest-slow     it takes a second
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

from edgefleet_contract.package.manifest import read_manifest

manifest = read_manifest((Path(sys.argv[-1]) / "model.toml").read_text(encoding="utf-8"), "model.toml")
if "selftest-slow" in manifest.description:
    time.sleep(1.0)
if "selftest-segv" in manifest.description:
    os.kill(os.getpid(), signal.SIGSEGV)
ok = "golden-fails" not in manifest.description
print(json.dumps({"ok": ok, "reason": "none" if ok else "golden_mismatch", "detail": "" if ok else "a cat is not a dog"}))
sys.exit(0 if ok else 5)

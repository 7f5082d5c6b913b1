"""Coverage-guided fuzzing of what the wire can bring to a device, run by hand (needs `pip install atheris`):

    python -m tests.long.fuzz desired|manifest|descriptor|block|metadata [-max_total_time=600] [CORPUS]

A crash or a broken promise ends it and leaves the input in `crash-*`; give that file in place of CORPUS to see it again.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["agent", "msgspec", "tuf"]):
    from tests import mutations


def main() -> None:
    """Fuzz one kind until told to stop."""
    kind = sys.argv.pop(1)
    corpus = Path(tempfile.mkdtemp(prefix=f"fuzz-{kind}-"))
    if kind == "metadata":
        names = sorted(mutations.metadata_seeds())
        for number, name in enumerate(names):
            (corpus / name).write_bytes(bytes([number]) + mutations.metadata_seeds()[name])

        def case(data: bytes) -> None:
            mutations.metadata_case(names[data[0] % len(names)] if data else names[0], data[1:])
    else:
        seed, case = mutations.CASES[kind]
        (corpus / kind).write_bytes(seed())
    atheris.Setup([*sys.argv, str(corpus)], case)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

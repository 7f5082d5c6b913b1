"""What a runtime or a head raises that nobody foresaw, as an error of the frame at hand: this process computes for other
cameras, too."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from traceback import extract_tb

from edgefleet_agent.backends.base import one_line
from edgefleet_contract.core.errors import EdgefleetError, ModelError, UnavailableError


@contextlib.contextmanager
def as_model_error(model: str) -> Iterator[None]:
    """Whatever the model's runtime or head raises in this block is a `ModelError` that names the model and the place.

    Raises:
        ModelError: the runtime or the head failed. UnavailableError: as it was raised.
    """
    try:
        yield
    except (ModelError, UnavailableError):
        raise
    except EdgefleetError as cause:
        raise ModelError(str(cause)) from cause
    except Exception as cause:
        place = extract_tb(cause.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        raise ModelError(f"{model} failed with {type(cause).__name__}: {one_line(cause)} ({where})") from cause

"""Converts unexpected exceptions of runtimes and heads to an error of one frame, because the process also serves other
cameras."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from traceback import extract_tb

from edgefleet_agent.backends.base import one_line
from edgefleet_contract.core.errors import EdgefleetError, ModelError, UnavailableError


@contextlib.contextmanager
def as_model_error(model: str) -> Iterator[None]:
    """Raise any exception of this block as a `ModelError` that names the model and the line.

    Raises:
        ModelError: the runtime or the head failed. UnavailableError: unchanged.
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

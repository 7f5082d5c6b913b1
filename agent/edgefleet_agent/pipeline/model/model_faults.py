"""Converts unexpected exceptions of runtimes and heads to an error of one frame, because the process also serves other
cameras."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from edgefleet_agent.backends.contained import fault_with_place, is_for_the_program
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
    except BaseException as cause:
        if is_for_the_program(cause):
            raise
        raise ModelError(f"{model} failed: {fault_with_place(cause)}") from cause

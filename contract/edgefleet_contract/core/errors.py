"""Exceptions of the project, grouped by the required action.

    EdgefleetError
    ├── InputError          invalid input from a person or the network: fix the input
    │   ├── ManifestError     a package or its manifest
    │   ├── PipelineError     a pipeline or its settings
    │   ├── ModelError        a model file that a runtime refuses
    │   ├── MediaError        a picture, video or stream that cannot be decoded
    │   └── MessageError      a message that is not of the contract
    ├── MissingError        something has to be installed or plugged in; the text says what
    ├── UnavailableError    not now: retry later (camera away, broker away, port in use)
    ├── RefusedError        never: an update was refused; carries the reason code for the wire
    └── StoreError          the disk: full, damaged, not writable

Every text is one line that starts with the fault and ends with what to do. `exit_code` is the exit code of a command that fails
with it.
"""

from __future__ import annotations


class EdgefleetError(Exception):
    """Base of every error whose text is shown to users."""

    exit_code = 1


class InputError(EdgefleetError):
    """The input is wrong; the same input will fail again."""

    exit_code = 2


class ManifestError(InputError):
    """A package or its manifest is not valid."""


class PipelineError(InputError):
    """A pipeline specification is not valid."""


class PipelinesRefusedError(PipelineError):
    """Some of several pipelines are invalid. `refused`: the reason, by pipeline name."""

    def __init__(self, refused: dict[str, str]) -> None:
        super().__init__("; ".join(refused.values()))
        self.refused = refused


class ModelError(InputError):
    """A runtime refuses the model file."""


class MediaError(InputError):
    """A picture or video cannot be decoded."""


class MessageError(InputError):
    """Bytes on the wire are not a message of the contract."""


class MissingError(EdgefleetError):
    """A library, program or device is not there; the text names the command that installs it."""

    exit_code = 3


class UnavailableError(EdgefleetError):
    """An existing part does not answer now; a later attempt may succeed."""

    exit_code = 4


class RefusedError(EdgefleetError):
    """An update is refused. `reason` is a value of `wire.reason_codes.Reason` (a str here: this module imports nothing)."""

    exit_code = 5

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class StoreError(EdgefleetError):
    """The disk cannot store what it has to."""

    exit_code = 6

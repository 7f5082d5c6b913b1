"""Takes a model out of service that fails repeatedly, and tries it again.

A failure is a fault of the runtime or a plug-in (`FaultError`): an unexpected exception, a wrong output, a lost process. An error
that the runtime reports about the values of a request is none, or one caller could take a model from all others. After
`faults_max` failures in a row, requests are refused (503) for a pause; then one of them is a trial. If it succeeds the model is
in service again, otherwise the next pause is twice as long. Loading the model again starts anew.
"""

from __future__ import annotations

import functools
import logging
import threading
import time

from edgefleet_agent.serving.engine.dynamic_batcher import Answer, Done
from edgefleet_agent.serving.protocol.errors import CallError, Code, FaultError, internal_fault
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_contract.wire.backoff import full_jitter

log = logging.getLogger(__name__)

PAUSE_S_MIN = 1.0
PAUSE_S_MAX = 300.0


class ModelAvailability:
    """Whether one version of a model is in service; any thread. reason: why it is not, empty while it is. faults: failures in a
    row until now. outages: how often it was taken out of service. faults_max: 0 for never."""

    def __init__(self, faults_max: int) -> None:
        self.reason = ""
        self.outages = 0
        self._faults_max = faults_max
        self.faults = 0
        self._pauses = 0
        self._retry_s = 0.0
        self._trial = False
        self._lock = threading.Lock()

    def admit(self, model: str, now_s: float) -> None:
        """Admit a request to a model that is out of service as a trial, if the pause is over.

        Raises:
            CallError: it is not.
        """
        with self._lock:
            if not self.reason:
                return
            left_s = self._retry_s - now_s
            if left_s <= 0:
                self._retry_s = now_s + self._pause_s()  # the next trial, should this one not be answered
                self._trial = True
                return
            reason = self.reason
        raise CallError(Code.UNAVAILABLE, f"model '{model}' is {reason}", max(1, round(left_s)))

    def record(self, answer: Answer, signature: TensorSignature) -> None:
        """Record the answer of a request."""
        if not isinstance(answer, CallError):
            if self.faults:
                self._recovered(signature)
        elif isinstance(answer, FaultError) and self._faults_max:
            self._failed(answer, signature)

    def _recovered(self, signature: TensorSignature) -> None:
        with self._lock:
            was_out, self.reason = bool(self.reason), ""
            self.faults = self._pauses = 0
        if was_out:
            log.warning("model %s version %s is in service again", signature.model, signature.version)

    def _failed(self, error: FaultError, signature: TensorSignature) -> None:
        with self._lock:
            self.faults += 1
            now_s = time.monotonic()
            if self.faults < self._faults_max or (self.reason and not self._trial):
                return  # requests that were computed meanwhile are no trial
            self.outages += not self.reason
            self._trial = False
            self._pauses += 1
            pause_s = self._pause_s()
            self._retry_s = now_s + pause_s
            self.reason = f"out of service after {self.faults} failures in a row: {error}"
        log.error("model %s version %s is %s; next attempt in %.0f s", signature.model, signature.version, self.reason, pause_s)

    def _pause_s(self) -> float:
        return full_jitter(max(self._pauses - 1, 0), PAUSE_S_MIN, PAUSE_S_MAX, 1.0)


def contained(done: Done, availability: ModelAvailability | None = None) -> Done:
    """Wrap `done` so that its exception is an error of its request: the thread has other requests to answer."""
    return functools.partial(_deliver, done, availability)


def _deliver(done: Done, availability: ModelAvailability | None, answer: Answer, signature: TensorSignature) -> None:
    if availability is not None and (availability.faults or isinstance(answer, CallError)):
        availability.record(answer, signature)
    try:
        done(answer, signature)
    except Exception:
        log.exception("a response of model '%s' could not be delivered", signature.model)
        if not isinstance(answer, CallError):
            _deliver(done, availability, internal_fault(), signature)

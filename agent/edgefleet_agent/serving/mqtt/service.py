"""Inference over MQTT: a request on one topic, its answer on another.

    ROOT/MODEL/infer            -> the response topic of the request (MQTT 5), else ROOT/MODEL/answer
    ROOT/MODEL/infer/ID         -> ROOT/MODEL/answer/ID, for 3.1.1, which has no response topics

The payload is a body of the protocol's HTTP form: JSON; or JSON followed by raw tensors, with the user property
`inference-header-content-length`; or the bytes of the only input, such as an image for `MODEL.picture`. Correlation data and the
`id` in JSON are echoed. The answer is JSON, followed by raw tensors if the request asks for them and uses MQTT 5. Errors are
`{"error": ...}`, with `retry_s` if the queue is full.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from edgefleet_agent.serving.engine.dynamic_batcher import Answer
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.listener_context import ENDING
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.protocol.errors import CallError, Code, internal_fault
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.json_codec import read_infer, write_infer
from edgefleet_contract.core.errors import EdgefleetError, InputError
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.tls import TlsFiles
from edgefleet_contract.wire.topics import ROOT as FLEET_ROOT

log = logging.getLogger(__name__)

ROOT_USUAL = "edgefleet/infer"
MESSAGE_BYTES_MAX = 8 * 1024 * 1024
PENDING_MAX = 64
"""Requests being computed; further ones are refused."""
QUEUED_MAX = 512
"""Answers that the broker has not confirmed. Beyond them, less the pending requests, refusals are not sent: a flood of requests
leaves room for the answers of those that are computed."""
REPLY_TOPIC_BYTES_MAX = 512
HEADER = "inference-header-content-length"
RETRY_S = 1
IDLE_POLL_S = 0.05
QOS = 1


class MqttService:
    """Serves a catalogue over a broker. The constructor opens the connection, which reconnects without a limit.

    Raises:
        InputError: the root is not a valid topic.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        root: str,
        catalogue: ModelRegistry,
        server: Server,
        login: Login | None = None,
        tls_files: TlsFiles | None = None,
        client: str = "edgefleet-infer",
    ) -> None:
        self._root = root.strip("/")
        if not self._root or any(sign in self._root for sign in "+#\0"):
            raise InputError(f"--mqtt-root {root!r}: must be a topic without wildcards, e.g. {ROOT_USUAL}")
        self.address = f"{broker.host}:{broker.port}, {self._root}/MODEL/infer"
        self._catalogue = catalogue
        self._server = server
        self._pending = 0
        self._unconfirmed = 0
        self._dropped = 0
        self._lock = threading.Lock()
        self._connections = 0
        status = f"{self._root}/status"
        filters = [(f"{self._root}/+/infer", QOS), (f"{self._root}/+/infer/+", QOS)]

        def opening() -> tuple[int, Outgoing]:
            self._connections += 1
            return self._connections, Outgoing(status, b"offline", QOS, retain=True)

        self._status = status
        self._link = MqttClient(
            broker,
            client,
            filters,
            self._deliver,
            opening,
            login=login or Login(""),
            tls_files=tls_files,
            limits=ConnectionLimits(message_bytes_max=MESSAGE_BYTES_MAX, queued_max=QUEUED_MAX),
        )
        self._link.start()

    def drain(self) -> None:
        """Requests are refused while the server is draining; those that run are answered."""

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until no request runs; False after `timeout_s` seconds."""
        ends_s = time.monotonic() + timeout_s
        while self._pending and time.monotonic() < ends_s:
            time.sleep(IDLE_POLL_S)
        return not self._pending

    def close(self) -> None:
        """Publish the status `offline` and disconnect."""
        self._link.close(Outgoing(self._status, b"offline", QOS, retain=True))

    def _deliver(self, event: LinkEvent) -> None:
        if isinstance(event, Connected):
            self._publish(Outgoing(self._status, b"online", QOS, retain=True))
        elif isinstance(event, ReceivedMessage):
            self._take(event)
        elif isinstance(event, Published):
            with self._lock:
                self._unconfirmed = max(0, self._unconfirmed - 1)
        else:
            assert isinstance(event, Disconnected)  # which the client has logged
            with self._lock:
                self._unconfirmed = 0

    def _take(self, request: ReceivedMessage) -> None:
        if request.retained:
            log.warning("%s: retained request ignored: it would run again at every start", request.topic)
            return
        model, _, name = request.topic.removeprefix(f"{self._root}/").partition("/infer")
        usual = f"{self._root}/{model}/answer{name}"
        fault = self._fault_of(request.reply_to)
        reply = self._replier(request, ("" if fault else request.reply_to) or usual)
        with self._lock:
            room = QUEUED_MAX - self._unconfirmed - self._pending
            full = self._pending >= PENDING_MAX or room <= 0
            self._pending += not full
            is_lost = full and room <= PENDING_MAX
            self._dropped += is_lost
            report = is_lost and self._dropped.bit_count() == 1  # 1, 2, 4, 8, ...
        if is_lost:
            if report:
                log.warning("requests arrive faster than refusals leave: %d got no answer", self._dropped)
            return
        if full:
            reply(CallError(Code.UNAVAILABLE, "too many requests at once; try again later", RETRY_S), None, counted=False)
            return
        try:
            if self._server.draining:
                raise ENDING
            if fault:
                raise CallError(Code.INVALID, fault)
            self._submit(model, request, reply)
        except EdgefleetError as error:
            reply(error, None)
        except Exception:
            log.exception("internal error in an MQTT request")
            reply(internal_fault(), None)

    def _fault_of(self, reply_to: str) -> str:
        """Returns why a response topic is refused; empty if it is good or missing. A request must not make this service publish
        what the broker, the fleet or other callers trust: on topics of the broker, of devices and of the service itself."""
        if any(sign in reply_to for sign in "+#\0"):
            return "the response topic contains a wildcard"
        if len(reply_to.encode(errors="replace")) > REPLY_TOPIC_BYTES_MAX:
            return f"the response topic is longer than {REPLY_TOPIC_BYTES_MAX} bytes"
        own = reply_to.startswith(f"{self._root}/") and "answer" not in reply_to.removeprefix(f"{self._root}/").split("/")[1:2]
        if own or reply_to.startswith(("$", f"{FLEET_ROOT.partition('/')[0]}/v")):
            return "the response topic is one of the broker, the fleet or this service; choose another"
        return ""

    def _publish(self, message: Outgoing) -> bool:
        with self._lock:
            self._unconfirmed += 1
        taken = self._link.publish(message) is not None
        if not taken:
            with self._lock:
                self._unconfirmed = max(0, self._unconfirmed - 1)
        return taken

    def _submit(self, model: str, request: ReceivedMessage, reply: Callable[..., None]) -> None:
        """Compute a request.

        Raises:
            CallError: the request is not valid, or the model's queue is full.
        """
        began_ns = time.monotonic_ns()
        served = self._catalogue.route(model)
        size = _header_bytes(request)
        call = read_infer(memoryview(request.payload), size, served.signature, self._server.regions, self._server.json_values)
        if size == 0 or self._link.version != 5:
            call.binary = False  # no property could give the length of the JSON
            for requested in call.requested_outputs:
                requested.binary = False
        if self._server.tracing:
            parent = dict(request.headers).get("traceparent", "").encode()
            self._server.trace(call, served.signature, "MQTT", began_ns, parent)

        def done(answer: Answer, signature: TensorSignature) -> None:
            try:
                body = answer if isinstance(answer, CallError) else write_infer(call, signature, answer)
            except CallError as error:
                body = error
            if call.trace is not None:
                self._server.finish_trace(call.trace, answer)
            reply(body, call.id)

        self._catalogue.submit(served, "", call, done)

    def _replier(self, request: ReceivedMessage, reply_to: str) -> Callable[..., None]:
        def reply(body: tuple[list[bytes], int | None] | EdgefleetError, name: str | None, *, counted: bool = True) -> None:
            with self._lock:
                self._pending -= counted
            headers: tuple[tuple[str, str], ...] = ()
            if isinstance(body, EdgefleetError):
                wrong: dict[str, Any] = {"error": str(body)}
                if name:
                    wrong["id"] = name
                if isinstance(body, CallError) and body.retry_s:
                    wrong["retry_s"] = body.retry_s
                payload = msgspec.json.encode(wrong)
            else:
                payload = b"".join(body[0])
                headers = ((HEADER, str(body[1])),) if body[1] is not None else ()
            if not self._publish(Outgoing(reply_to, payload, QOS, correlation=request.correlation, headers=headers)):
                log.warning("%s: response lost: the broker accepts no more messages", reply_to)

        return reply


def _header_bytes(request: ReceivedMessage) -> int | None:
    """The length of the JSON of a request; None if all of it is JSON, 0 if there is none."""
    length = dict(request.headers).get(HEADER)
    if length is None:
        return None if request.payload[:1] in (b"{", b" ", b"\n") else 0
    if not length.isdecimal() or len(length) > 10:
        raise CallError(Code.INVALID, f"the user property {HEADER} is not a number")
    return int(length)

"""The messages behind `tests/golden/v1`. Run as a program it writes the files that are missing, only those."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract import worker_process
from edgefleet_contract.encoding.codec import Wire, encode
from edgefleet_contract.package import manifest
from edgefleet_contract.wire import enrolment, messages
from edgefleet_contract.wire.reason_codes import Reason

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "v1"
DIGEST = "ab" * 32

RUNNING = messages.Running(
    package="conveyor_inspector",
    version="1.0.0",
    digest=DIGEST,
    variant="int8-tflite",
    runtime="lite_rt",
    placement="cpu",
    since_at=1_700_000_000.5,
)

CASES: dict[str, Wire] = {
    "presence-birth": messages.PresenceMessage(
        device="press-07",
        online=True,
        boot="b1",
        connection=3,
        agent_version="0.1.0",
        sent_at=1_700_000_000.0,
        profile="cpu-x86",
        runtimes=["lite_rt"],
        hardware={"machine": "x86_64"},
        labels={"site": "lyon"},
    ),
    "presence-will": messages.PresenceMessage(device="press-07", online=False, boot="b1", connection=3),
    "reported": messages.Reported(
        device="press-07",
        boot="b1",
        version=9,
        generation=4,
        sent_at=1_700_000_001.0,
        slots={
            "detector": messages.SlotReport(
                phase=messages.SlotPhase.FETCHING,
                running=RUNNING,
                target="cd" * 32,
                attempt="r1-press-07-1",
                bytes_done=262_144,
                bytes_total=524_288,
            )
        },
        pipelines={"line": "running"},
        disk_free_bytes=10_000_000,
    ),
    "reported-rolled-back": messages.Reported(
        device="press-07",
        boot="b1",
        version=10,
        generation=4,
        sent_at=1_700_000_002.0,
        slots={
            "detector": messages.SlotReport(
                phase=messages.SlotPhase.ROLLED_BACK,
                running=RUNNING,
                target="cd" * 32,
                reason=Reason.GOLDEN_MISMATCH,
                detail="people.png: 76 boxes where 2 were expected",
            )
        },
    ),
    "reported-fault": messages.Reported(
        device="press-07",
        boot="b1",
        version=11,
        generation=4,
        sent_at=1_700_000_002.5,
        fault="no space left for /var/lib/edgefleet/agent.lock; free some space on this disk",
    ),
    "desired": messages.Desired(
        device="press-07",
        generation=5,
        sent_at=1_700_000_003.0,
        slots={
            "detector": messages.SlotTarget(
                package="conveyor_inspector", version="1.1.0", digest="cd" * 32, length=2048, attempt="r1-press-07-1"
            )
        },
        pipelines={"line": 'name = "line"\n'},
        policy=messages.UpdatePolicy(trial_s=5.0),
    ),
    "telemetry-batch": messages.TelemetryBatch(
        device="press-07",
        epoch="e1",
        first_seq=41,
        records=[
            {
                "at": 1_700_000_004.0,
                "window_s": 10.0,
                "pipelines": {"line": {"camera_fps": 15.0, "process_fps": 15.0, "dropped": {"newer_frame": 2}}},
                "cpu_percent": 21.5,
            }
        ],
    ),
    "events-batch": messages.TelemetryBatch(
        device="press-07",
        epoch="e1",
        first_seq=7,
        lost_before=1,
        records=[{"kind": "line", "at": 1_700_000_005.0, "label": "part_scratched", "track_id": 12, "direction": "forward"}],
    ),
    "ack": messages.Ack(stream=messages.Stream.EVENTS, epoch="e1", seq=7, window=4),
    "command": messages.Command(id="c1", op="identify", deadline_at=1_700_000_060.0, args={"blink_s": 5}),
    "reply": messages.CommandReply(id="c1", ok=True, detail="done"),
    "block-request": messages.BlockRequest(blob=DIGEST, ranges=[(0, 8), (12, 1)]),
    "trust-offer": messages.TrustOffer(
        sent_at=1_700_000_000.0,
        files=[
            messages.MetadataFile(name="2.root.json", digest="12" * 32, length=2411),
            messages.MetadataFile(name="timestamp.json", digest=DIGEST, length=612),
        ],
    ),
    "renew": enrolment.RenewRequest(request="-----BEGIN CERTIFICATE REQUEST-----\nMIH\n-----END CERTIFICATE REQUEST-----\n"),
    "certificate": enrolment.Certificate(
        certificate="-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
        issued_at=1_700_000_000.0,
        expires_at=1_707_776_000.0,
    ),
    "enrol-request": enrolment.EnrolRequest(token="secret", device="press-07", request="-----BEGIN CERTIFICATE REQUEST-----\n"),
    "enrol-answer": enrolment.EnrolResponse(
        device="press-07",
        certificate="-----BEGIN CERTIFICATE-----\n",
        authority="-----BEGIN CERTIFICATE-----\n",
        broker_url="mqtts://fleet.example:8883",
        trust_root='{"signed": {}, "signatures": []}',
        issued_at=1_700_000_000.0,
        expires_at=1_707_776_000.0,
        labels={"site": "lyon"},
    ),
    "descriptor": manifest.Descriptor(
        name="conveyor_inspector",
        version="1.0.0",
        files=[manifest.describe("model.toml", b'name = "x"\n'), manifest.describe("model.int8.tflite", bytes(200_000))],
    ),
    "worker-set-slot": worker_process.SetSlot(
        request=1,
        slot="detector",
        package="conveyor_inspector",
        version="1.0.0",
        digest=DIGEST,
        folder="/var/lib/edgefleet/packages/x",
        runtimes=["lite_rt"],
    ),
    "worker-done": worker_process.Done(request=1, ok=True, running=RUNNING, load_ms=40.0, gap_ms=3.5),
    "worker-device-moved": worker_process.DeviceMoved(slot="detector", running=RUNNING, detail="edgetpu answers again"),
    "worker-heartbeat": worker_process.Heartbeat(monotonic_s=12.5, rss_bytes=90_000_000, frames_total={"detector": 150}),
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, message in CASES.items():
        path = FOLDER / f"{name}.json"
        if not path.exists():
            path.write_bytes(encode(message) + b"\n")
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main()

"""Cost of an idle camera with the packet gate, compared with decoding every frame; and the frames that the gate misses in clips.

    python -m benchmarks.pipeline.bitrate_gate [--seconds N] [--json]

The idle camera: an empty scene of 1280 x 720 at 25 frames per second with sensor noise, encoded by x264 like a camera stream (a
key frame every two seconds, no B-frames); needs the program ffmpeg. The cost is the CPU time of demuxing and decoding. Of the
clips, every frame that is labelled with a person should be decoded, the first one without delay.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from edgefleet_agent.sources.cameras.file import FileSource
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.conftest import data_folder

CLIPS = {"one-by-one-person-detection.mp4": "visits", "car-detection.mp4": "cars"}
ROUNDS = 3


def idle_camera(path: Path, seconds: int) -> None:
    """Encode the empty scene: grey steps, under noise that is new in every frame."""
    scene = f"color=0x606468:size=1280x720:rate=25:duration={seconds},drawgrid=w=160:h=120:t=6:c=0xa0a0a0"
    encoder = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "26", "-g", "50", "-bf", "0", "-pix_fmt", "yuv420p"]
    command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"{scene},noise=alls=5:allf=t", *encoder, "-y", str(path)]
    subprocess.run(command, check=True)


def analyze(path: Path, gate: str) -> tuple[float, list[int], int]:
    """(processor seconds, numbers of the decoded pictures, pictures in all)."""
    options = {"gate": gate} if gate else {}
    source = FileSource(SourceSpec(kind="file", uri=str(path), pace="fast", options=options))
    info = source.open()
    began_s = time.process_time()
    seen = [frame.index for frame in source.frames()]
    spent_s = time.process_time() - began_s
    source.close()
    return spent_s, seen, info.frames


def misses(clip: Path, stays: list[dict[str, Any]]) -> dict[str, Any]:
    """Results of the gate on one clip: for each stay of a person, the delay of the first decoded frame and the number of skipped
    frames."""
    _, seen, frames = analyze(clip, "packets")
    decoded = set(seen)
    first = [min(number for number in decoded if number >= stay["first_frame"]) - stay["first_frame"] for stay in stays]
    left_out = [sum(n not in decoded for n in range(stay["first_frame"], stay["last_frame"] + 1)) for stay in stays]
    return {"decoded": round(len(decoded) / frames, 3), "first_look_late_frames": first, "left_out_frames": left_out}


def measure(seconds: int) -> dict[str, Any]:
    """Measure the idle camera and the clips; returns all figures."""
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        clip = Path(folder) / "idle.mp4"
        idle_camera(clip, seconds)
        spent: dict[str, list[float]] = {"": [], "packets": []}
        for _ in range(ROUNDS):  # interleaved: the load of the machine changes
            for gate, times in spent.items():
                spent_s, seen, frames = analyze(clip, gate)
                times.append(spent_s)
        every, gated = (min(times) for times in spent.values())
        results["idle"] = {
            "cpu_every_frame": round(every / seconds, 4),
            "cpu_gated": round(gated / seconds, 4),
            "ratio": round(gated / every, 3),
            "decoded": round(len(seen) / frames, 3),
        }
    data = data_folder()
    if data is not None:
        expected = json.loads((data / "media/videos/expected.json").read_text(encoding="utf-8"))["videos"]
        for name, stays in CLIPS.items():
            results[name] = misses(data / "media/videos" / name, expected[name]["ground_truth"][stays])
    return results


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = measure(arguments.seconds)
    if arguments.json:
        print(json.dumps(results))
        return
    idle = results.pop("idle")
    print(
        f"idle camera, of one core: every frame {idle['cpu_every_frame']:.1%}, gated {idle['cpu_gated']:.1%}: {idle['ratio']:.1%}"
    )
    for name, row in results.items():
        print(f"{name}: decoded {row['decoded']:.0%}; late {row['first_look_late_frames']}, left out {row['left_out_frames']}")


if __name__ == "__main__":
    main()

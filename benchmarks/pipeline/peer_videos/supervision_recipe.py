"""The usual recipe of `supervision`: frames generator, Detections, ByteTrack, LineZone.

    python supervision_recipe.py VIDEO MODEL.tflite LABELS.txt [LABEL]

Prints a line of JSON. Needs supervision (below 0.31, which took ByteTrack out), ai-edge-litert.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import supervision as sv
from ai_edge_litert.interpreter import Interpreter

MIN_SCORE = 0.5


def main() -> None:
    video, model, labels_file, *selected = sys.argv[1:]
    cv2.setNumThreads(1)
    labels = Path(labels_file).read_text(encoding="utf-8").splitlines()
    interpreter = Interpreter(model, num_threads=1)
    interpreter.allocate_tensors()
    source, targets = interpreter.get_input_details()[0], interpreter.get_output_details()
    info = sv.VideoInfo.from_video_path(video)
    tracker = sv.ByteTrack(frame_rate=max(1, round(info.fps)))
    line = sv.LineZone(
        start=sv.Point(0, info.height // 2), end=sv.Point(info.width, info.height // 2), triggering_anchors=[sv.Position.CENTER]
    )
    crossings, seen, frames = [], set(), 0
    began_s, cpu_s = time.perf_counter(), time.process_time()
    for picture in sv.get_video_frames_generator(video):
        small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), tuple(source["shape"][2:0:-1]))
        interpreter.set_tensor(source["index"], small[None])
        interpreter.invoke()
        boxes, classes, scores = (interpreter.get_tensor(targets[place]["index"])[0] for place in range(3))
        chosen = np.array([not selected or labels[int(kind)] in selected for kind in classes]) & (scores > 0.1)
        edges = boxes[:, [1, 0, 3, 2]] * [info.width, info.height, info.width, info.height]
        found = sv.Detections(edges[chosen].astype(np.float32), confidence=scores[chosen], class_id=classes[chosen].astype(int))
        followed = tracker.update_with_detections(found[found.confidence >= MIN_SCORE])
        if followed.tracker_id is not None:
            seen.update(followed.tracker_id.tolist())
        over_in, over_out = line.trigger(followed)
        crossings += [[frames, "up"] for hit in over_in if hit] + [[frames, "down"] for hit in over_out if hit]
        frames += 1
    report = {"frames": frames, "seconds": time.perf_counter() - began_s, "cpu_s": time.process_time() - cpu_s}
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**report, "memory_mb": memory_mb, "crossings": crossings, "tracks": len(seen)}))


if __name__ == "__main__":
    main()

"""A minimal baseline: OpenCV decodes, LiteRT detects, the nearest centre identifies an object, a change of sides is a crossing.

    python opencv_loop.py VIDEO MODEL.tflite LABELS.txt [LABEL]

Prints a line of JSON. Needs opencv-python-headless, numpy, ai-edge-litert.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from ai_edge_litert.interpreter import Interpreter

MIN_SCORE, NEAR, MISSED_MAX = 0.5, 80.0, 10


def main() -> None:
    video, model, labels_file, *selected = sys.argv[1:]
    cv2.setNumThreads(1)
    labels = Path(labels_file).read_text(encoding="utf-8").splitlines()
    interpreter = Interpreter(model, num_threads=1)
    interpreter.allocate_tensors()
    source, targets = interpreter.get_input_details()[0], interpreter.get_output_details()
    capture = cv2.VideoCapture(video)
    tracks: dict[int, tuple[float, float, int]] = {}
    sides: dict[int, bool] = {}
    crossings, number, frames = [], 0, 0
    began_s, cpu_s = time.perf_counter(), time.process_time()
    while True:
        good, picture = capture.read()
        if not good:
            break
        height, width = picture.shape[:2]
        small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), tuple(source["shape"][2:0:-1]))
        interpreter.set_tensor(source["index"], small[None])
        interpreter.invoke()
        boxes, classes, scores = (interpreter.get_tensor(targets[place]["index"])[0] for place in range(3))
        centres = [
            ((left + right) / 2 * width, (top + bottom) / 2 * height)
            for (top, left, bottom, right), kind, score in zip(boxes, classes, scores, strict=True)
            if score >= MIN_SCORE and (not selected or labels[int(kind)] in selected)
        ]
        for track in list(tracks):
            x, y, missed = tracks[track]
            near = min(centres, key=lambda c: np.hypot(c[0] - x, c[1] - y), default=None)
            if near is not None and np.hypot(near[0] - x, near[1] - y) < NEAR:
                centres.remove(near)
                tracks[track] = (*near, 0)
                below = near[1] > height / 2
                if sides[track] != below:
                    crossings.append([frames, "down" if below else "up"])
                sides[track] = below
            elif missed >= MISSED_MAX:
                del tracks[track]
            else:
                tracks[track] = (x, y, missed + 1)
        for x, y in centres:
            number += 1
            tracks[number], sides[number] = (x, y, 0), y > height / 2
        frames += 1
    report = {"frames": frames, "seconds": time.perf_counter() - began_s, "cpu_s": time.process_time() - cpu_s}
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**report, "memory_mb": memory_mb, "crossings": crossings, "tracks": number}))


if __name__ == "__main__":
    main()

"""Live video of the fake fleet: a real stream of rendered pictures. A camera `plain` has none."""

from __future__ import annotations

import asyncio
import time
from functools import cache

import cv2
import numpy as np
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from edgefleet_agent.live_video.fragments import Fragmenter
from edgefleet_agent.recording.frame_recorder import FrameRecorder
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.live_video import PartKind, VideoEnd, VideoFormat, VideoPart, pack_part
from tests.fleet_server.dashboard.fake_pictures import snapshot

routes = APIRouter()
FPS = 10
SECONDS = 20
WIDTH, HEIGHT = 640, 360
STEP = 8
"""Pixels by which the belt moves from one picture to the next."""


@cache
def stream() -> list[VideoFormat | VideoPart]:
    """Messages of a belt that moves from left to right."""
    scene = cv2.imdecode(np.frombuffer(snapshot(7, boxes=False), np.uint8), cv2.IMREAD_COLOR)
    assert scene is not None
    belt = np.asarray(cv2.resize(scene, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
    ring, found = PacketRing(1e9, 1 << 30), list[VideoFormat | VideoPart]()
    recorder, fragmenter = FrameRecorder(ring), None
    with ring.follow() as follower:
        for number in range(FPS * SECONDS):
            picture = np.roll(belt, number * STEP, axis=1)
            at_s = number / FPS
            recorder.add(Frame(number, at_s, at_s, WIDTH, HEIGHT, "bgr", (picture,)), FPS)
            while (followed := follower.next(0.0)) is not None:
                fragmenter = fragmenter or Fragmenter(followed, 0.0)
                found += fragmenter.add(followed)
    recorder.close()
    return found


@routes.websocket("/api/v1/devices/{device}/live/{pipeline}/video")
async def view_video(socket: WebSocket, device: str, pipeline: str) -> None:
    await socket.accept()
    try:
        if pipeline == "plain":
            end = VideoEnd(reason=f"{device}: the camera's codec is none that browsers play; use H.264", stills=True)
            await socket.send_text(encode(end).decode())
            return
        for message in stream():
            if isinstance(message, VideoFormat):
                await socket.send_text(encode(message).decode())
                continue
            await socket.send_bytes(pack_part(message._replace(at=time.time())))
            await asyncio.sleep(0.0 if message.kind is PartKind.INIT else 0.2)
        await socket.send_text(encode(VideoEnd(reason="limit of 1,000 bytes of one live video reached")).decode())
    except (WebSocketDisconnect, RuntimeError):  # RuntimeError: sending after the viewer has left
        pass

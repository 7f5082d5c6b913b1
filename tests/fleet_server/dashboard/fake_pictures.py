"""Snapshots of the fake fleet's events: a rendered belt, the boxes of its parts drawn as an agent draws them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
from fastapi import APIRouter, HTTPException, Request, Response

from edgefleet_server.simulate.conveyor.scene import STYLES, Scene
from tests.fleet_server.dashboard.fake_fleet import Fleet

routes = APIRouter(prefix="/api/v1")
FRAME = 33
GREEN = (120, 220, 90)


@lru_cache(maxsize=len(STYLES))
def _scene(style: str) -> Scene:
    return Scene(7, width=480, height=360, style=style)


@lru_cache(maxsize=64)
def snapshot(number: int, *, boxes: bool = True) -> bytes:
    """A JPEG of the belt."""
    style = list(STYLES)[number % len(STYLES)]
    rgb, parts = _scene(style).frame(FRAME + 11 * number)
    picture = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
    for part in parts if boxes else ():
        left, top, right, bottom = part.box_xyxy
        cv2.rectangle(picture, (left, top), (right, bottom), GREEN, 2)
    return bytes(cv2.imencode(".jpg", picture)[1])


@routes.get("/devices/{name}/events/{event}/{kind}", operation_id="get_evidence")
def get_evidence(request: Request, name: str, event: str, kind: str) -> Response:
    fleet: Fleet = request.app.state.fleet
    found: list[dict[str, Any]] = [row for row in fleet.events if (row["device"], row["event"]["id"]) == (name, event)]
    if not found or kind not in found[0]["evidence"]:
        raise HTTPException(404, f"no {kind} of event {event!r} of {name!r} is here")
    return Response(snapshot(found[0]["id"]), media_type="image/jpeg")

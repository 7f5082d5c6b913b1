"""Variants against the fleet's hardware."""

from __future__ import annotations

from agent.contract.manifest import HeadSpec, Manifest, Variant
from fleet_server.domain.covering import covered


def test_every_device_is_covered_or_named() -> None:
    variants = [
        Variant(name="edgetpu", format="tflite", files=["a.tflite"], runtimes=["litert"], profiles=["coral"]),
        Variant(name="any", format="onnx", files=["b.onnx"], runtimes=["onnxruntime"]),
    ]
    made = Manifest(name="spotter", version="1.0.0", task="detection", head=HeadSpec(family="yolox"), variants=variants)
    fleet = {
        ("coral-usb", ("litert",)): 3,
        ("coral-usb", ("onnxruntime",)): 1,
        ("cpu", ("onnxruntime", "litert")): 5,
        ("cpu", ("openvino",)): 2,
    }
    kinds = covered(made, fleet)
    assert [(kind.profile, kind.devices, dict(kind.takes), kind.uncovered) for kind in kinds] == [
        ("cpu", 7, {"any": 5}, 2),
        ("coral-usb", 4, {"edgetpu": 3, "any": 1}, 0),
    ]
    assert kinds[0].why == "no variant fits cpu with openvino"

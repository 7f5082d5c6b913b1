"""Capabilities: each is needed by the packages that use it, known of every version of the agent, and named in the refusal."""

from __future__ import annotations

from typing import get_args

import pytest

from edgefleet_agent.core.plugins import TABLES
from edgefleet_contract.capabilities import (
    FIRST_AGENT,
    agent_needed,
    built_in_capabilities,
    check_required,
    device_capabilities,
    lacking,
    required_by,
    required_by_pipeline,
    why_lacking,
)
from edgefleet_contract.core.errors import ManifestError, MessageError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.package.families import FAMILIES, Task
from edgefleet_contract.package.manifest import HeadSpec, InputSpec, Manifest, Variant, manifest_from_plain
from edgefleet_contract.pipeline.fleet_pipeline import read_fleet_pipeline

HAD_0_2 = {
    "head": "classification ctc detection_output detr efficientdet embedding fcos heatmap landmarks movenet nanodet"
    " reconstruction segmentation ssd ssd_anchors ultraface yolo yolox",
    "task": "anomaly classification detection embedding pose segmentation text",
    "format": "onnx openvino_ir tflite",
    "rule": "anomaly combine count crowd level line loiter occupancy speed visit zone",
    "stage": "classify crops detect ensemble motion track",
    "source": "camera can csv file iio images mjpeg mqtt rtsp serial synthetic",
}
"""Capabilities of the agent 0.2.0, which did not report them."""


def model(task: str = "detection", family: str = "yolox", **more: object) -> Manifest:
    variant = Variant(name="cpu", format=str(more.pop("format", "onnx")), files=["m.onnx"], runtimes=["onnx_runtime"])
    params = more.pop("params", {})
    fields = {"name": "m", "version": "1.0.0", "task": task, "variants": [variant], **more}
    return Manifest(head=HeadSpec(family=family, params=params), **fields)  # type: ignore[arg-type]


def test_every_built_in_capability_has_the_version_that_was_first() -> None:
    """A new head, stage or rule that FIRST_AGENT does not name would be offered to agents that cannot read it."""
    sources = [*TABLES["sources"], *TABLES["sensors"]]
    before = {f"{kind}:{name}" for kind, names in HAD_0_2.items() for name in names.split()}
    assert set(built_in_capabilities(sources)) == before | set(FIRST_AGENT)
    assert not before & set(FIRST_AGENT)


def test_a_device_has_a_head_for_every_family() -> None:
    assert set(TABLES["heads"]) == set(FAMILIES)
    assert {f"task:{task}" for task in get_args(Task)} < set(device_capabilities(TABLES["heads"], []))


def test_names_that_are_none_are_not_reported() -> None:
    found = device_capabilities(["mine", "a b", "x" * 65, ""], [f"s{number}" for number in range(600)])
    assert "head:mine" in found
    assert len(found) == 512
    assert not [name for name in found if " " in name or len(name) > 72 or name.endswith(":")]


@pytest.mark.parametrize(
    ("manifest", "beyond"),
    [
        (model(), set()),
        (model("regression", "regression"), set()),
        (model("classification", "classification", params={"background": True}), {"feature:background_class"}),
        (model("classification", "classification", params={"background": False}), set()),
        (model(format="rknn"), {"feature:other_formats"}),
        (model(inputs=[InputSpec(dtype="int8", mean=[127.5], std=[127.5])]), {"feature:quantized_scaling"}),
        (model(inputs=[InputSpec(dtype="float32", mean=[127.5], std=[127.5])]), set()),
        (model(inputs=[InputSpec(kind="tensor", name="s", value=[1])]), {"feature:constant_inputs"}),
        (model(inputs=[InputSpec(kind="tensor", name="s", feedback="t")]), set()),
        (model(requires=["head:other", "feature:x"]), {"head:other", "feature:x"}),
    ],
)
def test_what_a_model_requires(manifest: Manifest, beyond: set[str]) -> None:
    assert set(required_by(manifest)) == {f"task:{manifest.task}", f"head:{manifest.head.family}"} | beyond


def test_an_agent_package_requires_nothing() -> None:
    assert required_by(model("agent", "agent", format="agent")) == []


def test_what_a_pipeline_requires_of_any_device() -> None:
    document = read_fleet_pipeline(
        'name = "gate"\n[source]\nkind = "device"\n'
        '[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\n'
        '[[stages]]\nname = "follow"\nkind = "track"\n'
        '[[rules]]\nname = "visits"\nkind = "visit"\n'
        '[[for]]\ndevices = ["hall-3"]\nsource = { kind = "rtsp", uri = "rtsp://camera/1" }\n'
        '[[for]]\ndevices = ["hall-4"]\nrun = false\n',
        "gate.toml",
    )
    assert required_by_pipeline(document) == ["rule:visit", "source:rtsp", "stage:detect", "stage:track"]


def test_an_option_that_older_agents_refuse_is_required() -> None:
    document = read_fleet_pipeline(
        'name = "gate"\n[source]\nkind = "rtsp"\nuri = "rtsp://camera/1"\n'
        '[[stages]]\nname = "find"\nkind = "detect"\nmodel = "slot:detector"\n'
        '[[stages]]\nname = "follow"\nkind = "track"\noptions = { max_objects = 200 }\n',
        "gate.toml",
    )
    assert lacking(required_by_pipeline(document), [], "0.2.0") == ["feature:max_objects"]


@pytest.mark.parametrize(
    ("reported", "version", "missing"),
    [
        (["head:yolo_pose", "task:pose"], "0.3.0", ["head:mine"]),
        (["task:pose"], "9.9.9", ["head:mine", "head:yolo_pose"]),
        ([], "0.2.0", ["head:yolo_pose"]),
        ([], "0.10.0", []),
        ([], "0.2.7-rc.1", ["head:yolo_pose"]),
        ([], "virtual", []),
        ([], "", []),
    ],
)
def test_what_a_device_lacks(reported: list[str], version: str, missing: list[str]) -> None:
    assert lacking(["head:mine", "head:yolo_pose", "task:pose"], reported, version) == missing


@pytest.mark.parametrize(
    ("missing", "needed", "text"),
    [
        (["head:yolo_pose"], "0.3.0", "needs agent 0.3.0 or later, for head yolo_pose"),
        (["head:mine"], "", "needs head mine: a plug-in, or a later agent"),
        (["head:mine", "task:regression"], "", "needs head mine, task regression: a plug-in, or a later agent"),
        ([], "", ""),
    ],
)
def test_what_to_do_about_it(missing: list[str], needed: str, text: str) -> None:
    assert agent_needed(missing) == needed
    assert not missing or why_lacking(missing) == text


@pytest.mark.parametrize("name", ["yolo", "head:", "head:a b", "HEAD:yolo", "head:" + "x" * 65])
def test_a_name_that_is_no_capability_is_refused(name: str) -> None:
    plain = to_plain(model(requires=["head:mine"]))
    assert manifest_from_plain(plain).requires == ["head:mine"]
    with pytest.raises(MessageError, match=r"requires\[0\]"):
        manifest_from_plain({**plain, "requires": [name]})


def test_a_kind_that_does_not_exist_is_refused_at_a_push() -> None:
    """A device reads it: it may be of a later version."""
    with pytest.raises(ManifestError, match="'heads:mine': unknown kind; known are feature, format, head, "):
        check_required(model(requires=["heads:mine"]))
    check_required(model(requires=["head:mine"]))

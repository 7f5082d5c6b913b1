"""A package: `model.toml` (written by people) and the descriptor (generated from it, identified by its SHA-256).

A package is a folder `firmware_models/<name>/<version>/` with `model.toml` and files. *Packing* hashes every file and yields a
`Descriptor`; its canonical JSON is itself a blob, and that blob's SHA-256 is *the digest of the package*. A device that holds
the digest can therefore verify every byte of the package, block by block, from any sender.
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import ManifestError, MessageError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire, decode, encode, from_plain
from edgefleet_contract.encoding.names import DIGEST_PATTERN, Capability, Digest, FilePath, Name, Text, Version
from edgefleet_contract.wire.messages import BLOCK_BYTES

MANIFEST_FILE = "model.toml"
DESCRIPTOR_BYTES_MAX = 1024 * 1024
PACKAGE_BYTES_MAX = 4 * 1024**3
VALUES_MAX = 1024

Dimension = Annotated[int, Meta(ge=-1, le=1_000_000)]
Positive = Annotated[int, Meta(ge=1)]

InputType = Literal["uint8", "int8", "float16", "float32", "int32", "int64"]
INPUT_TYPES: Final[tuple[str, ...]] = get_args(InputType)
"""Types of inputs."""

_LARGEST: Final = {"float16": 65504.0, "float32": 3.4028234663852886e38}


class InputSpec(Wire):
    """One input tensor, and for pictures the conversion of a frame to that tensor. Integer inputs without `mean` and `std` get
    the pixel unchanged, or `pixel - 128` for int8.
    """

    name: str = ""
    """Name of the tensor. Empty: the only one of the model."""
    kind: Literal["image", "tensor"] = "image"
    """`image`: a picture, converted as below. `tensor`: values of a program or of an earlier frame, or a constant."""
    shape: list[Dimension] = msgspec.field(default_factory=list)
    """Dimensions of the tensor. -1: free."""
    dtype: InputType = "uint8"
    """Type of the values."""
    layout: Literal["nhwc", "nchw"] = "nhwc"
    """Order of the dimensions of a picture."""
    color: Literal["rgb", "bgr", "gray"] = "rgb"
    """Order of the channels of a picture."""
    fit: Literal["stretch", "letterbox", "letterbox_top_left"] = "stretch"
    """How a picture fills the tensor: `stretch` ignores its aspect ratio, `letterbox` centers it, `letterbox_top_left` puts it
    into the corner (YOLOX)."""
    pad: Annotated[int, Meta(ge=0, le=255)] = 114
    """Value of the border of a letterbox."""
    resize: Literal["area", "linear"] = "area"
    """`area` averages when shrinking (close to Pillow's BILINEAR), `linear` samples (OpenCV's INTER_LINEAR)."""
    mean: list[float] = msgspec.field(default_factory=list)
    """Mean of each channel in `color` order: a float input gets (pixel - mean) / std, an integer input this value quantized by
    the scale and zero point of the tensor."""
    std: list[float] = msgspec.field(default_factory=list)
    """Standard deviation of each channel in `color` order."""
    scale: Annotated[float, Meta(ge=0)] = 0.0
    """Scale of an integer input with `mean` or `std`: real = (stored - zero_point) * scale. For runtimes that do not report it
    (ONNX Runtime, OpenVINO); LiteRT takes that of the file. 0: not given."""
    zero_point: int = 0
    """Zero point of an integer input, with `scale`."""
    feedback: str = ""
    """Of an input of kind `tensor`: the output whose values are its input for the next frame of the stream. It starts at 0."""
    value: Annotated[list[int | float], Meta(max_length=VALUES_MAX)] = msgspec.field(default_factory=list)
    """Of an input of kind `tensor`: its numbers in every run, in the order of memory, as many as `shape` has (an open side counts
    as 1). In a batch of pictures they are repeated along an open first side."""


class HeadSpec(Wire):
    """Model family of the outputs, and its parameters."""

    family: Name
    """Family of the outputs: how the agent decodes them. See the table in Packages."""
    outputs: dict[str, str] = msgspec.field(default_factory=dict)
    """Name in the head to name of the tensor. Empty: by order."""
    params: dict[str, Any] = msgspec.field(default_factory=dict)
    """Parameters of the family."""


class FileEntry(Wire):
    """One file of a package. Hashes are filled in when the package is packed."""

    path: FilePath
    length: Annotated[int, Meta(ge=0, le=PACKAGE_BYTES_MAX)] = 0
    sha256: str = ""
    blocks: list[Digest] = msgspec.field(default_factory=list)


class Variant(Wire):
    """The files of a package for one kind of hardware."""

    name: Name
    """Name, unique in the package."""
    format: Name
    """Format of the files: `onnx`, `tflite`, `openvino_ir`, `hailo_hef`, `rknn`, that of a plug-in, or `agent` or `pipeline` for
    packages that are no models. A device takes a package with variants for other devices, whose formats it does not know."""
    files: Annotated[list[FilePath], Meta(min_length=1, max_length=16)]
    """Files of the variant. The runtime opens the first one."""
    runtimes: Annotated[list[str], Meta(min_length=1)]
    """Runtimes that can open it, the best first."""
    precision: str = ""
    """Precision of the weights, for people: `int8`, `fp16`."""
    profiles: list[str] = msgspec.field(default_factory=list)
    """Device profiles for which the variant was made. Empty: any."""
    inputs: list[InputSpec] = msgspec.field(default_factory=list)
    """Inputs, if a conversion changed names, layout or type. Empty: those of the manifest."""
    outputs: dict[str, str] = msgspec.field(default_factory=dict)
    """Outputs of the head, if a conversion changed their names. Empty: those of `[head]`."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """Options of the runtime."""


class Golden(Wire):
    """An input and the result that a device must compute before the package becomes active."""

    input: FilePath
    """The file of the input."""
    expect: FilePath
    """JSON file with the expected results, as from `edgefleet-agent infer … --json`."""
    iou_min: float = 0.8
    """Least overlap of an expected and a found box."""
    score_tolerance: float = 0.08
    """Largest difference of an expected and a found score."""
    extra_max: int = 0
    """Most boxes that may be found but are not expected."""
    missing_max: int = 0
    """Most boxes that may be expected but are not found."""


class Budgets(Wire):
    """Limits that a device checks before a package becomes active."""

    latency_ms: float = 0.0
    """Longest run of the model, in milliseconds. 0: no limit."""
    memory_bytes: int = 0
    """Most memory of the model. 0: no limit."""


class Tuning(Wire):
    """The best settings measured on a device of one profile (`edgefleet model analyze`)."""

    profile: Name
    """The device profile on which it was measured."""
    variant: Name
    """The variant that was measured."""
    runtime: str
    """The runtime that was measured."""
    device: str = "cpu"
    """The device of the runtime."""
    threads: Annotated[int, Meta(ge=0, le=1024)] = 0
    """Threads of the runtime. 0: its default."""
    streams: Annotated[int, Meta(ge=1, le=64)] = 1
    """Parallel runs in one OpenVINO model."""
    instances: Annotated[int, Meta(ge=1, le=64)] = 1
    """Copies that a server loads."""
    batch: Annotated[int, Meta(ge=1, le=1024)] = 1
    """Samples a run."""
    latency_ms: float = 0.0
    """95th percentile of the duration of a run, in milliseconds."""
    per_s: float = 0.0
    """Samples a second of all instances together."""


CLASS_TASKS: Final = ("detection", "classification", "segmentation", "anomaly")
"""Tasks whose results are classes, which labels name."""


class Manifest(Wire):
    """The whole file `model.toml`; `docs/reference/model-toml.md` and its JSON Schema are made of it."""

    name: Name
    """Name of the package."""
    version: Version
    """Semantic version of the package."""
    task: Literal[
        "detection",
        "classification",
        "segmentation",
        "pose",
        "embedding",
        "text",
        "anomaly",
        "regression",
        "agent",
        "pipeline",
    ]
    """What the model computes."""
    head: HeadSpec
    variants: Annotated[list[Variant], Meta(min_length=1, max_length=32)]
    inputs: list[InputSpec] = msgspec.field(default_factory=list)
    title: str = ""
    """Name for people."""
    description: Text = ""
    """Description for people."""
    licence: str = ""
    """Licence of the model."""
    epoch: Annotated[int, Meta(ge=0)] = 0
    """Devices refuse a package of a lower epoch than the running one: increase it to rule out a return to older versions."""
    requires: Annotated[list[Capability], Meta(max_length=64)] = msgspec.field(default_factory=list)
    """Capabilities that a device needs beyond those that follow from the rest, as `edgefleet device show` lists them:
    `head:my_family`, `feature:quantized_scaling`. Others are not offered the package."""
    labels: list[str] = msgspec.field(default_factory=list)
    """Labels of the classes, in order."""
    labels_file: FilePath | None = None
    """File with one label a line, instead of `labels`."""
    golden: Annotated[list[Golden], Meta(max_length=16)] = msgspec.field(default_factory=list)
    budgets: Budgets = msgspec.field(default_factory=Budgets)
    tuned: Annotated[list[Tuning], Meta(max_length=64)] = msgspec.field(default_factory=list)
    card: dict[str, Any] = msgspec.field(default_factory=dict)
    """Model card: training data, accuracy, limits. Any keys."""
    provenance: dict[str, Any] = msgspec.field(default_factory=dict)
    """Where the model comes from. Any keys."""

    @property
    def id(self) -> str:
        """`name@version`, for people."""
        return f"{self.name}@{self.version}"

    @property
    def lacks_labels(self) -> bool:
        """Whether the model has classes but no labels: they are called `class N`."""
        return self.task in CLASS_TASKS and not self.labels and self.labels_file is None

    def variant(self, name: str) -> Variant:
        """The variant called `name`.

        Raises:
            ManifestError: there is none; the text lists those that exist.
        """
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = ", ".join(variant.name for variant in self.variants)
        raise ManifestError(f"{self.id} has no variant {name!r}; it has {known}")

    def paths(self) -> list[str]:
        """All files named in the manifest, `model.toml` first, each once."""
        named = [MANIFEST_FILE]
        named += [path for variant in self.variants for path in variant.files]
        named += [path for golden in self.golden for path in (golden.input, golden.expect)]
        if self.labels_file:
            named.append(self.labels_file)
        return list(dict.fromkeys(named))

    def paths_for(self, variant: Variant) -> list[str]:
        """The files that a device running `variant` needs."""
        others = {path for other in self.variants for path in other.files} - set(variant.files)
        return [path for path in self.paths() if path not in others]


class Descriptor(Wire):
    """The content of a package. The SHA-256 of its canonical JSON is the digest of the package."""

    name: Name
    version: Version
    files: Annotated[list[FileEntry], Meta(min_length=1, max_length=256)]
    schema: int = 1
    epoch: Annotated[int, Meta(ge=0)] = 0

    def file(self, path: str) -> FileEntry:
        """The entry of `path`.

        Raises:
            ManifestError: the package has no such file.
        """
        for entry in self.files:
            if entry.path == path:
                return entry
        raise ManifestError(f"{self.name}@{self.version} has no file {path!r}")


def read_manifest(text: str, where: str) -> Manifest:
    """Parse and check `model.toml`.

    Raises:
        ManifestError: names the file and the fault.
    """
    manifest = toml.read(text, Manifest, where, ManifestError)
    names = [variant.name for variant in manifest.variants]
    if len(set(names)) != len(names):
        raise ManifestError(f"{where}: two variants share a name: {', '.join(names)}")
    for variant in manifest.variants:
        if manifest.task not in ("agent", "pipeline") and not (variant.inputs or manifest.inputs):
            raise ManifestError(f"{where}: variant {variant.name!r} has no [[inputs]]; add them to either")
    for spec in (*manifest.inputs, *(spec for variant in manifest.variants for spec in variant.inputs)):
        if fault := _value_fault(spec):
            raise ManifestError(f"{where}: input {spec.name!r}: {fault}")
    for tuning in manifest.tuned:
        if tuning.variant not in names:
            raise ManifestError(
                f"{where}: [[tuned]] for {tuning.profile} names variant {tuning.variant!r}; it has {', '.join(names)}"
            )
    return manifest


def _value_fault(spec: InputSpec) -> str:
    """The fault in the constant of an input; empty if there is none, or it fits."""
    if not spec.value:
        return ""
    if spec.kind != "tensor" or spec.feedback or not spec.name:
        return 'value needs a name and kind = "tensor", and no feedback'
    count = math.prod(max(side, 1) for side in spec.shape)
    if len(spec.value) != count or 0 in spec.shape:
        return f"value has {len(spec.value)} numbers, its shape {spec.shape} has {count}"
    if largest := _LARGEST.get(spec.dtype):
        wrong = [each for each in spec.value if not abs(each) <= largest]
        return f"value has {wrong[0]}, which {spec.dtype} cannot hold" if wrong else ""
    bits = int(spec.dtype.partition("int")[2])
    low, high = (0, 2**bits - 1) if spec.dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    wrong = [each for each in spec.value if not isinstance(each, int) or not low <= each <= high]
    return f"value has {wrong[0]}; {spec.dtype} takes whole numbers from {low} to {high}" if wrong else ""


def manifest_from_plain(plain: Any) -> Manifest:
    """A manifest from JSON data of the REST API."""
    return from_plain(plain, Manifest)


def describe(path: str, data: bytes) -> FileEntry:
    """The entry of one file: length, SHA-256 of the whole and of each block of `BLOCK_BYTES`."""
    import hashlib  # loads OpenSSL: 4 MB that a worker, which packs nothing, does not need

    view = memoryview(data)
    blocks = [hashlib.sha256(view[at : at + BLOCK_BYTES]).hexdigest() for at in range(0, len(data), BLOCK_BYTES)]
    return FileEntry(path=path, length=len(data), sha256=hashlib.sha256(view).hexdigest(), blocks=blocks)


def pack_descriptor(manifest: Manifest, entries: list[FileEntry]) -> bytes:
    """The canonical bytes of the descriptor: files sorted by path, `model.toml` first."""
    ordered = sorted(entries, key=lambda entry: (entry.path != MANIFEST_FILE, entry.path))
    return encode(Descriptor(name=manifest.name, version=manifest.version, files=ordered, epoch=manifest.epoch))


def read_descriptor(data: bytes) -> Descriptor:
    """Parse and check a descriptor whose bytes were already verified against the digest.

    Raises:
        ManifestError: malformed, a file twice, no `model.toml`, or block counts that do not fit the lengths.
    """
    try:
        descriptor = decode(data, Descriptor, bytes_max=DESCRIPTOR_BYTES_MAX)
    except MessageError as cause:
        raise ManifestError(f"package descriptor: {cause}") from cause
    paths = [entry.path for entry in descriptor.files]
    if len(set(paths)) != len(paths) or MANIFEST_FILE not in paths:
        raise ManifestError(f"package descriptor of {descriptor.name}: files must be unique and include {MANIFEST_FILE}")
    for entry in descriptor.files:
        if len(entry.blocks) != -(-entry.length // BLOCK_BYTES) or re.fullmatch(DIGEST_PATTERN, entry.sha256) is None:
            raise ManifestError(f"package descriptor of {descriptor.name}: hashes of {entry.path} do not fit its length")
    if sum(entry.length for entry in descriptor.files) > PACKAGE_BYTES_MAX:
        raise ManifestError(f"package {descriptor.name} is over the limit of {PACKAGE_BYTES_MAX} bytes")
    return descriptor


def digest_of(descriptor_bytes: bytes) -> str:
    """The digest of a package: SHA-256 of its descriptor's bytes."""
    import hashlib  # as in `describe`

    return hashlib.sha256(descriptor_bytes).hexdigest()

"""A package: `model.toml` (written by people) and the descriptor (generated from it, identified by its SHA-256).

A package is a folder `firmware_models/<name>/<version>/` with `model.toml` and files. *Packing* hashes every file and yields a
`Descriptor`; its canonical JSON is itself a blob, and that blob's SHA-256 is *the digest of the package*. A device that holds
the digest can therefore verify every byte of the package, block by block, from any sender.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import ManifestError, MessageError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire, decode, encode, from_plain
from edgefleet_contract.encoding.names import Digest, FilePath, Name, Text, Version
from edgefleet_contract.wire.messages import BLOCK_BYTES

MANIFEST_FILE = "model.toml"
DESCRIPTOR_BYTES_MAX = 1024 * 1024
PACKAGE_BYTES_MAX = 4 * 1024**3

Dimension = Annotated[int, Meta(ge=-1, le=1_000_000)]
Positive = Annotated[int, Meta(ge=1)]


class InputSpec(Wire):
    """One input tensor, and for pictures the conversion of a frame to that tensor.

    fit: `stretch` ignores the aspect ratio; `letterbox` centres; `letterbox_top_left` puts the picture in the corner (YOLOX).
    resize: `area` averages when shrinking (close to Pillow's BILINEAR), `linear` samples (OpenCV's INTER_LINEAR).
    value = (pixel - mean) / std per channel in `color` order, for float inputs; integer inputs get the pixel unchanged, or
    `pixel - 128` for int8.
    feedback: for an input of kind `tensor`, the output whose values are its input for the next frame of the same stream; it
    starts at real 0.
    """

    name: str = ""
    kind: Literal["image", "tensor"] = "image"
    shape: list[Dimension] = msgspec.field(default_factory=list)
    dtype: Literal["uint8", "int8", "float16", "float32", "int32", "int64"] = "uint8"
    layout: Literal["nhwc", "nchw"] = "nhwc"
    color: Literal["rgb", "bgr", "gray"] = "rgb"
    fit: Literal["stretch", "letterbox", "letterbox_top_left"] = "stretch"
    pad: Annotated[int, Meta(ge=0, le=255)] = 114
    resize: Literal["area", "linear"] = "area"
    mean: list[float] = msgspec.field(default_factory=list)
    std: list[float] = msgspec.field(default_factory=list)
    feedback: str = ""


class HeadSpec(Wire):
    """Model family of the outputs, and its parameters. `outputs` maps the head's names to tensor names."""

    family: Name
    outputs: dict[str, str] = msgspec.field(default_factory=dict)
    params: dict[str, Any] = msgspec.field(default_factory=dict)


class FileEntry(Wire):
    """One file of a package. Hashes are filled in when the package is packed."""

    path: FilePath
    length: Annotated[int, Meta(ge=0, le=PACKAGE_BYTES_MAX)] = 0
    sha256: str = ""
    blocks: list[Digest] = msgspec.field(default_factory=list)


class Variant(Wire):
    """The files of a package for one kind of hardware. `files[0]` is the one the runtime opens.

    format: `onnx`, `tflite`, `openvino_ir`, that of a plug-in, or `agent` or `pipeline` for packages that are no models. Not
    checked here: a device takes a package with variants for other devices, whose formats it does not know.

    `inputs` / `outputs` override the manifest's if a conversion changed names, layout or type.
    """

    name: Name
    format: Name
    files: Annotated[list[FilePath], Meta(min_length=1, max_length=16)]
    runtimes: Annotated[list[str], Meta(min_length=1)]
    precision: str = ""
    profiles: list[str] = msgspec.field(default_factory=list)
    inputs: list[InputSpec] = msgspec.field(default_factory=list)
    outputs: dict[str, str] = msgspec.field(default_factory=dict)
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class Golden(Wire):
    """An input and the expected result. `expect` is a JSON list of detections or classes, as from `infer --json`."""

    input: FilePath
    expect: FilePath
    iou_min: float = 0.8
    score_tolerance: float = 0.08
    extra_max: int = 0
    missing_max: int = 0


class Budgets(Wire):
    """Limits that a device checks before a package becomes active; 0 = no limit."""

    latency_ms: float = 0.0
    memory_bytes: int = 0


class Tuning(Wire):
    """The best settings measured on a device of one profile (`edgefleet model analyze`).

    threads 0: the runtime's default. streams: parallel runs in one OpenVINO model. instances: copies loaded by a server. batch:
    samples a run. latency_ms: 95th percentile; per_s: samples a second, all instances together.
    """

    profile: Name
    variant: Name
    runtime: str
    device: str = "cpu"
    threads: Annotated[int, Meta(ge=0, le=1024)] = 0
    streams: Annotated[int, Meta(ge=1, le=64)] = 1
    instances: Annotated[int, Meta(ge=1, le=64)] = 1
    batch: Annotated[int, Meta(ge=1, le=1024)] = 1
    latency_ms: float = 0.0
    per_s: float = 0.0


CLASS_TASKS: Final = ("detection", "classification", "segmentation", "anomaly")
"""Tasks whose results are classes, which labels name."""


class Manifest(Wire):
    """`model.toml`."""

    name: Name
    version: Version
    task: Literal["detection", "classification", "segmentation", "pose", "embedding", "text", "anomaly", "agent", "pipeline"]
    head: HeadSpec
    variants: Annotated[list[Variant], Meta(min_length=1, max_length=32)]
    inputs: list[InputSpec] = msgspec.field(default_factory=list)
    title: str = ""
    description: Text = ""
    licence: str = ""
    epoch: Annotated[int, Meta(ge=0)] = 0
    labels: list[str] = msgspec.field(default_factory=list)
    labels_file: FilePath | None = None
    golden: Annotated[list[Golden], Meta(max_length=16)] = msgspec.field(default_factory=list)
    budgets: Budgets = msgspec.field(default_factory=Budgets)
    tuned: Annotated[list[Tuning], Meta(max_length=64)] = msgspec.field(default_factory=list)
    card: dict[str, Any] = msgspec.field(default_factory=dict)
    provenance: dict[str, Any] = msgspec.field(default_factory=dict)

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
    for tuning in manifest.tuned:
        if tuning.variant not in names:
            raise ManifestError(
                f"{where}: [[tuned]] for {tuning.profile} names variant {tuning.variant!r}; it has {', '.join(names)}"
            )
    return manifest


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
        if len(entry.blocks) != -(-entry.length // BLOCK_BYTES) or len(entry.sha256) != 64:
            raise ManifestError(f"package descriptor of {descriptor.name}: hashes of {entry.path} do not fit its length")
    if sum(entry.length for entry in descriptor.files) > PACKAGE_BYTES_MAX:
        raise ManifestError(f"package {descriptor.name} is over the limit of {PACKAGE_BYTES_MAX} bytes")
    return descriptor


def digest_of(descriptor_bytes: bytes) -> str:
    """The digest of a package: SHA-256 of its descriptor's bytes."""
    import hashlib  # as in `describe`

    return hashlib.sha256(descriptor_bytes).hexdigest()

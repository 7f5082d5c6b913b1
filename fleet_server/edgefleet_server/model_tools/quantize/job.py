"""Job of `edgefleet model quantize`: creates int8 variants of a float package, or refuses those whose agreement is too low."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from edgefleet_contract.package.manifest import MANIFEST_FILE, InputSpec, Manifest, Variant, read_manifest
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.quantize import edge_tpu, ir_int8, onnx_int8, tflite_int8
from edgefleet_server.model_tools.quantize.accuracy import EVIDENCE_MIN, TRUTH_SCORE_MIN, Accuracy, compare
from edgefleet_server.model_tools.quantize.flavours import EDGE_TPU, FLAVOURS, Flavour
from edgefleet_server.model_tools.quantize.samples import SAMPLES_WARN, Answered, Samples, inputs_of, outputs_of, split
from edgefleet_server.registry.importers.import_model import precision_of
from edgefleet_server.registry.importers.package_folder import StagedPackage, package_folder
from edgefleet_server.registry.importers.read_model import read_model_file

AGREEMENT_MIN = 0.9
_RUNTIME = {"onnx": "onnx_runtime", "tflite": "lite_rt", "openvino_ir": "open_vino"}


class Bar(Protocol):
    """Progress of one step."""

    def to(self, done: int, detail: str = "") -> None: ...


Bars = Callable[[str, int], AbstractContextManager[Bar]]
"""Creates the bar of a step from its name and its length."""


@dataclass(frozen=True, slots=True)
class QuantizeRequest:
    """Request of the user. flavours: none = all that this machine can create."""

    package: Path
    calibration: Path
    into: Path
    held_out: Path | None = None
    version: str = ""
    flavours: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    method: onnx_int8.Method = "minmax"
    agreement_min: float = AGREEMENT_MIN
    threshold: float = TRUTH_SCORE_MIN
    drop_bad: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One variant of the report. state: kept; unproven: above the limit, on too few samples; passed_through: quantized already;
    dropped: below the limit; unmeasured: only the accelerator can run it."""

    variant: str
    state: str
    file: str
    length_bytes: int
    float_bytes: int
    accuracy: Accuracy | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The result. folder: that of the new package; None if there were no variants to create. held_out: names of the samples for
    the comparison."""

    folder: Path | None
    id: str
    calibrated_on: int
    held_out: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """For `--json`."""
        return {**asdict(self), "folder": str(self.folder) if self.folder else None}


def quantize(request: QuantizeRequest, bars: Bars) -> Report:
    """Create the variants, compare them, write the package.

    Raises:
        InputError: nothing to quantize, or a variant is below the limit (and none is dropped); the text gives the remedy.
        MissingError: a library is not installed.
    """
    path = request.package / MANIFEST_FILE
    if not path.is_file():
        raise InputError(f"{request.package} has no {MANIFEST_FILE}; make a package with `edgefleet model import` first")
    manifest = read_manifest(path.read_text(encoding="utf-8"), str(path))
    with tempfile.TemporaryDirectory(prefix="edgefleet-quantize-") as scratch:
        return _Job(request, manifest, Path(scratch), bars).run()


class _Job:
    """One run: scratch files, the calibration inputs of each float variant, and the rows so far."""

    def __init__(self, request: QuantizeRequest, manifest: Manifest, scratch: Path, bars: Bars) -> None:
        self._request = request
        self._manifest = manifest
        self._scratch = scratch
        self._bars = bars
        self._files = {variant.name: read_model_file(request.package / variant.files[0]) for variant in manifest.variants}
        self._floats = {
            variant.format: variant
            for variant in reversed(manifest.variants)
            if precision_of(self._files[variant.name]) != "int8"
            and not variant.profiles
            and not variant.files[0].endswith(".ort")
        }
        self._readings: dict[str, list[Path]] = {}
        self._references: dict[str, Answered] = {}
        self._calibration, self._held_out = Samples(), Samples()
        self._notes: list[str] = []

    def run(self) -> Report:
        request, manifest = self._request, self._manifest
        passed = [self._passed(variant) for variant in manifest.variants if self._is_int8(variant)]
        sources = self._sources()
        compiles = self._compiles(sources)
        if not sources and not compiles:
            return Report(
                None,
                manifest.id,
                0,
                (),
                passed,
                ["every variant is int8 already: nothing to do, the package is as good as it is"],
            )
        made: dict[str, tuple[Variant, Mapping[str, Path]]] = {}
        if sources:
            self._gather(next(iter(sources.values()))[1])
            for flavour, source in sources.values():
                made[flavour.name] = self._make(flavour, source)
        if compiles:
            made[EDGE_TPU.name] = self._compile(made)
        version = request.version or _next(manifest.version)
        draft = msgspec.structs.replace(
            manifest, version=version, variants=[*(each for each, _ in made.values()), *manifest.variants]
        )
        folder = package_folder(request.into, draft)
        files = {name: request.package / name for name in manifest.paths() if name != MANIFEST_FILE}
        files |= {name: path for _, more in made.values() for name, path in more.items()}
        with StagedPackage(folder) as staged:
            staged.write_manifest(draft, files)
            rows = [self._measure(name, variant, staged.path, files) for name, (variant, _) in made.items()]
            bad = [row for row in rows if row.state == "dropped"]
            if bad and (not request.drop_bad or len(bad) == len(rows)):
                raise InputError(self._refusal(bad[0]))
            accepted = [variant for variant, _ in made.values() if variant.name not in {row.variant for row in bad}]
            final = msgspec.structs.replace(
                draft, variants=[*accepted, *manifest.variants], card={**manifest.card, "quantization": self._card(rows)}
            )
            staged.write_manifest(final, {name: path for name, path in files.items() if name in final.paths()})
            staged.settle()
        self._note_evidence(rows)
        return Report(folder, final.id, len(self._calibration), self._held_out.names(), [*rows, *passed], self._notes)

    def _note_evidence(self, rows: Sequence[Row]) -> None:
        few = [row.accuracy for row in rows if row.state == "unproven" and row.accuracy is not None]
        if few:
            kind = {"map50": "boxes", "points": "key points"}.get(few[0].measure, "samples")
            self._notes.append(
                f"unproven: the figures rest on {min(each.truths for each in few)} {kind} of the held-out data;"
                f" give {EVIDENCE_MIN} or more (--data, --held-out)"
            )

    def _is_int8(self, variant: Variant) -> bool:
        return precision_of(self._files[variant.name]) == "int8"

    def _passed(self, variant: Variant) -> Row:
        length = self._files[variant.name].path.stat().st_size
        note = "quantized already (in training or before): left as it is"
        return Row(variant.name, "passed_through", variant.files[0], length, 0, note=note)

    def _sources(self) -> dict[str, tuple[Flavour, Variant]]:
        """Flavour and float variant of each variant to create."""
        names = [name for name in self._request.flavours if name != EDGE_TPU.name]
        found = {}
        for name in names or FLAVOURS:
            flavour = FLAVOURS[name]
            source = self._floats.get(flavour.source)
            if source is None and names:
                have = ", ".join(sorted(self._floats)) or "no float file"
                raise InputError(
                    f"{self._manifest.id}: {name} is made from a float {flavour.source} file; the package has {have}:"
                    f" import the model in that format too, or choose another --flavour"
                )
            # Only for models without ONNX: NNCF is heavy, and OpenVINO runs the u8s8 file faster than the output of NNCF.
            if source is None or (name == "openvino" and not names and "onnx" in self._floats):
                continue
            found[name] = (flavour, source)
        return found

    def _compiles(self, sources: Mapping[str, object]) -> bool:
        requested = EDGE_TPU.name in self._request.flavours
        possible = "tflite" in sources or self._int8_tflite() is not None
        if requested and not possible:
            raise InputError(
                f"{self._manifest.id}: the Edge TPU takes a full-int8 TFLite file; give a package with a float .tflite"
            )
        if requested and edge_tpu.compiler() is None:
            raise InputError(
                f"{edge_tpu.COMPILER} is not on the PATH: install it (coral.ai/docs/edgetpu/compiler), or leave out edgetpu"
            )
        chosen = requested or not self._request.flavours
        twins = any("coral" in variant.profiles for variant in self._manifest.variants)
        return chosen and possible and not twins and edge_tpu.compiler() is not None

    def _int8_tflite(self) -> Variant | None:
        fits = [each for each in self._manifest.variants if each.format == "tflite" and self._is_int8(each) and not each.profiles]
        return fits[0] if fits else None

    def _gather(self, source: Variant) -> None:
        def windows(samples: Samples) -> int:
            into = Path(tempfile.mkdtemp(dir=self._scratch)) / "count"
            return len(inputs_of(self._request.package, source.name, _RUNTIME[source.format], samples, into, lambda _: None))

        request = self._request
        self._calibration, self._held_out = split(request.calibration, request.held_out, request.channels, windows)
        if len(self._calibration) < SAMPLES_WARN:
            self._notes.append(
                f"calibrated on {len(self._calibration)} samples only; {SAMPLES_WARN} or more give steadier ranges"
            )

    def _inputs(self, source: Variant) -> list[Path]:
        """The calibration inputs in the format of `source`, created once."""
        if source.name not in self._readings:
            with self._bars(f"inputs of {source.name}", len(self._calibration)) as bar:
                self._readings[source.name] = inputs_of(
                    *(self._request.package, source.name, _RUNTIME[source.format], self._calibration),
                    *(self._scratch / f"inputs-{source.format}", bar.to),
                )
        return self._readings[source.name]

    def _make(self, flavour: Flavour, source: Variant) -> tuple[Variant, Mapping[str, Path]]:
        model = self._files[source.name]
        readings = self._inputs(source)
        name = f"{flavour.name}-int8"
        target = self._scratch / f"{model.path.stem}{flavour.suffix}"
        inputs = source.inputs or self._manifest.inputs
        with self._bars(f"quantizing {flavour.name}", len(readings)) as bar:
            if flavour.source == "onnx":
                folder = self._scratch / "ready"
                folder.mkdir(exist_ok=True)
                ready = folder / "ready.onnx"
                ready = ready if ready.exists() else onnx_int8.prepare(model.path, folder)
                onnx_int8.quantize_onnx(ready, target, flavour.name, readings, self._request.method, bar.to)
            elif flavour.source == "tflite":
                inputs = tflite_int8.quantize_tflite(model.path, target, inputs, readings, bar.to)
            else:
                ir_int8.quantize_ir(model.path, target, readings, bar.to)
        paths = [target, target.with_suffix(".bin")] if flavour.source == "openvino_ir" else [target]
        variant = _variant(flavour, name, [path.name for path in paths], inputs, source)
        return variant, {path.name: path for path in paths}

    def _compile(self, made: Mapping[str, tuple[Variant, Mapping[str, Path]]]) -> tuple[Variant, Mapping[str, Path]]:
        known = self._int8_tflite()
        if "tflite" in made:
            source, files = made["tflite"]
            file = next(iter(files.values()))
        else:
            assert known is not None
            source, file = known, self._request.package / known.files[0]
        compiled = edge_tpu.compile_for_edge_tpu(file, self._scratch)
        text = (
            f"edgetpu_compiler {compiled.version}: {compiled.on_device} operators on the Edge TPU, {compiled.on_cpu} on the CPU"
        )
        self._notes.append("; ".join([f"{text}, {compiled.streamed} streamed", *compiled.left[:3]]))
        variant = _variant(EDGE_TPU, "edgetpu-int8", [compiled.file.name], source.inputs or self._manifest.inputs, source)
        return variant, {compiled.file.name: compiled.file}

    def _measure(self, name: str, variant: Variant, staged: Path, files: Mapping[str, Path]) -> Row:
        flavour = FLAVOURS.get(name, EDGE_TPU)
        length = sum(files[path].stat().st_size for path in variant.files)
        source = self._floats.get(flavour.source)
        before = sum((self._request.package / path).stat().st_size for path in source.files) if source else 0
        if not flavour.measured_on:
            note = "not measured: only an Edge TPU can run it; golden samples are checked there"
            return Row(variant.name, "unmeasured", variant.files[0], length, before, note=note)
        assert source is not None
        if source.name not in self._references:
            self._references[source.name] = self._answers(self._request.package, source, _RUNTIME[source.format])
        accuracy = compare(
            self._manifest,
            self._references[source.name],
            self._answers(staged, variant, flavour.measured_on),
            self._request.threshold,
        )
        state = "dropped" if accuracy.fault(self._request.agreement_min) else "kept" if accuracy.is_proven else "unproven"
        return Row(variant.name, state, variant.files[0], length, before, accuracy, flavour.purpose)

    def _answers(self, package: Path, variant: Variant, runtime: str) -> Answered:
        into = self._scratch / f"outputs-{variant.name}"
        with self._bars(f"answers of {variant.name}", len(self._held_out)) as bar:
            return outputs_of(package, variant.name, runtime, self._held_out, into, bar.to)

    def _refusal(self, row: Row) -> str:
        assert row.accuracy is not None
        return (
            f"{row.variant}: {row.accuracy.fault(self._request.agreement_min)} on"
            f" {row.accuracy.samples} held-out samples, {self._request.agreement_min:g} is needed; calibrate on more"
            f" samples like those it will see, try --method percentile, leave it out with --drop-bad,"
            " or accept it with --agreement-min"
        )

    def _card(self, rows: Sequence[Row]) -> dict[str, Any]:
        measured = {
            row.variant: {
                row.accuracy.measure: row.accuracy.agreement,
                "cosine": min(row.accuracy.cosine.values(), default=0.0),
                **({"operating_point": row.accuracy.at.sentence()} if row.accuracy.at else {}),
                **({} if row.accuracy.is_proven else {"unproven": row.accuracy.truths}),
            }
            for row in rows
            if row.accuracy and row.state != "dropped"
        }
        return {
            "from": self._manifest.id,
            "calibrated_on": len(self._calibration),
            "measured_on": len(self._held_out),
            "method": self._request.method,
            **measured,
        }


def _variant(flavour: Flavour, name: str, files: list[str], inputs: list[InputSpec], source: Variant) -> Variant:
    return Variant(
        name=name,
        format=flavour.source,
        files=files,
        runtimes=list(flavour.runtimes),
        precision="int8",
        profiles=list(flavour.profiles),
        inputs=inputs,
        outputs=source.outputs,
        options=flavour.options,
    )


def _next(version: str) -> str:
    """The next minor version: 1.0.3 to 1.1.0."""
    parts = version.split("+")[0].split("-")[0].split(".")
    if len(parts) >= 2 and all(part.isdigit() for part in parts[:2]):
        return f"{parts[0]}.{int(parts[1]) + 1}.0"
    return f"{version}.int8"

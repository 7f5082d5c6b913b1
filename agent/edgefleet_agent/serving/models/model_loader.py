"""Loads a version of a model: chooses the file, opens the sessions, warms them up, measures them.

Settings that are not configured are decided by measurement on this device: a model that is faster than a thread's wake-up gets
one session without a thread; any other gets one single-threaded session for each core, which gives the highest throughput on CPUs
and is robust beside other load, and for lone requests possibly one session over several cores (`multicore_session`); batches are
formed if four rows at once take clearly less than four times one row, and the file proves that no row changes the outputs of
another (`rows.proof`), or the configuration says that it has batches.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from edgefleet_agent.backends.base import Backend, LoadOptions, Session, default_threads
from edgefleet_agent.backends.contained import ISOLATION, RUN_S_MAX
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.serving.config.model_config import DynamicBatching, ServingConfig
from edgefleet_agent.serving.config.warm_up import warm_up
from edgefleet_agent.serving.engine.instance_pool import INLINE_S_MAX, InstancePool
from edgefleet_agent.serving.engine.model_registry import ModelPool, ServedModel
from edgefleet_agent.serving.engine.multicore_session import MultiCoreSession
from edgefleet_agent.serving.engine.rate_limiter import RateLimiter, ResourceClaim
from edgefleet_agent.serving.engine.response_cache import CachedPool, digest_of
from edgefleet_agent.serving.engine.sequences.sequence_batcher import SequencePool
from edgefleet_agent.serving.engine.sequences.sequence_tensors import SequenceTensors
from edgefleet_agent.serving.models.configured_session import configured_session
from edgefleet_agent.serving.models.measurement import can_batch, depends_on_others, measure
from edgefleet_agent.serving.models.model_source import LoadTarget, Source, find_source, model_folder
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.tensors import DTYPES
from edgefleet_agent.serving.rows.constant_work import has_constant_work
from edgefleet_agent.serving.rows.proof import RowVerdict, judge
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import EdgefleetError, InputError, MissingError, ModelError
from edgefleet_contract.package.profile import accelerator_for

log = logging.getLogger(__name__)

THREADS_MAX = 256
BATCH_USUAL = 16
"""Default limit of a batch, for models with a batch axis."""
CHECK_S_MAX = 1.0
"""Slower models are not run several times to find out whether the first axis is the batch axis."""


def open_served(folder: Path, model: str, version: str, device: LoadTarget, config: ServingConfig) -> ServedModel:
    """Load a version. Blocks while the runtime loads it.

    Raises:
        EdgefleetError: the version cannot be loaded; nothing is left open.
    """
    began_s = time.monotonic()
    if config.max_batch_size is None and model in device.batches:
        config = msgspec.structs.replace(config, max_batch_size=device.batches[model])
    source = find_source(folder, device, config)
    backend = find_backend(source.runtime, source.variant)
    source, usual = _on_usual_device(source, device, config)
    placements = config.devices(source.runtime)
    if config.deterministic and len(set(placements)) > 1:
        raise InputError(f"deterministic requires one kind of device; instance_group has {', '.join(sorted(set(placements)))}")
    isolated = _is_isolated(model, source, config, device)
    options = _options(source, usual, config, device, isolated=isolated)
    beside = model_folder(folder)
    sessions = [_open(backend, source, options, placements[0] if placements else "", config)]
    if sessions[0].placement.fell_back:
        log.warning("model %s: %s; it is computed on the CPU", model, sessions[0].placement.detail)
        usual = "cpu"
        options = replace(options, device=usual)
    try:
        signature = _signature(model, version, sessions[0], source, config)
        run_s = measure(sessions[0], signature, 1)
        verdict = RowVerdict("independent")  # a configuration that says so is believed
        if config.max_batch_size is None:
            signature, verdict = judge_batch_axis(sessions[0], signature, source, run_s)
        device_names = placements or [""] * (default_threads() if usual == "cpu" and run_s >= INLINE_S_MAX else 1)
        for device_name in device_names[1:]:
            sessions.append(_open(backend, source, options, device_name, config))
            measure(sessions[-1], signature, 1)
        for session in sessions:
            warm_up(session, config.model_warmup, signature, beside)
        batching = config.batching
        proven = verdict.rows == "independent" and not config.deterministic
        if batching is None and proven and can_batch(sessions[0], signature, run_s):
            batching = DynamicBatching()
        sequences = config.sequence_batching
        tensors = SequenceTensors(sequences, signature, beside) if sequences is not None else None
        claims = _claims(config, device.limiter)
    except BaseException:
        for session in sessions:
            session.close()
        raise
    chosen = config.threads or device.threads or config.instances or config.rate_limits or config.sequence_batching
    wide: MultiCoreSession | None = None
    if len(sessions) > 1 and not chosen and not device.frugal and not config.deterministic:

        def open_wide() -> Session:
            return _open_wide(backend, source, options, signature, config, beside)

        wide = MultiCoreSession(model, open_wide)
    if run_s < INLINE_S_MAX and (isolated or not has_constant_work(source.files[0])):
        run_s = INLINE_S_MAX  # a run that may take long, or hang, must not hold the thread of a listener
    joined = not config.deterministic
    engine: ModelPool = InstancePool(signature, sessions, batching, run_s, device.limiter, claims, wide, joined=joined)
    if config.response_cache.enable and config.sequence_batching is None:
        engine = CachedPool(engine, device.cache, digest_of(source.files))
    if tensors is not None and config.sequence_batching is not None:
        engine = SequencePool(engine, config.sequence_batching, tensors)
    served = ServedModel(engine, config, time.monotonic() - began_s)
    served.package = source.package
    served.device = "" if usual == "cpu" else usual
    if served.device and "" in (placements or [""]):
        log.info("model %s: computed on %s", model, usual)
    return served


def judge_batch_axis(
    session: Session, signature: TensorSignature, source: Source, run_s: float
) -> tuple[TensorSignature, RowVerdict]:
    """Whether an open first axis, which no configuration describes, is the batch axis: `signature`, without batches if neither
    the file nor a run of several rows shows that it is.

    Requests of several callers are joined only where the file proves that no row changes another. What was found goes to stderr.
    """
    if not signature.batch:
        return signature, RowVerdict("mixed")
    verdict = judge(source.runtime, source.files[0])
    if verdict.rows == "unknown":
        if run_s >= CHECK_S_MAX:
            return _without_batches(signature, verdict, f"{verdict.why}, and it is too slow to be tried")
        try:
            wrong = depends_on_others(session, signature)
        except ModelError as cause:
            return _without_batches(signature, verdict, f"{verdict.why}, and it fails on several rows: {cause}")
        if wrong:
            verdict = RowVerdict("mixed", f"output '{wrong}' of a row depends on other rows")
    if verdict.rows == "mixed":
        log.warning("model %s: the first axis is no batch axis (%s), so requests are not batched", signature.model, verdict.why)
        return replace(signature, batch=0), verdict
    if verdict.rows == "unknown" and run_s >= INLINE_S_MAX:
        text = "model %s: requests are not batched, as it is not certain that rows are independent (%s); max_batch_size says so"
        log.info(text, signature.model, verdict.why)
    return replace(signature, any_rows=True), verdict


def _without_batches(signature: TensorSignature, verdict: RowVerdict, why: str) -> tuple[TensorSignature, RowVerdict]:
    """For a first axis that nothing shows to be the batch axis."""
    text = "model %s: it is not certain that the first axis is a batch axis (%s), so it is none; max_batch_size says that it is"
    log.info(text, signature.model, why)
    return replace(signature, batch=0), verdict


def _is_isolated(model: str, source: Source, config: ServingConfig, device: LoadTarget) -> bool:
    """Whether the sessions run in processes of their own: by the configuration, the command line or the package."""
    usual = "process" if model in device.isolated else source.options.get(ISOLATION)
    return (config.isolation or usual) == "process"


def _on_usual_device(source: Source, device: LoadTarget, config: ServingConfig) -> tuple[Source, str]:
    """The device of sessions for which the configuration names none: that of the variant's options, or the accelerator of this
    machine; for equal bits in all sessions the CPU. The options of the accelerator's profile become those of the source."""
    own = source.options.get("device")
    if own or config.deterministic:
        return source, str(own or "cpu")
    found = accelerator_for(device.accelerators, device.profile, source.runtime, source.variant)
    return replace(source, options={**found.options, **source.options}), found.device


def _options(source: Source, device_name: str, config: ServingConfig, device: LoadTarget, *, isolated: bool) -> LoadOptions:
    # One thread for each session is for CPUs only; an accelerator has one session with its own threads.
    threads = config.threads or _thread_count(config) or device.threads or (1 if device_name == "cpu" else 0)
    own = {name: value for name, value in source.options.items() if name not in ("device", ISOLATION)}
    if isolated:
        own = {RUN_S_MAX: config.isolation_run_s_max, **own, ISOLATION: "process"}
    return LoadOptions(device=device_name, threads=threads, options=own, deterministic=config.deterministic)


def _thread_count(config: ServingConfig) -> int:
    """Triton's parameter of the ONNX Runtime backend; 0 if it is not set."""
    given = config.parameters.get("intra_op_thread_count")
    if given is None or not given.string_value:
        return 0
    if not given.string_value.isdecimal() or int(given.string_value) > THREADS_MAX:
        raise InputError(f"parameters[intra_op_thread_count]: must be a whole number up to {THREADS_MAX}")
    return int(given.string_value)


def _open(backend: Backend, source: Source, options: LoadOptions, device_name: str, config: ServingConfig) -> Session:
    """Open a session on `device_name` and no other device; on the default device if it is empty."""
    if device_name:
        threads = options.threads or (1 if device_name == "cpu" else 0)
        options = replace(options, device=device_name, threads=threads, strict=True)
    try:
        session = backend.load(source.files, options)
    except MissingError as cause:
        if not device_name:
            raise
        raise MissingError(f"instance_group: {cause}") from cause
    try:
        return configured_session(session, config)
    except InputError:
        session.close()
        raise


def _open_wide(
    backend: Backend, source: Source, options: LoadOptions, signature: TensorSignature, config: ServingConfig, folder: Path
) -> Session:
    """Open and warm up a session over several cores."""
    session = _open(backend, source, replace(options, threads=default_threads()), "", config)
    try:
        warm_up(session, config.model_warmup, signature, folder)
        measure(session, signature, 1)
    except EdgefleetError:
        session.close()
        raise
    return session


def _claims(config: ServingConfig, limiter: RateLimiter) -> list[ResourceClaim]:
    """Register the claims of the sessions with the rate limiter: all or none."""
    joined: list[ResourceClaim] = []
    for limit in config.rate_limits:
        needs: dict[str, int] = {}
        for resource in limit.resources:
            needs[resource.name] = max(needs.get(resource.name, 0), resource.count)
        claim = ResourceClaim(needs, max(limit.priority, 1))
        try:
            limiter.join(claim)
        except InputError:
            for each in joined:
                limiter.leave(each)
            raise
        joined.append(claim)
    return joined


def _signature(model: str, version: str, session: Session, source: Source, config: ServingConfig) -> TensorSignature:
    signature = signature_of(model, version, session, source.labels)
    batch = config.max_batch_size
    if batch is None and config.input and config.output:
        batch = 0  # as in Triton: a configuration that describes the tensors is complete
    if batch and not signature.batch:
        raise InputError("max_batch_size: the model has no dynamic batch dimension; set it to 0 or export the model with one")
    optional = frozenset(each.name for each in config.input if each.optional)
    changed = replace(signature, batch=signature.batch if batch is None else batch, optional=optional)
    return changed if source.labels_of is None else replace(changed, labels_of=source.labels_of)


def signature_of(model: str, version: str, session: Session, labels: tuple[str, ...]) -> TensorSignature:
    """The tensor signature of a session. It has batches if every tensor's first axis is open.

    Raises:
        ModelError: the protocol does not support the type of a tensor.
    """
    specs: Sequence[TensorSpec] = (*session.inputs, *session.outputs)
    known = set(DTYPES.values())
    for spec in specs:
        if spec.dtype not in known:
            raise ModelError(f"tensor '{spec.name}' of model '{model}' is {spec.dtype}, which the protocol does not support")
    open_axis = all(spec.shape and spec.shape[0] == -1 and not spec.any_rank for spec in specs)
    platform = {"onnx_runtime": "onnxruntime_onnx", "open_vino": "openvino_ir", "lite_rt": "litert_tflite"}
    runtime = session.placement.runtime
    return TensorSignature(
        model,
        version,
        platform.get(runtime, runtime),
        tuple(session.inputs),
        tuple(session.outputs),
        BATCH_USUAL if open_axis else 0,
        labels,
    )

"""Checks an ensemble against the models of its steps, and derives its inputs and outputs. Pure but for the lookups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from edgefleet_agent.serving.config.configured_tensors import configured_tensors
from edgefleet_agent.serving.config.model_config import BATCH_MAX, ServingConfig
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.serving.protocol.tensors import Array, datatype_of
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.package.ensemble import Condition, EnsembleManifest, EnsembleStep

Lookup = Callable[[str, str], TensorSignature]
"""Model and version (empty: the default) -> tensor signature."""


@dataclass(frozen=True, slots=True)
class EnsemblePlan:
    """Steps in topological order. of_steps: the signatures of their models. makers: tensor -> indices of the steps that produce
    it."""

    signature: TensorSignature
    steps: tuple[EnsembleStep, ...]
    of_steps: tuple[TensorSignature, ...]
    makers: Mapping[str, tuple[int, ...]]


def plan_ensemble(manifest: EnsembleManifest, model: str, version: str, lookup: Lookup) -> EnsemblePlan:
    """Check an ensemble and order its steps.

    Raises:
        InputError: an unknown model or tensor, types or shapes that do not fit, a cycle, or a tensor with two producers.
        CallError: a step's model is not served.
    """
    steps = manifest.ensemble.step
    signatures = [lookup(step.model, step.version) for step in steps]
    makers = _makers(steps)
    order = _order(steps, makers)
    made: dict[str, TensorSpec] = {}
    for step, signature in zip(steps, signatures, strict=True):
        _check_names(step, signature)
        for spec in signature.outputs:
            name = step.output_map.get(spec.name, "")
            if name and name in made:
                _check_fit(step, name, made[name], spec)
            elif name:
                made[name] = replace(spec, name=name)
    inputs: dict[str, TensorSpec] = {}
    for step, signature in zip(steps, signatures, strict=True):
        for spec in signature.inputs:
            name = step.input_map[spec.name]
            known = made.get(name) or inputs.get(name)
            if known is None:
                inputs[name] = replace(spec, name=name)
            else:
                _check_fit(step, name, known, spec)
        if step.when is not None:
            _check_condition(step.when, step, made, inputs)
    outputs = _outputs(manifest, made)
    batch = _batch(manifest, signatures, (*inputs.values(), *outputs))
    whole = TensorSignature(model, version, "ensemble", tuple(inputs.values()), outputs, batch)
    renumbered = {name: tuple(order.index(index) for index in indices) for name, indices in makers.items()}
    of_steps = tuple(signatures[index] for index in order)
    return EnsemblePlan(whole, tuple(steps[index] for index in order), of_steps, renumbered)


def configured_ensemble(
    signature: TensorSignature, config: ServingConfig, labels_of: Mapping[str, tuple[str, ...]] | None
) -> TensorSignature:
    """The signature of an ensemble as its configuration describes it.

    Raises:
        InputError: the steps make other tensors; the text begins with the path of the field.
    """
    if config.ensemble_scheduling is None or not config.input:
        return signature if labels_of is None else replace(signature, labels_of=labels_of)
    batch = config.max_batch_size or 0
    inputs = configured_tensors("input", config.input, signature.inputs, bool(batch))
    outputs = configured_tensors("output", config.output, signature.outputs, bool(batch))
    missing = sorted({spec.name for spec in signature.inputs} - {spec.name for spec in inputs})
    if missing:
        raise InputError(f"ensemble_scheduling: no step makes '{missing[0]}', and it is no input")
    return replace(signature, inputs=inputs, outputs=outputs, batch=batch, labels_of=labels_of)


def ensemble_scheduling_to_json(plan: EnsemblePlan) -> dict[str, Any]:
    """`ensemble_scheduling` of the `config` endpoints. Versions that are not numbers are sent as -1, "the newest"."""
    steps = [
        {
            "model_name": step.model,
            "model_version": int(step.version) if step.version.isdecimal() else -1,
            "input_map": step.input_map,
            "output_map": step.output_map,
            "model_namespace": "",
        }
        for step in plan.steps
    ]
    return {"ensemble_scheduling": {"step": steps}}


def condition_met(condition: Condition, array: Array) -> bool:
    """Whether a condition is met."""
    if not array.size:
        return False
    met = np.ones(array.shape, np.bool_)
    if condition.at_least is not None:
        met &= array >= condition.at_least
    if condition.below is not None:
        met &= array < condition.below
    return bool(met.any())


def _makers(steps: list[EnsembleStep]) -> dict[str, list[int]]:
    makers: dict[str, list[int]] = {}
    for index, step in enumerate(steps):
        for name in step.output_map.values():
            if index in makers.setdefault(name, []):
                raise InputError(f"ensemble: model '{step.model}' produces tensor '{name}' twice")
            makers[name].append(index)
    for name, indices in makers.items():
        # A later step replaces the first if its condition is met; without a condition they would race.
        if any(steps[index].when is None for index in indices[1:]):
            raise InputError(
                f"ensemble: tensor '{name}' is produced by several steps; all but the first require a condition (when)"
            )
    return makers


def _check_names(step: EnsembleStep, signature: TensorSignature) -> None:
    for kind, mapping, specs in (("input", step.input_map, signature.inputs), ("output", step.output_map, signature.outputs)):
        names = {spec.name for spec in specs}
        strange = sorted(set(mapping) - names)
        if strange:
            raise InputError(f"ensemble: model '{step.model}' has no {kind} '{strange[0]}'; it has {', '.join(sorted(names))}")
    missing = sorted({spec.name for spec in signature.inputs} - set(step.input_map))
    if missing:
        raise InputError(f"ensemble: input '{missing[0]}' of model '{step.model}' is not in its input_map")


def _check_fit(step: EnsembleStep, name: str, made: TensorSpec, required: TensorSpec) -> None:
    if made.dtype != required.dtype:
        raise InputError(
            f"ensemble: tensor '{name}' is {datatype_of(made.dtype)}, but '{required.name}' of model '{step.model}' is "
            f"{datatype_of(required.dtype)}"
        )
    if made.any_rank or required.any_rank:
        return
    same = len(made.shape) == len(required.shape)
    if not same or any(-1 not in pair and pair[0] != pair[1] for pair in zip(made.shape, required.shape, strict=True)):
        raise InputError(
            f"ensemble: tensor '{name}' is {list(made.shape)}, but '{required.name}' of model '{step.model}' is "
            f"{list(required.shape)}"
        )


def _check_condition(
    when: Condition, step: EnsembleStep, made: Mapping[str, TensorSpec], inputs: Mapping[str, TensorSpec]
) -> None:
    spec = made.get(when.tensor) or inputs.get(when.tensor)
    if spec is None:
        raise InputError(f"ensemble: the condition of '{step.model}' uses tensor '{when.tensor}', which does not exist")
    if spec.dtype.kind not in "fiub":
        raise InputError(f"ensemble: the condition of '{step.model}' uses '{when.tensor}', which is not a number")


def _outputs(manifest: EnsembleManifest, made: Mapping[str, TensorSpec]) -> tuple[TensorSpec, ...]:
    taken = {name for step in manifest.ensemble.step for name in step.input_map.values()}
    names = manifest.ensemble.outputs or [name for name in made if name not in taken]
    for name in names:
        if name not in made:
            raise InputError(f"ensemble: no step makes the output '{name}'; they produce {', '.join(sorted(made))}")
    if not names:
        raise InputError("ensemble: every tensor is consumed by a step; specify outputs")
    return tuple(made[name] for name in dict.fromkeys(names))


def _batch(manifest: EnsembleManifest, signatures: list[TensorSignature], ends: tuple[TensorSpec, ...]) -> int:
    able = min(signature.batch for signature in signatures)
    open_axis = able > 0 and all(spec.shape and spec.shape[0] == -1 and not spec.any_rank for spec in ends)
    able = min(able, BATCH_MAX) if open_axis else 0
    if manifest.max_batch_size > able:
        raise InputError(f"ensemble: max_batch_size {manifest.max_batch_size} exceeds that of its steps, {able}")
    return manifest.max_batch_size or able


def _order(steps: list[EnsembleStep], makers: Mapping[str, list[int]]) -> list[int]:
    """Indices of the steps in topological order; the producers of one tensor keep their order."""
    needs: dict[int, set[int]] = {}
    for index, step in enumerate(steps):
        required = [*step.input_map.values(), *([step.when.tensor] if step.when is not None else [])]
        needs[index] = {maker for name in required for maker in makers.get(name, ())}
    order: list[int] = []
    while len(order) < len(steps):
        ready = [index for index in needs if index not in order and needs[index] <= set(order)]
        if not ready:
            left = next(index for index in needs if index not in order)
            raise InputError(f"ensemble: the steps have a cyclic dependency, '{steps[left].model}' is part of it")
        order.append(ready[0])
    return order

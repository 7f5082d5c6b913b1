"""Shows callers the tensors of a model as its configuration describes them: `dims`, `reshape`, a selection of the outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edgefleet_agent.backends.base import Session
from edgefleet_agent.serving.config.configured_tensors import configured_tensors
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.protocol.tensors import Array
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import InputError


def configured_session(session: Session, config: ServingConfig) -> Session:
    """`session` with the tensors of `config`; itself if it names none.

    Raises:
        InputError: the model has other tensors; the text begins with the path of the field.
    """
    if not config.input and not config.output:
        return session
    batch = bool(config.max_batch_size)
    inputs = configured_tensors("input", config.input, session.inputs, batch)
    outputs = configured_tensors("output", config.output, session.outputs, batch)
    own_inputs, own_outputs = _sequence_tensors(config)
    inputs += tuple(spec for spec in session.inputs if spec.name in own_inputs and spec not in inputs)
    outputs += tuple(spec for spec in session.outputs if spec.name in own_outputs and spec not in outputs)
    missing = sorted({spec.name for spec in session.inputs} - {spec.name for spec in inputs})
    if missing:
        raise InputError(f"input: '{missing[0]}' of the model is missing")
    return _ConfiguredSession(session, config, inputs, outputs, batch)


def _sequence_tensors(config: ServingConfig) -> tuple[set[str], set[str]]:
    """Inputs and outputs that the server fills and takes: controls and state. `input` and `output` do not name them."""
    sequences = config.sequence_batching
    if sequences is None:
        return set(), set()
    controls = {each.name for each in sequences.control_input}
    return controls | {each.input_name for each in sequences.state}, {each.output_name for each in sequences.state}


class _ConfiguredSession(Session):
    """A session whose tensors have other shapes for its callers."""

    def __init__(
        self,
        session: Session,
        config: ServingConfig,
        inputs: tuple[TensorSpec, ...],
        outputs: tuple[TensorSpec, ...],
        batch: bool,
    ) -> None:
        self._session = session
        self.inputs = inputs
        self.outputs = outputs
        self.placement = session.placement
        self.parallel = session.parallel
        self.folded = session.folded
        self._batch = batch
        self._into = {each.name: tuple(each.own_dims) for each in config.input if each.reshape is not None}
        self._back = {each.name: tuple(each.dims) for each in config.output if each.reshape is not None}

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        """Run once, with the shapes of the configuration.

        Raises:
            ModelError: the runtime failed.
        """
        if self._into:
            inputs = {name: self._reshaped(array, self._into.get(name), name, self.inputs) for name, array in inputs.items()}
        answer = self._session.infer(inputs)
        return {spec.name: self._reshaped(answer[spec.name], self._back.get(spec.name), "", ()) for spec in self.outputs}

    def _reshaped(self, array: Array, dims: tuple[int, ...] | None, name: str, specs: Sequence[TensorSpec]) -> Array:
        """The array with these dimensions after the batch axis. Open ones take the array's own open axes, in their order."""
        if dims is None:
            return array
        lead = array.shape[:1] if self._batch else ()
        if dims.count(-1) > 1:
            shown = next((spec.shape for spec in specs if spec.name == name), array.shape)
            sizes = iter([have for have, want in zip(array.shape, shown, strict=True) if want == -1][len(lead) :])
            dims = tuple(next(sizes, -1) if side == -1 else side for side in dims)
        return array.reshape((*lead, *dims))

    def close(self) -> None:
        """Close the session."""
        self._session.close()

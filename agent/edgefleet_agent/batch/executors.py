"""Runs work units in processes of this machine or on the workers of a Ray cluster. Results come in any order."""

from __future__ import annotations

import concurrent.futures
import importlib
import multiprocessing
import signal
from collections.abc import Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from edgefleet_agent.backends.process_end import end_with_parent
from edgefleet_agent.batch.predictor import BatchJob, Predictor
from edgefleet_agent.batch.work_units import WorkUnit
from edgefleet_agent.core.extras import install_hint
from edgefleet_contract.core.errors import MissingError, UnavailableError

Piece = tuple[int, bytes]

_predictor: Predictor | None = None


def by_processes(units: Sequence[WorkUnit], job: BatchJob, count: int) -> Generator[Piece, None, None]:
    """Run the units in `count` processes of this machine.

    Raises:
        UnavailableError: a process died. EdgefleetError: the model cannot be opened.
    """
    # New processes, because the threads of a runtime do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(count, context, _start_process, (job,)) as pool:
        complete = False
        try:
            waiting = {_submitted(pool, unit) for unit in units[: 4 * count]}
            coming = iter(units[4 * count :])
            while waiting:
                ended, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
                    unit = next(coming, None)
                    if unit is not None:
                        waiting.add(_submitted(pool, unit))
            complete = True
        except BrokenProcessPool as cause:
            raise UnavailableError("a process died, possibly out of memory; run the command again to resume") from cause
        finally:
            if not complete:  # the pool would wait for the units that are computed: a video takes minutes
                for process in multiprocessing.active_children():
                    process.kill()


def _submitted(pool: concurrent.futures.ProcessPoolExecutor, unit: WorkUnit) -> concurrent.futures.Future[Piece]:
    """Submit a unit. A process that the pool starts for it leaves Ctrl-C to this one, also while it imports its modules."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_predict, unit)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def by_ray(units: Sequence[WorkUnit], job: BatchJob, count: int, address: str) -> Generator[Piece, None, None]:
    """Run the units on `count` workers of a Ray cluster (empty address: one on this machine). They need the files and the model
    under the same paths, and an installed edgefleet.

    Raises:
        MissingError: Ray is not installed. UnavailableError: the cluster cannot be reached, or a worker failed.
    """
    try:
        ray: Any = importlib.import_module("ray")
        actor_pool: Any = importlib.import_module("ray.util").ActorPool
    except ModuleNotFoundError as cause:
        raise MissingError(f"--ray needs Ray: {install_hint('ray')}") from cause
    try:
        ray.init(address=address or None, log_to_driver=False, include_dashboard=False if not address else None)
    except (ConnectionError, RuntimeError, ValueError) as cause:
        raise UnavailableError(f"the Ray cluster at {address or 'this machine'} is not available: {cause}") from cause
    try:
        worker = ray.remote(num_cpus=1)(_RayPredictor)
        pool = actor_pool([worker.remote(job) for _ in range(count)])
        yield from pool.map_unordered(lambda actor, unit: actor.predict.remote(unit), list(units))
    except ray.exceptions.RayError as cause:
        raise UnavailableError(f"a worker failed: {str(cause).splitlines()[-1]}") from cause
    finally:
        ray.shutdown()


class _RayPredictor:
    def __init__(self, job: BatchJob) -> None:
        self._predictor = Predictor(job)

    def predict(self, unit: WorkUnit) -> Piece:
        return unit.number, self._predictor.predict(unit)


def _start_process(job: BatchJob) -> None:
    global _predictor
    parent = multiprocessing.parent_process()
    assert parent is not None
    end_with_parent(parent.sentinel)
    _predictor = Predictor(job)


def _predict(unit: WorkUnit) -> Piece:
    assert _predictor is not None
    return unit.number, _predictor.predict(unit)

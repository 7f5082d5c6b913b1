"""Watches the folder of pipelines: a changed file changes only its pipeline."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.settings import Pipelines, read_pipelines
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

POLL_S = 1.0
"""Poll interval of the folder. A change is applied at the second poll that sees it: editors write in steps."""

Signature = dict[str, tuple[int, int, int]]


class PipelineWatch:
    """Watches one folder. now: its content at the start. apply: called with the changed content."""

    def __init__(self, folder: str, now: Pipelines, apply: Callable[[Pipelines], None]) -> None:
        self._folder = folder
        self._now = now
        self._apply = apply
        self._taken = self._seen = self._signature()
        self._polled_s = 0.0

    def poll(self, now_s: float) -> None:
        """Apply changes, if a poll is due. A file that became invalid leaves its pipeline unchanged."""
        if not self._folder or now_s - self._polled_s < POLL_S:
            return
        self._polled_s = now_s
        earlier, self._seen = self._seen, self._signature()
        if self._seen == self._taken or self._seen != earlier:
            return
        self._taken = self._seen
        try:
            read = read_pipelines(self._folder)
        except EdgefleetError as error:
            log.error("%s; the pipelines keep running unchanged", error)
            return
        self._keep_broken(read)
        before, self._now = self._now.specs, read
        self._apply(read)
        if changed := sorted(name for name, spec in read.specs.items() if before.get(name) != spec):
            log.info("pipelines reloaded: %s", ", ".join(changed))
        if removed := sorted(before.keys() - read.specs.keys()):
            log.info("pipelines removed: %s", ", ".join(removed))

    def _keep_broken(self, read: Pipelines) -> None:
        for stem, text in read.errors.items():
            old = next((spec for spec in self._now.specs.values() if Path(spec.file).stem == stem), None)
            if old is not None and old.name not in read.specs:
                read.specs[old.name] = old
                log.error("%s; pipeline %s keeps running unchanged", text, old.name)
            else:
                log.error("%s", text)

    def _signature(self) -> Signature:
        if not self._folder:
            return {}
        found: Signature = {}
        for path in sorted(Path(self._folder).glob("*.toml")):
            try:
                stat = path.stat()
            except FileNotFoundError:  # deleted since it was listed
                continue
            found[path.name] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        return found

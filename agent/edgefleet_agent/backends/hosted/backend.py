"""Base of the runtimes in a host process."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import msgspec

from edgefleet_agent.backends.base import Backend, LoadOptions, Session, check_files, parse_options
from edgefleet_agent.backends.hosted.host_process import HostedRuntime, host_devices, host_file, probe_host
from edgefleet_agent.backends.hosted.session import HostedSession
from edgefleet_contract.core.errors import ModelError


class NoOptions(msgspec.Struct, frozen=True):
    """This runtime has no options."""


class HostedBackend(Backend):
    """A runtime in a host process. kinds: names of devices that a model can be loaded on."""

    needs = ()
    own_processes = True
    hosted: ClassVar[HostedRuntime]
    kinds: ClassVar[tuple[str, ...]]
    options: ClassVar[type[msgspec.Struct]] = NoOptions

    def installed(self) -> bool:
        return Path(host_file(self.name)).is_file()

    def devices(self) -> list[str]:
        return host_devices(self.hosted)

    def probe(self, device: str) -> str:
        return probe_host(self.hosted, device)

    def trial_model(self, folder: Path) -> Path | None:  # noqa: ARG002 - only the vendor's compiler makes one
        return None

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        check_files(files)
        own = msgspec.to_builtins(parse_options(options, self.options))
        if options.device not in self.kinds:
            raise ModelError(f"runtime {self.name} has no device {options.device!r}; it has {', '.join(self.kinds)}")
        return HostedSession(self.hosted, files, options.device, own)

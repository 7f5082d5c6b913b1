"""Models: versions that the registry must have, and channels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from edgefleet_contract.package.manifest import digest_of as package_digest
from edgefleet_contract.package.manifest import pack_descriptor
from edgefleet_server.cli.apply.changes import Change, Outcome, digest_of
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.cli.apply.documents import FleetModel, PackageVersion
from edgefleet_server.cli.apply.fleet_files import Entry
from edgefleet_server.cli.models.push import push
from edgefleet_server.cli.package_folder import complete_manifest_of
from edgefleet_server.core.errors import InputError
from edgefleet_server.registry.blob_store import describe_file


def plan(context: PlanContext) -> Iterator[Change]:
    """Versions first, then the channels that point to them.

    Raises:
        InputError: a version is missing or differs, or a channel points to no version.
    """
    for entry, model in context.files.of("models", FleetModel):
        for version, source in model.versions.items():
            yield _version(context, entry, version, source)
        for channel, version in model.channels.items():
            yield _channel(context, entry, channel, version)


def _version(context: PlanContext, entry: Entry, version: str, source: PackageVersion) -> Change:
    name = f"{entry.name}@{version}"
    known = context.versions.get(entry.name, {}).get(version)
    if not source.folder:
        if known is None:
            raise InputError(f"{entry.place}: {name} is not in the registry; push it, or set its `folder`")
        return Change("none", "model", name)
    folder = entry.folder / source.folder
    manifest = complete_manifest_of(folder)
    if manifest.id != name:
        raise InputError(f"{entry.place}: {folder} is {manifest.id}, not {name}; correct the version or the folder")
    digest = package_digest(pack_descriptor(manifest, [describe_file(path, folder / path) for path in manifest.paths()]))
    if known == digest:
        return Change("none", "model", name)
    if known is not None:
        raise InputError(f"{entry.place}: {folder} is not the {name} of the registry; packages are immutable: raise its version")
    context.coming.add(("model", name))
    return Change("create", "model", name, [f"+ folder: {folder}"], run=lambda: _push(context, folder))


def _push(context: PlanContext, folder: Path) -> Outcome:
    push(context.client, folder, quiet=context.quiet)
    return None, ""


def _channel(context: PlanContext, entry: Entry, channel: str, version: str) -> Change:
    model, name = entry.name, f"{entry.name}/{channel}"
    context.ownership.check("channel", name, entry.place)
    if version not in context.versions.get(model, {}) and ("model", f"{model}@{version}") not in context.coming:
        raise InputError(f"{entry.place}: channel {name}: no version {version}; add it to `versions`")
    held = {each["channel"]: each for each in context.client.models.iterate_channels(model=model)}
    before = held.get(channel)
    context.channels[model, channel] = version
    change = Change("none", "channel", name, digest=digest_of(version), recorded=True)
    if before is not None and before["version"] == version:
        return change
    change.action = "change" if before else "create"
    change.details = [f"~ version: {before['version']} → {version}" if before else f"+ version: {version}"]
    by = before["changed_by"] if before else ""
    change.drift = context.ownership.drift("channel", name, change.digest, exists=before is not None, by=by)
    change.run = lambda: _set_channel(context, model, channel, version)
    context.coming.add(("channel", name))
    return change


def _set_channel(context: PlanContext, model: str, channel: str, version: str) -> Outcome:
    note = f"configuration {context.ownership.name}"
    context.client.models.set_channel(model, channel, {"version": version, "note": note})
    return None, ""


def remove_channel(context: PlanContext, name: str) -> Outcome:
    """Remove the channel `MODEL/CHANNEL`."""
    model, _, channel = name.partition("/")
    context.client.models.remove_channel(model, channel)
    return None, ""

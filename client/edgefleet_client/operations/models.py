"""Operations about models.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgefleet_client.pages import followed, newest_first
from edgefleet_client.schemas.models import (
    Channel,
    ChannelHistory,
    ChannelList,
    ChannelMove,
    ChannelRequest,
    Coverage,
    FieldReport,
    MeasurementList,
    MeasurementUpload,
    ModelDetail,
    ModelList,
    ModelRow,
    ModelVersion,
    Pruned,
    PruneRequest,
    UploadRequest,
    UploadState,
)
from edgefleet_client.transport import Transport


class ModelsOperations:
    """Operations about models."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_blob(self, sha256: str) -> bytes:
        """The bytes of a file of a package; supports Range requests. Role: viewer."""
        return self._transport.fetch("GET", ("blobs", sha256))

    def list_channels(self, *, model: str | None = None, after: str | None = None, limit: int | None = None) -> ChannelList:
        """Channels, of one model or of all. Role: viewer."""
        query = {"model": model, "after": after, "limit": limit}
        answer: ChannelList = self._transport.ask("GET", ("channels",), query=query)
        return answer

    def iterate_channels(self, *, model: str | None = None) -> Iterator[Channel]:
        """Every item of `list_channels`, one request a page."""
        return followed(lambda at: self.list_channels(model=model, after=at, limit=1000))

    def remove_channel(self, model: str, channel: str) -> None:
        """Delete a channel; its history stays. Role: operator."""
        self._transport.send("DELETE", ("channels", model, channel))

    def set_channel(self, model: str, channel: str, body: ChannelRequest) -> Channel:
        """Let a channel point to a version. This starts no rollout; rollouts created from now on use this version. Role:
        operator."""
        answer: Channel = self._transport.ask("PUT", ("channels", model, channel), json=body)
        return answer

    def get_channel_history(
        self,
        model: str,
        channel: str,
        *,
        before_id: int | None = None,
        limit: int | None = None,
    ) -> ChannelHistory:
        """The history of a channel, newest first: its versions and the users who changed it. Role: viewer."""
        query = {"before_id": before_id, "limit": limit}
        answer: ChannelHistory = self._transport.ask("GET", ("channels", model, channel, "history"), query=query)
        return answer

    def iterate_channel_history(self, model: str, channel: str) -> Iterator[ChannelMove]:
        """Every item of `get_channel_history`, one request a page."""
        return newest_first(lambda at: self.get_channel_history(model, channel, before_id=at, limit=1000), "id")

    def get_device_blob(self, sha256: str, *, authorization: str) -> bytes:
        """For devices: the same bytes, authorised by a download ticket, `Authorization: Edgefleet-Ticket TOKEN`."""
        headers = {"authorization": authorization}
        return self._transport.fetch("GET", ("device-blobs", sha256), headers=headers)

    def list_models(self, *, after: str | None = None, limit: int | None = None) -> ModelList:
        """Every model with its versions, by name. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: ModelList = self._transport.ask("GET", ("models",), query=query)
        return answer

    def iterate_models(self) -> Iterator[ModelRow]:
        """Every item of `list_models`, one request a page."""
        return followed(lambda at: self.list_models(after=at, limit=1000))

    def push_model(self, content: bytes) -> tuple[bool, ModelVersion]:
        """Check a package and store it. A version is immutable: the same version with other content is refused. Returns
        (whether it is new, the object). Role: operator."""
        answer: tuple[bool, ModelVersion] = self._transport.create("POST", ("models",), files={"package": content})
        return answer

    def prune_models(self, body: PruneRequest | None = None) -> Pruned:
        """Retire old versions, or list those that would be retired. Regardless of its age, a version stays if a device runs
        it, is assigned or pinned to it, or has it in quarantine, if a channel points to it, or if an active rollout needs
        it. Role: admin."""
        answer: Pruned = self._transport.ask("POST", ("models", "prune"), json=body)
        return answer

    def get_model(self, name: str, version: str) -> ModelDetail:
        """One version with its files, provenance and rollouts. Role: viewer."""
        answer: ModelDetail = self._transport.ask("GET", ("models", name, version))
        return answer

    def get_coverage(self, name: str, version: str) -> Coverage:
        """The coverage of the fleet by this version: for each kind of device, the variant that it would take or the reason
        why there is none, the measured speed, and the rollouts of the version. Role: viewer."""
        answer: Coverage = self._transport.ask("GET", ("models", name, version, "coverage"))
        return answer

    def get_model_field(self, name: str, version: str) -> FieldReport:
        """Field report: the latest figures of the devices that run this version now, by profile. Role: viewer."""
        answer: FieldReport = self._transport.ask("GET", ("models", name, version, "field"))
        return answer

    def list_measurements(self, name: str, version: str, *, best: bool | None = None) -> MeasurementList:
        """Benchmark results of this version; `best`: only the chosen setting of each machine. Role: viewer."""
        query = {"best": best}
        answer: MeasurementList = self._transport.ask("GET", ("models", name, version, "measurements"), query=query)
        return answer

    def upload_measurements(self, name: str, version: str, body: MeasurementUpload) -> MeasurementList:
        """Replace the benchmark results of this machine. Role: operator."""
        answer: MeasurementList = self._transport.ask("PUT", ("models", name, version, "measurements"), json=body)
        return answer

    def get_model_sbom(self, name: str, version: str) -> bytes:
        """The bill of materials of a version in CycloneDX 1.6: licence, files with SHA-256, variants, digests of data sets.
        The same version always has the same bytes. Role: viewer."""
        return self._transport.fetch("GET", ("models", name, version, "sbom"))

    def begin_upload(self, body: UploadRequest) -> UploadState:
        """Start the upload of a package, or find an interrupted upload of the same bytes. Role: operator."""
        answer: UploadState = self._transport.ask("POST", ("uploads",), json=body)
        return answer

    def drop_upload(self, upload: str) -> None:
        """Cancel an upload and delete its pieces. Role: operator."""
        self._transport.send("DELETE", ("uploads", upload))

    def get_upload(self, upload: str) -> UploadState:
        """The state of an upload. Role: operator."""
        answer: UploadState = self._transport.ask("GET", ("uploads", upload))
        return answer

    def append_upload(self, upload: str, content: bytes, *, offset_bytes: int) -> UploadState:
        """Append the next piece; it is on the server's disk before the response is sent. Role: operator."""
        query = {"offset_bytes": offset_bytes}
        answer: UploadState = self._transport.ask("PATCH", ("uploads", upload), query=query, content=content)
        return answer

    def finish_upload(self, upload: str) -> tuple[bool, ModelVersion]:
        """Finish an upload after its last piece: check the package and store it. Returns (whether it is new, the object).
        Role: operator."""
        answer: tuple[bool, ModelVersion] = self._transport.create("POST", ("uploads", upload, "finish"), unlimited=True)
        return answer

/** Reason codes for operators: what happened, then what to do. Those of the server's table, which says whose fault each is. */
const REASONS: Record<string, { reason: string; remedy: string }> = {
  manifest_invalid: { reason: "Invalid package manifest", remedy: "Rebuild the package and push it as a new version." },
  incompatible: {
    reason: "The package is not compatible with this device",
    remedy: "Add a variant for this hardware, or exclude the device from the selector.",
  },
  no_space: {
    reason: "Not enough free disk space for the package",
    remedy: "Free up disk space on the device; the update is retried automatically.",
  },
  disk_read_only: {
    reason: "The device's disk is read-only",
    remedy: "The update waits. Check the device's disk and file system; the update continues when the disk can be written.",
  },
  disk_fault: { reason: "The device's disk does not work", remedy: "The update waits. Check the device's disk and file system." },
  quarantined: { reason: "The package is quarantined: it failed on this device before", remedy: "Push a new version." },
  epoch_downgrade: {
    reason: "The package has an older epoch than the installed one",
    remedy: "Downgrades are rejected. Increase `epoch` in model.toml.",
  },
  unsigned: {
    reason: "The package is not signed by a key that the device trusts",
    remedy: "Nothing was installed. Sign the package: edgefleet sign FOLDER --key targets.pem.",
  },
  metadata_expired: {
    reason: "The signed metadata on the device has expired",
    remedy:
      "Nothing was installed. Check that the server can sign (edgefleet trust show) and that the device's clock is correct.",
  },
  metadata_rollback: {
    reason: "The server's signed metadata is older than the device's (rollback)",
    remedy: "Nothing was installed. If the server was restored from a backup, sign again.",
  },
  metadata_mismatch: {
    reason: "The server's signed metadata is inconsistent",
    remedy: "Nothing was installed. Check write access to the server's trust folder.",
  },
  metadata_invalid: {
    reason: "The server's signed metadata cannot be parsed",
    remedy: "Nothing was installed. Check write access to the server's trust folder.",
  },
  blob_unknown: { reason: "Blob not found on the server", remedy: "Push the package again." },
  not_assigned: {
    reason: "The server does not assign the file to the device",
    remedy: "The retry works once the device has its newest document.",
  },
  hash_mismatch: {
    reason: "The downloaded bytes do not match the package's hash",
    remedy: "Nothing was installed. Check for a proxy or a disk that corrupts data.",
  },
  length_mismatch: {
    reason: "The package's length does not match its descriptor",
    remedy: "Nothing was installed. Push the package again.",
  },
  fetch_timeout: { reason: "The download timed out", remedy: "Downloaded blocks are kept; the retry resumes the download." },
  model_refused: {
    reason: "The runtime could not load the model",
    remedy: "See the details; often the runtime does not support an operator of the model.",
  },
  golden_mismatch: {
    reason: "The model's results differ from its golden samples",
    remedy: "The device kept its previous version. Check the variant's conversion against the original model.",
  },
  over_latency: {
    reason: "The model exceeds its latency budget on this device",
    remedy: "Check the placement, or increase the budget.",
  },
  over_memory: {
    reason: "The model exceeds its memory budget, or memory grew beyond its ceiling",
    remedy: "Use a smaller variant for this profile; for memory that grows, repair the leak in the version.",
  },
  selftest_crash: {
    reason: "The model crashed in the self-test",
    remedy: "The running model is not affected. Check the device's logs.",
  },
  trial_crash: { reason: "The worker crashed during the trial", remedy: "The device rolled back automatically. Check its logs." },
  trial_unhealthy: {
    reason: "The new version failed its health check during the trial",
    remedy: "The device rolled back automatically. See the details.",
  },
  trial_timeout: {
    reason: "Too few frames were analyzed in the trial",
    remedy: "See the details: the version is too slow for this device, or the camera delivered no frames.",
  },
  server_unreachable: {
    reason: "The device could not reach the server with the new version",
    remedy: "The device rolled back to stay reachable. Check the site's network.",
  },
  superseded: { reason: "Replaced by a newer target", remedy: "" },
  cancelled: { reason: "The rollout was stopped before this device started", remedy: "" },
  operator_rollback: { reason: "An operator rolled the rollout back", remedy: "" },
  part_failed: {
    reason: "Another part of the bundle failed on this device",
    remedy: "This version has no fault. See the reason of the part that failed.",
  },
  damaged_on_disk: {
    reason: "The package is corrupted on the device's disk",
    remedy: "The package was not started. It is downloaded again; if this repeats, replace the disk.",
  },
  rollback_failed: {
    reason: "The device could not restore its previous version",
    remedy: "The device does not run a committed version. Restart it, or inspect it on site.",
  },
  offline_after_update: {
    reason: "The device went offline after the update",
    remedy: "It counts as a failure of the version. Check the device's power and network on site.",
  },
  wave_timeout: { reason: "The update did not finish in time", remedy: "Check the device's log, or increase the wave timeout." },
  regression: { reason: "The device performs worse with the new version", remedy: "See the details; roll back to restore it." },
  pinned: { reason: "The device is pinned to another version", remedy: "Remove the pin to include the device." },
  wave_skipped: { reason: "An operator skipped the wave", remedy: "The device keeps its version." },
  no_frames: {
    reason: "Not tried on frames",
    remedy: "The version was committed without a frame, because no pipeline used it in its trial.",
  },
  frames_required: {
    reason: "Not tried on frames, which the gate requires",
    remedy: "Let a pipeline use the slot, or roll out without requiring frames.",
  },
  window: { reason: "Waiting for the maintenance window", remedy: "" },
  device_excluded: { reason: "Excluded after repeated failures", remedy: "Check the device, then release it." },
  back_off: { reason: "Waiting for the next attempt", remedy: "" },
  ramp: { reason: "Waiting because of the rate limit", remedy: "" },
  small_steps: { reason: "Waiting for the results of other devices", remedy: "" },
  higher_priority_rollout: { reason: "Waiting for a rollout with higher priority", remedy: "" },
};

export function reasonText(reason: string): string {
  if (!reason || reason === "none") return "";
  return REASONS[reason]?.reason ?? reason.replaceAll("_", " ");
}

export const remedyText = (reason: string): string => REASONS[reason]?.remedy ?? "";

/** `edgefleet_contract.wire.reason_codes` for operators: what happened, then what to do. */
const REASONS: Record<string, { reason: string; remedy: string }> = {
  manifest_invalid: { reason: "The package's manifest could not be read", remedy: "Pack the model again and push it as a new version." },
  incompatible: { reason: "The package does not fit this device", remedy: "Add a variant for its hardware, or exclude the device from the selector." },
  no_space: { reason: "Not enough free disk space for the package", remedy: "Free space on the device; it retries automatically." },
  quarantined: { reason: "This package failed on this device before and is quarantined", remedy: "Push a new version." },
  epoch_downgrade: { reason: "The package belongs to an older epoch than the one installed", remedy: "Downgrades are refused; raise `epoch` in model.toml." },
  unsigned: { reason: "No key that the device trusts has signed this package", remedy: "Nothing was installed. Sign it: edgefleet sign NAME VERSION --key targets.pem." },
  metadata_expired: { reason: "The signed metadata of the device has expired", remedy: "Nothing was installed. Check that the server can sign (edgefleet trust show), and the device's clock." },
  metadata_rollback: { reason: "The server offered older signed metadata than the device has (rollback)", remedy: "Nothing was installed. Was the server restored from a backup? Sign again." },
  metadata_mismatch: { reason: "The signed metadata of the server is inconsistent", remedy: "Nothing was installed. Check who can write to the server's trust folder." },
  metadata_invalid: { reason: "The signed metadata of the server cannot be parsed", remedy: "Nothing was installed. Check who can write to the server's trust folder." },
  blob_unknown: { reason: "The server does not have this blob", remedy: "Push the package again." },
  hash_mismatch: { reason: "The downloaded bytes do not match the package's hash", remedy: "Nothing was installed. Check for a proxy or disk that corrupts data." },
  length_mismatch: { reason: "The package's length does not match its descriptor", remedy: "Nothing was installed. Push the package again." },
  fetch_timeout: { reason: "The download timed out", remedy: "Downloaded blocks are kept; a retry resumes." },
  model_refused: { reason: "The runtime could not load the model", remedy: "Read the detail: usually an operator that this runtime does not support." },
  golden_mismatch: { reason: "The model's results differ from its golden samples", remedy: "Compare the variant's conversion with the original; the device kept its previous version." },
  over_latency: { reason: "The model exceeds its latency budget on this device", remedy: "Check the placement, or raise the budget." },
  over_memory: { reason: "The model exceeds its memory budget", remedy: "Use a smaller variant on this profile." },
  selftest_crash: { reason: "The model crashed in the self-test", remedy: "The running model is not affected. Read the device's logs." },
  trial_crash: { reason: "The worker crashed during the trial", remedy: "The device rolled back automatically. Read its logs." },
  trial_unhealthy: { reason: "The new version failed its health check during the trial", remedy: "Read the detail; the device rolled back automatically." },
  trial_timeout: { reason: "The trial did not finish in time", remedy: "Check that the camera delivers frames." },
  server_unreachable: { reason: "With the new version the device could not reach the server", remedy: "It rolled back to stay reachable. Check the site's network." },
  superseded: { reason: "Replaced by a newer target", remedy: "" },
  cancelled: { reason: "The rollout was stopped before this device started", remedy: "" },
  operator_rollback: { reason: "An operator rolled the rollout back", remedy: "" },
  damaged_on_disk: { reason: "The package is corrupted on the device's disk", remedy: "It was not run. The same version is downloaded again; if this repeats, replace the disk." },
  rollback_failed: { reason: "The device could not restore its previous version", remedy: "It is not on a committed version: restart it, or inspect it on site." },
};

export function reasonText(reason: string): string {
  if (!reason || reason === "none") return "";
  return REASONS[reason]?.reason ?? reason.replaceAll("_", " ");
}

export const remedyText = (reason: string): string => REASONS[reason]?.remedy ?? "";

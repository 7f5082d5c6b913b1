/** `edgefleet_contract.wire.reason_codes` in the words of an operator: what happened, then what to do. */
const REASONS: Record<string, { reason: string; remedy: string }> = {
  manifest_invalid: { reason: "The package's manifest could not be read", remedy: "Pack the model again and push it as a new version." },
  incompatible: { reason: "The package does not fit this device", remedy: "Add a variant for its hardware or what it misses, or leave the device out of the selector." },
  no_space: { reason: "Not enough free disk space for the package", remedy: "Free space on the device; it looks again by itself." },
  quarantined: { reason: "This exact package failed here before, so the device will not take it again", remedy: "Push a new version." },
  epoch_downgrade: { reason: "The package belongs to an older epoch than the one installed", remedy: "Old epochs are refused on purpose; raise `epoch` in model.toml." },
  unsigned: { reason: "No key that the device trusts has signed this package", remedy: "Nothing was installed. Sign it: edgefleet sign NAME VERSION --key targets.pem." },
  metadata_expired: { reason: "The signatures that the device has are over their date", remedy: "Nothing was installed. See that the server can sign (edgefleet trust show), and that the device's clock is right." },
  metadata_rollback: { reason: "The server offered signatures older than those the device knows", remedy: "Nothing was installed. Was the server restored from a backup? Sign anew." },
  metadata_mismatch: { reason: "The server offered signatures that do not belong together", remedy: "Nothing was installed. Look at who can write to the server's trust folder." },
  metadata_invalid: { reason: "The server offered signatures that cannot be read", remedy: "Nothing was installed. Look at who can write to the server's trust folder." },
  blob_unknown: { reason: "The server has no such bytes", remedy: "Push the package again." },
  hash_mismatch: { reason: "Bytes arrived that are not the package's", remedy: "Nothing was installed. Look for a proxy or a disk that changes data." },
  length_mismatch: { reason: "The package had another length than promised", remedy: "Nothing was installed. Push the package again." },
  fetch_timeout: { reason: "The package did not arrive in time", remedy: "What arrived is kept; a retry goes on where it stopped." },
  model_refused: { reason: "The runtime would not load the model", remedy: "Read the detail: usually an operator that this runtime lacks." },
  golden_mismatch: { reason: "On its golden samples the model gave other results than it must", remedy: "Compare the variant's conversion with the original; the device kept its earlier version." },
  over_latency: { reason: "The model is slower here than its budget allows", remedy: "Check where it ran (placement), or raise the budget." },
  over_memory: { reason: "The model needs more memory than its budget allows", remedy: "Use a smaller variant on this profile." },
  selftest_crash: { reason: "The model crashed the process that tried it", remedy: "The running model was not touched. Read the device's logs." },
  trial_crash: { reason: "The worker crashed while the new version was on trial", remedy: "The device went back by itself. Read its logs." },
  trial_unhealthy: { reason: "On trial the new version did not do its work", remedy: "Read the detail; the device went back by itself." },
  trial_timeout: { reason: "The trial did not finish in time", remedy: "Check that the camera delivers frames." },
  server_unheard: { reason: "With the new version the device could not hear the server", remedy: "It went back, so that it stays reachable. Check the site's link." },
  superseded: { reason: "A newer order replaced this one", remedy: "" },
  cancelled: { reason: "The rollout was stopped before this device began", remedy: "" },
  operator_rollback: { reason: "An operator rolled the rollout back", remedy: "" },
  damaged_on_disk: { reason: "The device's disk has damaged the package", remedy: "It was not run. The same version is fetched again by itself; if it happens again, replace the disk." },
  rollback_failed: { reason: "The device could not go back to its earlier version", remedy: "It is not on a version that it trusts: go there, or restart it." },
};

export function reasonText(reason: string): string {
  if (!reason || reason === "none") return "";
  return REASONS[reason]?.reason ?? reason.replaceAll("_", " ");
}

export const remedyText = (reason: string): string => REASONS[reason]?.remedy ?? "";

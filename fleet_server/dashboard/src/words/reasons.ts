/** `edgefleet_contract.wire.reason_codes` in the words of an operator: what happened, then what to do. */
const REASONS: Record<string, { happened: string; todo: string }> = {
  manifest_invalid: { happened: "The package's manifest could not be read", todo: "Pack the model again and push it as a new version." },
  incompatible: { happened: "The package does not fit this device", todo: "Add a variant for its hardware or what it misses, or leave the device out of the selector." },
  no_space: { happened: "Not enough free disk space for the package", todo: "Free space on the device; it looks again by itself." },
  quarantined: { happened: "This exact package failed here before, so the device will not take it again", todo: "Push a new version." },
  epoch_downgrade: { happened: "The package belongs to an older epoch than the one installed", todo: "Old epochs are refused on purpose; raise `epoch` in model.toml." },
  unsigned: { happened: "No key that the device trusts has signed this package", todo: "Nothing was installed. Sign it: edgefleet sign NAME VERSION --key targets.pem." },
  metadata_expired: { happened: "The signatures that the device has are over their date", todo: "Nothing was installed. See that the server can sign (edgefleet trust show), and that the device's clock is right." },
  metadata_rollback: { happened: "The server offered signatures older than those the device knows", todo: "Nothing was installed. Was the server restored from a backup? Sign anew." },
  metadata_mismatch: { happened: "The server offered signatures that do not belong together", todo: "Nothing was installed. Look at who can write to the server's trust folder." },
  metadata_invalid: { happened: "The server offered signatures that cannot be read", todo: "Nothing was installed. Look at who can write to the server's trust folder." },
  blob_unknown: { happened: "The server has no such bytes", todo: "Push the package again." },
  hash_mismatch: { happened: "Bytes arrived that are not the package's", todo: "Nothing was installed. Look for a proxy or a disk that changes data." },
  length_mismatch: { happened: "The package had another length than promised", todo: "Nothing was installed. Push the package again." },
  fetch_timeout: { happened: "The package did not arrive in time", todo: "What arrived is kept; a retry goes on where it stopped." },
  model_refused: { happened: "The runtime would not load the model", todo: "Read the detail: usually an operator that this runtime lacks." },
  golden_mismatch: { happened: "On its golden samples the model gave other results than it must", todo: "Compare the variant's conversion with the original; the device kept its earlier version." },
  over_latency: { happened: "The model is slower here than its budget allows", todo: "Check where it ran (placement), or raise the budget." },
  over_memory: { happened: "The model needs more memory than its budget allows", todo: "Use a smaller variant on this profile." },
  selftest_crash: { happened: "The model crashed the process that tried it", todo: "The running model was not touched. Read the device's logs." },
  trial_crash: { happened: "The worker crashed while the new version was on trial", todo: "The device went back by itself. Read its logs." },
  trial_unhealthy: { happened: "On trial the new version did not do its work", todo: "Read the detail; the device went back by itself." },
  trial_timeout: { happened: "The trial did not finish in time", todo: "Check that the camera delivers frames." },
  server_unheard: { happened: "With the new version the device could not hear the server", todo: "It went back, so that it stays reachable. Check the site's link." },
  superseded: { happened: "A newer order replaced this one", todo: "" },
  cancelled: { happened: "The rollout was stopped before this device began", todo: "" },
  operator_rollback: { happened: "An operator rolled the rollout back", todo: "" },
  damaged_on_disk: { happened: "The device's disk has damaged the package", todo: "It was not run. The same version is fetched again by itself; if it happens again, replace the disk." },
  rollback_failed: { happened: "The device could not go back to its earlier version", todo: "It is not on a version that it trusts: go there, or restart it." },
};

export function happened(reason: string): string {
  if (!reason || reason === "none") return "";
  return REASONS[reason]?.happened ?? reason.replaceAll("_", " ");
}

export const todo = (reason: string): string => REASONS[reason]?.todo ?? "";

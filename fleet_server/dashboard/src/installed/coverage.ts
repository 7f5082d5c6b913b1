import type { ComponentCoverage } from "~/api/installed";
import { count } from "~/format/numbers";

/** What an answer leaves open, in sentences; none if it is complete. */
export function gaps({ devices, unknown, incomplete }: ComponentCoverage, uncompared: readonly string[] = []): string[] {
  return [
    ...(unknown ? [`${count(unknown)} of ${count(devices)} devices have not reported what is installed on them.`] : []),
    ...(incomplete ? [`${count(incomplete)} devices have more installed than they report.`] : []),
    ...(uncompared.length ? [`Versions that cannot be compared: ${uncompared.join(", ")}.`] : []),
  ];
}

import { capital } from "~/format/numbers";

/** The reason of a rollout's state as a sentence, without the gate that the title names. */
export function whyOf(reason: string): string {
  const text = reason.replace(/^gate of wave '.*?': /, "").replace(/\.$/, "");
  return text ? `${capital(text)}. ` : "";
}

/** The results so far as a sentence, without what the reason says already: its counts, and which results they leave out. */
export function nowOf(results: string, reason: string): string {
  const [counts = "", ...others] = results.split("; ");
  const shown = /^\d+ of \d+ /.exec(counts)?.[0] ?? "";
  const isInReason = shown !== "" && new RegExp(`(^|\\D)${shown}`).test(reason);
  const without = reason.includes(", not counting ") ? counts.replace(/, not counting .*$/, "") : counts;
  const text = [isInReason ? "" : without, ...others].filter(Boolean).join("; ");
  return text ? `Now: ${text}. ` : "";
}

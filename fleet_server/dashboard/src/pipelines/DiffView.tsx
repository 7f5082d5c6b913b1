import { Text } from "@mantine/core";
import classes from "./DiffView.module.css";
import { diff, type DiffLine } from "./spec";

const AROUND = 2;
const MARK: Record<DiffLine["is"], string> = { same: " ", removed: "−", added: "+" };

/** Differences from the running document, with context lines. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = diff(before, after);
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ is }) => is !== "same"),
  );
  if (!shown.some(Boolean)) return <Text fz="sm">No changes</Text>;
  return (
    <div className={classes.diff} role="group" aria-label="Changes" tabIndex={0}>
      {lines.map(({ is, text }, index) =>
        shown[index] ? (
          <div key={index} className={classes.line} data-is={is}>
            {is === "same" ? (
              <span>{MARK[is]}</span>
            ) : (
              <span aria-label={is} role="img">
                {MARK[is]}
              </span>
            )}
            {text || " "}
          </div>
        ) : shown[index - 1] ? (
          <div key={index} className={classes.gap} aria-hidden>
            ⋯
          </div>
        ) : null,
      )}
    </div>
  );
}

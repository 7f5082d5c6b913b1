import { Tooltip } from "@mantine/core";
import { count } from "~/format/numbers";
import classes from "./SegmentBar.module.css";

export interface Segment {
  key: string;
  text: string;
  value: number;
  fill: string;
}

interface SegmentBarProps {
  label: string;
  segments: readonly Segment[];
  height?: number;
  keys?: boolean;
}

/** Stacked bar of parts of a whole; `keys` adds a legend with numbers. */
export function SegmentBar({ label, segments, height = 8, keys = false }: SegmentBarProps) {
  const shown = segments.filter((segment) => segment.value > 0);
  const summary = shown.map((segment) => `${segment.value} ${segment.text}`).join(", ");
  return (
    <div>
      <div className={classes.bar} style={{ height }} role="img" aria-label={`${label}: ${summary || "none"}`}>
        {shown.map((segment) => (
          <Tooltip key={segment.key} label={`${count(segment.value)} ${segment.text}`}>
            <div className={classes.part} style={{ flexGrow: segment.value, flexBasis: 0, background: segment.fill }} />
          </Tooltip>
        ))}
      </div>
      {keys && (
        <div className={classes.keys}>
          {shown.map((segment) => (
            <span key={segment.key} className={classes.key}>
              <i style={{ background: segment.fill }} aria-hidden />
              <b className="num">{count(segment.value)}</b> {segment.text}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

import { Button, Group } from "@mantine/core";
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import type { EventSummary } from "~/api/events";
import { many } from "~/format/numbers";
import { dateTime, dayTime } from "~/format/time";
import classes from "./Histogram.module.css";
import { SHORTEST_S } from "~/range/times";
import { barAt, between, moved, timeOf, type Bars } from "./bars";

const TICKS = 4;
const ENDS = [
  { end: "from", text: "Start of the range" },
  { end: "to", text: "End of the range" },
] as const;

interface HistogramProps {
  summary: EventSummary | undefined;
  stale: boolean;
  onZoom: (since: number, until: number) => void;
}

/** Events over time. Dragging over bars, or moving both ends by keys, chooses a part of the time. */
export function Histogram({ summary, stale, onZoom }: HistogramProps) {
  const [bars, setBars] = useState<Bars | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const start = useRef<number | null>(null);
  const counts = summary?.counts ?? [];
  const parts = counts.length;
  const period = summary ?? { since_at: 0, until_at: 1 };
  const shape = `${period.since_at}/${parts}`;
  useEffect(() => setBars(null), [shape]);

  const zoom = (chosen: Bars | null) => {
    if (!chosen || !summary) return;
    const [since, until] = [timeOf(chosen.from, parts, summary), timeOf(chosen.to, parts, summary)];
    setBars(null);
    if (until - since >= SHORTEST_S) onZoom(since, until);
  };
  const under = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return barAt(event.clientX - box.left, box.width, parts);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || !parts) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = under(event);
    setBars(between(start.current, start.current));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!parts) return;
    setHovered(under(event));
    if (start.current !== null) setBars(between(start.current, under(event)));
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current === null) return;
    const chosen = between(start.current, under(event));
    start.current = null;
    zoom(chosen);
  };
  const cancel = () => {
    start.current = null;
    setBars(null);
  };
  const onKey = (event: KeyboardEvent, end: "from" | "to") => {
    const next = moved(bars ?? { from: 0, to: parts }, end, event.key, parts);
    if (next) setBars(next);
    else if (event.key === "Enter" || event.key === " ") zoom(bars);
    else if (event.key === "Escape") setBars(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const most = Math.max(1, ...counts);
  const shown = bars ?? { from: 0, to: parts };
  const left = (at: number) => `${(100 * at) / Math.max(parts, 1)}%`;
  return (
    <div className={classes.frame} data-stale={stale}>
      <div
        className={classes.plot}
        role="group"
        aria-label={summary ? `Histogram of ${many(summary.total, "event")}` : "Histogram"}
        data-testid="histogram"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={cancel}
        onPointerLeave={() => setHovered(null)}
      >
        {counts.map((value, at) => (
          <i
            key={at}
            style={{ height: value ? `max(3px, ${(100 * value) / most}%)` : 0 }}
            data-out={at < shown.from || at >= shown.to}
            data-hovered={at === hovered}
          />
        ))}
        {bars && <span className={classes.brush} style={{ left: left(bars.from), right: left(parts - bars.to) }} />}
        {summary &&
          ENDS.map(({ end, text }) => (
            <span
              key={end}
              role="slider"
              tabIndex={0}
              className={classes.end}
              style={{ left: left(shown[end]) }}
              aria-label={text}
              aria-valuemin={0}
              aria-valuemax={parts}
              aria-valuenow={shown[end]}
              aria-valuetext={dateTime(timeOf(shown[end], parts, period))}
              onKeyDown={(event) => onKey(event, end)}
            />
          ))}
      </div>
      <div className={classes.axis} aria-hidden>
        {summary && Array.from({ length: TICKS + 1 }, (_, at) => <span key={at}>{dayTime(timeOf(at, TICKS, period))}</span>)}
      </div>
      <Group className={classes.status} gap="sm" wrap="nowrap">
        <span className="num">{summary && reading(summary, bars, hovered)}</span>
        <Button size="compact-xs" variant="light" data-hidden={!bars} className={classes.zoom} onClick={() => zoom(bars)}>
          Zoom in
        </Button>
      </Group>
    </div>
  );
}

/** What the chosen bars have, or the one below the pointer, or all of them. */
function reading(summary: EventSummary, bars: Bars | null, hovered: number | null): string {
  const parts = summary.counts.length;
  const chosen = bars ?? (hovered === null ? null : between(hovered, hovered));
  if (!chosen) return `${many(summary.total, "event")}, ${many(summary.unreviewed, "unseen", "unseen")}`;
  const sum = summary.counts.slice(chosen.from, chosen.to).reduce((all, value) => all + value, 0);
  const [since, until] = [timeOf(chosen.from, parts, summary), timeOf(chosen.to, parts, summary)];
  return `${many(sum, "event")}, ${dateTime(since)} – ${dateTime(until)}`;
}

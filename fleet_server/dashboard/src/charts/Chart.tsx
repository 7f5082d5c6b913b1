import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import type { TelemetryPoint } from "~/api/types";
import type { Series } from "~/live/series";
import { clockShort } from "~/format/time";
import { axisDate } from "./axisDate";
import classes from "./Chart.module.css";

export interface Line {
  key: string;
  text: string;
  colour: string;
  dashed?: boolean;
  fill?: boolean;
  pick: (point: TelemetryPoint) => number | null | undefined;
}

interface ChartProps {
  label: string;
  series: Series;
  lines: readonly Line[];
  unit: string;
  format: (value: number) => string;
  span_s: number;
  least?: number;
  height?: number;
}

const GAP_WINDOWS = 4;

/** Columns for uPlot; with gaps where there are no samples, so that lines do not bridge them. */
function columns(points: readonly TelemetryPoint[], lines: readonly Line[]): uPlot.AlignedData {
  const at: number[] = [];
  const values: (number | null)[][] = lines.map(() => []);
  let before: TelemetryPoint | undefined;
  for (const point of points) {
    const found = lines.map((line) => line.pick(point) ?? null);
    if (found.every((value) => value === null)) continue; // no sample: a gap, if it lasts
    if (before && point.at - before.at > GAP_WINDOWS * Math.max(point.window_s, 1)) {
      at.push((before.at + point.at) / 2);
      for (const column of values) column.push(null);
    }
    at.push(point.at);
    for (const [index, value] of found.entries()) values[index]?.push(value);
    before = point;
  }
  return [at, ...values];
}

const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const sync = uPlot.sync("device");

function optionsOf(
  { lines, unit, format, least = 0, height = 170 }: ChartProps,
  width: number,
  onCursor: (plot: uPlot) => void,
): uPlot.Options {
  const grid = { stroke: variable("--line"), width: 1 };
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: variable("--ink-2"), grid, ticks: { ...grid, size: 4 }, font };
  return {
    width,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    tzDate: axisDate,
    cursor: { sync: { key: sync.key }, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      y: { range: (_, low, high) => [Math.min(least, low ?? 0), Math.max((high ?? 1) * 1.12, least + 1)] },
    },
    axes: [
      { ...axis, space: 54, size: 28, values: (_, ticks) => ticks.map((tick) => clockShort(tick)) },
      { ...axis, size: 52, space: 34, values: (_, ticks) => ticks.map((tick) => `${format(tick)}${unit && ` ${unit}`}`) },
    ],
    series: [
      {},
      ...lines.map((line): uPlot.Series => {
        const colour = line.colour.startsWith("--") ? variable(line.colour) : line.colour;
        return {
          label: line.text,
          stroke: colour,
          width: 1.8,
          dash: line.dashed ? [5, 4] : undefined,
          fill: line.fill ? `${colour}22` : undefined,
          points: { show: false },
        };
      }),
    ],
    hooks: { setCursor: [onCursor] },
  };
}

/** A live line chart. Data goes from the series to the canvas; React renders it only when its lines change. */
export function Chart(props: ChartProps) {
  const { label, series, lines, unit, span_s } = props;
  const box = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const shape = lines.map((line) => line.key).join();
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const host = box.current;
    const frame = root.current;
    if (!host || !frame) return;
    const write = (plot: uPlot) => {
      const at = plot.cursor.idx ?? (plot.data[0]?.length ?? 0) - 1;
      for (const [index, line] of latest.current.lines.entries()) {
        const value = plot.data[index + 1]?.[at];
        const cell = frame.querySelector(`[data-key="${CSS.escape(line.key)}"]`);
        if (cell) cell.textContent = value === null || value === undefined ? "–" : latest.current.format(value);
      }
    };
    const plot = new uPlot(optionsOf(latest.current, host.clientWidth || 300, write), [[]], host);
    let pending = 0;
    const draw = () => {
      pending = 0;
      const until = Math.max(Date.now() / 1000, series.latest?.at ?? 0);
      plot.setData(columns(series.points, latest.current.lines), false);
      plot.setScale("x", { min: until - latest.current.span_s, max: until });
      frame.dataset.points = String(series.points.length);
      write(plot);
    };
    const schedule = () => {
      pending ||= requestAnimationFrame(draw);
    };
    const stop = series.watch(schedule);
    const fit = new ResizeObserver(
      () => host.clientWidth > 0 && plot.setSize({ width: host.clientWidth, height: latest.current.height ?? 170 }),
    );
    fit.observe(host);
    schedule();
    return () => {
      stop();
      fit.disconnect();
      cancelAnimationFrame(pending);
      plot.destroy();
    };
  }, [series, shape, scheme, span_s, unit]);

  return (
    <div
      ref={root}
      className={classes.chart}
      role="img"
      aria-label={`${label} over the last ${Math.round(span_s / 60)} minutes`}
      data-points="0"
      data-testid={`chart-${label}`}
    >
      <div className={classes.keys}>
        {lines.map((line) => (
          <span key={line.key} className={classes.key}>
            <i
              style={{
                borderColor: line.colour.startsWith("--") ? `var(${line.colour})` : line.colour,
                borderTopStyle: line.dashed ? "dashed" : "solid",
              }}
              aria-hidden
            />
            {line.text}
            <b data-key={line.key}>–</b>
          </span>
        ))}
      </div>
      <div ref={box} />
      {lines.length === 0 && <div className={classes.empty}>No data in this time range</div>}
    </div>
  );
}

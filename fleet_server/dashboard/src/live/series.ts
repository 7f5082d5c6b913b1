import type { TelemetryPoint } from "~/api/types";

const POINTS_MAX = 1_800;

/** Telemetry of one device. Charts read it directly: a sample per second must not render the page per second. */
export class Series {
  points: TelemetryPoint[] = [];
  #watchers = new Set<() => void>();

  constructor(readonly device: string) {}

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  get latest(): TelemetryPoint | undefined {
    return this.points.at(-1);
  }

  /** The newest sample with pipeline metrics: a restarting worker briefly has none. */
  get measured(): TelemetryPoint | undefined {
    return this.points.findLast((point) => Object.keys(point.pipelines ?? {}).length > 0);
  }

  /** Replaces the history; newer samples of the live stream stay. */
  load(points: TelemetryPoint[]): void {
    const until = points.at(-1)?.at ?? 0;
    this.points = [...points, ...this.points.filter((point) => point.at > until)].slice(-POINTS_MAX);
    this.#notify();
  }

  add(point: TelemetryPoint): void {
    const last = this.latest;
    if (last && point.at <= last.at) return;
    this.points = [...this.points.slice(-(POINTS_MAX - 1)), point];
    this.#notify();
  }

  /** Drops samples older than the displayed time range. */
  trim(since: number): void {
    const first = this.points.findIndex((point) => point.at >= since);
    if (first > 0) this.points = this.points.slice(first);
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

const open = new Map<string, Set<Series>>();

export function openSeries(device: string): { series: Series; close: () => void } {
  const series = new Series(device);
  const mine = open.get(device) ?? new Set();
  mine.add(series);
  open.set(device, mine);
  return {
    series,
    close: () => {
      mine.delete(series);
      if (mine.size === 0) open.delete(device);
    },
  };
}

export function addPoint(device: string, point: TelemetryPoint): void {
  for (const series of open.get(device) ?? []) series.add(point);
}

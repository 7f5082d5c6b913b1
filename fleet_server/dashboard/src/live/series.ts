import type { TelemetryPoint } from "~/api/types";

const POINTS_MAX = 1_800;

/** The telemetry of the device on screen. Charts read it themselves: a point a second must not render a page a second. */
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

  /** The newest point with figures of pipelines: a worker that starts anew has none for a moment. */
  get measured(): TelemetryPoint | undefined {
    return this.points.findLast((point) => Object.keys(point.pipelines ?? {}).length > 0);
  }

  /** History from the server; what came live in the meantime stays. */
  load(points: TelemetryPoint[]): void {
    const until = points.at(-1)?.at ?? 0;
    this.points = [...points, ...this.points.filter((point) => point.at > until)].slice(-POINTS_MAX);
    this.#say();
  }

  add(point: TelemetryPoint): void {
    const last = this.latest;
    if (last && point.at <= last.at) return;
    this.points = [...this.points.slice(-(POINTS_MAX - 1)), point];
    this.#say();
  }

  /** Forget what is older than the span on screen. */
  trim(since: number): void {
    const first = this.points.findIndex((point) => point.at >= since);
    if (first > 0) this.points = this.points.slice(first);
  }

  #say(): void {
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

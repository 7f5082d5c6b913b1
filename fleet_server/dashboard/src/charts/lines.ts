import type { PipelineGauges, TelemetryPoint } from "~/api/types";
import { capital } from "~/format/numbers";
import type { Line } from "./Chart";

/** Hues that also differ in lightness and work on both backgrounds. */
export const HUES = ["#4f7cf5", "#12a594", "#d6762c", "#8e6cf0", "#c2489b", "#7a8699"] as const;
const hue = (at: number): string => HUES[at % HUES.length] ?? "#7a8699";

const of = (pipeline: string, pick: (gauges: PipelineGauges) => number | undefined) => (point: TelemetryPoint) => {
  const gauges = point.pipelines?.[pipeline];
  return gauges && pick(gauges);
};

export const rateLines = (pipeline: string): Line[] => [
  { key: "process", text: "Processed", colour: hue(0), fill: true, pick: of(pipeline, (gauges) => gauges.process_fps) },
  { key: "camera", text: "Input", colour: hue(5), dashed: true, pick: of(pipeline, (gauges) => gauges.camera_fps) },
];

/** p50 and p95 of the stages that take the most time. */
export function latencyLines(pipeline: string, stages: readonly string[]): Line[] {
  return stages.flatMap((stage, at) => [
    { key: `${stage}-50`, text: stage, colour: hue(at), pick: of(pipeline, (gauges) => gauges.latency?.[stage]?.p50_ms) },
    {
      key: `${stage}-95`,
      text: "p95",
      colour: hue(at),
      dashed: true,
      pick: of(pipeline, (gauges) => gauges.latency?.[stage]?.p95_ms),
    },
  ]);
}

/** Skipped frames per second, by cause. `dropped` counts over the window. */
export function dropLines(pipeline: string, causes: readonly string[]): Line[] {
  return causes.map((cause, at) => ({
    key: cause,
    text: capital(cause.replaceAll("_", " ")),
    colour: hue(at + 2),
    pick: (point: TelemetryPoint) => {
      const count = point.pipelines?.[pipeline]?.dropped?.[cause];
      return count === undefined ? (point.pipelines?.[pipeline] ? 0 : undefined) : count / Math.max(point.window_s ?? 1, 0.001);
    },
  }));
}

export const loadLines = (): Line[] => [
  { key: "cpu", text: "CPU %", colour: hue(0), fill: true, pick: (point) => point.cpu_percent },
  { key: "temperature", text: "°C", colour: hue(2), pick: (point) => point.temperature_c },
];

export const memoryLines = (): Line[] => [
  { key: "worker", text: "Worker", colour: hue(1), fill: true, pick: (point) => (point.worker_rss_bytes ?? 0) / 1e6 },
  { key: "supervisor", text: "Supervisor", colour: hue(3), pick: (point) => (point.supervisor_rss_bytes ?? 0) / 1e6 },
];

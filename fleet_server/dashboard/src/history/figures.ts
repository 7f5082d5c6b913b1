import type { HistoryFigure } from "~/api/history";
import { short } from "~/format/numbers";

interface FigureText {
  text: string;
  unit: string;
  /** Shown value = stored value times this. */
  factor?: number;
}

/** Figures of devices, in the order of their charts. */
export const FIGURES: Record<HistoryFigure, FigureText> = {
  fps: { text: "Frames per second", unit: "fps" },
  latency_p95_ms: { text: "Latency p95", unit: "ms" },
  dropped_percent: { text: "Dropped frames", unit: "%" },
  cpu_percent: { text: "CPU", unit: "%" },
  temperature_c: { text: "Temperature", unit: "°C" },
  memory_bytes: { text: "Agent memory", unit: "MB", factor: 1e-6 },
  detections_per_frame: { text: "Detections per frame", unit: "" },
  confidence: { text: "Detection confidence", unit: "%" },
  shadow_agreement: { text: "Agreement of the shadow", unit: "%" },
  shadow_latency_percent: { text: "Latency of the shadow", unit: "% of the committed version's" },
  shadow_confidence_points: { text: "Confidence of the shadow", unit: "points more" },
};
export const NAMES = Object.keys(FIGURES) as HistoryFigure[];

/** A stored value in the unit that is shown; null stays. */
export const scaled = (name: HistoryFigure, value: number | null): number | null =>
  value === null ? null : value * (FIGURES[name].factor ?? 1);

/** A shown value with its unit. */
export const withUnit = (name: HistoryFigure, value: number): string => `${short(value)} ${FIGURES[name].unit}`.trim();

/** A stored value with its unit. */
export const amount = (name: HistoryFigure, value: number): string => withUnit(name, scaled(name, value) ?? 0);

/** The value at an axis, with the unit if it is short. */
export const axisText = (name: HistoryFigure, value: number): string =>
  FIGURES[name].unit.length > 3 ? short(value) : withUnit(name, value);

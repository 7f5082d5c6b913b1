import { useComputedColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type uPlot from "uplot";
import type { FigureHistory, HistoryFigure } from "~/api/history";
import { NONE } from "~/format/numbers";
import { attemptLabel } from "~/format/rollouts";
import { curvesOf, markText, markTime, nearer, spanName, spanText, type Curve, type Mark } from "./curves";
import { amount, FIGURES, withUnit } from "./figures";
import { historyPlot } from "./plot";
import classes from "./HistoryChart.module.css";

const SHORTEST_S = 120;
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -24, PageDown: 24, Home: -1e6, End: 1e6 };

interface HistoryChartProps {
  history: FigureHistory;
  name: HistoryFigure;
  marks: readonly Mark[];
  onZoom: (since: number, until: number) => void;
}

/**
 * A figure over a period, with its updates. Dragging over it, or "+" at the chosen point, zooms in. Of one device it has the
 * range from the lowest to the highest value as well.
 */
export function HistoryChart({ history, name, marks, onZoom }: HistoryChartProps) {
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [places, setPlaces] = useState<number[]>([]);
  const zoom = useRef(onZoom);
  zoom.current = onZoom;
  const curves = curvesOf(history, name);
  const isShown = curves.length > 0;

  useEffect(() => {
    if (!host.current || !isShown) return;
    const made = historyPlot(host.current, {
      history,
      name,
      marks,
      onChoose: setChosen,
      onPlaces: setPlaces,
      onZoom: (since, until) => until - since >= SHORTEST_S && zoom.current(since, until),
    });
    plot.current = made.plot;
    return () => {
      plot.current = null;
      made.close();
    };
  }, [history, name, marks, scheme, isShown]);

  if (!isShown) return <div className={classes.empty}>No data in this time range</div>;
  const { at, span_s, since_at, until_at } = history;
  const last = at.length - 1;
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const time = at[chosen ?? last] ?? until_at;
    if (step !== undefined) choose(plot.current, Math.min(last, Math.max(0, (chosen ?? last) + step)));
    else if (event.key === "+") {
      const next = nearer(time + span_s / 2, since_at, until_at);
      if (next.until - next.since >= SHORTEST_S) onZoom(next.since, next.until);
    } else if (event.key === "Escape") choose(plot.current, null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={classes.frame}>
      <div className={classes.keys}>
        <span className="num">
          {chosen === null ? `By ${spanName(span_s)}${totals(history, name)}` : spanText(at[chosen] ?? 0, span_s)}
        </span>
        {curves.map((curve) => (
          <span key={curve.device} className={classes.key}>
            {curves.length > 1 && <LineSample curve={curve} />}
            {curves.length > 1 && curve.device} <b>{reading(curve, name, chosen, curves.length === 1)}</b>
          </span>
        ))}
      </div>
      <div className={classes.marks} aria-hidden>
        {marks.map((mark, number) => (
          <Link
            key={`${mark.device} ${mark.rollout} ${mark.at}`}
            to="/rollouts/$id"
            params={{ id: mark.rollout }}
            tabIndex={-1}
            title={`${markTime(mark)}: ${mark.device}, ${markText(mark)}`}
            data-tone={attemptLabel(mark.state).tone}
            style={{ left: places[number], visibility: places[number] === undefined ? "hidden" : undefined }}
          >
            {mark.state === "offered" ? "▽" : "▼"}
          </Link>
        ))}
      </div>
      <div
        ref={host}
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={`${FIGURES[name].text} by ${spanName(span_s)}`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={`${spanText(at[chosen ?? last] ?? 0, span_s)}: ${curves
          .map((curve) => `${curve.device} ${reading(curve, name, chosen ?? last, true)}`)
          .join(", ")}`}
        onKeyDown={onKey}
        data-testid={`history-${name}`}
      />
    </div>
  );
}

/** Moves the cursor to a point; all charts of the page follow. */
function choose(plot: uPlot | null, at: number | null) {
  const time = at === null ? undefined : plot?.data[0]?.[at];
  if (!plot || time === undefined) plot?.setCursor({ left: -10, top: -10 });
  else plot.setCursor({ left: plot.valToPos(time, "x"), top: plot.over.clientHeight / 2 });
}

/** The values of a curve at a point. */
function reading(curve: Curve, name: HistoryFigure, at: number | null, withRange: boolean): string {
  if (at === null) return "";
  const [mean, low, high] = [curve.mean[at], curve.low[at], curve.high[at]];
  if (mean == null) return NONE;
  return withRange && low != null && high != null
    ? `${withUnit(name, mean)} (${withUnit(name, low)} – ${withUnit(name, high)})`
    : withUnit(name, mean);
}

/** What the figure of a single device was over the period. */
function totals({ devices }: FigureHistory, name: HistoryFigure): string {
  const summary = devices.length === 1 ? devices[0]?.figures.find((figure) => figure.name === name)?.summary : undefined;
  return summary ? `. Mean ${amount(name, summary.mean)}, p95 ${amount(name, summary.p95)}` : "";
}

/** A line as a chart draws it. */
export function LineSample({ curve }: { curve: Pick<Curve, "colour" | "dash"> }) {
  return (
    <svg width={30} height={8} aria-hidden>
      <line x1={0} x2={30} y1={4} y2={4} stroke={curve.colour} strokeWidth={2.2} strokeDasharray={curve.dash.join(" ")} />
    </svg>
  );
}

import uPlot from "uplot";
import type { FigureHistory, HistoryFigure } from "~/api/history";
import { axisDate } from "~/charts/axisDate";
import { attemptLabel } from "~/format/rollouts";
import { alone, bounds, curvesOf, tickText, type Curve, type Mark } from "./curves";
import { axisText } from "./figures";

const HEIGHT = 190;
const DRAG_PIXELS_MIN = 5;
const SYNC = uPlot.sync("history");

interface PlotTask {
  history: FigureHistory;
  name: HistoryFigure;
  marks: readonly Mark[];
  /** The point under the pointer; null = none. */
  onChoose: (at: number | null) => void;
  /** Where the marks are, in pixels from the left of the host. */
  onPlaces: (left: number[]) => void;
  onZoom: (since: number, until: number) => void;
}

const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Mean, and of a single device the lowest and the highest value around it. */
function seriesOf(curve: Curve, withRange: boolean): { data: (number | null)[][]; series: uPlot.Series[] } {
  const { colour: stroke, dash } = curve;
  const filter: uPlot.Series.Points.Filter = (plot, at) => alone(plot.data[at] ?? []);
  const mean: uPlot.Series = { stroke, dash, width: 1.8, points: { show: true, size: 5, fill: stroke, filter } };
  const edge: uPlot.Series = { stroke: `${stroke}40`, width: 1, points: { show: true, size: 3, fill: `${stroke}80`, filter } };
  return withRange
    ? { data: [curve.mean, curve.high, curve.low], series: [mean, edge, edge] }
    : { data: [curve.mean], series: [mean] };
}

function optionsOf(task: PlotTask, curves: readonly Curve[], series: uPlot.Series[], width: number): uPlot.Options {
  const { history, name } = task;
  const grid = { stroke: variable("--line"), width: 1 };
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: variable("--ink-2"), grid, ticks: { ...grid, size: 4 }, font };
  return {
    width,
    height: HEIGHT,
    padding: [6, 12, 0, 0],
    legend: { show: false },
    tzDate: axisDate,
    cursor: { sync: { key: SYNC.key }, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: () => [history.since_at, history.until_at] },
      y: { range: (_, low, high) => bounds(low, high) },
    },
    axes: [
      {
        ...axis,
        space: 60,
        size: 28,
        values: (_, ticks) =>
          ticks.map((tick, at) => tickText(tick, (ticks[at + 1] ?? tick) - tick || tick - (ticks[at - 1] ?? 0))),
      },
      { ...axis, size: 62, space: 34, values: (_, ticks) => ticks.map((tick) => axisText(name, tick)) },
    ],
    series: [{}, ...series],
    bands: curves.length === 1 ? [{ series: [2, 3], fill: `${curves[0]?.colour}26` }] : [],
  };
}

/** Draws the marks as vertical lines: dashed for offers. */
function drawMarks(plot: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  for (const mark of marks) {
    const left = Math.round(plot.valToPos(mark.at, "x", true)) + 0.5;
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.strokeStyle = variable(`--${attemptLabel(mark.state).tone}`);
    ctx.setLineDash(mark.state === "offered" ? [3 * devicePixelRatio, 3 * devicePixelRatio] : []);
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** A plot in `host`, until it is closed. A point stands in the middle of its span. */
export function historyPlot(host: HTMLElement, task: PlotTask): { plot: uPlot; close: () => void } {
  const { history, name, marks } = task;
  const curves = curvesOf(history, name);
  const parts = curves.map((curve) => seriesOf(curve, curves.length === 1));
  const options = optionsOf(
    task,
    curves,
    parts.flatMap(({ series }) => series),
    host.clientWidth || 300,
  );
  let isDragged = false;
  options.hooks = {
    draw: [
      (plot) => {
        drawMarks(plot, marks);
        const before = plot.over.offsetLeft;
        task.onPlaces(marks.map((mark) => before + plot.valToPos(mark.at, "x")));
      },
    ],
    setCursor: [(plot) => task.onChoose((plot.cursor.left ?? -1) < 0 ? null : (plot.cursor.idx ?? null))],
    setSelect: [
      (plot) => {
        const { left, width } = plot.select;
        if (!width) return;
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        if (isDragged && width >= DRAG_PIXELS_MIN) task.onZoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
        isDragged = false;
      },
    ],
  };
  const data = [history.at.map((at) => at + history.span_s / 2), ...parts.flatMap((part) => part.data)];
  const plot = new uPlot(options, data as uPlot.AlignedData, host);
  const press = () => {
    isDragged = true;
  };
  plot.over.addEventListener("pointerdown", press);
  const fit = new ResizeObserver(() => host.clientWidth > 0 && plot.setSize({ width: host.clientWidth, height: HEIGHT }));
  fit.observe(host);
  const close = () => {
    fit.disconnect();
    plot.over.removeEventListener("pointerdown", press);
    plot.destroy();
  };
  return { plot, close };
}

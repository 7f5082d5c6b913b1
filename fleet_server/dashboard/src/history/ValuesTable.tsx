import type { FigureHistory, HistoryFigure } from "~/api/history";
import { many, NONE } from "~/format/numbers";
import { curvesOf, spanText } from "./curves";
import { FIGURES, withUnit } from "./figures";
import classes from "./HistoryChart.module.css";

const ROWS_MAX = 400;

/** The values of a chart as a table, newest first; spans without samples have no row. */
export function ValuesTable({ history, name }: { history: FigureHistory; name: HistoryFigure }) {
  const curves = curvesOf(history, name);
  const isOne = curves.length === 1;
  const places = history.at.map((_, at) => at).filter((at) => curves.some(({ mean }) => mean[at] != null));
  const rows = places.reverse().slice(0, ROWS_MAX);
  const text = (value: number | null | undefined) => (value == null ? NONE : withUnit(name, value));
  return (
    <div className={classes.table} tabIndex={0} role="region" aria-label={`Values of ${FIGURES[name].text}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {curves.map(({ device }) => (
              <th key={device} scope="col">
                {isOne ? "Mean" : device}
              </th>
            ))}
            {isOne && <th scope="col">Lowest</th>}
            {isOne && <th scope="col">Highest</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((at) => (
            <tr key={at}>
              <th scope="row">{spanText(history.at[at] ?? 0, history.span_s)}</th>
              {curves.map(({ device, mean }) => (
                <td key={device}>{text(mean[at])}</td>
              ))}
              {isOne && <td>{text(curves[0]?.low[at])}</td>}
              {isOne && <td>{text(curves[0]?.high[at])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {places.length > rows.length && <p>The newest {many(rows.length, "row")}. Choose a shorter time range for earlier ones.</p>}
    </div>
  );
}

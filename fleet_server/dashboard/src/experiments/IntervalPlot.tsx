import { Fragment } from "react";
import type { Estimate, Figure } from "~/api/types";
import { Tag } from "~/components/Tag";
import { figureNumber, interval, VERDICT } from "./format";
import classes from "./IntervalPlot.module.css";

/** Means of all arms on one scale with confidence intervals, and differences from the first arm. */
export function IntervalPlot({ figure, first }: { figure: Figure; first: string }) {
  const ends = figure.arms.flatMap((arm) => [arm.low ?? arm.value, arm.high ?? arm.value]);
  const least = Math.min(...ends);
  const span = Math.max(...ends) - least || Math.abs(least) || 1;
  const [lowest, highest] = possible(figure);
  const from = Math.max(lowest, least - 0.06 * span);
  const to = Math.min(highest, least + 1.06 * span);
  const place = (value: number) => `${Math.min(100, Math.max(0, (100 * (value - from)) / (to - from || 1)))}%`; // clipped to the axis; the number beside it is not
  return (
    <div>
      <div className={classes.rows}>
        {figure.arms.map((arm) => (
          <Fragment key={arm.arm}>
            <b>{arm.arm}</b>
            <Track arm={arm} unit={figure.unit} isFirst={arm.arm === first} place={place} />
            <span className="num">{interval(arm)}</span>
          </Fragment>
        ))}
        <span />
        <span className={`${classes.scale} num`} aria-hidden>
          <span>{figureNumber(from)}</span>
          <span>{figure.unit}</span>
          <span>{figureNumber(to)}</span>
        </span>
        <span />
      </div>
      {figure.differences.map((each) => (
        <p key={each.arm} className={classes.verdict}>
          <Tag tone={VERDICT[each.verdict].tone} text={VERDICT[each.verdict].text} />{" "}
          <span className="num">
            {each.arm} − {first}: {interval(each)}
          </span>
        </p>
      ))}
    </div>
  );
}

/** Possible range of a metric: not negative, and at most 100 for shares. */
const possible = ({ unit }: Figure): [number, number] => [0, unit.startsWith("%") ? 100 : Number.POSITIVE_INFINITY];

function Track({
  arm,
  unit,
  isFirst,
  place,
}: {
  arm: Estimate;
  unit: string;
  isFirst: boolean;
  place: (value: number) => string;
}) {
  const label = `${arm.arm}: ${interval(arm)} ${unit}, ${arm.devices} devices`;
  return (
    <div className={classes.track} data-first={isFirst} role="img" aria-label={label}>
      {arm.low !== null && arm.high !== null && (
        <i className={classes.whisker} style={{ left: place(arm.low), right: `calc(100% - ${place(arm.high)})` }} />
      )}
      <i className={classes.dot} style={{ left: place(arm.value) }} />
    </div>
  );
}

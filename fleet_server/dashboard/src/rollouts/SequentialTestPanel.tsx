import type { SequentialTestState, Rollout } from "~/api/types";
import { Panel } from "~/components/Panel";
import { count, many, percentOf, short } from "~/format/numbers";
import classes from "./RolloutPage.module.css";

/** Sequential test over all waves: its e-value, its limit, and the next stop condition. */
export function SequentialTestPanel({ rollout }: { rollout: Rollout }) {
  const found = rollout.sequential_test;
  if (!found) return null;
  const share = Math.max(0, Math.min(1, Math.log(Math.max(1, found.e_value)) / Math.log(found.e_value_needed)));
  const tone = share < 0.5 ? "ok" : share < 1 ? "warn" : "bad";
  return (
    <Panel title="Sequential test">
      <div data-tone={tone} role="group" aria-label="Sequential test">
        <div className={`${classes.figure} num`}>
          <b>{count(found.failed)}</b> failed of <b>{count(found.tried)}</b> started{found.profile && `, of ${found.profile}`}
        </div>
        <div
          className={classes.meter}
          style={{ marginTop: 10 }}
          role="img"
          aria-label={`e-value ${short(found.e_value)}, stops at ${short(found.e_value_needed)}`}
        >
          <i style={{ width: `${share * 100}%` }} />
          <span className={classes.limit} style={{ left: "calc(100% - 2px)" }} />
        </div>
        <div className={`${classes.scale} num`}>
          <span>{short(found.e_value)} : 1</span>
          <span>stops at {short(found.e_value_needed)} : 1</span>
        </div>
        <p className={classes.decision}>
          {nextOf(found)}
          <small>
            p &lt; {short(1 - found.confidence_percent / 100)} at the stop limit, for a true failure rate of at most{" "}
            {percentOf(found.tolerated_percent)}, over the whole rollout.{acceptedOf(found)}{" "}
            {found.step !== null && `Devices start in small steps: at most ${many(found.step, "device")} on the way.`}
          </small>
        </p>
      </div>
    </Panel>
  );
}

/** Which results the counts leave out: those before the last resume. */
function acceptedOf({ accepted = 0, accepted_failed: failed = 0 }: SequentialTestState): string {
  return accepted ? ` Not counting ${many(accepted, "device")} (${count(failed)} failed) accepted by an operator.` : "";
}

function nextOf({ failures_to_stop: more, failed, tried }: SequentialTestState): string {
  const working = tried - failed;
  if (more === 0) return "The limit is reached; the rollout stops.";
  if (more === null)
    return `Even if ${working === 1 ? "the 1 started device" : `all ${count(working)} started devices`} without a failure failed, the limit would not be reached. The test continues as more devices start.`;
  return more === 1
    ? "One more failure among started devices stops the rollout."
    : `${more} more failures among started devices stop the rollout.`;
}

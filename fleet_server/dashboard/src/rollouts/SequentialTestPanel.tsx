import type { EvidenceState, Rollout } from "~/api/types";
import { Panel } from "~/components/Panel";
import { count, many, percentOf, short } from "~/format/numbers";
import classes from "./RolloutPage.module.css";

/** How strongly all waves together speak against the version, and the rule that fires next. */
export function SequentialTestPanel({ rollout }: { rollout: Rollout }) {
  const found = rollout.evidence;
  if (!found) return null;
  const share = Math.max(0, Math.min(1, Math.log(Math.max(1, found.e_value)) / Math.log(found.e_needed)));
  const tone = share < 0.5 ? "ok" : share < 1 ? "warn" : "bad";
  return (
    <Panel title="Evidence over all waves">
      <div data-tone={tone} role="group" aria-label="Evidence over all waves">
        <div className={`${classes.figure} num`}>
          <b>{count(found.failed)}</b> failed of <b>{count(found.tried)}</b> that began{found.profile && `, of ${found.profile}`}
        </div>
        <div className={classes.meter} style={{ marginTop: 10 }} role="img" aria-label={`Evidence ${short(found.e_value)}, enough from ${short(found.e_needed)} on`}>
          <i style={{ width: `${share * 100}%` }} />
          <span className={classes.limit} style={{ left: "calc(100% - 2px)" }} />
        </div>
        <div className={`${classes.scale} num`}>
          <span>{short(found.e_value)} : 1</span>
          <span>stops at {short(found.e_needed)} : 1</span>
        </div>
        <p className={classes.says}>
          {nextOf(found)}
          <small>
            A version that fails on at most {percentOf(found.tolerated_percent)} gets that far in less than {short(100 - found.confidence_percent)} of 100 rollouts, however often one looks.
          </small>
        </p>
      </div>
    </Panel>
  );
}

function nextOf({ more, failed, tried }: EvidenceState): string {
  const working = tried - failed;
  if (more === 0) return "This is enough: the rollout stops.";
  if (more === null) return `Even if all ${many(working, "device")} that began and have not failed did, that would be too few to prove anything; it looks on as more begin.`;
  return more === 1 ? "One more failure among those that began stops the rollout." : `${more} more failures among those that began stop the rollout.`;
}

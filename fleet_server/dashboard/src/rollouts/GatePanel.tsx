import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import type { Rollout, Wave } from "~/api/types";
import { capital, count, many, NONE, percentOf } from "~/format/numbers";
import type { Tone } from "~/format/tones";
import classes from "./RolloutPage.module.css";

const TONES: Record<Wave["gate"]["verdict"], Tone> = { waiting: "off", holding: "ok", passed: "ok", breached: "bad" };
const VERDICTS: Record<Wave["gate"]["verdict"], string> = {
  waiting: "Collecting results",
  holding: "Within limit",
  passed: "Passed",
  breached: "Stopped",
};

/** A gate: failures, results, limit, and the next decision. `test`: what stops the rollout. */
export function GatePanel({ wave, test }: { wave: Wave; test: Rollout["gate"]["test"] }) {
  const { gate } = wave;
  if (wave.state === "passed") {
    return (
      <p className={classes.decided} data-tone="ok">
        <IconCircleCheck size={15} stroke={2} aria-hidden /> {sentence(gate.text)} {sentence(gate.comparison ?? "")}
      </p>
    );
  }
  const scale = Math.min(100, Math.max(gate.error_percent_max * 2.5, gate.error_percent * 1.15, 1));
  const isOver = gate.verdict === "holding" && gate.error_percent > gate.error_percent_max && test === "both";
  const failed = gate.reported > 0 ? percentOf(gate.error_percent) : NONE;
  const place = (value: number) => `${Math.min(100, (100 * value) / scale)}%`;
  return (
    <div
      className={classes.gate}
      data-tone={isOver ? "warn" : TONES[gate.verdict]}
      role="group"
      aria-label={`Gate of wave ${wave.name}`}
    >
      <div>
        <div className={`${classes.figure} num`}>
          <b>{count(gate.failed)}</b> failed of <b>{count(gate.reported)}</b> reported
        </div>
        <div
          className={classes.meter}
          style={{ marginTop: 10 }}
          role="img"
          aria-label={`${failed} failed, limit ${percentOf(gate.error_percent_max)}`}
        >
          <i style={{ width: place(gate.error_percent) }} />
          <span className={classes.limit} style={{ left: place(gate.error_percent_max) }} />
        </div>
        <div className={`${classes.scale} num`}>
          <span>{failed}</span>
          <span>limit {percentOf(gate.error_percent_max)}</span>
        </div>
      </div>
      <div className={classes.decision}>
        <b>{isOver ? "Over the limit, not decided" : VERDICTS[gate.verdict]}.</b> {sentence(gate.text)}
        <small>
          {gate.following} {sentence(gate.comparison ?? "")}{" "}
          {gate.verdict === "waiting" && gate.reported_min > 1 && `Minimum sample: ${many(gate.reported_min, "result")}.`}
        </small>
      </div>
    </div>
  );
}

const sentence = (text: string): string => (text ? `${capital(text.replace(/\.$/, ""))}.` : "");

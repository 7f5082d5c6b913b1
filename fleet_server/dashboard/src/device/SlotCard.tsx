import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import type { SlotRow } from "~/api/types";
import { Since } from "~/components/Ago";
import { PackageLink } from "~/components/PackageLink";
import { Panel } from "~/components/Panel";
import { Digest } from "~/components/Digest";
import { Tag } from "~/components/Tag";
import { isMoving, pipelineOf, phaseLabel } from "~/format/devices";
import { bytes } from "~/format/numbers";
import { reasonText, remedyText } from "~/format/reasons";
import { FAULTS } from "~/format/rollouts";
import classes from "./SlotCard.module.css";

const STEPS = [
  { phase: "fetching", text: "Fetch" },
  { phase: "verified", text: "Verify" },
  { phase: "staged", text: "Self-test" },
  { phase: "trial", text: "Trial" },
  { phase: "committed", text: "Commit" },
] as const;
const STEP_INDEX: Record<string, number> = {
  absent: 0,
  fetching: 0,
  fetched: 1,
  verified: 1,
  staged: 2,
  waiting_window: 2,
  trial: 3,
  committed: 4,
};

export function SlotCards({ slots }: { slots: readonly SlotRow[] }) {
  return (
    <div className={classes.grid}>
      {slots.map((slot) => (
        <SlotCard key={slot.slot} slot={slot} />
      ))}
    </div>
  );
}

/** Running and target version of a slot, since when, and why they differ. */
function SlotCard({ slot }: { slot: SlotRow }) {
  const word = phaseLabel(slot.phase);
  const moving = isMoving(slot);
  const settled = slot.on_target && slot.phase === "committed";
  const reason = reasonText(slot.reason);
  return (
    <Panel
      title={
        <>
          {pipelineOf(slot.slot) ? "Pipeline" : "Slot"} <span className="mono">{pipelineOf(slot.slot) ?? slot.slot}</span>
        </>
      }
      side={
        <>
          {slot.since_at > 0 && (
            <span className={classes.faint}>
              <Since at={slot.since_at} prefix="for " />
            </span>
          )}
          <Tag tone={settled ? "ok" : word.tone} text={settled ? "On target" : word.text} help={word.help} live={moving} />
        </>
      }
    >
      {settled && slot.running ? (
        <Settled running={slot.running} />
      ) : (
        <div className={classes.sides}>
          <div className={classes.side}>
            <small>Running</small>
            {slot.running ? <ModelLink {...slot.running} /> : <span className={classes.faint}>None</span>}
            {slot.running && (
              <div className={classes.faint}>
                {[slot.running.variant, slot.running.runtime, slot.running.placement].filter(Boolean).join(" · ")}
                {slot.running.since_at > 0 && (
                  <div>
                    <Since at={slot.running.since_at} prefix="for " />
                  </div>
                )}
              </div>
            )}
          </div>
          <IconArrowRight className={classes.arrow} size={18} stroke={1.6} aria-hidden />
          <div className={classes.side}>
            <small>Target</small>
            {slot.target ? <ModelLink {...slot.target} /> : <span className={classes.faint}>None</span>}
            {slot.target && slot.on_target && <div className={classes.faint}>Same version</div>}
            {slot.drift_since_at !== null && (
              <div className={classes.faint}>
                <Since at={slot.drift_since_at} prefix="Drift for " />
              </div>
            )}
          </div>
        </div>
      )}
      {slot.running?.placement_reason && (
        <div className={classes.note} data-tone="warn">
          <b>Not on its first device.</b> {slot.running.placement_reason}
        </div>
      )}
      {moving && <Steps slot={slot} />}
      {reason && (
        <div className={classes.note} data-tone={word.tone === "bad" ? "bad" : "warn"}>
          {slot.against && slot.against !== "version" && `${FAULTS[slot.against]}: `}
          <b>{reason}.</b> {remedyText(slot.reason)}
          {slot.detail && (
            <div className="mono" style={{ marginTop: 4, overflowWrap: "anywhere" }}>
              {slot.detail}
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

/** A slot on target: its version and placement. */
function Settled({ running }: { running: NonNullable<SlotRow["running"]> }) {
  return (
    <div className={classes.settled}>
      <div>
        <ModelLink {...running} />
      </div>
      <div className={classes.where}>
        {[running.runtime, running.placement].filter(Boolean).join(" · ") ||
          (pipelineOf(running.package) ? "From the fleet" : "Unknown placement")}
        <div className={classes.faint}>{running.variant && `Variant ${running.variant}`}</div>
      </div>
    </div>
  );
}

function ModelLink({ package: name, version, digest }: { package: string; version: string; digest: string }) {
  return (
    <>
      <PackageLink name={name} version={version} />
      <div>
        <Digest value={digest} />
      </div>
    </>
  );
}

function Steps({ slot }: { slot: SlotRow }) {
  const current = STEP_INDEX[slot.phase] ?? 0;
  const share = slot.phase === "fetching" ? (100 * slot.bytes_done) / Math.max(1, slot.bytes_total) : 50;
  return (
    <ol className={classes.walk} aria-label={`Update: ${phaseLabel(slot.phase).text}`}>
      {STEPS.map(({ phase, text }, at) => (
        <li
          key={phase}
          data-step={at < current ? "done" : at === current ? "now" : "later"}
          style={at === current ? { ["--share" as string]: `${share}%` } : undefined}
        >
          {text}
          {at === 0 && current === 0 && slot.bytes_total > 0 && (
            <div>
              {bytes(slot.bytes_done)} of {bytes(slot.bytes_total)}
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

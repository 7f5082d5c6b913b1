import { Skeleton, Tooltip } from "@mantine/core";
import type { DeviceFact, Overview } from "~/api/types";
import { Dot } from "~/components/Tag";
import { DEVICE_FACT, STRIP } from "~/format/devices";
import { count, NONE, percent } from "~/format/numbers";
import classes from "./HealthStrip.module.css";

interface HealthStripProps {
  overview: Overview | undefined;
  picked: DeviceFact | undefined;
  onPick: (status: DeviceFact | undefined) => void;
}

/** False if no device runs a model or is to run one: no device then is off its target, and none is on it. */
const runsModels = ({ versions, on_target, devices_total }: Overview): boolean =>
  versions.length > 0 || on_target < devices_total;

const idleText = ({ devices_total }: Overview): string => (devices_total ? "No model yet" : "No device yet");

/** Device counts by condition, which may overlap. Each toggles a filter of the list below. */
export function HealthStrip({ overview, picked, onPick }: HealthStripProps) {
  if (!overview) return <Skeleton height={104} radius="lg" />;
  return (
    <div className={classes.strip} role="group" aria-label="Fleet health: filter the list by status">
      {STRIP.map((status) => {
        const { text, tone, help } = DEVICE_FACT[status];
        const value = overview[status];
        const isIdle = status === "on_target" && !runsModels(overview);
        const share = isIdle ? idleText(overview) : percent(value, overview.devices_total);
        return (
          <Tooltip key={status} label={help} multiline maw={320}>
            <button
              type="button"
              className={classes.card}
              data-tone={tone}
              data-quiet={value === 0 && status !== "on_target"}
              aria-pressed={picked === status}
              onClick={() => onPick(picked === status ? undefined : status)}
            >
              <span className={classes.label}>
                <Dot tone={tone} live={status === "updating" && value > 0} />
                {text}
              </span>
              <span className={classes.value}>
                <b className="num">{isIdle ? NONE : count(value)}</b>
                <span className="num">{share}</span>
              </span>
              <span className={classes.track} style={{ display: "block" }}>
                <i style={{ width: isIdle ? 0 : `${(100 * value) / Math.max(1, overview.devices_total)}%` }} />
              </span>
            </button>
          </Tooltip>
        );
      })}
    </div>
  );
}

import { Skeleton, Tooltip } from "@mantine/core";
import type { DeviceStatus, Overview } from "~/api/types";
import { Dot } from "~/parts/Tag";
import { DEVICE_STATUS, STATUSES } from "~/words/devices";
import { count, percent } from "~/words/numbers";
import classes from "./HealthStrip.module.css";

interface HealthStripProps {
  overview: Overview | undefined;
  picked: DeviceStatus | undefined;
  onPick: (status: DeviceStatus | undefined) => void;
}

/** The fleet in four numbers, which may overlap. Each is a switch that narrows the list below. */
export function HealthStrip({ overview, picked, onPick }: HealthStripProps) {
  if (!overview) return <Skeleton height={104} radius="lg" />;
  return (
    <div className={classes.strip} role="group" aria-label="Health of the fleet; each narrows the list">
      {STATUSES.map((status) => {
        const { text, tone, help } = DEVICE_STATUS[status];
        const value = overview[status];
        const share = percent(value, overview.devices_total);
        return (
          <Tooltip key={status} label={help}>
            <button
              type="button"
              className={classes.card}
              data-tone={tone}
              aria-pressed={picked === status}
              onClick={() => onPick(picked === status ? undefined : status)}
            >
              <span className={classes.label}>
                <Dot tone={tone} live={status === "updating" && value > 0} />
                {text}
              </span>
              <span className={classes.value}>
                <b className="num">{count(value)}</b>
                <span className="num">{share}</span>
              </span>
              <span className={classes.track} style={{ display: "block" }}>
                <i style={{ width: `${(100 * value) / Math.max(1, overview.devices_total)}%` }} />
              </span>
            </button>
          </Tooltip>
        );
      })}
    </div>
  );
}

import { Tooltip } from "@mantine/core";
import IconArrowRight from "@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs";
import { Link } from "@tanstack/react-router";
import type { DeviceRow } from "~/api/types";
import { isMoving, mainSlot, phaseLabel } from "~/format/devices";
import { percent } from "~/format/numbers";
import classes from "./DeviceTable.module.css";

/** The running model, its placement, and the update in progress. */
export function ModelCell({ device, plain = false }: { device: DeviceRow; plain?: boolean }) {
  const slot = mainSlot(device);
  const running = slot?.running;
  const target = slot && !slot.on_target ? slot.target : null;
  const moving = slot !== undefined && isMoving(slot);
  return (
    <div>
      <span style={{ display: "inline-flex", alignItems: "center", gap: 5, whiteSpace: "nowrap" }}>
        {!running && <span className={classes.faint}>None</span>}
        {running && plain && `${running.package} ${running.version}`}
        {running && !plain && (
          <Link
            to="/models/$name/$version"
            params={{ name: running.package, version: running.version }}
            className="strong-link"
            style={{ fontWeight: 450 }}
          >
            {running.package} <b>{running.version}</b>
          </Link>
        )}
        {target && (
          <>
            <IconArrowRight size={13} aria-label="to" />
            <b style={{ color: moving ? "var(--busy)" : "var(--ink-2)" }}>{target.version}</b>
          </>
        )}
      </span>
      {moving && slot ? (
        <Tooltip label={`${phaseLabel(slot.phase).text}: ${percent(slot.bytes_done, slot.bytes_total)}`}>
          <div className={classes.faint} style={{ display: "flex", alignItems: "center", gap: 8 }}>
            {phaseLabel(slot.phase).text}
            <div className={classes.bar}>
              <i style={{ width: `${(100 * slot.bytes_done) / Math.max(1, slot.bytes_total)}%` }} />
            </div>
          </div>
        </Tooltip>
      ) : (
        <div className={classes.faint}>{running && [running.runtime, running.placement].filter(Boolean).join(" · ")}</div>
      )}
    </div>
  );
}

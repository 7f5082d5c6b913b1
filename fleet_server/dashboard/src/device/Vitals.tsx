import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import type { DeviceDetail } from "~/api/types";
import { Ago, Since, useSecond } from "~/components/Ago";
import { Dot } from "~/components/Tag";
import { bytes, degrees, milliseconds, percent, short } from "~/format/numbers";
import type { Tone } from "~/format/tones";
import classes from "./Vitals.module.css";

const QUIET_S = 30;

/** Connection, last message, and the current key metrics. */
export function Vitals({ device }: { device: DeviceDetail }) {
  const now = useSecond();
  const quiet = now - device.last_seen_at > QUIET_S;
  const known = Object.values(device.pipelines).flatMap((each) => each.coverage ?? []);
  const coverage = known.length ? Math.min(...known) : null;
  const behind = device.generation_desired - device.generation_reported;
  return (
    <div className={classes.strip}>
      <Cell
        name="Connection"
        tone={device.online ? "ok" : "off"}
        note={device.online_since_at ? <Since at={device.online_since_at} prefix="for " /> : "Connection lost"}
      >
        {device.online ? "Connected" : "Not connected"}
      </Cell>
      <Cell
        name="Last message"
        tone={device.online && quiet ? "warn" : device.online ? "ok" : "off"}
        note={behind > 0 ? `${behind} pending ${behind === 1 ? "command" : "commands"}` : "No pending commands"}
      >
        <Ago at={device.last_seen_at} />
      </Cell>
      <Cell name="Frames/s" note={`${short(device.dropped_per_s)} fps dropped`}>
        {device.online ? short(device.fps) : "–"}
      </Cell>
      <Cell
        name="Latency p95"
        note={coverage === null ? "No pipeline data" : `Coverage ${percent(Math.round(coverage * 1000), 1000)}`}
      >
        {device.online ? milliseconds(device.latency_p95_ms) : "–"}
      </Cell>
      <Cell name="Temperature" note={`CPU ${percent(device.cpu_percent, 100)}`}>
        {degrees(device.temperature_c)}
      </Cell>
      <Cell name="Free disk space" note={`Agent ${device.agent_version || "unknown"}`}>
        {bytes(device.disk_free_bytes)}
      </Cell>
    </div>
  );
}

function Cell({ name, tone, note, children }: { name: string; tone?: Tone; note: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.cell}>
      <div className={classes.name}>{name}</div>
      <div className={`${classes.value} num`}>
        {tone && <Dot tone={tone} />}
        {children ?? <Skeleton h={20} />}
      </div>
      <div className={classes.note}>{note}</div>
    </div>
  );
}

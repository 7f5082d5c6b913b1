import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { previewQuery } from "~/api/queries";
import type { Preview } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Loading } from "~/components/States";
import { SegmentBar } from "~/components/SegmentBar";
import { bytes, count, many, percent } from "~/format/numbers";
import { span } from "~/format/time";
import { missing, previewOf, type Plan } from "./plan";
import classes from "./Wizard.module.css";

const FILLS = ["#1f43ad", "#3f6ff0", "#7093fb", "#92adff", "#b9cbff"] as const;
const NAMED_MAX = 20;

/** The server's preview of a plan while it is edited. */
export function useForecast(plan: Plan) {
  const ready = missing(plan, 0) === "" && missing(plan, 1) === "" && missing(plan, 2) === "";
  return { ready, ...useQuery(previewQuery(previewOf(plan), ready)) };
}

export function Forecast({ plan }: { plan: Plan }) {
  const { ready, data, error } = useForecast(plan);
  return (
    <div className={classes.forecast}>
      <Panel title="Preview">
        {!ready ? (
          <Text fz="sm" c="dimmed">
            {[0, 1, 2].map((step) => missing(plan, step)).find(Boolean)}
          </Text>
        ) : error ? (
          <Text fz="sm" c="var(--bad)" role="alert">
            {error.message}
          </Text>
        ) : data ? (
          <Outcome preview={data} />
        ) : (
          <Loading rows={4} />
        )}
      </Panel>
    </div>
  );
}

function Outcome({ preview }: { preview: Preview }) {
  const figures = [
    { text: "To update", value: count(preview.eligible) },
    { text: "Up to date", value: count(preview.already) },
    { text: "Incompatible", value: count(preview.ineligible.length) },
    { text: "Offline", value: count(preview.offline) },
  ];
  return (
    <div aria-live="polite">
      <div className={classes.figures}>
        {figures.map(({ text, value }) => (
          <div key={text} className={`${classes.figure} num`}>
            <b>{value}</b>
            <small>{text}</small>
          </div>
        ))}
      </div>
      {preview.eligible > 0 && (
        <div style={{ marginTop: 16 }}>
          <SegmentBar
            label="Devices by wave"
            height={12}
            keys
            segments={preview.waves.map((wave, at) => ({
              key: `${at}`,
              text: wave.name,
              value: wave.count,
              fill: FILLS[Math.min(at, FILLS.length - 1)] ?? FILLS[0],
            }))}
          />
          <Text fz="sm" c="dimmed" mt={10}>
            Up to {bytes(preview.bytes_total)} to download; blocks already on a device are reused.
          </Text>
          <Duration forecast={preview.forecast} />
          {preview.needs_second_person && (
            <Text fz="sm" c="var(--warn)" mt={10}>
              Some devices require approval: a second person must approve the rollout before it starts.
            </Text>
          )}
        </div>
      )}
      {preview.warnings?.map((warning) => (
        <Text key={warning} fz="sm" c="var(--bad)" mt={10}>
          {warning}.
        </Text>
      ))}
      {preview.notes.map((note) => (
        <Text key={note} fz="sm" c="var(--warn)" mt={10}>
          {note}
        </Text>
      ))}
      {preview.excluded.length > 0 && (
        <Text fz="sm" c="dimmed" mt={10}>
          {many(preview.excluded.length, "device is", "devices are")} excluded after repeated failures until released or until the
          exclusion ends.
        </Text>
      )}
      {preview.ineligible.length > 0 && <Ineligible preview={preview} />}
      {preview.agent_update && <AgentUpdateHint update={preview.agent_update} />}
    </div>
  );
}

function Duration({ forecast }: { forecast: Preview["forecast"] }) {
  return (
    <Text fz="sm" c="dimmed" mt={10} component="div">
      {forecast.waves.length > 1 && <div>{forecast.waves.map((wave) => `${wave.name} ${span(wave.p50_s)}`).join(", ")}.</div>}
      Expected duration <b>{span(forecast.total_p50_s)}</b> (p95 {span(forecast.total_p95_s)});{" "}
      {percent(forecast.reached_24h_percent, 100)} of the devices within 24 h.{" "}
      {forecast.based_on > 0
        ? `Based on ${many(forecast.based_on, "earlier update")}.`
        : "Estimated from trial duration and package size (no earlier updates)."}
    </Text>
  );
}

/** Devices that can take the package after an update of their agent, and the way to it. */
function AgentUpdateHint({ update }: { update: NonNullable<Preview["agent_update"]> }) {
  const { devices, needed, package: agent, version } = update;
  return (
    <Text fz="sm" mt={10} component="div">
      {many(devices, "device")} first {devices === 1 ? "needs" : "need"} agent {needed} or later.{" "}
      {agent && version ? (
        <Link to="/rollouts/new" search={{ package: agent, version, slot: agent }} target="_blank">
          Roll out agent {version}
        </Link>
      ) : (
        "No such agent is in the registry; push one."
      )}
    </Text>
  );
}

/** Incompatible devices, grouped by reason. */
function Ineligible({ preview }: { preview: Preview }) {
  const groups = new Map<string, string[]>();
  for (const { device, reason } of preview.ineligible) groups.set(reason, [...(groups.get(reason) ?? []), device]);
  return (
    <div className={classes.reasons} tabIndex={0} role="group" aria-label="Incompatible devices">
      {[...groups].map(([reason, devices]) => (
        <details key={reason} open={groups.size === 1 && devices.length <= 4}>
          <summary>
            <b>{many(devices.length, "device")}</b>: {reason}
          </summary>
          <ul>
            {devices.slice(0, NAMED_MAX).map((device) => (
              <li key={device}>{device}</li>
            ))}
            {devices.length > NAMED_MAX && <li>and {devices.length - NAMED_MAX} more</li>}
          </ul>
        </details>
      ))}
    </div>
  );
}

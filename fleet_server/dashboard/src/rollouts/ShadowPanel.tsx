import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { shadowQuery } from "~/api/queries";
import type { Rollout, ShadowReport, ShadowSummary } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { shadowed } from "~/format/devices";
import { count, many, NONE, percentOf, short, signed, signedPercent } from "~/format/numbers";
import classes from "./ShadowPanel.module.css";

/** Shadow results: a candidate compared with the running model, and the gate's limit. Empty if the rollout has no shadow part. */
export function ShadowPanel({ rollout }: { rollout: Rollout }) {
  if (!rollout.parts.some(({ slot }) => shadowed(slot))) return null;
  return <Shadow id={rollout.id} />;
}

function Shadow({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(shadowQuery(id));
  if (error && !data)
    return (
      <Panel title="Shadow comparison">
        <Fault error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  if (!data)
    return (
      <Panel title="Shadow comparison">
        <Loading rows={4} />
      </Panel>
    );
  return (
    <Panel
      flush
      title="Shadow comparison"
      note={
        <>
          Slot <span className="mono">{data.slot}</span>
        </>
      }
    >
      {data.overall.measured === 0 ? (
        <Text fz="sm" c="dimmed" p="md">
          {data.overall.devices === 0
            ? "No device has committed the candidate yet."
            : `No results yet from ${many(data.overall.devices, "device")}. Shadow inference uses idle time; results are reported every minute.`}
        </Text>
      ) : (
        <Report report={data} />
      )}
    </Panel>
  );
}

function Report({ report }: { report: ShadowReport }) {
  const bound = report.agreement_percent_min;
  const measuredProfiles = report.profiles.length > 1 ? report.profiles : [];
  return (
    <>
      <Table.ScrollContainer minWidth={600}>
        <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Shadow comparison">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Profile</Table.Th>
              <Table.Th ta="right">Measured</Table.Th>
              <Table.Th>Agreement</Table.Th>
              <Table.Th ta="right">Latency</Table.Th>
              <Table.Th ta="right">Confidence</Table.Th>
              <Table.Th ta="right">Below limit</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Line row={report.overall} name="All" bound={bound} />
            {measuredProfiles.map((row) => (
              <Line key={row.profile} row={row} name={row.profile || "No profile"} bound={bound} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <div className={classes.below}>
        <p>
          {bound === null
            ? "The gate does not check agreement; shadow results do not stop the rollout."
            : `A device with at least ${many(report.samples_min, "sample")} and agreement below ${percentOf(bound)} counts as failed.`}{" "}
          Each device counts once. Intervals are 95 % confidence intervals. Agreement shows whether the two models give the same
          result, not which one is correct.
        </p>
        {report.worst.length > 0 && (
          <p>
            Lowest agreement:{" "}
            {report.worst.map((one, at) => (
              <span key={one.device}>
                {at > 0 && ", "}
                <Link to="/devices/$id" params={{ id: one.device }} className="link">
                  {one.device}
                </Link>{" "}
                <span className="num">{percentOf(one.agreement_percent ?? 0)}</span>
              </span>
            ))}
          </p>
        )}
      </div>
    </>
  );
}

function Line({ row, name, bound }: { row: ShadowSummary; name: string; bound: number | null }) {
  return (
    <Table.Tr>
      <Table.Td fw={name === "All" ? 650 : 560} style={{ whiteSpace: "nowrap" }}>
        {name}
      </Table.Td>
      <Table.Td ta="right" className="num" style={{ whiteSpace: "nowrap" }}>
        {count(row.measured)} / {count(row.devices)}
      </Table.Td>
      <Table.Td>
        {row.agreement_percent === null ? NONE : <Agreement row={row} bound={bound} value={row.agreement_percent} />}
      </Table.Td>
      <Table.Td ta="right" className="num" style={{ whiteSpace: "nowrap" }}>
        {row.latency_percent === null ? NONE : signedPercent(row.latency_percent - 100)}
      </Table.Td>
      <Table.Td ta="right" className="num" style={{ whiteSpace: "nowrap" }}>
        {row.confidence_points === null ? NONE : `${signed(row.confidence_points)} pts`}
      </Table.Td>
      <Table.Td ta="right" className="num" c={row.below > 0 ? "var(--bad)" : undefined}>
        {bound === null ? NONE : count(row.below)}
      </Table.Td>
    </Table.Tr>
  );
}

/** Agreement from 0 to 100 %, with its confidence interval and the gate's limit. */
function Agreement({ row, value, bound }: { row: ShadowSummary; value: number; bound: number | null }) {
  const limits = row.low === null || row.high === null ? "" : ` (${short(row.low)} to ${short(row.high)})`;
  const text = `${percentOf(value)}${limits}`;
  return (
    <div className={classes.agreement}>
      <div
        className={classes.track}
        role="img"
        aria-label={`${text}${bound === null ? "" : `, required ${percentOf(bound)}`}`}
        data-tone={bound !== null && value < bound ? "bad" : "ok"}
      >
        <i style={{ width: `${value}%` }} />
        {row.low !== null && row.high !== null && <em style={{ left: `${row.low}%`, width: `${row.high - row.low}%` }} />}
        {bound !== null && <b style={{ left: `${bound}%` }} />}
      </div>
      <span className="num">{text}</span>
    </div>
  );
}

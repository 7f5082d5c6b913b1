import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { fieldQuery, measurementsQuery } from "~/api/queries";
import type { FieldRow, MeasurementRow, ModelDetail } from "~/api/types";
import { Fault, Loading } from "~/components/States";
import { count, degrees, milliseconds, short } from "~/format/numbers";

const NONE = "–";

/** Performance by profile: current field metrics, and benchmarks. */
export function FieldTable({ model }: { model: ModelDetail }) {
  const { data: field, error, refetch } = useQuery(fieldQuery(model.name, model.version));
  const { data: measured } = useQuery(measurementsQuery(model.name, model.version));
  if (error && !field) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!field || !measured) return <Loading rows={3} />;
  const profiles = [...new Set([...field.items.map((row) => row.profile), ...measured.items.map((row) => row.profile)])];
  if (!profiles.length) {
    return (
      <Text fz="sm" c="dimmed" p="md">
        No field metrics or benchmarks yet. To benchmark on the hardware, run{" "}
        <span className="mono">edgefleet model analyze</span>.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Performance by profile">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Profile</Table.Th>
            <Table.Th ta="right">Devices</Table.Th>
            <Table.Th ta="right">Latency p95</Table.Th>
            <Table.Th ta="right">Frames/s</Table.Th>
            <Table.Th ta="right">Dropped/s</Table.Th>
            <Table.Th ta="right">Temp</Table.Th>
            <Table.Th>Benchmark</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {profiles.map((profile) => (
            <Line
              key={profile}
              model={model}
              profile={profile}
              row={field.items.find((each) => each.profile === profile)}
              bench={measured.items.filter((each) => each.profile === profile)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Line({
  model,
  profile,
  row,
  bench,
}: {
  model: ModelDetail;
  profile: string;
  row: FieldRow | undefined;
  bench: readonly MeasurementRow[];
}) {
  const figure = (value: number | null | undefined, say: (value: number) => string) =>
    value === null || value === undefined ? NONE : say(value);
  return (
    <Table.Tr>
      <Table.Td fw={560} style={{ whiteSpace: "nowrap" }}>
        {profile || "No profile"}
      </Table.Td>
      <Table.Td ta="right">
        {row ? (
          <Link to="/" search={{ package: model.name, version: model.version, search: profile }} className="link">
            {count(row.devices)}
          </Link>
        ) : (
          "0"
        )}
        {row && row.measured < row.devices && (
          <Text fz="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {count(row.measured)} reporting
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {figure(row?.latency_p95_median_ms, milliseconds)}
        {row && row.latency_p95_worst_ms !== null && (
          <Text fz="xs" c="dimmed">
            Max {milliseconds(row.latency_p95_worst_ms)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{figure(row?.fps_mean, short)}</Table.Td>
      <Table.Td ta="right">{figure(row?.dropped_per_s_mean, short)}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
        {degrees(row?.temperature_mean_c)}
      </Table.Td>
      <Table.Td>
        {bench.length === 0
          ? NONE
          : bench.slice(0, 2).map((each) => (
              <div key={`${each.machine}${each.variant}${each.batch}`}>
                {milliseconds(each.p95_ms)} p95, {short(each.per_s)}/s
                <Text fz="xs" c="dimmed">
                  {[each.machine, each.variant, each.runtime, each.device].join(" · ")}
                </Text>
              </div>
            ))}
      </Table.Td>
    </Table.Tr>
  );
}

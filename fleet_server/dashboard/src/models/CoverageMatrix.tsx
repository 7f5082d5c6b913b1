import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { coverageQuery } from "~/api/queries";
import type { CoverageRow, ModelDetail } from "~/api/types";
import { Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { count, many } from "~/format/numbers";

/** Variants of the package by device profile, and devices without one. */
export function CoverageMatrix({ model }: { model: ModelDetail }) {
  const { data, error, refetch } = useQuery(coverageQuery(model.name, model.version));
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} />;
  const kinds = kindsOf(data.rows);
  const variants = model.variants.map((variant) => variant.name);
  if (!kinds.length) {
    return (
      <Text fz="sm" c="dimmed" p="md">
        No devices yet
      </Text>
    );
  }
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Coverage">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Profile</Table.Th>
              {variants.map((variant) => (
                <Table.Th key={variant} ta="center">
                  {variant}
                </Table.Th>
              ))}
              <Table.Th>Not covered</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {kinds.map((kind) => (
              <Table.Tr key={kind.profile}>
                <Table.Th fw={560} style={{ whiteSpace: "nowrap" }}>
                  <Link to="/" search={{ search: kind.profile }} className="strong-link">
                    {kind.profile || "No profile"}
                  </Link>
                  <Text fz="xs" c="dimmed">
                    {many(kind.devices, "device")}
                  </Text>
                </Table.Th>
                {variants.map((variant) => (
                  <Table.Td key={variant} ta="center">
                    {kind.takes[variant] ? (
                      <Tag
                        tone="ok"
                        text={count(kind.takes[variant])}
                        help={`${many(kind.takes[variant], "device")} would run ${variant}`}
                      />
                    ) : (
                      <Text span c="dimmed">
                        –
                      </Text>
                    )}
                  </Table.Td>
                ))}
                <Table.Td>
                  {kind.uncovered > 0 ? (
                    <>
                      <Tag tone="bad" text={count(kind.uncovered)} />
                      {[...kind.reasons].map(([reason, devices]) => (
                        <Text key={reason} fz="xs" c="dimmed">
                          {kind.reasons.size > 1 ? `${count(devices)}: ${reason}` : reason}
                        </Text>
                      ))}
                    </>
                  ) : (
                    <Text span c="dimmed">
                      –
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text fz="xs" c="dimmed" p="md" pt={0}>
        {count(data.covered)} of {many(data.devices, "device")} covered. A device uses the variant for its profile, otherwise the
        first variant that its runtimes support.
      </Text>
    </>
  );
}

interface Kind {
  profile: string;
  devices: number;
  takes: Record<string, number>;
  uncovered: number;
  reasons: Map<string, number>;
}

/** Merges the server's rows, which are by profile and runtimes, into one per profile. */
function kindsOf(rows: readonly CoverageRow[]): Kind[] {
  const found = new Map<string, Kind>();
  for (const row of rows) {
    const kind: Kind = found.get(row.profile) ?? {
      profile: row.profile,
      devices: 0,
      takes: {},
      uncovered: 0,
      reasons: new Map(),
    };
    kind.devices += row.devices;
    if (row.variant) kind.takes[row.variant] = (kind.takes[row.variant] ?? 0) + row.devices;
    else {
      kind.uncovered += row.devices;
      kind.reasons.set(row.reason, (kind.reasons.get(row.reason) ?? 0) + row.devices);
    }
    found.set(row.profile, kind);
  }
  return [...found.values()].sort((a, b) => b.devices - a.devices);
}

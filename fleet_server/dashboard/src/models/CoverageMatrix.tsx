import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { coverageQuery } from "~/api/queries";
import type { ModelDetail } from "~/api/types";
import { Fault, Loading } from "~/parts/Plain";
import { Tag } from "~/parts/Tag";
import { count, many } from "~/words/numbers";

/** The package's variants against the fleet's hardware: which kind of device takes which, and which have none. */
export function CoverageMatrix({ model }: { model: ModelDetail }) {
  const { data, error, refetch } = useQuery(coverageQuery(model.name, model.version));
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} />;
  if (!data.rows.length) {
    return (
      <Text fz="sm" c="dimmed" p="md">
        There is no device yet to compare with.
      </Text>
    );
  }
  const variants = model.variants.map((variant) => variant.name);
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Coverage">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Kind of device</Table.Th>
              {variants.map((variant) => (
                <Table.Th key={variant} ta="center">
                  {variant}
                </Table.Th>
              ))}
              <Table.Th>Not covered</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.rows.map((kind) => (
              <Table.Tr key={`${kind.profile} ${kind.runtimes.join()}`}>
                <Table.Th fw={560} style={{ whiteSpace: "nowrap" }}>
                  <Link to="/" search={{ search: kind.profile }} className="strong-link">
                    {kind.profile || "no profile"}
                  </Link>
                  <Text fz="xs" c="dimmed">
                    {many(kind.devices, "device")} with {kind.runtimes.join(", ") || "no runtime"}
                  </Text>
                </Table.Th>
                {variants.map((variant) => (
                  <Table.Td key={variant} ta="center">
                    {kind.variant === variant ? (
                      <Tag tone="ok" text={count(kind.devices)} help={`${many(kind.devices, "device")} would take ${variant} on ${kind.runtime}`} />
                    ) : (
                      <Text span c="dimmed">
                        –
                      </Text>
                    )}
                  </Table.Td>
                ))}
                <Table.Td>
                  {kind.variant === null ? (
                    <Tag tone="bad" text={count(kind.devices)} help={kind.why} />
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
        {count(data.covered)} of {many(data.devices, "device")} have a variant. A device takes its profile's own variant first, then the first of its runtimes.
      </Text>
    </>
  );
}

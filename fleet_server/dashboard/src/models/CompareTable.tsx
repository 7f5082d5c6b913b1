import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { fieldQuery, modelQuery } from "~/api/queries";
import type { ModelDetail } from "~/api/types";
import { Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";
import { compare } from "./compare";

/** Differences between two versions of a model. */
export function CompareTable({ model, against }: { model: ModelDetail; against: string }) {
  const { data: other, error, refetch } = useQuery(modelQuery(model.name, against));
  const { data: mine } = useQuery(fieldQuery(model.name, model.version));
  const { data: theirs } = useQuery(fieldQuery(model.name, against));
  if (error && !other) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!other || !mine || !theirs) return <Loading rows={6} />;
  const { differences, equal } = compare(other, model, [theirs.items, mine.items]);
  return (
    <>
      <Table.ScrollContainer minWidth={480}>
        <Table verticalSpacing={7} horizontalSpacing="md" fz="sm" aria-label={`${against} and ${model.version}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Property</Table.Th>
              <Table.Th ta="right">{against}</Table.Th>
              <Table.Th ta="right">{model.version}</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ name, before, after, change }) => (
              <Table.Tr key={name}>
                <Table.Th fw={450} c="dimmed">
                  {name}
                </Table.Th>
                <Table.Td ta="right" style={{ overflowWrap: "anywhere" }}>
                  {before}
                </Table.Td>
                <Table.Td ta="right" fw={560} style={{ overflowWrap: "anywhere" }}>
                  {after}
                </Table.Td>
                <Table.Td ta="right" className="num">
                  {change}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text fz="xs" c="dimmed" p="md">
        {many(equal, "other property is", "other properties are")} equal.
      </Text>
    </>
  );
}

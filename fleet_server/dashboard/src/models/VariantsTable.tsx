import { Badge, Group, Table, Text } from "@mantine/core";
import type { ModelVersion } from "~/api/types";
import { bytes } from "~/format/numbers";

export function VariantsTable({ variants }: { variants: ModelVersion["variants"] }) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Variants">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Variant</Table.Th>
            <Table.Th>Format</Table.Th>
            <Table.Th>Runtimes, by preference</Table.Th>
            <Table.Th>Profiles</Table.Th>
            <Table.Th ta="right">Size</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variants.map((variant) => (
            <Table.Tr key={variant.name}>
              <Table.Td fw={580}>{variant.name}</Table.Td>
              <Table.Td>
                {variant.format}
                <Text fz="xs" c="dimmed">
                  {variant.precision || "Unknown precision"}
                </Text>
              </Table.Td>
              <Table.Td>{variant.runtimes.join(" → ")}</Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {variant.profiles.map((profile) => (
                    <Badge key={profile} variant="default" tt="none" fw={450}>
                      {profile}
                    </Badge>
                  ))}
                  {variant.profiles.length === 0 && <span>Any with a supported runtime</span>}
                </Group>
              </Table.Td>
              <Table.Td ta="right">{bytes(variant.length_bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

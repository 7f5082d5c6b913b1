import { Table } from "@mantine/core";
import { cardRows, comparisons, type Card, type Comparison } from "./card";

const LONG = 40;

/** The model card. */
export function CardTable({ card }: { card: Card }) {
  return (
    <>
      {comparisons(card).map((each) => (
        <Compared key={each.name} comparison={each} />
      ))}
      <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Model card">
        <Table.Tbody>
          {cardRows(card).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th fw={450} c="dimmed" w="34%">
                {name}
              </Table.Th>
              <Table.Td fw={value.length > LONG ? 400 : 560} style={{ overflowWrap: "anywhere" }}>
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function Compared({ comparison: { name, columns, rows } }: { comparison: Comparison }) {
  return (
    <Table.ScrollContainer minWidth={200 + 110 * columns.length}>
      <Table verticalSpacing={7} horizontalSpacing="md" fz="sm" aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta="right">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.name}>
              <Table.Th fw={450} c="dimmed">
                {row.name}
              </Table.Th>
              {row.values.map((value, at) => (
                <Table.Td key={columns[at]} ta="right" fw={560}>
                  {value}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

import { Table } from "@mantine/core";
import { short } from "~/words/numbers";

type Card = Record<string, unknown>;

/** A card is free-form TOML: tables become "table · key". */
export function cardRows(card: Card, before = ""): [string, string][] {
  return Object.entries(card).flatMap(([key, value]): [string, string][] => {
    const name = before ? `${before} · ${key.replaceAll("_", " ")}` : key.replaceAll("_", " ");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return cardRows(value as Card, name);
    return [[name, textOf(value)]];
  });
}

function textOf(value: unknown): string {
  if (typeof value === "number") return Math.abs(value) < 1 ? String(Math.round(value * 1e4) / 1e4) : short(value);
  return Array.isArray(value) ? value.map(textOf).join(", ") : String(value);
}

export function CardTable({ card }: { card: Card }) {
  return (
    <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Card">
      <Table.Tbody>
        {cardRows(card).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th fw={450} c="dimmed" w="45%">
              {name}
            </Table.Th>
            <Table.Td fw={560} style={{ overflowWrap: "anywhere" }}>
              {value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
